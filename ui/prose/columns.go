package prose

import "strings"

// fitColumns gives the width of each column so that all of them fit in room
// cells: columns no wider than their fair share keep what they want, the
// others share the rest, but none is narrower than its words up to longWord.
// It fails where that is not possible.
func (b *builder) fitColumns(rows [][]*cell, columns, room int) ([]int, bool) {
	if columns < 2 {
		return nil, false
	}
	want, need := b.wishes(rows, columns)
	left, open := room-gutter*(columns-1), columns
	got := make([]int, columns)
	settle := func(c, w int) { got[c], left, open = w, left-w, open-1 }
	for changed := true; changed && open > 0; {
		changed = false
		for c := range want {
			if got[c] > 0 || open == 0 {
				continue
			}
			switch share := left / open; {
			case want[c] <= share:
				settle(c, want[c])
				changed = true
			case need[c] > share:
				settle(c, need[c])
				changed = true
			}
		}
	}
	for c := range want {
		if got[c] == 0 {
			settle(c, min(left/open, want[c]))
		}
	}
	return got, left >= 0
}

// wishes gives the cells that each column takes with no line broken, and those
// of its longest word within the limits. What a cell over several columns takes
// beyond them is the wish of the last.
func (b *builder) wishes(rows [][]*cell, columns int) (want, need []int) {
	want, need = make([]int, columns), make([]int, columns)
	for c := range want {
		want[c], need[c] = 1, 1
	}
	for spanning := range 2 {
		for _, row := range rows {
			for c, x := range row {
				if x == nil || (x.covers(row[c:]) > 1) != (spanning > 0) {
					continue
				}
				line, word := x.para.widest(b.cells)
				last, had, held := c, 0, 0
				for k := 1; k < x.covers(row[c:]); k++ {
					had += want[last] + gutter
					held += need[last] + gutter
					last++
				}
				want[last] = max(want[last], line-had)
				need[last] = max(need[last], min(word, longWord)-held, min(line-had, minColumn))
			}
		}
	}
	return want, need
}

// covers gives how many columns the cell that row begins with stands in.
func (x *cell) covers(row []*cell) int {
	n := 1
	for n < x.span && n < len(row) && row[n] == nil {
		n++
	}
	return n
}

// widest gives the cells of the longest line and of the longest word.
func (p *para) widest(r ruler) (line, word int) {
	for _, l := range strings.Split(string(p.buf), "\n") {
		line = max(line, r.width(l))
		for _, w := range strings.Fields(l) {
			word = max(word, r.width(w))
		}
	}
	return line, word
}

// columns writes the rows of a table beside each other. A row of several lines
// has a blank line on both sides: else nobody sees where one ends.
func (b *builder) columns(rows [][]*cell, widths []int) {
	tall := false
	for i, row := range rows {
		parts, lines := b.parts(row, widths)
		if i > 0 && (tall || lines > 1) && !b.ruled(rows, i-1) {
			b.gap = true
		}
		tall = lines > 1
		b.tableRow(parts, lines)
		if b.ruled(rows, i) {
			b.rule(widths)
		}
	}
}

// ruled reports whether row i is the last of the heading rows.
func (b *builder) ruled(rows [][]*cell, i int) bool {
	row := rows[i]
	return row[0] != nil && row[0].head && allHead(row) &&
		(i+1 == len(rows) || rows[i+1][0] == nil || !rows[i+1][0].head || !allHead(rows[i+1]))
}

// part is a cell of a row, wrapped.
type part struct {
	at, width int
	side      side
	all       string
	p         *para
	lines     []piece
}

// parts wraps the cells of a row and counts its lines.
func (b *builder) parts(row []*cell, widths []int) (parts []part, tall int) {
	at, tall := 0, 1
	for c := 0; c < len(row); c++ {
		if x := row[c]; x != nil {
			w := widths[c]
			for k := 1; k < x.covers(row[c:]); k++ {
				w += gutter + widths[c+k]
			}
			all := string(x.para.buf)
			p := part{at, w, x.side, all, &x.para, b.cells.wrap(all, w, nil)}
			parts = append(parts, p)
			tall = max(tall, len(p.lines))
		}
		at += widths[c] + gutter
	}
	return parts, tall
}

// tableRow writes one row of so many lines.
func (b *builder) tableRow(parts []part, tall int) {
	for i := range tall {
		var spans []Span
		pos := 0
		for _, c := range parts {
			if i >= len(c.lines) || c.lines[i].from == c.lines[i].to {
				continue
			}
			text := c.p.spans(c.all, c.lines[i].from, c.lines[i].to, nil)
			cells := 0
			for _, s := range text {
				cells += b.cells.width(s.Text)
			}
			at := c.at
			switch c.side {
			case right:
				at += max(0, c.width-cells)
			case middle:
				at += max(0, c.width-cells) / 2
			}
			if at > pos {
				spans = append(spans, Span{Text: strings.Repeat(" ", at-pos)})
			}
			spans = append(spans, text...)
			pos = at + cells
		}
		b.line(spans)
	}
}

// rule underlines the heading row.
func (b *builder) rule(widths []int) {
	var sb strings.Builder
	for i, w := range widths {
		if i > 0 {
			sb.WriteString(strings.Repeat(" ", gutter))
		}
		sb.WriteString(strings.Repeat(b.marks.rule, w))
	}
	b.line([]Span{{Text: sb.String(), Style: Dim}})
}
