package db

import (
	"bytes"
	"diurna/store/codec"
	"diurna/store/pages"
	"diurna/store/record"
	"fmt"
	"io"
	"os"

	bolt "go.etcd.io/bbolt"
)

// Tx is one transaction: checked records instead of bytes.
type Tx struct {
	Session   Session
	db        *DB
	Bolt      *bolt.Tx
	File      *os.File
	announced uint64 // newest commit that the lock file tells of
	Base      uint64 // added to bbolt's transaction number
	Write     bool
	Dirty     bool // this job has changed something
	Schema    uint64
	Guard     *pages.Guard
	open      map[*record.Bucket]*pages.Bucket
	changed   map[written]bool // nil: nobody is compacting
	block     []byte           // records are cut from here; bbolt keeps them until the commit
}

// begin checks that the file is whole and of our making, and reads the totals.
func (t *Tx) begin(file *os.File) error {
	t.open = make(map[*record.Bucket]*pages.Bucket, len(t.db.Buckets))
	fi, err := file.Stat()
	if err != nil {
		return err
	}
	if fi.Size() < t.Bolt.Size() {
		return &DamagedError{What: fmt.Sprintf("the file is cut short: %d of %d bytes", fi.Size(), t.Bolt.Size()), Record: ""}
	}
	if t.Guard, err = pages.New(t.Bolt, file); err != nil {
		return err
	}
	if t.Bolt.Bucket(record.Meta.Name) == nil {
		return ErrForeign
	}
	v, err := t.Get(record.Meta, []byte(SchemaKey))
	if err != nil {
		return err
	}
	r := codec.Reader{B: v}
	found := r.Uvarint()
	switch {
	case !r.Done() || found == 0:
		return record.Meta.Damage([]byte(SchemaKey), "no schema")
	case found < record.OldestSchema && t.db.Begin != nil:
		return ErrOlder
	case found > record.LeadsSchema:
		by, _ := t.Get(record.Meta, []byte(ProgramKey)) // without it the error says less
		return &NewerError{By: string(by), Here: t.db.Version}
	}
	t.Schema, t.File = found, file
	if t.db.Begin == nil {
		return nil
	}
	if err := t.startNotes(); err != nil {
		return err
	}
	if t.Session, err = t.db.Begin(t); err != nil {
		return err
	}
	return t.newest(file)
}

// Number is what other processes will know this transaction by.
func (t *Tx) Number() uint64 { return t.Base + uint64(t.Bolt.ID()) }

// Bucket is where records of b lie.
func (t *Tx) Bucket(b *record.Bucket) *pages.Bucket {
	bb := t.open[b]
	if bb == nil {
		name := func(key []byte) string { return string(b.Name) + " " + b.KeyName(key) }
		if bb = t.Guard.Bucket(b.Name, name); bb == nil {
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
func (t *Tx) newest(f io.ReaderAt) error {
	if t.db.File != "" {
		return nil // a copy has no lock file
	}
	t.announced = t.db.ReadTx()
	if own := t.Base + pages.Committed(t.Bolt); t.announced != 0 && t.announced <= own {
		return nil
	}
	size := t.Bolt.DB().Info().PageSize
	for i := range uint64(2) {
		if _, ok := pages.ReadMeta(f, i, size); !ok {
			return &DamagedError{What: fmt.Sprintf("the newest commit, %d, cannot be found", t.announced), Record: "the file's first pages"}
		}
	}
	return nil // another file was put in the library's place
}

// Get returns the checked payload under key, nil if there is none. It lives as
// long as the transaction. That there is none is checked too: a damaged key leads
// bbolt's search astray, and then one of the two records between which key should
// lie does not check or is on the wrong side.
func (t *Tx) Get(b *record.Bucket, key []byte) ([]byte, error) {
	if rec := t.Bucket(b).Get(key); rec != nil {
		return b.Open(key, rec)
	}
	c := t.Bucket(b).Cursor()
	k, rec := c.Seek(key)
	return nil, Gap(b, c, k, rec, key)
}

// Gap makes sure that key belongs between the record that a Seek of c has
// reached and the one before it.
func Gap(b *record.Bucket, c *pages.Cursor, k, rec, key []byte) error {
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

// Floor reads the record under key, or the last one before it; nil if there is none.
func (t *Tx) Floor(b *record.Bucket, key []byte) (k, payload []byte, err error) {
	c := t.Bucket(b).Cursor()
	k, rec := c.Seek(key)
	if !bytes.Equal(k, key) {
		if err := Gap(b, c, k, rec, key); err != nil {
			return nil, nil, err
		}
		if k, _ = c.Seek(key); k == nil {
			k, rec = c.Last()
		} else {
			k, rec = c.Prev()
		}
	}
	if k == nil {
		return nil, nil, nil
	}
	payload, err = b.Open(k, rec)
	return k, payload, err
}

// Put writes a record. It keeps key, but not payload, until the commit.
func (t *Tx) Put(b *record.Bucket, key, payload []byte) error {
	t.Dirty = true
	need := record.HeadSize + len(payload)
	if need > cap(t.block)-len(t.block) {
		t.block = make([]byte, 0, max(need, 64<<10))
	}
	start := len(t.block)
	t.block = b.Seal(t.block, key, payload)
	if err := t.Bucket(b).Put(key, t.block[start:len(t.block):len(t.block)]); err != nil {
		return err
	}
	t.note(b, key)
	if t.Session == nil {
		return nil
	}
	return t.Session.Written(b, payload)
}

// Delete removes a record, if it is there.
func (t *Tx) Delete(b *record.Bucket, key []byte) error {
	t.Dirty = true
	t.note(b, key)
	return t.Bucket(b).Delete(key)
}

// Scan visits the checked records of b from key from on while they have prefix,
// in order.
func (t *Tx) Scan(b *record.Bucket, from, prefix []byte, visit func(key, payload []byte) error) error {
	c := t.Bucket(b).Cursor()
	k, rec := c.Seek(from)
	if len(from) > 0 {
		// The records on both sides of the range must check, or it might be longer.
		if err := Gap(b, c, k, rec, from); err != nil {
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
