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
	longWord   = 16 // words up to this many cells are never broken in a column
)

// cell is one cell of a table.
type cell struct {
	para para
	span int
	head bool
	side side
}

// side is where the text of a cell stands in its column.
type side uint8

const (
	left side = iota
	right
	middle
)

// side reads the alignment of a cell, row or column; ok is false where it says
// none.
func (t *token) side() (s side, ok bool) {
	if t.attrs == nil {
		return left, false
	}
	switch t.attrs.align {
	case "right", "end":
		return right, true
	case "center":
		return middle, true
	case "left", "start", "justify":
		return left, true
	}
	return left, false
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

// table lays out a table of data: in columns, or as a list where a column
// would be too narrow for its words.
func (b *builder) table(toks []token) {
	b.breakBlock(true)
	rows, columns := b.readTable(toks)
	if len(rows) == 0 {
		return
	}
	b.turnTable(&toks[0], rows)
	if widths, ok := b.fitColumns(rows, columns, b.room()); ok {
		b.columns(rows, widths)
	} else {
		b.rowsAsList(rows, columns)
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
	sides   []side              // of the columns, as <col> says
	group   side                // of the present group of rows and of the row
	line    side
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
			r.align(t)
		case atom.Col, atom.Colgroup:
			if t.kind == start {
				r.column(t)
			}
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
		if len(r.rows[i]) == 1 && r.rows[i][0] != nil {
			r.rows[i][0].span = r.columns // nothing beside it: it may use the room
		}
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
	r.cur = &cell{span: t.count(true), head: t.tag == atom.Th, side: r.line}
	if at := len(r.row); at < len(r.sides) && r.sides[at] != left {
		r.cur.side = r.sides[at]
	}
	if s, ok := t.side(); ok {
		r.cur.side = s
	}
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

// align takes over what a row or a group of rows says of its cells.
func (r *tableReader) align(t *token) {
	s := left
	if t.kind == start {
		s, _ = t.side()
	}
	if t.tag != atom.Tr {
		r.group, r.line = s, s
		return
	}
	if r.line = s; s == left {
		r.line = r.group
	}
}

// column takes over what a <col> says; a <colgroup> speaks for its columns
// only where it counts them itself.
func (r *tableReader) column(t *token) {
	if t.tag == atom.Colgroup && (t.attrs == nil || t.attrs.span == "") {
		return
	}
	n := 1
	if t.attrs != nil {
		if k, err := strconv.Atoi(strings.TrimSpace(t.attrs.span)); err == nil {
			n = min(max(k, 1), maxColumns)
		}
	}
	for s, _ := t.side(); n > 0 && len(r.sides) < maxColumns; n-- {
		r.sides = append(r.sides, s)
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
