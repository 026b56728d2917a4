package store

import (
	"fmt"
	"slices"

	"diurna/store/record"
)

// model is the state as the facts alone give it: the fold that Check and the
// property tests hold the library against. It shares with the library only what
// a single property, field or edit does (prop.apply, record.FeedRecord.Set, record.EditFlags);
// records, rows, counters, steps and undo are made here a second time, in memory.
type model struct {
	facts    uint64
	nextFeed FeedID
	feeds    map[FeedID]*modelFeed
	steps    map[uint64]*modelStep
	redo     []uint64
	own      map[string]string // the library's values that a step set
}

type modelFeed struct {
	rec   record.FeedRecord // but for Site and Format, which no fact tells
	items []modelItem
}

type modelItem struct {
	flags Flags
	at    int64
	edits int
	tags  []string
	body  int // bytes, from the bodies; -1: none found
}

type modelStep struct {
	rec   record.Step
	facts []Fact
}

func newModel() *model {
	return &model{nextFeed: 1, feeds: make(map[FeedID]*modelFeed), steps: make(map[uint64]*modelStep), own: make(map[string]string)}
}

func (m *model) item(id ItemID) *modelItem {
	f := m.feeds[id.Feed()]
	if f == nil || id.N() == 0 || int(id.N()) > len(f.items) {
		return nil
	}
	return &f.items[id.N()-1]
}

// fold takes in the next fact. An error means that the facts contradict each
// other.
func (m *model) fold(f *Fact) error {
	if f.No != m.facts+1 {
		return fmt.Errorf("fact %d follows fact %d", f.No, m.facts)
	}
	m.facts = f.No
	if f.Step != 0 {
		if err := m.foldStep(f); err != nil {
			return err
		}
	}
	switch f.Kind {
	case Undone, Redone:
		return m.turn(f)
	case Arrived:
		return m.arrive(f)
	case Placed:
		return m.place(f)
	case Edited:
		return m.edit(f)
	case Fetched:
		if feed := m.feeds[f.Feed]; feed != nil && f.New != "" {
			feed.rec.Title = f.New
		}
		return nil
	case Subscribed:
		if m.feeds[f.Feed] == nil {
			if f.Feed != m.nextFeed {
				return fmt.Errorf("fact %d: feed %d is new but not the next", f.No, f.Feed)
			}
			m.nextFeed++
			m.feeds[f.Feed] = &modelFeed{rec: record.FeedRecord{URL: f.New, Subscribed: record.Millis(f.At)}}
			return nil
		}
	}
	return m.apply(f, false)
}

// foldStep counts the fact into its step. A new act ends what could be redone.
func (m *model) foldStep(f *Fact) error {
	s := m.steps[f.Step]
	if f.Step == f.No {
		s = &modelStep{rec: record.Step{At: f.At.UnixMilli(), Kind: f.Kind, Feed: f.Feed, Scope: f.Scope, New: f.New, Field: f.Field}}
		m.steps[f.No] = s
		m.redo = nil
	}
	if s == nil || f.No != f.Step+uint64(len(s.facts)) {
		return fmt.Errorf("fact %d is not part of step %d", f.No, f.Step)
	}
	s.facts = append(s.facts, f.Clone())
	s.rec.Facts++
	return nil
}

// turn takes a step back or does it again.
func (m *model) turn(f *Fact) error {
	s := m.steps[f.Ref]
	undo := f.Kind == Undone
	if s == nil || s.rec.Undone == undo {
		return fmt.Errorf("fact %d: step %d cannot be %s", f.No, f.Ref, f.Kind)
	}
	s.rec.Undone = undo
	if undo {
		m.redo = append(m.redo, f.Ref)
		for i := range slices.Backward(s.facts) {
			if err := m.apply(&s.facts[i], true); err != nil {
				return err
			}
		}
		return nil
	}
	if n := len(m.redo); n == 0 || m.redo[n-1] != f.Ref {
		return fmt.Errorf("fact %d: step %d was not the next to redo", f.No, f.Ref)
	}
	m.redo = m.redo[:len(m.redo)-1]
	for i := range s.facts {
		if err := m.apply(&s.facts[i], false); err != nil {
			return err
		}
	}
	return nil
}

