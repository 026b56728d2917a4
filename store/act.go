package store

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"diurna/store/fold"
	"diurna/store/record"
)

// stepWriter gathers the facts of one step. The step's number is that of its
// first fact, and its facts follow each other without a gap.
type stepWriter struct {
	t     *txn
	now   time.Time
	scope string
	first uint64
	rec   record.Step
	done  Done
}

// Act does one deliberate thing as one step: all of changes or, with an error,
// nothing. Only what really changes is recorded; if nothing does there is no
// step. A Subscribed change makes the library if there is none. Errors:
// ErrUnknown for an unknown feed or item, ErrTaken, ErrStale, ErrInvalid.
func (s *Store) Act(ctx context.Context, now time.Time, scope string, changes ...Change) (Done, error) {
	create := false
	for i := range changes {
		c := &changes[i]
		if err := c.check(); err != nil {
			return Done{}, err
		}
		create = create || c.Kind == Subscribed
	}
	var done Done
	err := s.lib.do(ctx, &job{write: true, create: create, fn: func(t *txn) error {
		w := &stepWriter{t: t, now: now, scope: scope}
		for i := range changes {
			if err := w.change(&changes[i]); err != nil {
				return err
			}
		}
		err := w.finish()
		done = w.done
		return err
	}})
	if err != nil {
		return Done{}, err
	}
	return done, nil
}

func (c *Change) check() error {
	switch c.Kind {
	case Subscribed:
		if c.Sub == nil || c.Sub.URL == "" {
			return fmt.Errorf("%w: a subscription without an address", ErrInvalid)
		}
	case Tagged, Untagged:
		if c.Value == "" {
			return fmt.Errorf("%w: an empty tag", ErrInvalid)
		}
	case Adjusted:
		if c.Field == "" || c.Field == "url" && c.Value == "" {
			return fmt.Errorf("%w: field %q to %q", ErrInvalid, c.Field, c.Value)
		}
	case Unsubscribed, MarkedRead, MarkedUnread, Saved, Unsaved, Taught:
	default:
		return fmt.Errorf("%w: %s is no deliberate act", ErrInvalid, c.Kind)
	}
	return nil
}

func (w *stepWriter) change(c *Change) error {
	switch c.Kind {
	case Subscribed:
		return w.subscribe(c.Sub)
	case Unsubscribed:
		return w.unsubscribe(c.Feed)
	case Adjusted:
		if c.Feed == 0 {
			return w.adjustOwn(c)
		}
		return w.adjust(c.Feed, c.Field, c.Value, true)
	case Taught:
		w.done.Changed++
		return w.add(&Fact{Kind: Taught, Feed: c.Feed, Items: record.SortedIDs(c.Items), Field: c.Field, New: c.Value})
	}
	f := &Fact{Kind: c.Kind}
	if c.Kind == Tagged || c.Kind == Untagged {
		f.New = c.Value
	}
	p, _ := fold.PropOf(f)
	changed, err := w.t.setProp(record.SortedIDs(c.Items), p, true)
	if err != nil {
		return err
	}
	w.changed(changed)
	if len(changed) > 0 {
		f.Items, f.Feed = changed, soleFeed(changed)
		if err := w.add(f); err != nil {
			return err
		}
	}
	switch c.Kind {
	case MarkedUnread:
		_, err = w.unmute(changed)
	case MarkedRead: // what a rule muted is read by the reader's own mark from now on
		var muted []ItemID
		muted, err = w.unmute(record.SortedIDs(c.Items))
		w.changed(slices.DeleteFunc(muted, func(id ItemID) bool {
			_, counted := slices.BinarySearch(changed, id)
			return counted
		}))
	}
	return err
}

// changed counts items that the step changes.
func (w *stepWriter) changed(ids []ItemID) {
	w.done.Changed += len(ids)
	w.done.Items = append(w.done.Items, ids...)
	w.rec.Count = w.done.Changed
}

// soleFeed is the feed of all of ids (ascending); 0 if they are of several.
func soleFeed(ids []ItemID) FeedID {
	if len(ids) == 0 || ids[0].Feed() != ids[len(ids)-1].Feed() {
		return 0
	}
	return ids[0].Feed()
}

