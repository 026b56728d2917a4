// Package acts does what a user does to a library: each act is a step of facts, which
// can be taken back and done again. Rules are changed in the same way.
//
// Start with Acts.Act and Acts.Undo.
package acts

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"diurna/store/fold"
	"diurna/store/library"
	"diurna/store/record"
)

// Acts does deliberate things in a library, one step each, takes steps back, and notes
// what else happened.
type Acts struct{ Lib *library.Library }

// stepWriter gathers the facts of one step. The step's number is that of its
// first fact, and its facts follow each other without a gap.
type stepWriter struct {
	t     *library.Txn
	now   time.Time
	scope string
	first uint64
	rec   record.Step
	done  Done
	kind  record.Kind    // of its first change
	ruled []*record.Fact // what rules do to items, once the step is done
}

// Act does one deliberate thing as one step: all of changes or, with an error,
// nothing. Only what really changes is recorded; if nothing does there is no
// step. A Subscribed change makes the library if there is none. Errors:
// ErrUnknown for an unknown feed or item, ErrTaken, ErrStale, ErrInvalid.
func (a *Acts) Act(ctx context.Context, now time.Time, scope string, changes ...Change) (Done, error) {
	create := false
	for i := range changes {
		c := &changes[i]
		if err := c.check(); err != nil {
			return Done{}, err
		}
		create = create || c.Kind == record.Subscribed
	}
	var done Done
	err := a.Lib.Do(ctx, &library.Job{Write: true, Create: create, Fn: func(t *library.Txn) error {
		w := &stepWriter{t: t, now: now, scope: scope}
		for i := range changes {
			if err := w.counted(&changes[i]); err != nil {
				return err
			}
		}
		if err := w.finish(); err != nil {
			return err
		}
		if done = w.done; w.first == 0 {
			return nil
		}
		_, err := (RuleWriter{t}).set(now, done.Step, w.ruled, false)
		return err
	}})
	if err != nil {
		return Done{}, err
	}
	return done, nil
}

func (c *Change) check() error {
	switch c.Kind {
	case record.Subscribed:
		if c.Sub == nil || c.Sub.URL == "" {
			return fmt.Errorf("%w: a subscription without an address", library.ErrInvalid)
		}
	case record.Tagged, record.Untagged:
		if c.Value == "" {
			return fmt.Errorf("%w: an empty tag", library.ErrInvalid)
		}
	case record.Adjusted:
		if c.Field == "" || c.Field == "url" && c.Value == "" {
			return fmt.Errorf("%w: field %q to %q", library.ErrInvalid, c.Field, c.Value)
		}
	case record.Unsubscribed, record.MarkedRead, record.MarkedUnread, record.Saved, record.Unsaved, record.Trained:
	default:
		return fmt.Errorf("%w: %s is no deliberate act", library.ErrInvalid, c.Kind)
	}
	return nil
}

// counted makes a change. What a step is called by its first change counts those of its
// kind alone: an import that subscribes to a feed and marks nine items is one feed.
func (w *stepWriter) counted(c *Change) error {
	before := w.done.Changed
	err := w.change(c)
	if w.first != 0 && w.kind == 0 {
		w.kind = c.Kind
	}
	if c.Kind == w.kind {
		w.rec.Count += w.done.Changed - before
	}
	return err
}

func (w *stepWriter) change(c *Change) error {
	switch c.Kind {
	case record.Subscribed:
		return w.subscribe(c.Sub)
	case record.Unsubscribed:
		return w.unsubscribe(c.Feed)
	case record.Adjusted:
		if c.Feed == 0 {
			return w.adjustOwn(c)
		}
		return w.adjust(c.Feed, c.Field, c.Value, true)
	case record.Trained:
		w.done.Changed++
		return w.add(&record.Fact{Kind: record.Trained, Feed: c.Feed, Items: record.SortedIDs(c.Items), Field: c.Field, New: c.Value})
	}
	if record.RuleOf(c.Field) != 0 {
		w.ruled = append(w.ruled, &record.Fact{Kind: c.Kind, Field: c.Field, New: c.Value, Items: record.SortedIDs(c.Items)})
		return nil
	}
	f := &record.Fact{Kind: c.Kind}
	if c.Kind == record.Tagged || c.Kind == record.Untagged {
		f.New = c.Value
	}
	p, _ := fold.PropOf(f)
	changed, err := w.t.SetProp(record.SortedIDs(c.Items), p, true)
	if err != nil {
		return err
	}
	w.changed(changed)
	if len(changed) > 0 {
		f.Items, f.Feed = changed, record.SoleFeed(changed)
		if err := w.add(f); err != nil {
			return err
		}
	}
	switch c.Kind {
	case record.MarkedUnread:
		_, err = w.unmute(changed)
	case record.MarkedRead: // what a rule muted is read by the reader's own mark from now on
		var muted []record.ItemID
		muted, err = w.unmute(record.SortedIDs(c.Items))
		w.changed(slices.DeleteFunc(muted, func(id record.ItemID) bool {
			_, counted := slices.BinarySearch(changed, id)
			return counted
		}))
	}
	return err
}

// changed counts items that the step changes.
func (w *stepWriter) changed(ids []record.ItemID) {
	w.done.Changed += len(ids)
	w.done.Items = append(w.done.Items, ids...)
}

