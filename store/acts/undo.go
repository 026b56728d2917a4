package acts

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"diurna/store/db"
	"diurna/store/fold"
	"diurna/store/library"
	"diurna/store/record"
)

// Undo takes a step back: the newest not undone, or the one named if no later
// step that still holds touches the same (else ErrDepends). Steps up to number
// after are left alone (ErrNothing). The step returned says what was taken back.
func (a *Acts) Undo(ctx context.Context, now time.Time, no, after uint64) (Step, error) {
	var out Step
	err := a.Lib.Do(ctx, &library.Job{Write: true, Fn: func(t *library.Txn) error {
		rec, no, err := stepToUndo(t, no, after)
		if err != nil {
			return err
		}
		out, err = turnStep(t, now, no, rec, true)
		if err != nil {
			return err
		}
		redo, err := t.RedoList()
		if err != nil {
			return err
		}
		return t.PutRedo(append(redo, no))
	}})
	return out, err
}

// Redo does again what was undone last; ErrNothing if an act came since.
func (a *Acts) Redo(ctx context.Context, now time.Time) (Step, error) {
	var out Step
	err := a.Lib.Do(ctx, &library.Job{Write: true, Fn: func(t *library.Txn) error {
		redo, err := t.RedoList()
		if err != nil {
			return err
		}
		if len(redo) == 0 {
			return library.ErrNothing
		}
		no := redo[len(redo)-1]
		rec, err := step(t, no)
		if err != nil {
			return err
		}
		if out, err = turnStep(t, now, no, rec, false); err != nil {
			return err
		}
		return t.PutRedo(redo[:len(redo)-1])
	}})
	return out, err
}

// turnStep takes a step back or does it again. Its facts hold exactly what
// changed, so the inverse follows from them, last fact first.
func turnStep(t *library.Txn, now time.Time, no uint64, rec *record.Step, undo bool) (Step, error) {
	facts, err := stepFacts(t, no, rec)
	if err != nil {
		return Step{}, err
	}
	if undo {
		slices.Reverse(facts)
	}
	var items []record.ItemID
	for i := range facts {
		if err := apply(t, &facts[i], undo); err != nil {
			return Step{}, err
		}
		items = append(items, facts[i].Items...)
	}
	if err := oneFeedAnAddress(t, facts); err != nil {
		return Step{}, err
	}
	turned, err := (RuleWriter{t}).turn(no, facts, undo)
	if err != nil {
		return Step{}, err
	}
	kind := record.Redone
	if undo {
		kind = record.Undone
	}
	if err := t.Log.Append(&record.Fact{Kind: kind, At: now, Ref: no}); err != nil {
		return Step{}, err
	}
	// After that fact: what a rule does to an item of the step holds over the step's.
	ruled, err := (RuleWriter{t}).set(now, no, turned, true)
	if err != nil {
		return Step{}, err
	}
	items = append(items, ruled...)
	rec.Undone = undo
	out := stepOf(no, rec)
	out.Items = record.SortedIDs(items)
	return out, t.Put(record.Steps, record.Key8(no), rec.Encode(nil))
}

// oneFeedAnAddress makes sure that what was just turned did not bring a feed to
// an address where another lives by now; then something depends on the step.
func oneFeedAnAddress(t *library.Txn, facts []record.Fact) error {
	if !slices.ContainsFunc(facts, func(f record.Fact) bool {
		return f.Kind == record.Subscribed || f.Kind == record.Unsubscribed || f.Kind == record.Adjusted && f.Field == "url"
	}) {
		return nil
	}
	live := map[string]bool{}
	return t.Scan(record.Feeds, nil, nil, func(k, v []byte) error {
		var r record.FeedRecord
		if !r.Decode(v) {
			return record.Feeds.Damage(k, "feed does not decode")
		}
		if r.Removed {
			return nil
		}
		if live[r.URL] {
			return library.ErrDepends
		}
		live[r.URL] = true
		return nil
	})
}

// apply does what one fact of a step says, or its opposite.
func apply(t *library.Txn, f *record.Fact, undo bool) error {
	switch f.Kind {
	case record.Subscribed, record.Unsubscribed:
		return t.SetLive(f.Feed, (f.Kind == record.Subscribed) != undo)
	case record.Adjusted:
		value := f.New
		if undo {
			value = f.Old
		}
		if f.Feed == 0 {
			return t.PutOwn(f.Field, value)
		}
		return t.SetField(f.Feed, f.Field, value)
	}
	if p, ok := fold.PropOf(f); ok {
		p.On = p.On != undo
		_, err := t.SetProp(f.Items, p, false)
		return err
	}
	return nil // Trained: the ranking reads Undone facts itself
}

