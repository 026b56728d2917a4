package store

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"time"

	"diurna/store/codec"
	"diurna/store/fold"
	"diurna/store/record"
)

// Undo takes a step back: the newest not undone, or the one named if no later
// step that still holds touches the same (else ErrDepends). Steps up to number
// after are left alone (ErrNothing). The step returned says what was taken back.
func (s *Store) Undo(ctx context.Context, now time.Time, no, after uint64) (Step, error) {
	var out Step
	err := s.lib.do(ctx, &job{write: true, fn: func(t *txn) error {
		rec, no, err := t.stepToUndo(no, after)
		if err != nil {
			return err
		}
		out, err = t.turnStep(now, no, rec, true)
		if err != nil {
			return err
		}
		redo, err := t.redoList()
		if err != nil {
			return err
		}
		return t.putRedo(append(redo, no))
	}})
	return out, err
}

// Redo does again what was undone last; ErrNothing if an act came since.
func (s *Store) Redo(ctx context.Context, now time.Time) (Step, error) {
	var out Step
	err := s.lib.do(ctx, &job{write: true, fn: func(t *txn) error {
		redo, err := t.redoList()
		if err != nil {
			return err
		}
		if len(redo) == 0 {
			return ErrNothing
		}
		no := redo[len(redo)-1]
		rec, err := t.step(no)
		if err != nil {
			return err
		}
		if out, err = t.turnStep(now, no, rec, false); err != nil {
			return err
		}
		return t.putRedo(redo[:len(redo)-1])
	}})
	return out, err
}

