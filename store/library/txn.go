package library

import (
	"fmt"
	"slices"

	"diurna/store/blocks"
	"diurna/store/bodies"
	"diurna/store/codec"
	"diurna/store/db"
	"diurna/store/journal"
	"diurna/store/record"
)

// Txn is one transaction as the jobs see it: records instead of bytes. Counters
// and new facts are gathered and written by Flush at the end of a job.
type Txn struct {
	*db.Tx
	Lib        *Library
	Head       record.Head
	Log        *journal.Journal
	Texts      *bodies.Bodies
	Tombs      *blocks.Tombstones
	Packed     *blocks.Items
	headWas    record.Head
	counts     map[record.FeedID]*record.Count
	touched    map[record.FeedID]bool // counts to be written
	Feeds      map[record.FeedID]*record.FeedRecord
	byURL      map[string]record.FeedID
	encoded    []byte          // room for a record; Put copies it
	hidden     []record.FeedID // see hiddenFeeds
	hiddenRead bool
}

// migrate brings an older library up to our schema, with whatever else this
// transaction does. Nothing is rewritten.
func (t *Txn) migrate() error {
	if t.Schema >= record.Schema || !t.Write {
		return nil
	}
	if t.Schema < 5 {
		list, err := t.FindHidden()
		if err != nil {
			return err
		}
		if err := t.PutHidden(list); err != nil {
			return err
		}
	}
	return t.Raise(record.Schema)
}

// Raise notes that programs have to know schema to read the library.
func (t *Txn) Raise(schema byte) error {
	if t.Schema >= uint64(schema) {
		return nil
	}
	t.Schema = uint64(schema)
	if err := t.Put(record.Meta, []byte(db.ProgramKey), []byte(t.Lib.Version)); err != nil {
		return err
	}
	return t.Put(record.Meta, []byte(db.SchemaKey), []byte{schema})
}

// SetBase sets what is added to bbolt's transaction numbers.
func (t *Txn) SetBase(base uint64) { t.Base, t.Head.TxBase = base, base }

func (t *Txn) readHead() error {
	v, err := t.Get(record.Counts, record.Key4(0))
	if err != nil {
		return err
	}
	if !t.Head.Decode(v) {
		return record.Counts.Damage(record.Key4(0), "totals do not decode")
	}
	t.headWas, t.Base = t.Head, t.Head.TxBase
	return nil
}

// Count is a feed's counters; nil if there is no such feed. Whoever changes them
// calls touch.
func (t *Txn) Count(f record.FeedID) (*record.Count, error) {
	if c, ok := t.counts[f]; ok {
		return c, nil
	}
	key := record.Key4(uint32(f))
	v, err := t.Get(record.Counts, key)
	if err != nil || v == nil || f == 0 {
		return nil, err
	}
	c := new(record.Count)
	if !c.Decode(v) {
		return nil, record.Counts.Damage(key, "counters do not decode")
	}
	if t.counts == nil {
		t.counts = make(map[record.FeedID]*record.Count)
	}
	t.counts[f] = c
	return c, nil
}

// Touch has the counters of a feed written.
func (t *Txn) Touch(f record.FeedID) {
	t.Dirty = true
	if t.touched == nil {
		t.touched = make(map[record.FeedID]bool)
	}
	t.touched[f] = true
}

// State reads an item's state into st; false if there is no such item.
func (t *Txn) State(id record.ItemID, st *record.State) (bool, error) {
	key := record.Key8(uint64(id))
	v, err := t.Get(record.States, key)
	if err != nil {
		return false, err
	}
	if v == nil {
		p, err := blocks.Pair(t.Tx, record.States, id.Feed(), uint64(id.N()))
		if p.Key != 0 || err != nil {
			st.FromBlock(p)
			return err == nil, err
		}
		packed, err := t.Packed.Of(id)
		if packed != nil {
			*st = packed.State()
		}
		return packed != nil, err
	}
	if !st.Decode(v) {
		return false, record.States.Damage(key, "state does not decode")
	}
	return true, nil
}

// PutState writes the state of an item.
func (t *Txn) PutState(id record.ItemID, st *record.State) error {
	t.encoded = st.Encode(t.encoded[:0])
	return t.Put(record.States, record.Key8(uint64(id)), t.encoded)
}

