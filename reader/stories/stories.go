// Package stories says which items of different feeds tell one story: those with one
// canonical address, and those that say the same by their titles or texts. The first may
// be marked together; of the others it is only said that they are there.
//
// Start with [Grouper], which takes items one after the other and computes only. Canonical
// (address.go) compares addresses, a sketch (sketch.go) is what is kept of an item's words,
// alike (alike.go) compares two of them. [Keeper] follows a library and keeps the
// groups in its cache.
package stories

import (
	"slices"

	"diurna/store"
)

// Item is an item as it is compared.
type Item struct {
	ID    store.ItemID
	At    int64 // unix s: when it was published, or came
	Link  string
	Title string
	Text  string // without markup; the first TextBytes of it are enough
	Old   bool   // only its address is compared
}

// TextBytes is how much of a text is compared: the beginning says what it is about.
const TextBytes = 700

// Member is an item of a story.
type Member struct {
	ID store.ItemID
	// Page is the same number, not 0, for the members of a story that have one canonical
	// address.
	Page int
}

// Groups are the stories that more than one item tells. Nil has none.
type Groups struct {
	stories [][]Member
	of      map[store.ItemID]int32
}

// Of is the story of an item, nil if no other item tells it. It must not be changed.
func (g *Groups) Of(id store.ItemID) []Member {
	if g == nil {
		return nil
	}
	if i, ok := g.of[id]; ok {
		return g.stories[i]
	}
	return nil
}

// Number tells the stories apart: that of an item's story, -1 without one.
func (g *Groups) Number(id store.ItemID) int32 {
	if g != nil {
		if i, ok := g.of[id]; ok {
			return i
		}
	}
	return -1
}

// Len counts the stories.
func (g *Groups) Len() int {
	if g == nil {
		return 0
	}
	return len(g.stories)
}

// Twins are the other items that have the canonical address of an item.
func (g *Groups) Twins(id store.ItemID) (ids []store.ItemID) {
	story := g.Of(id)
	page := 0
	for _, m := range story {
		if m.ID == id {
			page = m.Page
		}
	}
	for _, m := range story {
		if page != 0 && m.Page == page && m.ID != id {
			ids = append(ids, m.ID)
		}
	}
	return ids
}

// NewGroups are the groups of stories, without those of which two items or more were taken
// apart.
func NewGroups(stories [][]Member, apart map[store.ItemID]bool) *Groups {
	g := &Groups{of: make(map[store.ItemID]int32)}
	for _, s := range stories {
		n := 0
		for _, m := range s {
			if apart[m.ID] {
				n++
			}
		}
		if n > 1 || len(s) < 2 {
			continue
		}
		for _, m := range s {
			g.of[m.ID] = int32(len(g.stories))
		}
		g.stories = append(g.stories, slices.Clip(s))
	}
	return g
}
