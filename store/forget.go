package store

import (
	"context"
	"time"
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
			var c factCoder
			var out []byte
			for i := range r.facts {
				out = c.append(out, &r.facts[i])
			}
			if err := t.put(bFacts, r.key, out); err != nil {
				return err
			}
		}
		for _, no := range steps {
			rec, err := t.step(no)
			if err != nil {
				return err
			}
			rec.new, rec.field = "", ""
			if err := t.put(bSteps, key8(no), rec.encode(nil)); err != nil {
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
	err = t.scan(bFacts, nil, nil, func(k, v []byte) error {
		r := logRun{key: append([]byte(nil), k...)}
		touched := false
		var d factReader
		for d.begin(beUint64(k), v); d.next(); {
			f := d.f.clone()
			if !f.At.Before(since) && f.forget() {
				touched = true
				told++
				if f.Step == f.No && f.Kind == Taught {
					steps = append(steps, f.No)
				}
			}
			r.facts = append(r.facts, f)
		}
		if !d.r.Done() {
			return bFacts.damage(k, "facts do not decode")
		}
		if touched {
			runs = append(runs, r)
		}
		return nil
	})
	return runs, steps, told, err
}

// forget empties a fact of what it tells about interest; false if it tells
// nothing, or no more. An opening made its items read, so they stay named.
func (f *Fact) forget() bool {
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
			var chunk []entry
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
				visit(id, chunk[at].body)
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
func entryAt(chunk []entry, n uint32) int {
	for i := range chunk {
		if chunk[i].n == n {
			return i
		}
	}
	return -1
}