// turnStep takes a step back or does it again. Its facts hold exactly what
// changed, so the inverse follows from them, last fact first.
func (t *txn) turnStep(now time.Time, no uint64, rec *record.Step, undo bool) (Step, error) {
	facts, err := t.stepFacts(no, rec)
	if err != nil {
		return Step{}, err
	}
	if undo {
		slices.Reverse(facts)
	}
	var items []ItemID
	for i := range facts {
		if err := t.apply(&facts[i], undo); err != nil {
			return Step{}, err
		}
		items = append(items, facts[i].Items...)
	}
	if err := t.oneFeedAnAddress(facts); err != nil {
		return Step{}, err
	}
	turned, err := (ruleWriter{t}).turn(no, facts, undo)
	if err != nil {
		return Step{}, err
	}
	kind := Redone
	if undo {
		kind = Undone
	}
	if err := t.appendFact(&Fact{Kind: kind, At: now, Ref: no}); err != nil {
		return Step{}, err
	}
	// After that fact: what a rule does to an item of the step holds over the step's.
	ruled, err := (ruleWriter{t}).set(now, no, turned, true)
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
func (t *txn) oneFeedAnAddress(facts []Fact) error {
	if !slices.ContainsFunc(facts, func(f Fact) bool {
		return f.Kind == Subscribed || f.Kind == Unsubscribed || f.Kind == Adjusted && f.Field == "url"
	}) {
		return nil
	}
	live := map[string]bool{}
	return t.Scan(record.Feeds, nil, nil, func(k, v []byte) error {
		var r record.FeedRecord
		if record.DecMode.Unmarshal(v, &r) != nil {
			return record.Feeds.Damage(k, "feed does not decode")
		}
		if r.Removed {
			return nil
		}
		if live[r.URL] {
			return ErrDepends
		}
		live[r.URL] = true
		return nil
	})
}

// apply does what one fact of a step says, or its opposite.
func (t *txn) apply(f *Fact, undo bool) error {
	switch f.Kind {
	case Subscribed, Unsubscribed:
		return t.setLive(f.Feed, (f.Kind == Subscribed) != undo)
	case Adjusted:
		value := f.New
		if undo {
			value = f.Old
		}
		if f.Feed == 0 {
			return t.putOwn(f.Field, value)
		}
		return t.setField(f.Feed, f.Field, value)
	}
	if p, ok := fold.PropOf(f); ok {
		p.On = p.On != undo
		_, err := t.setProp(f.Items, p, false)
		return err
	}
	return nil // Taught: the ranking reads Undone facts itself
}

// stepToUndo finds the step and makes sure that nothing depends on it.
func (t *txn) stepToUndo(no, after uint64) (*record.Step, uint64, error) {
	if no == 0 {
		return t.newestStep(after)
	}
	rec, err := t.step(no)
	if err != nil {
		return nil, 0, err
	}
	if rec.Undone || no <= after {
		return nil, 0, ErrNothing
	}
	return rec, no, t.independent(no, rec)
}

func (t *txn) newestStep(after uint64) (*record.Step, uint64, error) {
	c := t.Bucket(record.Steps).Cursor()
	for k, v := c.Last(); k != nil; k, v = c.Prev() {
		no := beUint64(k)
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
	return nil, 0, ErrNothing
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
func (t *txn) step(no uint64) (*record.Step, error) {
	key := record.Key8(no)
	v := t.Bucket(record.Steps).Get(key)
	if v == nil {
		return nil, fmt.Errorf("%w: no step %d", ErrUnknown, no)
	}
	return openStep(key, v)
}

func stepOf(no uint64, r *record.Step) Step {
	return Step{No: no, At: record.Time(r.At), Kind: r.Kind, Feed: r.Feed, Count: r.Count, Scope: r.Scope, New: r.New, Field: r.Field, Undone: r.Undone}
}

func (t *txn) stepFacts(no uint64, rec *record.Step) ([]Fact, error) {
	facts := make([]Fact, 0, rec.Facts)
	enough := errors.New("enough")
	_, err := t.visit(no-1, func(f *Fact) error {
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
func (t *txn) independent(no uint64, rec *record.Step) error {
	own, err := t.stepFacts(no, rec)
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
		facts, err := t.stepFacts(beUint64(k), &later)
		if err != nil {
			return err
		}
		if mine.Meets(fold.NewTouch(facts)) {
			return fmt.Errorf("%w: step %d", ErrDepends, beUint64(k))
		}
		return nil
	})
}

// redoList are the undone steps that Redo would do again, the next one last.
func (t *txn) redoList() ([]uint64, error) {
	key := []byte(redoKey)
	v, err := t.Get(record.Meta, key)
	if err != nil {
		return nil, err
	}
	var out []uint64
	r := codec.Reader{B: v}
	for len(r.B) > 0 {
		out = append(out, r.Uvarint())
	}
	if r.Bad {
		return nil, record.Meta.Damage(key, "does not decode")
	}
	return out, nil
}

func (t *txn) putRedo(list []uint64) error {
	key := []byte(redoKey)
	if len(list) == 0 {
		if t.Bucket(record.Meta).Get(key) == nil {
			return nil
		}
		return t.Delete(record.Meta, key)
	}
	var b []byte
	for _, no := range list {
		b = binary.AppendUvarint(b, no)
	}
	return t.Put(record.Meta, key, b)
}

// Steps reads the newest steps, newest first; limit 0: all.
func (s *Store) Steps(ctx context.Context, limit int) ([]Step, error) {
	var out []Step
	err := s.lib.do(ctx, &job{fn: func(t *txn) error {
		c := t.Bucket(record.Steps).Cursor()
		for k, v := c.Last(); k != nil && (limit <= 0 || len(out) < limit); k, v = c.Prev() {
			rec, err := openStep(k, v)
			if err != nil {
				return err
			}
			out = append(out, stepOf(beUint64(k), rec))
		}
		if want := t.head.Steps; uint64(len(out)) != want && (limit <= 0 || len(out) < limit) {
			return &DamagedError{What: fmt.Sprintf("%d steps of %d are there", len(out), want), Record: "steps"}
		}
		return nil
	}})
	return out, err
}