// apply does what a fact of a step, or an Opened fact, says, or its opposite.
func (m *model) apply(f *Fact, undo bool) error {
	switch f.Kind {
	case Subscribed, Unsubscribed, Adjusted:
		if f.Kind == Adjusted && f.Feed == 0 {
			m.own[f.Field] = f.New
			if undo {
				m.own[f.Field] = f.Old
			}
			return nil
		}
		feed := m.feeds[f.Feed]
		if feed == nil {
			return fmt.Errorf("fact %d: no feed %d", f.No, f.Feed)
		}
		switch {
		case f.Kind != Adjusted:
			feed.rec.Removed = (f.Kind == Unsubscribed) != undo
		case undo:
			feed.rec.Set(f.Field, f.Old)
		default:
			feed.rec.Set(f.Field, f.New)
		}
		return nil
	}
	p, ok := propOf(f)
	if !ok {
		return nil
	}
	p.on = p.on != undo
	for _, id := range f.Items {
		it := m.item(id)
		if it == nil {
			return fmt.Errorf("fact %d: no item %s", f.No, id)
		}
		it.flags, it.tags, _ = p.apply(it.flags, it.tags)
	}
	return nil
}

func (m *model) arrive(f *Fact) error {
	feed := m.feeds[f.Feed]
	if feed == nil || len(f.Nums) != len(f.Items) || len(f.Unread) != len(f.Items) {
		return fmt.Errorf("fact %d: arrived without a feed, times or marks", f.No)
	}
	for i, id := range f.Items {
		if id != MakeItemID(f.Feed, uint32(len(feed.items)+1)) {
			return fmt.Errorf("fact %d: item %s is not the next", f.No, id)
		}
		feed.items = append(feed.items, modelItem{flags: record.ArrivalFlags(f.Field, f.Unread[i]), at: record.ArrivedAt(f, i), body: -1})
	}
	return nil
}

func (m *model) place(f *Fact) error {
	if len(f.Nums) != len(f.Items) {
		return fmt.Errorf("fact %d: placed without places", f.No)
	}
	for i, id := range f.Items {
		it := m.item(id)
		if it == nil {
			return fmt.Errorf("fact %d: no item %s", f.No, id)
		}
		it.at = f.At.Unix() + f.Nums[i]
	}
	return nil
}

func (m *model) edit(f *Fact) error {
	if len(f.Unread) != len(f.Items) {
		return fmt.Errorf("fact %d: edited without marks", f.No)
	}
	for i, id := range f.Items {
		it := m.item(id)
		if it == nil {
			return fmt.Errorf("fact %d: no item %s", f.No, id)
		}
		it.flags = record.EditFlags(it.flags, f.Unread[i], f.Field == record.EditedQuietly)
		it.edits++
	}
	return nil
}

// count is what a feed's counters must be.
func (f *modelFeed) count() record.Count {
	c := record.Count{Items: len(f.items), Next: uint32(len(f.items)) + 1, Live: !f.rec.Removed}
	for i := range f.items {
		it := &f.items[i]
		c.Unread += bit(it.flags&FlagRead == 0)
		c.Saved += bit(it.flags&FlagSaved != 0)
		if i == 0 || it.at > c.LastPost {
			c.LastPost = it.at
		}
	}
	return c
}

// head is what the totals must be.
func (m *model) head() record.Head {
	h := record.Head{Facts: m.facts, Steps: uint64(len(m.steps)), NextFeed: m.nextFeed}
	for _, f := range m.feeds {
		if f.rec.Removed {
			continue
		}
		c := f.count()
		h.Feeds++
		h.Items += c.Items
		h.Unread += c.Unread
		h.Saved += c.Saved
	}
	return h
}
