package acts

import (
	"context"
	"time"

	"diurna/store/library"
	"diurna/store/record"
)

// Forget rewrites the log: what the facts since then tell about interest (shown,
// opened, taught) is gone, and cannot be undone; read stays read. It returns how
// many facts were changed. Free pages hold old bytes until Compact.
//
// It is the one act that changes the log: what the state rests on stays, without
// what it said about interest.
func (a *Acts) Forget(ctx context.Context, since time.Time) (int, error) {
	var n int
	err := a.Lib.Do(ctx, &library.Job{Write: true, Fn: func(t *library.Txn) error {
		runs, steps, found, err := toForget(t, since)
		if err != nil {
			return err
		}
		n = found
		for _, r := range runs {
			var c record.FactCoder
			var out []byte
			for i := range r.facts {
				out = c.Append(out, &r.facts[i])
			}
			if packed, ok := record.PackFacts(nil, out); ok && r.packed {
				out = packed
			}
			if err := t.Put(record.Facts, r.key, out); err != nil {
				return err
			}
		}
		for _, no := range steps {
			rec, err := step(t, no)
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
	key    []byte
	packed bool
	facts  []record.Fact
}

// toForget finds the runs of facts that tell of interest since a time, without
// what they say, how many facts did, and the steps that hold a word of it.
func toForget(t *library.Txn, since time.Time) (runs []logRun, steps []uint64, n int, err error) {
	err = t.Scan(record.Facts, nil, nil, func(k, v []byte) error {
		r := logRun{key: append([]byte(nil), k...), packed: record.IsPacked(v)}
		touched := false
		var d record.FactReader
		for d.Begin(record.Uint64(k), v); d.Next(); {
			f := d.Fact.Clone()
			if !f.At.Before(since) && forgetInterest(&f) {
				touched = true
				n++
				if f.Step == f.No && f.Kind == record.Trained {
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
	return runs, steps, n, err
}

// forgetInterest empties a fact of what it tells about interest; false if it tells
// nothing, or no more. An opening made its items read, so they stay named.
func forgetInterest(f *record.Fact) bool {
	switch f.Kind {
	case record.Shown:
		said := len(f.Items) > 0
		f.Items, f.Nums, f.Feed = nil, nil, 0
		return said
	case record.Trained:
		said := f.New != "" || f.Field != "" || len(f.Items) > 0
		f.Items, f.Field, f.New, f.Feed = nil, "", "", 0
		return said
	case record.Opened:
		f.Kind, f.Field = record.Forgotten, ""
		return true
	}
	return false
}
