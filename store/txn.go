package store

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"slices"

	bolt "go.etcd.io/bbolt"

	"diurna/store/codec"
	"diurna/store/pages"
	"diurna/store/record"
)

// txn is one transaction as the jobs see it: checked records instead of bytes.
// Counters and new facts are gathered and written by flush at the end of a job.
type txn struct {
	lib        *library
	tx         *bolt.Tx
	file       *os.File
	told       uint64 // newest commit that the lock file tells of
	write      bool
	dirty      bool // this job has changed something
	schema     uint64
	guard      *pages.Guard
	open       map[*record.Bucket]*pages.Bucket
	head       record.Head
	headWas    record.Head
	counts     map[FeedID]*record.Count
	touched    map[FeedID]bool // counts to be written
	feeds      map[FeedID]*record.FeedRecord
	byURL      map[string]FeedID
	hidden     []FeedID // see hiddenFeeds
	hiddenRead bool
	tail       *factTail
	changed    map[written]bool // nil: nobody is compacting
	block      []byte           // records are cut from here; bbolt keeps them until the commit
}

// factTail is the last run of facts, being appended to.
type factTail struct {
	first uint64
	run   []byte
	coder record.FactCoder
}

// begin checks that the file is whole and of our making, and reads the totals.
func (t *txn) begin(file *os.File) error {
	t.open = make(map[*record.Bucket]*pages.Bucket, len(t.lib.buckets))
	fi, err := file.Stat()
	if err != nil {
		return err
	}
	if fi.Size() < t.tx.Size() {
		return &DamagedError{What: fmt.Sprintf("the file is cut short: %d of %d bytes", fi.Size(), t.tx.Size()), Record: ""}
	}
	if t.guard, err = pages.New(t.tx, file); err != nil {
		return err
	}
	if t.tx.Bucket(record.Meta.Name) == nil {
		return errForeign
	}
	v, err := t.get(record.Meta, []byte(schemaKey))
	if err != nil {
		return err
	}
	r := codec.Reader{B: v}
	found := r.Uvarint()
	switch {
	case !r.Done() || found == 0:
		return record.Meta.Damage([]byte(schemaKey), "no schema")
	case found < record.OldestSchema && t.lib.name == libraryName:
		return ErrOlder
	case found > record.Schema:
		by, _ := t.get(record.Meta, []byte(programKey)) // without it the error says less
		return &NewerError{By: string(by), Here: t.lib.version}
	}
	if t.schema = found; t.lib.name != libraryName {
		return nil
	}
	if err := t.startNotes(); err != nil {
		return err
	}
	if err := t.migrate(); err != nil {
		return err
	}
	t.file = file
	if err := t.readHead(); err != nil {
		return err
	}
	return t.newest(file)
}

// migrate brings an older library up to our schema, with whatever else this
// transaction does. Nothing is rewritten.
func (t *txn) migrate() error {
	if t.schema >= record.Schema || !t.write {
		return nil
	}
	if t.schema < 5 {
		list, err := t.findHidden()
		if err != nil {
			return err
		}
		if err := t.putHidden(list); err != nil {
			return err
		}
	}
	t.schema = record.Schema
	if err := t.put(record.Meta, []byte(programKey), []byte(t.lib.version)); err != nil {
		return err
	}
	return t.put(record.Meta, []byte(schemaKey), []byte{record.Schema})
}

func (t *txn) readHead() error {
	v, err := t.get(record.Counts, record.Key4(0))
	if err != nil {
		return err
	}
	if !t.head.Decode(v) {
		return record.Counts.Damage(record.Key4(0), "totals do not decode")
	}
	t.headWas = t.head
	return nil
}

// number is what other processes will know this transaction by.
func (t *txn) number() uint64 { return t.head.TxBase + uint64(t.tx.ID()) }

// bucket is where records of b lie.
func (t *txn) bucket(b *record.Bucket) *pages.Bucket {
	bb := t.open[b]
	if bb == nil {
		name := func(key []byte) string { return string(b.Name) + " " + b.KeyName(key) }
		if bb = t.guard.Bucket(b.Name, name); bb == nil {
			// As a panic it need not be handled at every step; transact makes it an error.
			panic(&DamagedError{What: "a bucket is missing", Record: string(b.Name)})
		}
		t.open[b] = bb
	}
	return bb
}

// newest makes sure that bbolt has not silently gone back to the commit before:
// it does when the newest of the two meta pages is damaged, which is right after
// a power cut in the middle of a commit, for nobody was told of that one. But the
// lock file knows the newest commit that somebody was told of.
func (t *txn) newest(f io.ReaderAt) error {
	if t.lib.file != "" {
		return nil // a copy has no lock file
	}
	t.told = t.lib.readTx()
	if own := t.head.TxBase + pages.Committed(t.tx); t.told != 0 && t.told <= own {
		return nil
	}
	size := t.tx.DB().Info().PageSize
	for i := range uint64(2) {
		if _, ok := pages.ReadMeta(f, i, size); !ok {
			return &DamagedError{What: fmt.Sprintf("the newest commit, %d, cannot be found", t.told), Record: "the file's first pages"}
		}
	}
	return nil // another file was put in the library's place
}

