// Package stack says what is on the screen: one of the views that have a number, what
// was opened over it, and the box or the awaited key that has the keys before all of
// them.
//
// Stack is that; Mover goes from view to view and back.
package stack

import (
	tea "charm.land/bubbletea/v2"

	"diurna/ui/lastrow"
	"diurna/ui/list"
	"diurna/ui/panes"
	"diurna/ui/view"
)

// Number is one of the views that row 1 names.
type Number uint8

// The numbers, under which the library keeps where the reader was.
const (
	River Number = iota
	Feeds
	Saved
	Pages
	Ranked // the rows of River in another order
	Rhythm
	Search
	Trends
)

// Views are those there are, as row 1 has them.
var Views = []struct {
	No    Number
	Key   byte
	Name  string
	Place lastrow.Place
}{{River, '1', "River", lastrow.River}, {Feeds, '2', "Feeds", lastrow.Feeds}, {Ranked, '3', "Ranked", lastrow.Ranked},
	{Saved, '4', "Saved", lastrow.Saved}, {Pages, '5', "Pages", lastrow.Pages}, {Rhythm, '6', "Rhythm", lastrow.Rhythm}, {Trends, '7', "Trends", lastrow.Trends}, {Search, '8', "Search", lastrow.Search}}

// Stack is what is on the screen.
type Stack struct {
	Numbered []view.View // by their numbers
	At       Number      // the one that lies lowest
	Over     []view.View // what lies over it, topmost last
	Panes    *panes.Panes
	Box      *view.Prompt // that is open
	Awaited  view.Context // the next key means what it does there; 0: none is awaited
	Last     *lastrow.Row
}

// Top is the view that has the keys.
//
//go:noinline // 70 places
func (s *Stack) Top() view.View {
	if n := len(s.Over); n > 0 {
		return s.Over[n-1]
	}
	return s.Base()
}

// Base is the view that has a number.
func (s *Stack) Base() view.View { return s.Numbered[s.At] }

// Push lays a view over what is there, Pop takes the topmost away.
func (s *Stack) Push(v view.View) { s.Over = append(s.Over, v) }

func (s *Stack) Pop() {
	if n := len(s.Over); n > 0 {
		s.Over = s.Over[:n-1]
	}
}

// IsTop reports whether a view has the keys, and no box over it; IsBase whether it
// lies lowest.
func (s *Stack) IsTop(v view.View) bool { return s.Top() == v && s.Box == nil && s.Awaited == 0 }

func (s *Stack) IsBase(v view.View) bool { return s.Base() == v }

// Await lets the next key mean what it does in a place; the question stands in the
// last row until then. Awaits reports whether that key is still to come.
func (s *Stack) Await(c view.Context, question string) {
	s.Awaited = c
	s.Last.Put(lastrow.Question, question)
}

func (s *Stack) Awaits(c view.Context) bool { return s.Awaited == c }

// Where is the place whose keys hold. In an open box they are text, as in the add box.
func (s *Stack) Where() view.Context {
	switch {
	case s.Box != nil:
		return view.CtxAdd
	case s.Awaited != 0:
		return s.Awaited
	}
	return s.Top().Context()
}

// Items is the list of items nearest to the top, nil where there is none.
func (s *Stack) Items() *list.View {
	for i := len(s.Over) - 1; i >= 0; i-- {
		if l := s.Over[i].Origin(); l != nil {
			return ItemsOf(l)
		}
	}
	return ItemsOf(s.Base())
}

// TopItems is the list of items that has the keys, nil if something else has.
func (s *Stack) TopItems() *list.View { return ItemsOf(s.Top()) }

// ItemsOf is a view that is a list of items, nil for another one.
func ItemsOf(v view.View) *list.View {
	l, _ := v.(*list.View)
	return l
}

// Origin is the nearest list of items as a view, nil where there is none.
func (s *Stack) Origin() view.View {
	if l := s.Items(); l != nil {
		return l
	}
	return nil
}

// All are the views that may wait for an answer, in sight or not: those with a number,
// what lies over them, a preview beside them.
func (s *Stack) All() []view.View {
	all := make([]view.View, 0, len(s.Numbered)+len(s.Over)+1)
	for no, v := range s.Numbered {
		if Number(no) != Ranked {
			all = append(all, v)
		}
	}
	return s.Panes.With(append(all, s.Over...))
}

// LayOver puts a view over the one that asked for it, in sight or not; false when that
// has been left.
func (s *Stack) LayOver(from, v view.View) bool {
	at := 0
	for at < len(s.Over) && s.Over[at] != from {
		at++
	}
	switch {
	case at < len(s.Over):
		at++
	case from == s.Base():
		at = 0
	default:
		return false
	}
	s.Over = append(s.Over[:at:at], append([]view.View{v}, s.Over[at:]...)...)
	return true
}

// LoadShown asks again for the feeds and the list that is on the screen. With force its
// rows are replaced even where a key has moved, because the user asked for the change.
func (s *Stack) LoadShown(h view.Host, force bool) tea.Cmd {
	l := s.Items()
	if l == nil {
		return h.Reload()
	}
	if force {
		l.Force()
	}
	return view.Batch(h.Reload(), l.Load(h))
}
