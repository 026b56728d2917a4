package store

import (
	"encoding/binary"
	"slices"

	"diurna/store/db"
	"diurna/store/record"
)

// txn is one transaction as the jobs see it: records instead of bytes. Counters
// and new facts are gathered and written by Flush at the end of a job.
type txn struct {
	*db.Tx
	lib        *library
	head       record.Head
	headWas    record.Head
	counts     map[FeedID]*record.Count
	touched    map[FeedID]bool // counts to be written
	feeds      map[FeedID]*record.FeedRecord
	byURL      map[string]FeedID
	hidden     []FeedID // see hiddenFeeds
	hiddenRead bool
	tail       *factTail
}

// factTail is the last run of facts, being appended to.
type factTail struct {
	first uint64
	run   []byte
	coder record.FactCoder
}

// migrate brings an older library up to our schema, with whatever else this
// transaction does. Nothing is rewritten.
func (t *txn) migrate() error {
	if t.Schema >= record.Schema || !t.Write {
		return nil
	}
	if t.Schema < 5 {
		list, err := t.findHidden()
		if err != nil {
			return err
		}
		if err := t.putHidden(list); err != nil {
			return err
		}
	}
	t.Schema = record.Schema
	if err := t.Put(record.Meta, []byte(db.ProgramKey), []byte(t.lib.Version)); err != nil {
		return err
	}
	return t.Put(record.Meta, []byte(db.SchemaKey), []byte{record.Schema})
}

// setBase sets what is added to bbolt's transaction numbers.
func (t *txn) setBase(base uint64) { t.Base, t.head.TxBase = base, base }

func (t *txn) readHead() error {
	v, err := t.Get(record.Counts, record.Key4(0))
	if err != nil {
		return err
	}
	if !t.head.Decode(v) {
		return record.Counts.Damage(record.Key4(0), "totals do not decode")
	}
	t.headWas, t.Base = t.head, t.head.TxBase
	return nil
}

// count is a feed's counters; nil if there is no such feed. Whoever changes them
// calls touch.
func (t *txn) count(f FeedID) (*record.Count, error) {
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
		t.counts = make(map[FeedID]*record.Count)
	}
	t.counts[f] = c
	return c, nil
}

func (t *txn) touch(f FeedID) {
	t.Dirty = true
	if t.touched == nil {
		t.touched = make(map[FeedID]bool)
	}
	t.touched[f] = true
}

// feed is a feed's record; nil if there is no such feed.
func (t *txn) feed(f FeedID) (*record.FeedRecord, error) {
	if r, ok := t.feeds[f]; ok {
		return r, nil
	}
	key := record.Key4(uint32(f))
	v, err := t.Get(record.Feeds, key)
	if err != nil || v == nil {
		return nil, err
	}
	r := new(record.FeedRecord)
	if record.DecMode.Unmarshal(v, r) != nil {
		return nil, record.Feeds.Damage(key, "feed does not decode")
	}
	if t.feeds == nil {
		t.feeds = make(map[FeedID]*record.FeedRecord)
	}
	t.feeds[f] = r
	return r, nil
}

func (t *txn) putFeed(f FeedID, r *record.FeedRecord) error {
	v, err := record.EncMode.Marshal(r)
	if err != nil {
		return err
	}
	if t.feeds == nil {
		t.feeds = make(map[FeedID]*record.FeedRecord)
	}
	t.feeds[f] = r
	if err := t.noteHidden(f, r.Hidden && !r.Removed); err != nil {
		return err
	}
	return t.Put(record.Feeds, record.Key4(uint32(f)), v)
}

// state reads an item's state into st; false if there is no such item.
func (t *txn) state(id ItemID, st *record.State) (bool, error) {
	key := record.Key8(uint64(id))
	v, err := t.Get(record.States, key)
	if err != nil || v == nil {
		return false, err
	}
	if !st.Decode(v) {
		return false, record.States.Damage(key, "state does not decode")
	}
	return true, nil
}

func (t *txn) putState(id ItemID, st *record.State) error {
	return t.Put(record.States, record.Key8(uint64(id)), st.Encode(nil))
}

func (t *txn) item(id ItemID, it *record.ItemRecord) error {
	key := record.Key8(uint64(id))
	v, err := t.Get(record.Items, key)
	if err != nil {
		return err
	}
	if v == nil {
		return record.Items.Damage(key, "the item is missing")
	}
	*it = record.ItemRecord{}
	if record.DecMode.Unmarshal(v, it) != nil {
		return record.Items.Damage(key, "item does not decode")
	}
	return nil
}

func (t *txn) putItem(id ItemID, it *record.ItemRecord) error {
	v, err := record.EncMode.Marshal(it)
	if err != nil {
		return err
	}
	return t.Put(record.Items, record.Key8(uint64(id)), v)
}

// appendFact gives f its number and adds it to the last run of facts.
func (t *txn) appendFact(f *Fact) error {
	if t.tail == nil {
		if err := t.readTail(); err != nil {
			return err
		}
	}
	t.Dirty = true
	t.head.Facts++
	f.No = t.head.Facts
	if len(t.tail.run) >= record.FactRunSize {
		if err := t.writeTail(); err != nil {
			return err
		}
		t.tail = &factTail{first: f.No}
	}
	if len(t.tail.run) == 0 {
		t.tail.first = f.No
	}
	t.tail.run = t.tail.coder.Append(t.tail.run, f)
	return nil
}

func (t *txn) readTail() error {
	t.tail = &factTail{first: t.head.Facts + 1}
	k, rec := t.Bucket(record.Facts).Cursor().Last()
	if k == nil {
		return nil
	}
	run, err := record.Facts.Open(k, rec)
	if err != nil {
		return err
	}
	var d record.FactReader
	d.Begin(binary.BigEndian.Uint64(k), run)
	for d.Next() {
	}
	if d.Rest.Bad || d.Fact.No != t.head.Facts {
		return record.Facts.Damage(k, "the newest facts do not fit the totals")
	}
	t.tail = &factTail{binary.BigEndian.Uint64(k), slices.Clone(run), d.FactCoder}
	return nil
}

func (t *txn) writeTail() error {
	if t.tail == nil || len(t.tail.run) == 0 {
		return nil
	}
	// Facts are only appended: full pages stay full.
	t.Bucket(record.Facts).FillPercent = 0.95
	return t.Put(record.Facts, record.FactKey(t.tail.first), t.tail.run)
}

// Flush writes the gathered counters and facts of a job.
func (t *txn) Flush() error {
	if t.tail != nil && t.head.Facts != t.headWas.Facts {
		if err := t.writeTail(); err != nil {
			return err
		}
	}
	ids := make([]FeedID, 0, len(t.touched))
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
	if t.head != t.headWas {
		if err := t.Put(record.Counts, record.Key4(0), t.head.Encode(nil)); err != nil {
			return err
		}
		t.headWas = t.head
	}
	return nil
}
