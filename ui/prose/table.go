package prose

import (
	"strconv"
	"strings"

	"golang.org/x/net/html/atom"
)

// The limits of a table that is laid out in columns, and the cells between them.
const (
	maxColumns = 24
	maxRows    = 1000
	minColumn  = 6
	gutter     = 2
)

// cell is one cell of a table.
type cell struct {
	para para
	span int
	head bool
}

// dataTable gives the number of tokens of the table that toks begins with, or
// 0 where the table only arranges the page: one with blocks or another table
// inside, or with a single column. It looks no further than the next <table>,
// so all tables of an input are looked at once.
func dataTable(toks []token) int {
	cells, most, rows := 0, 0, 0
	for i := 1; i < len(toks); i++ {
		t := &toks[i]
		if t.kind == text {
			continue
		}
		switch t.tag {
		case atom.Table:
			if t.kind == end && most > 1 && rows <= maxRows && most <= maxColumns {
				return i + 1
			}
			return 0
		case atom.Tr:
			if t.kind == start {
				cells = 0
				rows++
			}
		case atom.Td, atom.Th:
			if t.kind == start {
				cells += t.count(true)
				most = max(most, cells)
			}
		case atom.Ul, atom.Ol, atom.Dl, atom.Pre, atom.Blockquote, atom.Figure, atom.H1, atom.H2, atom.H3,
			atom.H4, atom.Iframe, atom.Video, atom.Audio, atom.Object, atom.Hr, atom.Form, atom.Section, atom.Article:
			return 0
		}
	}
	return 0
}

// count gives the columns or rows a cell stands in.
func (t *token) count(columns bool) int {
	if t.attrs == nil {
		return 1
	}
	s := t.attrs.rowspan
	if columns {
		s = t.attrs.colspan
	}
	n, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil || n < 1 {
		return 1
	}
	return min(n, maxColumns)
}

// table lays out a table of data.
func (b *builder) table(toks []token) {
	b.breakBlock(true)
	rows, columns := b.readTable(toks)
	if len(rows) == 0 {
		return
	}
	widths, ok := fitColumns(rows, columns, b.room())
	for i, row := range rows {
		if ok {
			b.tableRow(row, widths)
			if row[0].head && (i+1 == len(rows) || !rows[i+1][0].head) && allHead(row) {
				b.rule(widths)
			}
		} else {
			b.oneCellALine(row)
			b.gap = i+1 < len(rows)
		}
	}
	b.anchor, b.gap = true, true
}

func allHead(row []*cell) bool {
	for _, c := range row {
		if c != nil && !c.head {
			return false
		}
	}
	return true
}

// tableReader collects the cells of a table while its tokens go by.
type tableReader struct {
	b       *builder
	depth   int // elements open around the table
	rows    [][]*cell
	columns int
	row     []*cell
	cur     *cell
	carry   [maxColumns + 1]int // rows still covered by a cell above, per column
}

// readTable collects the cells of each row, every row with the same number of
// columns; nil stands for the columns covered by the cell before or above.
func (b *builder) readTable(toks []token) (rows [][]*cell, columns int) {
	outer, floor, deep := b.para, b.floor, b.deep
	r := &tableReader{b: b, depth: len(b.open)}
	b.floor = r.depth
	b.para = para{}
	for i := 1; i < len(toks)-1; i++ {
		t := &toks[i]
		switch t.tag {
		case atom.Caption:
			if r.endCell(); t.kind == start {
				b.push(atom.Small, Dim)
			}
		case atom.Tr, atom.Thead, atom.Tbody, atom.Tfoot:
			r.endRow()
		case atom.Td, atom.Th:
			if r.endCell(); t.kind == start {
				r.startCell(t)
			}
		default:
			b.cellToken(t)
		}
	}
	r.endRow()
	b.para, b.floor, b.deep = outer, floor, deep
	for i := range r.rows {
		for len(r.rows[i]) < r.columns {
			r.rows[i] = append(r.rows[i], nil)
		}
	}
	return dropEmpty(r.rows, r.columns)
}

// startCell opens a cell beside those that reach down from the rows above.
func (r *tableReader) startCell(t *token) {
	for len(r.row) < maxColumns && r.carry[len(r.row)] > 0 {
		r.carry[len(r.row)]--
		r.row = append(r.row, nil)
	}
	r.cur = &cell{span: t.count(true), head: t.tag == atom.Th}
	if r.cur.head {
		r.b.push(atom.Strong, Bold)
	}
	for k := 0; k < r.cur.span && len(r.row) < maxColumns; k++ {
		r.carry[len(r.row)] = t.count(false) - 1
		if k == 0 {
			r.row = append(r.row, r.cur)
		} else {
			r.row = append(r.row, nil)
		}
	}
}

// endCell closes the present cell. What was written outside of the cells, the
// caption above all, becomes a paragraph before the table.
func (r *tableReader) endCell() {
	for len(r.b.open) > r.depth {
		r.b.pop()
	}
	if r.cur != nil {
		r.b.para.space = false
		r.cur.para = r.b.para
		r.b.para, r.cur = para{}, nil
	}
	r.b.flush()
}

