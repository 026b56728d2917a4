package fold

import (
	"slices"

	"diurna/store/record"
)

// Touch is what a step touches: properties of items, fields of feeds, and whole
// feeds (whose subscription changed).
type Touch struct {
	items  map[record.ItemID][]Prop
	fields map[record.FeedID][]string
	whole  map[record.FeedID]bool
	feeds  map[record.FeedID]bool // every feed concerned in any way
}

// NewTouch is what the facts of a step touch.
func NewTouch(facts []record.Fact) *Touch {
	t := &Touch{make(map[record.ItemID][]Prop), make(map[record.FeedID][]string), make(map[record.FeedID]bool), make(map[record.FeedID]bool)}
	for i := range facts {
		f := &facts[i]
		switch f.Kind {
		case record.Subscribed, record.Unsubscribed:
			t.whole[f.Feed] = true
			t.feeds[f.Feed] = true
		case record.Adjusted:
			t.fields[f.Feed] = append(t.fields[f.Feed], f.Field)
			t.feeds[f.Feed] = true
		}
		if p, ok := PropOf(f); ok {
			p.On = false
			for _, id := range f.Items {
				t.items[id] = append(t.items[id], p)
				t.feeds[id.Feed()] = true
			}
		}
	}
	return t
}

// Meets reports whether two steps touch the same.
func (t *Touch) Meets(o *Touch) bool {
	for f := range t.whole {
		if o.feeds[f] {
			return true
		}
	}
	for f := range o.whole {
		if t.feeds[f] {
			return true
		}
	}
	for f, names := range t.fields {
		for _, n := range names {
			if slices.Contains(o.fields[f], n) {
				return true
			}
		}
	}
	for id, props := range t.items {
		for _, p := range props {
			if slices.Contains(o.items[id], p) {
				return true
			}
		}
	}
	return false
}