// subscribe adds a feed, or takes back one that was removed: the same address
// is the same feed for ever, with its items and what was read of them.
func (w *stepWriter) subscribe(sub *Subscription) error {
	id, err := w.t.feedAt(sub.URL)
	if err != nil {
		return err
	}
	if id != 0 {
		c, err := w.t.count(id)
		if err != nil {
			return err
		}
		if c == nil {
			return record.Counts.Damage(record.Key4(uint32(id)), "the feed has no counters")
		}
		if c.Live {
			w.done.Feeds, w.done.Had = append(w.done.Feeds, id), append(w.done.Had, true)
			return nil
		}
		err = w.t.setLive(id, true)
		if err != nil {
			return err
		}
	} else if id, err = w.t.newFeed(sub.URL, record.Millis(w.now)); err != nil {
		return err
	}
	w.done.Feeds, w.done.Had = append(w.done.Feeds, id), append(w.done.Had, false)
	w.done.Changed++
	if err := w.add(&Fact{Kind: Subscribed, Feed: id, New: sub.URL}); err != nil {
		return err
	}
	fields := map[string]string{"title": sub.Title, "folder": sub.Folder, "tags": record.JoinTags(sub.Tags), "hidden": record.BoolWord(sub.Hidden), "allow_private": record.BoolWord(sub.AllowPrivate)}
	for k, v := range sub.Attrs {
		if _, own := fields[k]; !own && k != "url" {
			fields[k] = v
		}
	}
	for _, k := range slices.Sorted(maps.Keys(fields)) {
		if fields[k] == "" {
			continue // a revived feed keeps what it had
		}
		if err := w.adjust(id, k, fields[k], false); err != nil {
			return err
		}
	}
	return nil
}

func (w *stepWriter) unsubscribe(id FeedID) error {
	c, err := w.t.count(id)
	if err != nil {
		return err
	}
	if c == nil {
		return fmt.Errorf("%w: %s", ErrUnknown, id)
	}
	if !c.Live {
		return nil
	}
	if err := w.t.setLive(id, false); err != nil {
		return err
	}
	w.done.Changed++
	return w.add(&Fact{Kind: Unsubscribed, Feed: id})
}

// adjustOwn sets a value of the library itself, which Meta reads; empty removes it. It
// does not count where it goes along with a change of feeds.
func (w *stepWriter) adjustOwn(c *Change) error {
	old, err := w.t.Get(record.Meta, []byte(ownPrefix+c.Field))
	if err != nil || string(old) == c.Value {
		return err
	}
	if c.Was != nil && string(old) != *c.Was {
		return ErrStale
	}
	if err := w.t.putOwn(c.Field, c.Value); err != nil {
		return err
	}
	w.done.Changed += record.Bit(w.first == 0)
	return w.add(&Fact{Kind: Adjusted, Field: c.Field, Old: string(old), New: c.Value})
}

func (w *stepWriter) adjust(id FeedID, field, value string, counts bool) error {
	r, err := w.t.feed(id)
	if err != nil {
		return err
	}
	if r == nil || r.Removed {
		return fmt.Errorf("%w: %s", ErrUnknown, id)
	}
	value = record.NormalField(field, value)
	old := r.Get(field)
	if old == value {
		return nil
	}
	if field == "url" {
		other, err := w.t.feedAt(value)
		if err != nil {
			return err
		}
		if c, err := w.t.count(other); err != nil || c != nil && c.Live {
			if err != nil {
				return err
			}
			return fmt.Errorf("%w: %s", ErrTaken, other)
		}
	}
	if err := w.t.setField(id, field, value); err != nil {
		return err
	}
	if counts {
		w.done.Changed++
	}
	return w.add(&Fact{Kind: Adjusted, Feed: id, Field: field, Old: old, New: value})
}

// add appends a fact to the step.
func (w *stepWriter) add(f *Fact) error {
	f.At = w.now
	if w.first == 0 {
		w.first = w.t.head.Facts + 1
		w.t.head.Steps++
		f.Scope = w.scope
		w.rec = record.Step{At: w.now.UnixMilli(), Kind: f.Kind, Feed: f.Feed, Scope: w.scope, New: f.New, Field: f.Field}
	}
	f.Step = w.first
	w.rec.Facts++
	if err := w.t.appendFact(f); err != nil {
		return err
	}
	w.rec.Count = w.done.Changed
	return nil
}

// finish writes the step's summary. A new act ends what could be redone.
func (w *stepWriter) finish() error {
	if w.first == 0 {
		return nil
	}
	w.done.Step = w.first
	if err := w.t.Put(record.Steps, record.Key8(w.first), w.rec.Encode(nil)); err != nil {
		return err
	}
	return w.t.putRedo(nil)
}

// Note records Looked, Opened (which makes its items read), Shown, Asked and
// Taught facts. They are no steps. No and Step are filled in; a zero At is now.
func (s *Store) Note(ctx context.Context, now time.Time, facts ...Fact) error {
	for i := range facts {
		switch facts[i].Kind {
		case Looked, Opened, Shown, Asked, Taught:
		default:
			return fmt.Errorf("%w: %s is not for Note", ErrInvalid, facts[i].Kind)
		}
	}
	return s.lib.do(ctx, &job{write: true, fn: func(t *txn) error {
		for i := range facts {
			f := facts[i].Clone() // the batch may run twice
			f.SortItems()
			f.Step, f.Ref, f.Scope = 0, 0, ""
			if f.At.IsZero() {
				f.At = now
			}
			if f.Kind == Opened {
				p, _ := fold.PropOf(&f)
				if _, err := t.setProp(f.Items, p, false); err != nil {
					return err
				}
			}
			if err := t.appendFact(&f); err != nil {
				return err
			}
		}
		return nil
	}})
}
