package help

import (
	tea "charm.land/bubbletea/v2"

	"diurna/ui/view"
)

// How the keys stand on the screen: in two columns wherever they have the width,
// which scroll together where they lack the height. What is chosen is always in
// sight, and whatever stands below the screen can be scrolled to.

// layout puts the blocks in columns; the chosen row stays chosen.
func (h *View) layout() {
	var chosen helpRow
	if h.List.Cur >= 0 && h.List.Cur < len(h.entries) {
		chosen = h.entries[h.List.Cur]
	}
	var left, right []helpRow
	put := func(col *[]helpRow, rows []helpRow) {
		if len(*col) > 0 {
			*col = append(*col, helpRow{})
		}
		*col = append(*col, rows...)
	}
	var spilled [][]helpRow // of the left column, which is full
	for _, b := range h.blocks {
		switch {
		case b.right && h.two:
			put(&right, b.rows)
		case h.two && len(left) > 0 && len(left)+1+len(b.rows) > h.High:
			spilled = append(spilled, b.rows)
		default:
			put(&left, b.rows)
		}
	}
	shorter := func() *[]helpRow {
		if h.two && len(right) <= len(left) {
			return &right
		}
		return &left
	}
	for _, rows := range spilled {
		put(shorter(), rows)
	}
	if h.filter == "" {
		if own := h.ownRows(); len(own) > 0 {
			put(shorter(), own)
		}
		h.putSigns(&left, &right, shorter)
	}
	h.right = len(left)
	h.entries = append(left, right...)
	h.List.N = len(h.entries)
	for i := range h.entries {
		if chosen.keys != "" && h.entries[i].keys == chosen.keys && h.entries[i].text == chosen.text {
			h.List.Cur = i
		}
	}
	h.show()
}

// ownRows are the user's keys that stand for several.
func (h *View) ownRows() []helpRow {
	own := h.own.Longer(h.of)
	if len(own) == 0 {
		return nil
	}
	rows := []helpRow{{text: "Your keys (keys.toml, keymap)", head: true}}
	for _, row := range own {
		rows = append(rows, helpRow{keys: row[0], text: row[1]})
	}
	return rows
}

// putSigns puts the lines about signs below a column that has room for them, or
// for the first of them; where none has, below the shorter one.
func (h *View) putSigns(left, right *[]helpRow, shorter func() *[]helpRow) {
	to, n := shorter(), len(h.signs)
	if h.two {
	search:
		for _, col := range []*[]helpRow{right, left} {
			for _, rows := range []int{len(h.signs), min(len(h.signs), helpSignRows)} {
				if len(*col)+rows <= h.High {
					to, n = col, rows
					break search
				}
			}
		}
	}
	for _, line := range h.signs[:n] {
		*to = append(*to, helpRow{text: line})
	}
}

// place is the line of the chosen row in its column, and how many lines the
// longest column has.
func (h *View) place() (y, lines int) {
	y, lines = max(0, h.List.Cur), len(h.entries)
	if h.two {
		lines = max(h.right, len(h.entries)-h.right)
		if y >= h.right {
			y -= h.right
		}
	}
	return y, lines
}

// show scrolls as little as needed for the chosen row and a heading above it.
func (h *View) show() {
	y, lines := h.place()
	first := y
	if at := h.List.Cur - 1; at >= 0 && y > 0 && h.entries[at].head && h.High > 1 {
		first--
	}
	top := min(h.List.Top, first)
	if h.High > 0 {
		top = max(top, y-h.High+1)
	}
	h.List.Top = max(0, min(top, lines-h.High))
}

// step moves to the next row that has keys; where there is none, what stands
// beyond the last one comes into sight as far as that one stays there.
func (h *View) step(d int) {
	for i := h.List.Cur + d; i >= 0 && i < len(h.entries); i += d {
		if h.entries[i].keys != "" {
			h.List.Cur = i
			h.show()
			return
		}
	}
	y, lines := h.place()
	if d < 0 {
		h.List.Top = max(0, y-h.High+1)
		return
	}
	h.List.Top = max(0, min(y, lines-h.High))
}

func (h *View) Move(_ view.Host, d int) tea.Cmd {
	h.step(d)
	return nil
}

// Click chooses a key; no second click runs it.
func (h *View) Click(_ view.Host, x, y int) int {
	i, end := h.List.Top+y, len(h.entries)
	if h.two {
		if end = h.right; x >= helpColumn {
			i, end = i+h.right, len(h.entries)
		}
	}
	if y >= 0 && y < h.High && i < end && h.entries[i].keys != "" {
		h.List.Cur = i
	}
	return -1
}

// Page moves by a part of a screen, down one column and then the other.
func (h *View) Page(_ view.Host, d, part int) tea.Cmd {
	n := d * view.PageStep(h.High, part)
	if !h.two {
		h.List.Top = max(0, min(h.List.Top+n, len(h.entries)-h.High))
	}
	h.List.Cur = max(-1, min(h.List.Cur+n-d, len(h.entries)))
	if h.step(d); h.List.Cur < 0 || h.List.Cur >= len(h.entries) || h.entries[h.List.Cur].keys == "" {
		h.Ends(nil, d)
	}
	return nil
}

func (h *View) Ends(_ view.Host, d int) tea.Cmd {
	h.List.Cur = -1
	if d > 0 {
		h.List.Cur = len(h.entries)
	}
	h.step(-d)
	h.step(d) // nothing is beyond: the headings and lines there are shown
	return nil
}
