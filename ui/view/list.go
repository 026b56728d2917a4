package view

import "sort"

// List is the arithmetic of a list of n rows under headings: which row is
// chosen, which line stands at the top, what a key does to both. It knows
// nothing of what the rows say, so a key costs the same in 50 rows as in
// 50,000 (bubbles/list at 50,000: 27-72 ms a key).
//
// Lines are rows and headings together, counted from 0.
type List struct {
	N     int   // rows
	Heads []int // ascending: the rows that have a heading above them
	Cur   int   // the chosen row, 0 when n is 0
	Top   int   // the line at the top of the screen
	Jump  bool  // scroll by half a screen: see content
	Below bool  // what Heads counts stands below the row before: that comes into sight with it
}

// Line gives the line on which row stands.
func (v *List) Line(row int) int {
	return row + sort.Search(len(v.Heads), func(i int) bool { return v.Heads[i] > row })
}

// Lines counts rows and headings.
func (v *List) Lines() int { return v.N + len(v.Heads) }

// At gives what stands on a line: a row, and head >= 0 if it is that heading
// above the row rather than the row itself.
func (v *List) At(line int) (row, head int) {
	// Heading i stands on line heads[i]+i, which ascends.
	i := sort.Search(len(v.Heads), func(i int) bool { return v.Heads[i]+i >= line })
	if i < len(v.Heads) && v.Heads[i]+i == line {
		return v.Heads[i], i
	}
	return line - i, -1
}

// Set chooses a row and brings it into the h lines of the screen by the
// smallest scroll that does, so that a step at the edge moves one line only.
//
//go:noinline // 30 places
func (v *List) Set(row, h int) {
	v.Cur = max(0, min(row, v.N-1))
	v.Show(h)
}

// Show scrolls as little as needed for the chosen row and its heading.
func (v *List) Show(h int) {
	if h < 1 {
		return
	}
	l := v.Line(v.Cur)
	first, last := l, l
	if _, head := v.At(l - 1); l > 0 && head >= 0 && h > 1 && !v.Below {
		first = l - 1
	}
	if _, head := v.At(l + 1); v.Below && head >= 0 && h > 1 {
		last = l + 1
	}
	if first < v.Top {
		v.Top = first
		if v.Jump {
			v.Top = l - h/2
		}
	}
	if last >= v.Top+h {
		v.Top = last - h + 1
		if v.Jump {
			v.Top = l - h/2
		}
	}
	v.Top = max(0, min(v.Top, v.Lines()-h))
}

// scroll moves screen and choice together by d lines (half a page, a page).
func (v *List) scroll(d, h int) {
	v.Top = max(0, min(v.Top+d, v.Lines()-h))
	target := max(0, min(v.Line(v.Cur)+d, v.Lines()-1))
	row, _ := v.At(target)
	v.Set(row, h)
}

// Day gives the first row of the next (d > 0) or previous group, or of the
// present one when going back from inside it; ok is false at the ends.
func (v *List) Day(d int) (row int, ok bool) {
	i := sort.Search(len(v.Heads), func(i int) bool { return v.Heads[i] > v.Cur })
	if d > 0 {
		if i == len(v.Heads) {
			return 0, false
		}
		return v.Heads[i], true
	}
	i--
	if i >= 0 && v.Heads[i] == v.Cur {
		i--
	}
	if i < 0 {
		return 0, false
	}
	return v.Heads[i], true
}

// Flip puts a key into a set, or takes it out.
func Flip[K comparable](set *map[K]bool, k K) {
	switch {
	case (*set)[k]:
		delete(*set, k)
	case *set == nil:
		*set = map[K]bool{k: true}
	default:
		(*set)[k] = true
	}
}

// Emptied empties a set; false where nothing was in it.
func Emptied[K comparable](set *map[K]bool) bool {
	some := len(*set) > 0
	*set = nil
	return some
}