// stepToUndo finds the step and makes sure that nothing depends on it.
func stepToUndo(t *library.Txn, no, after uint64) (*record.Step, uint64, error) {
	if no == 0 {
		return newestStep(t, after)
	}
	rec, err := step(t, no)
	if err != nil {
		return nil, 0, err
	}
	if rec.Undone || no <= after {
		return nil, 0, library.ErrNothing
	}
	return rec, no, independent(t, no, rec)
}

func newestStep(t *library.Txn, after uint64) (*record.Step, uint64, error) {
	c := t.Bucket(record.Steps).Cursor()
	for k, v := c.Last(); k != nil; k, v = c.Prev() {
		no := record.Uint64(k)
		if no <= after {
			break
		}
		rec, err := openStep(k, v)
		if err != nil {
			return nil, 0, err
		}
		if !rec.Undone {
			return rec, no, nil
		}
	}
	return nil, 0, library.ErrNothing
}

func openStep(k, v []byte) (*record.Step, error) {
	p, err := record.Steps.Open(k, v)
	if err != nil {
		return nil, err
	}
	rec := new(record.Step)
	if !rec.Decode(p) {
		return nil, record.Steps.Damage(k, "step does not decode")
	}
	return rec, nil
}

// step reads a step's summary; ErrUnknown if no step has this number.
func step(t *library.Txn, no uint64) (*record.Step, error) {
	key := record.Key8(no)
	v := t.Bucket(record.Steps).Get(key)
	if v == nil {
		return nil, fmt.Errorf("%w: no step %d", library.ErrUnknown, no)
	}
	return openStep(key, v)
}

func stepOf(no uint64, r *record.Step) Step {
	return Step{No: no, At: record.Time(r.At), Kind: r.Kind, Feed: r.Feed, Count: r.Count, Scope: r.Scope, New: r.New, Field: r.Field, Undone: r.Undone}
}

func stepFacts(t *library.Txn, no uint64, rec *record.Step) ([]record.Fact, error) {
	facts := make([]record.Fact, 0, rec.Facts)
	enough := errors.New("enough")
	_, err := t.Log.Visit(no-1, func(f *record.Fact) error {
		if len(facts) == rec.Facts {
			return enough
		}
		facts = append(facts, f.Clone())
		return nil
	})
	if err != nil && err != enough {
		return nil, err
	}
	if len(facts) != rec.Facts || facts[0].Step != no || facts[len(facts)-1].Step != no {
		return nil, record.Steps.Damage(record.Key8(no), "the step's facts do not fit")
	}
	return facts, nil
}

// independent makes sure that no later step that holds touches what step no did.
func independent(t *library.Txn, no uint64, rec *record.Step) error {
	own, err := stepFacts(t, no, rec)
	if err != nil {
		return err
	}
	mine := fold.NewTouch(own)
	return t.Scan(record.Steps, record.Key8(no+1), nil, func(k, v []byte) error {
		var later record.Step
		if !later.Decode(v) {
			return record.Steps.Damage(k, "step does not decode")
		}
		if later.Undone {
			return nil
		}
		facts, err := stepFacts(t, record.Uint64(k), &later)
		if err != nil {
			return err
		}
		if mine.Meets(fold.NewTouch(facts)) {
			return fmt.Errorf("%w: step %d", library.ErrDepends, record.Uint64(k))
		}
		return nil
	})
}

// Steps reads the newest steps, newest first; limit 0: all.
func (a *Acts) Steps(ctx context.Context, limit int) ([]Step, error) {
	var out []Step
	err := a.Lib.Do(ctx, &library.Job{Fn: func(t *library.Txn) error {
		c := t.Bucket(record.Steps).Cursor()
		for k, v := c.Last(); k != nil && (limit <= 0 || len(out) < limit); k, v = c.Prev() {
			rec, err := openStep(k, v)
			if err != nil {
				return err
			}
			out = append(out, stepOf(record.Uint64(k), rec))
		}
		if want := t.Head.Steps; uint64(len(out)) != want && (limit <= 0 || len(out) < limit) {
			return &db.DamagedError{What: fmt.Sprintf("%d steps of %d are there", len(out), want), Record: "steps"}
		}
		return nil
	}})
	return out, err
}