// endRow closes the present row.
func (r *tableReader) endRow() {
	r.endCell()
	if len(r.row) > 0 {
		r.rows = append(r.rows, r.row)
		r.columns = max(r.columns, len(r.row))
	}
	r.row = nil
}

// cellToken adds a token to the present cell. Blocks inside a cell are lines
// of it.
func (b *builder) cellToken(t *token) {
	if _, isBlock := blocks[t.tag]; isBlock && t.kind != text {
		if b.hidden == 0 {
			b.para.newline(b.top().style)
		}
		return
	}
	switch t.kind {
	case text:
		if b.hidden == 0 {
			b.text(t.text)
		}
	case start:
		b.start(t)
	case end:
		if b.deep > 0 && t.tag != 0 && !void[t.tag] {
			b.deep--
			return
		}
		b.closeTo(t.tag, 0)
	}
}

// dropEmpty leaves out rows and columns without text, which space a page and
// say nothing.
func dropEmpty(rows [][]*cell, columns int) ([][]*cell, int) {
	used := make([]bool, columns)
	kept := rows[:0]
	for _, row := range rows {
		any := false
		for c, x := range row {
			if x == nil {
				continue
			}
			for n := len(x.para.buf); n > 0 && x.para.buf[n-1] == '\n'; n-- {
				x.para.cutTo(n - 1)
			}
			if len(x.para.buf) > 0 {
				any = true
				used[c] = true
			}
		}
		if any {
			kept = append(kept, row)
		}
	}
	n := 0
	for _, u := range used {
		if u {
			n++
		}
	}
	if n == columns {
		return kept, columns
	}
	for i, row := range kept {
		var slim []*cell
		for c, x := range row {
			if used[c] {
				slim = append(slim, x)
			}
		}
		kept[i] = slim
	}
	return kept, n
}

// fitColumns gives the width of each column so that all of them fit in room
// cells: columns no wider than their fair share keep what they want, the
// others share the rest. It fails where a column would get less than minColumn.
func fitColumns(rows [][]*cell, columns, room int) ([]int, bool) {
	if columns < 2 {
		return nil, false
	}
	want := make([]int, columns)
	for _, row := range rows {
		for c, x := range row {
			if x == nil || x.span > 1 {
				continue
			}
			for _, l := range strings.Split(string(x.para.buf), "\n") {
				want[c] = max(want[c], width(l))
			}
		}
	}
	left, open := room-gutter*(columns-1), columns
	got := make([]int, columns)
	for c := range want {
		want[c] = max(want[c], 1)
	}
	for changed := true; changed && open > 0; {
		changed = false
		share := left / open
		for c := range want {
			if got[c] == 0 && want[c] <= share {
				got[c] = want[c]
				left -= want[c]
				open--
				changed = true
			}
		}
	}
	for c := range want {
		if got[c] == 0 {
			got[c] = left / open
			left -= got[c]
			open--
			if got[c] < minColumn {
				return nil, false
			}
		}
	}
	return got, true
}

// tableRow writes one row, as many lines as its tallest cell needs.
func (b *builder) tableRow(row []*cell, widths []int) {
	type column struct {
		at, width int
		all       string
		p         *para
		lines     []piece
	}
	var cols []column
	at, tall := 0, 1
	for c := 0; c < len(row); c++ {
		x := row[c]
		if x != nil {
			w := widths[c]
			for k := 1; k < x.span && c+k < len(row) && row[c+k] == nil; k++ {
				w += gutter + widths[c+k]
			}
			all := string(x.para.buf)
			col := column{at, w, all, &x.para, wrap(all, w, nil)}
			cols = append(cols, col)
			tall = max(tall, len(col.lines))
		}
		at += widths[c] + gutter
	}
	for i := range tall {
		var spans []Span
		pos := 0
		for _, c := range cols {
			if i >= len(c.lines) || c.lines[i].from == c.lines[i].to {
				continue
			}
			if c.at > pos {
				spans = append(spans, Span{Text: strings.Repeat(" ", c.at-pos)})
			}
			n := len(spans)
			spans = c.p.spans(c.all, c.lines[i].from, c.lines[i].to, spans)
			pos = c.at
			for _, s := range spans[n:] {
				pos += width(s.Text)
			}
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
		sb.WriteString(strings.Repeat("─", w))
	}
	b.line([]Span{{Text: sb.String(), Style: Dim}})
}

// oneCellALine writes a row that has no room for its columns.
func (b *builder) oneCellALine(row []*cell) {
	for _, x := range row {
		if x == nil || len(x.para.buf) == 0 {
			continue
		}
		all := string(x.para.buf)
		for _, c := range wrap(all, b.room(), nil) {
			b.line(x.para.spans(all, c.from, c.to, nil))
		}
	}
}
