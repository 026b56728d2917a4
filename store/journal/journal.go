// Package journal appends facts to a library and reads them, in one transaction.
package journal

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"time"

	"diurna/store/db"
	"diurna/store/record"
)

// Journal is the facts of a library as a transaction reads and appends to them.
type Journal struct {
	tx   *db.Tx
	head *record.Head
	tail *factTail
}

// New is the journal of a transaction. head holds how many facts there are, and
// is kept right.
func New(tx *db.Tx, head *record.Head) *Journal { return &Journal{tx: tx, head: head} }

// Flush writes what was appended, if there were this many facts before.
func (j *Journal) Flush(before uint64) error {
	if j.tail == nil || j.head.Facts == before {
		return nil
	}
	return j.writeTail()
}

// factTail is the last run of facts, being appended to.
type factTail struct {
	first uint64
	run   []byte
	coder record.FactCoder
}

// Append gives f its number and adds it to the last run of facts.
func (j *Journal) Append(f *record.Fact) error {
	if j.tail == nil {
		if err := j.readTail(); err != nil {
			return err
		}
	}
	j.tx.Dirty = true
	j.head.Facts++
	f.No = j.head.Facts
	before := j.tail.coder
	run := j.tail.coder.Append(j.tail.run, f)
	if len(j.tail.run) > 0 && len(run) > record.FactRunSize {
		j.tail.coder = before
		if err := j.closeTail(); err != nil {
			return err
		}
		j.tail = &factTail{}
		run = j.tail.coder.Append(nil, f)
	}
	if len(j.tail.run) == 0 {
		j.tail.first = f.No
	}
	j.tail.run = run
	return nil
}

func (j *Journal) readTail() error {
	j.tail = &factTail{first: j.head.Facts + 1}
	k, rec := j.tx.Bucket(record.Facts).Cursor().Last()
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
	if d.Rest.Bad || d.Fact.No != j.head.Facts {
		return record.Facts.Damage(k, "the newest facts do not fit the totals")
	}
	if !record.IsPacked(run) {
		j.tail = &factTail{binary.BigEndian.Uint64(k), slices.Clone(run), d.FactCoder}
	}
	return nil
}

// closeTail packs the last run, with those in the record before it if they fit into one, where
// older programs do not read the library any more.
func (j *Journal) closeTail() error {
	if j.tx.Schema < uint64(record.RowsSchema) {
		return j.writeTail()
	}
	k, before, err := j.tx.Floor(record.Facts, record.FactKey(j.tail.first-1))
	if err != nil {
		return err
	}
	if k != nil {
		if facts, ok := record.PackFacts(before, j.tail.run); ok {
			// Of the run there may be a record already.
			if err := j.tx.Delete(record.Facts, record.FactKey(j.tail.first)); err != nil {
				return err
			}
			return j.tx.Put(record.Facts, bytes.Clone(k), facts)
		}
	}
	if facts, ok := record.PackFacts(nil, j.tail.run); ok {
		j.tail.run = facts
	}
	return j.writeTail()
}

func (j *Journal) writeTail() error {
	if len(j.tail.run) == 0 {
		return nil
	}
	// Facts are only appended: full pages stay full.
	j.tx.Bucket(record.Facts).FillPercent = 0.95
	return j.tx.Put(record.Facts, record.FactKey(j.tail.first), j.tail.run)
}

// Visit decodes all facts after number after into one Fact.
func (j *Journal) Visit(after uint64, visit func(*record.Fact) error) (last uint64, err error) {
	if after >= j.head.Facts {
		return j.head.Facts, nil
	}
	c := j.tx.Bucket(record.Facts).Cursor()
	want := record.FactKey(after + 1)
	k, rec := c.Seek(want)
	if !bytes.Equal(k, want) { // it lies inside the run before
		if k == nil {
			k, rec = c.Last()
		} else {
			k, rec = c.Prev()
		}
	}
	var d record.FactReader
	next := uint64(0)
	for ; k != nil; k, rec = c.Next() {
		no := record.Uint64(k)
		if no > after+1 && no != next || next == 0 && no > after+1 {
			return 0, record.Facts.Damage(k, "facts are missing before this")
		}
		run, err := record.Facts.Open(k, rec)
		if err != nil {
			return 0, err
		}
		d.Begin(no, run)
		for d.Next() {
			if d.Fact.No > after {
				if err := visit(&d.Fact); err != nil {
					return d.Fact.No, err
				}
			}
		}
		if !d.Rest.Done() {
			return 0, record.Facts.Damage(k, "facts do not decode")
		}
		next = d.Fact.No + 1
	}
	if next != j.head.Facts+1 {
		return 0, &db.DamagedError{What: fmt.Sprintf("facts end at %d of %d", int64(next)-1, j.head.Facts), Record: "facts"}
	}
	return j.head.Facts, nil
}

// Begun is the time of the library's first fact; zero if it has none.
func (j *Journal) Begun() (at time.Time, err error) {
	enough := errors.New("enough")
	err = j.tx.Scan(record.Facts, nil, nil, func(k, v []byte) error {
		var d record.FactReader
		if d.Begin(record.Uint64(k), v); !d.Next() {
			return record.Facts.Damage(k, "facts do not decode")
		}
		at = d.Fact.At
		return enough
	})
	if err == enough {
		err = nil
	}
	return at, err
}
