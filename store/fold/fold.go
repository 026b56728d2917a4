// Package fold says what facts add up to: which property of its items a fact sets
// (Prop), what the facts of a step touch (Touch), and the state of a whole library
// as its facts alone give it (Model), in memory. It reads no library; it is what
// undo rests on, and what Check holds a library against.
package fold

import (
	"fmt"
	"slices"

	"diurna/store/record"
)

// Model is the state as the facts alone give it: the fold that Check and the
// property tests hold the library against. It shares with the library only what
// a single property, field or edit does (Prop.Apply, record.FeedRecord.Set, record.EditFlags);
// records, rows, counters, steps and undo are made here a second time, in memory.
type Model struct {
	Facts    uint64
	nextFeed record.FeedID
	Feeds    map[record.FeedID]*Feed
	Steps    map[uint64]*Step
	Redo     []uint64
	Own      map[string]string // the library's values that a step set
}

// Feed is a feed and its items, number 1 first.
type Feed struct {
	Record record.FeedRecord // but for Site and Format, which no fact tells
	Items  []Item
}

// Item is the state of an item.
type Item struct {
	Flags record.Flags
	At    int64
	Edits int
	Tags  []string
	Body  int // bytes, from the bodies or a block; -1: none found

	Tombstone bool // what is left of it lies in a block
	TextGone  bool // its text was removed, perhaps to come again with an edit
	Gone      bool // its row was removed; what was done to it stays as it was
}

// Step is a step and its facts.
type Step struct {
	Record record.Step
	facts  []record.Fact
}

// New is a library before its first fact.
func New() *Model {
	return &Model{nextFeed: 1, Feeds: make(map[record.FeedID]*Feed), Steps: make(map[uint64]*Step), Own: make(map[string]string)}
}

// Item is nil if no fact tells of the item.
func (m *Model) Item(id record.ItemID) *Item {
	f := m.Feeds[id.Feed()]
	if f == nil || id.N() == 0 || int(id.N()) > len(f.Items) {
		return nil
	}
	return &f.Items[id.N()-1]
}

// Fold takes in the next fact. An error means that the facts contradict each
// other.
func (m *Model) Fold(f *record.Fact) error {
	if f.No != m.Facts+1 {
		return fmt.Errorf("fact %d follows fact %d", f.No, m.Facts)
	}
	m.Facts = f.No
	if f.Step != 0 {
		if err := m.foldStep(f); err != nil {
			return err
		}
	}
	switch f.Kind {
	case record.Undone, record.Redone:
		return m.turn(f)
	case record.Arrived:
		return m.arrive(f)
	case record.Placed:
		return m.place(f)
	case record.Edited:
		return m.edit(f)
	case record.TextRemoved, record.RowRemoved:
		return m.remove(f)
	case record.Fetched:
		if feed := m.Feeds[f.Feed]; feed != nil && f.New != "" {
			feed.Record.Title = f.New
		}
		return nil
	case record.Subscribed:
		if m.Feeds[f.Feed] == nil {
			if f.Feed != m.nextFeed {
				return fmt.Errorf("fact %d: feed %d is new but not the next", f.No, f.Feed)
			}
			m.nextFeed++
			m.Feeds[f.Feed] = &Feed{Record: record.FeedRecord{URL: f.New, Subscribed: record.Millis(f.At)}}
			return nil
		}
	}
	return m.apply(f, false)
}

// foldStep counts the fact into its step. A new act ends what could be redone.
func (m *Model) foldStep(f *record.Fact) error {
	s := m.Steps[f.Step]
	if f.Step == f.No {
		s = &Step{Record: record.Step{At: f.At.UnixMilli(), Kind: f.Kind, Feed: f.Feed, Scope: f.Scope, New: f.New, Field: f.Field}}
		m.Steps[f.No] = s
		m.Redo = nil
	}
	if s == nil || f.No != f.Step+uint64(len(s.facts)) {
		return fmt.Errorf("fact %d is not part of step %d", f.No, f.Step)
	}
	s.facts = append(s.facts, f.Clone())
	s.Record.Facts++
	return nil
}

// turn takes a step back or does it again.
func (m *Model) turn(f *record.Fact) error {
	s := m.Steps[f.Ref]
	undo := f.Kind == record.Undone
	if s == nil || s.Record.Undone == undo {
		return fmt.Errorf("fact %d: step %d cannot be %s", f.No, f.Ref, f.Kind)
	}
	s.Record.Undone = undo
	if undo {
		m.Redo = append(m.Redo, f.Ref)
		for i := range slices.Backward(s.facts) {
			if err := m.apply(&s.facts[i], true); err != nil {
				return err
			}
		}
		return nil
	}
	if n := len(m.Redo); n == 0 || m.Redo[n-1] != f.Ref {
		return fmt.Errorf("fact %d: step %d was not the next to redo", f.No, f.Ref)
	}
	m.Redo = m.Redo[:len(m.Redo)-1]
	for i := range s.facts {
		if err := m.apply(&s.facts[i], false); err != nil {
			return err
		}
	}
	return nil
}

