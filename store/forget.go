package store

import (
	"context"
	"time"

	"diurna/store/record"
)

// Forget rewrites the log: what the facts since then tell about interest (shown,
// opened, taught) is gone, and cannot be undone; read stays read. It returns how
// many facts were changed. Free pages hold old bytes until Compact.
//
// It is the one act that changes the log: what the state rests on stays, without
// what it told about interest.
func (s *Store) Forget(ctx context.Context, since time.Time) (int, error) {
	var n int
	err := s.lib.do(ctx, &job{write: true, fn: func(t *txn) error {
		runs, steps, told, err := t.toForget(since)
		if err != nil {
			return err
		}
		n = told
		for _, r := range runs {
			var c record.FactCoder
			var out []byte
			for i := range r.facts {
				out = c.Append(out, &r.facts[i])
			}
			if err := t.Put(record.Facts, r.key, out); err != nil {
				return err
			}
		}
		for _, no := range steps {
			rec, err := t.step(no)
			if err != nil {
				return err
			}
			rec.New, rec.Field = "", ""
			if err := t.Put(record.Steps, record.Key8(no), rec.Encode(nil)); err != nil {
				return err
			}
		}
		return nil
	}})
	return n, err
}

// logRun is one record of the log.
type logRun struct {
	key   []byte
	facts []Fact
}

// toForget finds the runs of facts that told of interest since a time, without
// what they told, how many facts did, and the steps that hold a word of it.
func (t *txn) toForget(since time.Time) (runs []logRun, steps []uint64, told int, err error) {
	err = t.Scan(record.Facts, nil, nil, func(k, v []byte) error {
		r := logRun{key: append([]byte(nil), k...)}
		touched := false
		var d record.FactReader
		for d.Begin(beUint64(k), v); d.Next(); {
			f := d.Fact.Clone()
			if !f.At.Before(since) && forgetInterest(&f) {
				touched = true
				told++
				if f.Step == f.No && f.Kind == Taught {
					steps = append(steps, f.No)
				}
			}
			r.facts = append(r.facts, f)
		}
		if !d.Rest.Done() {
			return record.Facts.Damage(k, "facts do not decode")
		}
		if touched {
			runs = append(runs, r)
		}
		return nil
	})
	return runs, steps, told, err
}

// forgetInterest empties a fact of what it tells about interest; false if it tells
// nothing, or no more. An opening made its items read, so they stay named.
func forgetInterest(f *Fact) bool {
	switch f.Kind {
	case Shown:
		told := len(f.Items) > 0
		f.Items, f.Nums, f.Feed = nil, nil, 0
		return told
	case Taught:
		told := f.New != "" || f.Field != "" || len(f.Items) > 0
		f.Items, f.Field, f.New, f.Feed = nil, "", "", 0
		return told
	case Opened:
		f.Kind, f.Field = Forgotten, ""
		return true
	}
	return false
}

// Bodies calls visit with the text of each of ids, in their order. Ascending ids
// are read fastest. visit must not block, nor call the Store; the group of 512
// around a failed read may be visited again.
//
// It reads the texts of several items: neighbours lie in one record, which is
// unpacked once.
func (s *Store) Bodies(ctx context.Context, ids []ItemID, visit func(ItemID, Body)) error {
	const most = 512 // items a transaction: others wait meanwhile
	for len(ids) > 0 {
		n := min(most, len(ids))
		group := ids[:n]
		err := s.read(ctx, func(t *txn) error {
			var chunk []record.Entry
			var feed FeedID
			for _, id := range group {
				at := entryAt(chunk, id.N())
				if feed != id.Feed() || at < 0 {
					var err error
					if _, chunk, err = t.chunkAt(id); err != nil {
						return err
					}
					if feed, at = id.Feed(), entryAt(chunk, id.N()); at < 0 {
						return t.missing(id)
					}
				}
				visit(id, chunk[at].Body)
			}
			return nil
		})
		if err != nil {
			return err
		}
		ids = ids[n:]
	}
	return nil
}

// entryAt is the place of item n in a chunk, -1 if it is not there.
func entryAt(chunk []record.Entry, n uint32) int {
	for i := range chunk {
		if chunk[i].N == n {
			return i
		}
	}
	return -1
}
