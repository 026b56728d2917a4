// Package header draws row 1: the names of the views with the present one in brackets,
// or what is shown over them; and what is being fetched. Draw it, then At says which
// view stands at a column.
package header

import (
	"slices"
	"strings"

	"diurna/ui/stack"
	"diurna/ui/view"
)

// Header is row 1.
type Header struct {
	tabs [][2]int // the columns of each view, as they were drawn last
}

// Draw gives the row in w cells; runs is what is being fetched or ranked, "" for
// nothing.
func (r *Header) Draw(s *view.Scene, on *stack.Stack, runs string, w int) string {
	th := &s.Th
	name, views := on.Top().Over()
	if views {
		return r.views(s, on, name, runs, w)
	}
	left, right := on.Top().Title(s, w)
	if runs != "" {
		// What is shown stays; what is fetched is said where there is room.
		if both := runs + "  " + right; right == "" || th.Measure.Width(left+both)+2 < w {
			right = strings.TrimRight(both, " ")
		}
	}
	return th.In(th.Head, th.Ends(" "+left, right, w))
}

// At is the view that stands at a column.
func (r *Header) At(x int) (no stack.Number, ok bool) {
	i := slices.IndexFunc(r.tabs, func(at [2]int) bool { return x >= at[0] && x < at[1] })
	if i < 0 {
		return 0, false
	}
	return stack.Views[i].No, true
}

// factCells is what is kept free for the fact at the right end, viewCells what the
// views take.
const factCells = 14

var viewCells = func() int {
	n := 0
	for _, v := range stack.Views {
		n += len(v.Name) + 3
	}
	return n
}()

// views is the row of a list, which may lie over that of a view.
func (r *Header) views(s *view.Scene, on *stack.Stack, name, fact string, w int) string {
	th := &s.Th
	if name != "" {
		name = " " + th.Dot + " " + name
	}
	if l := on.Items(); fact == "" && l != nil {
		fact = l.Fact()
	}
	long, gap := th.Measure.Width(fact), 2
	if name == "" && on.At != stack.Search {
		gap = 0 // a blank stands behind the last view
	}
	free := max(factCells, long+gap)
	tight := viewCells > w || long > 0 && viewCells+long+gap > w
	// What lies over a view is named whole: where all views leave no room for
	// that, only the present one stands before it.
	alone := name != "" && viewCells+th.Measure.Width(name)+free > w
	var plain, styled strings.Builder
	r.tabs = r.tabs[:0]
	for _, v := range stack.Views {
		from := plain.Len()
		switch {
		case v.No == on.At:
			plain.WriteString("[" + string(v.Key) + v.Name + "]")
			styled.WriteString(th.In(th.Here, "["+string(v.Key)+v.Name+"]"))
		case !alone && tight: // the numbers stay; ? names them
			plain.WriteString(" " + string(v.Key))
			styled.WriteString(" " + string(v.Key))
		case !alone:
			plain.WriteString(" " + string(v.Key) + v.Name + " ")
			styled.WriteString(" " + string(v.Key) + v.Name + " ")
		}
		r.tabs = append(r.tabs, [2]int{from, plain.Len()})
	}
	if fact == "" {
		_, fact = on.Top().Title(s, w)
	}
	room := w - th.Measure.Width(plain.String())
	if n := th.Measure.Width(fact); n > 0 {
		room -= n + gap
	}
	name = th.Measure.Cut(name, room)
	plain.WriteString(name)
	styled.WriteString(name)
	used := th.Measure.Width(plain.String())
	if used > w {
		return th.Fit(plain.String(), w)
	}
	rest := w - used
	if n := th.Measure.Width(fact); n == 0 || n+gap > rest {
		return styled.String() + th.Fit("", rest)
	}
	return styled.String() + th.Measure.PadLeft(fact, rest)
}