// Item reads the record of an item into it.
func (t *Txn) Item(id record.ItemID, it *record.ItemRecord) error {
	key := record.Key8(uint64(id))
	v, err := t.Get(record.Items, key)
	if err != nil {
		return err
	}
	if v == nil {
		packed, err := t.Packed.Of(id)
		if packed == nil || packed.Item(it) {
			if packed == nil && err == nil {
				err = record.Items.Damage(key, "the item is missing")
			}
			return err
		}
	}
	*it = record.ItemRecord{}
	if !it.Decode(v) {
		return record.Items.Damage(key, "item does not decode")
	}
	return nil
}

// ItemOrGone reads the record of an item in a state into it: an empty one where the row
// was removed and nothing was to stay.
func (t *Txn) ItemOrGone(id record.ItemID, st *record.State, it *record.ItemRecord) error {
	if st.Flags&record.FlagGone != 0 {
		if v, err := t.Get(record.Items, record.Key8(uint64(id))); err != nil || v == nil {
			*it = record.ItemRecord{}
			if err == nil {
				var left *record.Tombstone
				if left, err = t.Tombs.Of(id); left != nil {
					*it = left.Item()
				}
			}
			return err
		}
	}
	return t.Item(id, it)
}

// PutItem writes the record of an item.
func (t *Txn) PutItem(id record.ItemID, it *record.ItemRecord) error {
	t.encoded = it.Encode(t.encoded[:0])
	return t.Put(record.Items, record.Key8(uint64(id)), t.encoded)
}

// Flush writes the gathered counters and facts of a job.
func (t *Txn) Flush() error {
	if err := t.Log.Flush(t.headWas.Facts); err != nil {
		return err
	}
	ids := make([]record.FeedID, 0, len(t.touched))
	for f := range t.touched {
		ids = append(ids, f)
	}
	slices.Sort(ids)
	for _, f := range ids {
		if err := t.Put(record.Counts, record.Key4(uint32(f)), t.counts[f].Encode(nil)); err != nil {
			return err
		}
	}
	clear(t.touched)
	if t.Head != t.headWas {
		if err := t.Put(record.Counts, record.Key4(0), t.Head.Encode(nil)); err != nil {
			return err
		}
		t.headWas = t.Head
	}
	return nil
}

// Totals are the counters, without Hidden.
func (t *Txn) Totals() Totals {
	h := &t.Head
	return Totals{Feeds: h.Feeds, Items: h.Items, Unread: h.Unread, Saved: h.Saved, Facts: h.Facts, Tx: t.Number()}
}

// Totals are the library's counters, over live feeds.
type Totals struct {
	Feeds, Items, Unread, Saved int
	Hidden                      int    // of Unread: in hidden feeds; only from Totals and Front
	Facts                       uint64 // number of the newest fact
	Tx                          uint64 // changes with every commit
}

// Missing tells an item that never was from one that a damaged page hides.
func (t *Txn) Missing(id record.ItemID) error {
	c, err := t.Count(id.Feed())
	if err != nil {
		return err
	}
	if c != nil && id.N() > 0 && id.N() < c.Next {
		return record.States.Damage(record.Key8(uint64(id)), "the item's state is missing")
	}
	return fmt.Errorf("%w: %s", ErrUnknown, id)
}

// Owner is the number of the item that has a key; 0 if none has.
func (t *Txn) Owner(feed record.FeedID, key uint64) (uint32, error) {
	k := record.IDKey(feed, key)
	v, err := t.Get(record.IDs, k)
	if err != nil {
		return 0, err
	}
	if v == nil {
		p, err := blocks.Pair(t.Tx, record.IDs, feed, key)
		return uint32(p.Value), err
	}
	r := codec.Reader{B: v}
	n := uint32(r.Uvarint())
	if !r.Done() || n == 0 {
		return 0, record.IDs.Damage(k, "key does not decode")
	}
	return n, nil
}

// Written brings the values of the secrets that a record refers to into the library.
func (t *Txn) Written(b *record.Bucket, payload []byte) error {
	return t.Lib.Secrets.Written(t.Tx, b, payload)
}