// get returns the checked payload under key, nil if there is none. It lives as
// long as the transaction. That there is none is checked too: a damaged key leads
// bbolt's search astray, and then one of the two records between which key should
// lie does not check or is on the wrong side.
func (t *txn) get(b *record.Bucket, key []byte) ([]byte, error) {
	if rec := t.bucket(b).Get(key); rec != nil {
		return b.Open(key, rec)
	}
	c := t.bucket(b).Cursor()
	k, rec := c.Seek(key)
	return nil, gap(b, c, k, rec, key)
}

// gap makes sure that key belongs between the record that a Seek of c has
// reached and the one before it.
func gap(b *record.Bucket, c *pages.Cursor, k, rec, key []byte) error {
	if k != nil {
		if _, err := b.Open(k, rec); err != nil {
			return err
		}
		if bytes.Compare(k, key) < 0 {
			return b.Damage(k, "records out of order")
		}
		k, rec = c.Prev()
	} else {
		k, rec = c.Last()
	}
	if k == nil {
		return nil
	}
	if bytes.Compare(k, key) >= 0 {
		return b.Damage(k, "records out of order")
	}
	_, err := b.Open(k, rec)
	return err
}

// put writes a record.
func (t *txn) put(b *record.Bucket, key, payload []byte) error {
	t.dirty = true
	need := record.HeadSize + len(payload)
	if need > cap(t.block)-len(t.block) {
		t.block = make([]byte, 0, max(need, 64<<10))
	}
	start := len(t.block)
	t.block = b.Seal(t.block, key, payload)
	if err := t.bucket(b).Put(key, t.block[start:len(t.block):len(t.block)]); err != nil {
		return err
	}
	t.note(b, key)
	return t.bringSecrets(b, payload)
}

func (t *txn) delete(b *record.Bucket, key []byte) error {
	t.dirty = true
	t.note(b, key)
	return t.bucket(b).Delete(key)
}

// scan visits the checked records of b from key from on while they have prefix,
// in order.
func (t *txn) scan(b *record.Bucket, from, prefix []byte, visit func(key, payload []byte) error) error {
	c := t.bucket(b).Cursor()
	k, rec := c.Seek(from)
	if len(from) > 0 {
		// The records on both sides of the range must check, or it might be longer.
		if err := gap(b, c, k, rec, from); err != nil {
			return err
		}
		k, rec = c.Seek(from)
	}
	for ; k != nil; k, rec = c.Next() {
		if len(prefix) > 0 && !hasPrefix(k, prefix) {
			_, err := b.Open(k, rec)
			return err
		}
		p, err := b.Open(k, rec)
		if err != nil {
			return err
		}
		if err := visit(k, p); err != nil {
			return err
		}
	}
	return nil
}

func hasPrefix(k, prefix []byte) bool {
	return len(k) >= len(prefix) && string(k[:len(prefix)]) == string(prefix)
}

// count is a feed's counters; nil if there is no such feed. Whoever changes them
// calls touch.
func (t *txn) count(f FeedID) (*record.Count, error) {
	if c, ok := t.counts[f]; ok {
		return c, nil
	}
	key := record.Key4(uint32(f))
	v, err := t.get(record.Counts, key)
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
	t.dirty = true
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
	v, err := t.get(record.Feeds, key)
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
	return t.put(record.Feeds, record.Key4(uint32(f)), v)
}

// state reads an item's state into st; false if there is no such item.
func (t *txn) state(id ItemID, st *record.State) (bool, error) {
	key := record.Key8(uint64(id))
	v, err := t.get(record.States, key)
	if err != nil || v == nil {
		return false, err
	}
	if !st.Decode(v) {
		return false, record.States.Damage(key, "state does not decode")
	}
	return true, nil
}

func (t *txn) putState(id ItemID, st *record.State) error {
	return t.put(record.States, record.Key8(uint64(id)), st.Encode(nil))
}

func (t *txn) item(id ItemID, it *record.ItemRecord) error {
	key := record.Key8(uint64(id))
	v, err := t.get(record.Items, key)
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
	return t.put(record.Items, record.Key8(uint64(id)), v)
}

// appendFact gives f its number and adds it to the last run of facts.
func (t *txn) appendFact(f *Fact) error {
	if t.tail == nil {
		if err := t.readTail(); err != nil {
			return err
		}
	}
	t.dirty = true
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
	k, rec := t.bucket(record.Facts).Cursor().Last()
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
	t.bucket(record.Facts).FillPercent = 0.95
	return t.put(record.Facts, record.FactKey(t.tail.first), t.tail.run)
}

// flush writes the gathered counters and facts of a job.
func (t *txn) flush() error {
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
		if err := t.put(record.Counts, record.Key4(uint32(f)), t.counts[f].Encode(nil)); err != nil {
			return err
		}
	}
	clear(t.touched)
	if t.head != t.headWas {
		if err := t.put(record.Counts, record.Key4(0), t.head.Encode(nil)); err != nil {
			return err
		}
		t.headWas = t.head
	}
	return nil
}
