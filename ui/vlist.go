package ui

import "sort"

// vlist is the arithmetic of a list of n rows under headings: which row is
// chosen, which line stands at the top, what a key does to both. It knows
// nothing of what the rows say, so a key costs the same in 50 rows as in
// 50,000 (bubbles/list at 50,000: 27-72 ms a key).
//
// Lines are rows and headings together, counted from 0.
type vlist struct {
	n     int   // rows
	heads []int // ascending: the rows that have a heading above them
	cur   int   // the chosen row, 0 when n is 0
	top   int   // the line at the top of the screen
	jump  bool  // scroll by half a screen: see content
}

// line gives the line on which row stands.
func (v *vlist) line(row int) int {
	return row + sort.Search(len(v.heads), func(i int) bool { return v.heads[i] > row })
}

// lines counts rows and headings.
func (v *vlist) lines() int { return v.n + len(v.heads) }

// at gives what stands on a line: a row, and head >= 0 if it is that heading
// above the row rather than the row itself.
func (v *vlist) at(line int) (row, head int) {
	// Heading i stands on line heads[i]+i, which ascends.
	i := sort.Search(len(v.heads), func(i int) bool { return v.heads[i]+i >= line })
	if i < len(v.heads) && v.heads[i]+i == line {
		return v.heads[i], i
	}
	return line - i, -1
}

// set chooses a row and brings it into the h lines of the screen by the
// smallest scroll that does, so that a step at the edge moves one line only.
func (v *vlist) set(row, h int) {
	v.cur = max(0, min(row, v.n-1))
	v.show(h)
}

// show scrolls as little as needed for the chosen row and its heading.
func (v *vlist) show(h int) {
	if h < 1 {
		return
	}
	l := v.line(v.cur)
	first := l
	if _, head := v.at(l - 1); l > 0 && head >= 0 && h > 1 {
		first = l - 1
	}
	if first < v.top {
		v.top = first
		if v.jump {
			v.top = l - h/2
		}
	}
	if l >= v.top+h {
		v.top = l - h + 1
		if v.jump {
			v.top = l - h/2
		}
	}
	v.top = max(0, min(v.top, v.lines()-h))
}

// scroll moves screen and choice together by d lines (half a page, a page).
func (v *vlist) scroll(d, h int) {
	v.top = max(0, min(v.top+d, v.lines()-h))
	target := max(0, min(v.line(v.cur)+d, v.lines()-1))
	row, _ := v.at(target)
	v.set(row, h)
}

// day gives the first row of the next (d > 0) or previous group, or of the
// present one when going back from inside it; ok is false at the ends.
func (v *vlist) day(d int) (row int, ok bool) {
	i := sort.Search(len(v.heads), func(i int) bool { return v.heads[i] > v.cur })
	if d > 0 {
		if i == len(v.heads) {
			return 0, false
		}
		return v.heads[i], true
	}
	i--
	if i >= 0 && v.heads[i] == v.cur {
		i--
	}
	if i < 0 {
		return 0, false
	}
	return v.heads[i], true
}