// subscribe adds a feed, or takes back one that was removed: the same address
// is the same feed always, with its items and what was read of them.
func (w *stepWriter) subscribe(sub *Subscription) error {
	id, err := w.t.FeedAt(sub.URL)
	if err != nil {
		return err
	}
	if id != 0 {
		c, err := w.t.Count(id)
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
		err = w.t.SetLive(id, true)
		if err != nil {
			return err
		}
	} else if id, err = w.t.NewFeed(sub.URL, record.Millis(w.now)); err != nil {
		return err
	}
	w.done.Feeds, w.done.Had = append(w.done.Feeds, id), append(w.done.Had, false)
	w.done.Changed++
	if err := w.add(&record.Fact{Kind: record.Subscribed, Feed: id, New: sub.URL}); err != nil {
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

func (w *stepWriter) unsubscribe(id record.FeedID) error {
	c, err := w.t.Count(id)
	if err != nil {
		return err
	}
	if c == nil {
		return fmt.Errorf("%w: %s", library.ErrUnknown, id)
	}
	if !c.Live {
		return nil
	}
	if err := w.t.SetLive(id, false); err != nil {
		return err
	}
	w.done.Changed++
	return w.add(&record.Fact{Kind: record.Unsubscribed, Feed: id})
}

// adjustOwn sets a value of the library itself, which Meta reads; empty removes it. It
// does not count where it goes along with a change of feeds.
func (w *stepWriter) adjustOwn(c *Change) error {
	old, err := w.t.Get(record.Meta, []byte(library.OwnPrefix+c.Field))
	if err != nil || string(old) == c.Value {
		return err
	}
	if c.Was != nil && string(old) != *c.Was {
		return library.ErrStale
	}
	if err := w.t.PutOwn(c.Field, c.Value); err != nil {
		return err
	}
	w.done.Changed += record.Bit(w.first == 0)
	return w.add(&record.Fact{Kind: record.Adjusted, Field: c.Field, Old: string(old), New: c.Value})
}

func (w *stepWriter) adjust(id record.FeedID, field, value string, counts bool) error {
	r, err := w.t.Feed(id)
	if err != nil {
		return err
	}
	if r == nil || r.Removed {
		return fmt.Errorf("%w: %s", library.ErrUnknown, id)
	}
	value = record.NormalField(field, value)
	old := r.Get(field)
	if old == value {
		return nil
	}
	if field == "url" {
		other, err := w.t.FeedAt(value)
		if err != nil {
			return err
		}
		if c, err := w.t.Count(other); err != nil || c != nil && c.Live {
			if err != nil {
				return err
			}
			return fmt.Errorf("%w: %s", library.ErrTaken, other)
		}
	}
	if err := w.t.SetField(id, field, value); err != nil {
		return err
	}
	if counts {
		w.done.Changed++
	}
	return w.add(&record.Fact{Kind: record.Adjusted, Feed: id, Field: field, Old: old, New: value})
}

// add appends a fact to the step.
func (w *stepWriter) add(f *record.Fact) error {
	f.At = w.now
	if w.first == 0 {
		w.first = w.t.Head.Facts + 1
		w.t.Head.Steps++
		f.Scope = w.scope
		w.rec = record.Step{At: w.now.UnixMilli(), Kind: f.Kind, Feed: f.Feed, Scope: w.scope, New: f.New, Field: f.Field}
	}
	f.Step = w.first
	w.rec.Facts++
	return w.t.Log.Append(f)
}

// finish writes the step's summary. A new act ends what could be redone.
func (w *stepWriter) finish() error {
	if w.first == 0 {
		return nil
	}
	w.done.Step = w.first
	w.t.Bucket(record.Steps).FillPercent = 0.95 // only appended
	if err := w.t.Put(record.Steps, record.Key8(w.first), w.rec.Encode(nil)); err != nil {
		return err
	}
	return w.t.PutRedo(nil)
}

// Change is one deliberate thing. Items for MarkedRead, MarkedUnread, Saved,
// Unsaved, Tagged and Untagged (Value is the tag); Feed for Unsubscribed and
// Adjusted (Field and Value; of feed 0 the value is the library's, what Meta
// reads); Sub for Subscribed; anything for Trained.
type Change struct {
	Kind         record.Kind
	Items        []record.ItemID
	Feed         record.FeedID
	Field, Value string // of items: the RuleField of a rule that marks them, which the step does not count
	Sub          *Subscription
	Was          *string // of a value of the library: it must still be this, else ErrStale
}

// Subscription is a feed to be added. Only URL is required.
type Subscription struct {
	URL, Title, Folder   string
	Tags                 []string
	Hidden, AllowPrivate bool
	Attrs                map[string]string
}

// Done says what Act did. Feeds holds the feed of each Subscribed change in
// their order, Had whether it was subscribed already; Items those that changed.
type Done struct {
	Step    uint64 // 0: nothing changed, so there is nothing to undo
	Changed int    // items, or feeds where no item was named
	Feeds   []record.FeedID
	Had     []bool
	Items   []record.ItemID
}

// Step is one deliberate act, as a log shows it.
type Step struct {
	No         uint64
	At         time.Time
	Kind       record.Kind // of its first fact
	Feed       record.FeedID
	Count      int // of its first change's kind: items changed, or facts about feeds
	Scope, New string
	Field      string
	Undone     bool
	Items      []record.ItemID // only from Undo and Redo: the items it touched
}