// apply does what a fact of a step, or an Opened fact, says, or its opposite.
func (m *Model) apply(f *record.Fact, undo bool) error {
	switch f.Kind {
	case record.Subscribed, record.Unsubscribed, record.Adjusted:
		if f.Kind == record.Adjusted && f.Feed == 0 {
			m.Own[f.Field] = f.New
			if undo {
				m.Own[f.Field] = f.Old
			}
			return nil
		}
		feed := m.Feeds[f.Feed]
		if feed == nil {
			return fmt.Errorf("fact %d: no feed %d", f.No, f.Feed)
		}
		switch {
		case f.Kind != record.Adjusted:
			feed.Record.Removed = (f.Kind == record.Unsubscribed) != undo
		case undo:
			feed.Record.Set(f.Field, f.Old)
		default:
			feed.Record.Set(f.Field, f.New)
		}
		return nil
	}
	p, ok := PropOf(f)
	if !ok {
		return nil
	}
	p.On = p.On != undo
	for _, id := range f.Items {
		it := m.Item(id)
		if it == nil {
			return fmt.Errorf("fact %d: no item %s", f.No, id)
		}
		if it.Gone {
			continue
		}
		it.Flags, it.Tags, _ = p.Apply(it.Flags, it.Tags)
	}
	return nil
}

func (m *Model) arrive(f *record.Fact) error {
	feed := m.Feeds[f.Feed]
	if feed == nil || len(f.Nums) != len(f.Items) || len(f.Unread) != len(f.Items) {
		return fmt.Errorf("fact %d: arrived without a feed, times or marks", f.No)
	}
	for i, id := range f.Items {
		if id != record.MakeItemID(f.Feed, uint32(len(feed.Items)+1)) {
			return fmt.Errorf("fact %d: item %s is not the next", f.No, id)
		}
		feed.Items = append(feed.Items, Item{Flags: record.ArrivalFlags(f.Field, f.Unread[i]), At: record.ArrivedAt(f, i), Body: -1})
	}
	return nil
}

func (m *Model) place(f *record.Fact) error {
	if len(f.Nums) != len(f.Items) {
		return fmt.Errorf("fact %d: placed without places", f.No)
	}
	return m.each(f, func(it *Item, i int) { it.At = f.At.Unix() + f.Nums[i] })
}

// each calls do for the items of a fact, all of which must be there.
func (m *Model) each(f *record.Fact, do func(it *Item, i int)) error {
	for i, id := range f.Items {
		it := m.Item(id)
		if it == nil || it.Gone {
			return fmt.Errorf("fact %d: no item %s", f.No, id)
		}
		do(it, i)
	}
	return nil
}

func (m *Model) edit(f *record.Fact) error {
	if len(f.Unread) != len(f.Items) {
		return fmt.Errorf("fact %d: edited without marks", f.No)
	}
	return m.each(f, func(it *Item, i int) {
		it.Flags = record.EditFlags(it.Flags, f.Unread[i], f.Field == record.EditedQuietly)
		it.Edits++
	})
}

// remove takes texts or rows away.
func (m *Model) remove(f *record.Fact) error {
	for _, id := range f.Items {
		it := m.Item(id)
		if it == nil || it.Gone || it.Flags&(record.FlagRead|record.FlagSaved) != record.FlagRead || len(it.Tags) > 0 {
			return fmt.Errorf("fact %d: %s was to stay", f.No, id)
		}
		it.TextGone = true
		it.Gone = f.Kind == record.RowRemoved
	}
	return nil
}

// Count is what a feed's counters must be.
func (f *Feed) Count() record.Count {
	c := record.Count{Next: uint32(len(f.Items)) + 1, Live: !f.Record.Removed}
	for i := range f.Items {
		it := &f.Items[i]
		c.Items += record.Bit(!it.Gone)
		c.Unread += record.Bit(it.Flags&record.FlagRead == 0)
		c.Saved += record.Bit(it.Flags&record.FlagSaved != 0)
		if i == 0 || it.At > c.LastPost {
			c.LastPost = it.At
		}
	}
	return c
}

// Head is what the totals must be.
func (m *Model) Head() record.Head {
	h := record.Head{Facts: m.Facts, Steps: uint64(len(m.Steps)), NextFeed: m.nextFeed}
	for _, f := range m.Feeds {
		if f.Record.Removed {
			continue
		}
		c := f.Count()
		h.Feeds++
		h.Items += c.Items
		h.Unread += c.Unread
		h.Saved += c.Saved
	}
	return h
}
