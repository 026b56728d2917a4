package diff

import (
	"fmt"

	"diurna/reader/page"
	"diurna/reader/wording"
	"diurna/ui/view"
)

// Moving in a diff. Rows are as high as their text is long, and only those
// near the screen are ever laid out: a place is a row and a line of it, and
// moving walks from one to the next.

// spot is a line of a diff: a row, and a line of it.
type spot struct{ row, line int }

// scroll is where the reader is in the rows, and which of their lines are in sight.
type scroll struct {
	rows  *comparison
	lay   *layout
	found view.Found // its hits are rows
	high  int
	top   spot // the first line on the screen
	cur   spot // the chosen one
	want  spot // where the last session left it
}

// begin stands before rows that came, near the row of before if they came again.
func (v *scroll) begin(was int) {
	c := v.rows
	v.found = view.Found{}
	v.lay.wide = 0
	v.lay.forget()
	v.top, v.cur = spot{}, spot{row: c.next(-1, 1, (*diffRow).rests)}
	if len(c.changes) > 0 {
		v.cur.row = c.changes[0]
	}
	if was > 0 {
		v.cur.row = max(0, c.next(min(was, len(c.all)-1)-1, 1, (*diffRow).rests))
	}
	if w := v.want; w.row > 0 && w.row < len(c.all) && c.all[w.row].rests() {
		v.cur = w
	}
	v.cur.row, v.want = max(0, v.cur.row), spot{}
}

// chosen is the changed block under the cursor, nil for another row.
func (v *scroll) chosen() *page.Row { return v.rows.block(v.cur.row) }

// walk goes n lines on (n > 0) or back, as far as there are lines.
func (v *scroll) walk(s *view.Scene, p spot, n int) spot {
	for ; n > 0; n-- {
		switch {
		case p.line+1 < v.lay.lineCount(s, p.row):
			p.line++
		case p.row+1 < len(v.rows.all):
			p = spot{row: p.row + 1}
		default:
			return p
		}
	}
	for ; n < 0; n++ {
		switch {
		case p.line > 0:
			p.line--
		case p.row > 0:
			p.row--
			p.line = v.lay.lineCount(s, p.row) - 1
		default:
			return p
		}
	}
	return p
}

// apart counts the lines from one spot to a later one, up to most.
func (v *scroll) apart(s *view.Scene, from, to spot, most int) int {
	n := to.line - from.line
	for i := from.row; i < to.row && n < most; i++ {
		n += v.lay.lineCount(s, i)
	}
	return min(n, most)
}

func (p spot) before(q spot) bool { return p.row < q.row || p.row == q.row && p.line < q.line }

// rest finds the nearest line the cursor may stand on, going the way it came.
func (v *scroll) rest(s *view.Scene, p spot, by int) spot {
	if v.rows.all[p.row].rests() {
		return p
	}
	for _, by := range []int{by, -by} {
		if i := v.rows.next(p.row, by, (*diffRow).rests); i >= 0 {
			if by < 0 {
				return spot{i, v.lay.lineCount(s, i) - 1}
			}
			return spot{row: i}
		}
	}
	return p
}

// reveal scrolls as little as needed for the chosen line, and the heading right
// above it, to be in sight.
func (v *scroll) reveal(s *view.Scene) {
	last := len(v.rows.all) - 1
	v.cur.row = max(0, min(v.cur.row, last))
	v.cur.line = max(0, min(v.cur.line, v.lay.lineCount(s, v.cur.row)-1))
	v.top.row = max(0, min(v.top.row, last))
	v.top.line = max(0, min(v.top.line, v.lay.lineCount(s, v.top.row)-1))
	first := v.cur
	for range max(0, min(4, v.high/2-1)) {
		up := v.walk(s, first, -1)
		if up == first || v.rows.all[up.row].rests() {
			break
		}
		first = up
	}
	if first.before(v.top) {
		v.top = first
	}
	if v.apart(s, v.top, v.cur, v.high) >= v.high {
		v.top = v.walk(s, v.cur, 1-v.high)
	}
	end := spot{last, v.lay.lineCount(s, last) - 1}
	if v.apart(s, v.top, end, v.high) < v.high-1 {
		v.top = v.walk(s, end, 1-v.high)
	}
}

// step moves the cursor by n lines.
func (v *scroll) step(s *view.Scene, n int) {
	if !v.rows.ready {
		return
	}
	was := v.cur
	to := v.rest(s, v.walk(s, v.cur, n), sgn(n))
	if n > 0 && to.before(was) || n < 0 && was.before(to) {
		to = was // nothing beyond: what stands there is only read
		v.top = v.walk(s, v.top, n)
	}
	v.cur = to
	v.reveal(s)
}

func sgn(n int) int {
	if n < 0 {
		return -1
	}
	return 1
}

// turn moves screen and cursor together by n lines.
func (v *scroll) turn(s *view.Scene, n int) {
	if !v.rows.ready {
		return
	}
	v.top = v.walk(s, v.top, n)
	v.cur = v.rest(s, v.walk(s, v.cur, n), sgn(n))
	v.reveal(s)
}

// end reports whether the last line is on the screen.
func (v *scroll) end(s *view.Scene) bool {
	if !v.rows.ready {
		return true
	}
	last := len(v.rows.all) - 1
	return v.apart(s, v.top, spot{last, v.lay.lineCount(s, last) - 1}, v.high) < v.high
}

// goRow chooses a row, a quarter from the top if it is out of sight.
func (v *scroll) goRow(s *view.Scene, i int) {
	to := spot{row: i}
	if to.before(v.top) || v.apart(s, v.top, to, v.high) >= v.high {
		v.top = v.walk(s, to, -v.high/4)
	}
	v.cur = to
	v.reveal(s)
}

// home goes to the first line, or to the last.
func (v *scroll) home(s *view.Scene, first bool) {
	if !v.rows.ready {
		return
	}
	v.top, v.cur = spot{}, v.rest(s, spot{}, 1)
	if !first {
		last := len(v.rows.all) - 1
		v.cur = v.rest(s, spot{last, v.lay.lineCount(s, last) - 1}, -1)
	}
	v.reveal(s)
}

// nextChange chooses the next change; false at the ends.
func (v *scroll) nextChange(s *view.Scene, by int) bool {
	i := -1
	for _, c := range v.rows.changes {
		if by > 0 && c > v.cur.row {
			i = c
			break
		}
		if by < 0 && c < v.cur.row {
			i = c
		}
	}
	if i < 0 {
		return false
	}
	v.goRow(s, i)
	return true
}

// nextHead goes to the first row below the next heading.
func (v *scroll) nextHead(s *view.Scene, by int) {
	head := func(r *diffRow) bool { return r.sort == rowHead }
	i := v.rows.next(v.cur.row, by, head)
	if by < 0 && i >= 0 && v.rows.next(i, 1, (*diffRow).rests) == v.cur.row {
		i = v.rows.next(i, -1, head) // from inside a part first to its own heading
	}
	if i < 0 {
		if by < 0 {
			v.top, v.cur = spot{}, v.rest(s, spot{}, 1)
			v.reveal(s)
		}
		return
	}
	v.top = spot{row: i}
	v.cur = v.rest(s, spot{row: i}, 1)
	v.reveal(s)
}

// unfold shows the unchanged blocks of a row, or folds them again.
func (v *scroll) unfold(s *view.Scene) {
	if !v.rows.ready {
		return
	}
	r := v.rows.all[v.cur.row]
	switch {
	case r.fold > 0:
		from := v.cur.row
		for from > 0 && v.rows.all[from-1].fold == r.fold {
			from--
		}
		to := from
		for to < len(v.rows.all) && v.rows.all[to].fold == r.fold {
			to++
		}
		v.splice(from, to, v.rows.folds[r.fold-1])
	case r.sort == rowFold || r.sort == rowQuiet:
		v.rows.folds = append(v.rows.folds, r)
		v.splice(v.cur.row, v.cur.row+1, v.rows.inside(r, len(v.rows.folds))...)
	case v.rows.folded(v.cur.row):
		v.rows.all[v.cur.row].open = !r.open
		v.lay.forget()
	default:
		return
	}
	v.cur.line = 0
	v.cur = v.rest(s, v.cur, 1)
	v.reveal(s)
}

// splice puts rows in place of others and chooses the first of them.
func (v *scroll) splice(from, to int, rows ...diffRow) {
	tail := append([]diffRow(nil), v.rows.all[to:]...)
	v.rows.all = append(append(v.rows.all[:from], rows...), tail...)
	v.cur = spot{row: from}
	if v.top.row > from {
		v.top = spot{row: from}
	}
	v.found = view.Found{} // its rows have moved
	v.rows.index()
	v.lay.forget()
}

// fit lays the rows out for a size, side by side where there is room for it; the
// chosen row stays chosen and in sight.
func (v *scroll) fit(s *view.Scene, side bool, w, h int) {
	split := side && w >= view.Beside
	if v.lay.wide != w || v.lay.split != split {
		if v.lay.wide != 0 { // lines of another width mean nothing
			v.cur.line, v.top.line = 0, 0
		}
		v.lay.wide, v.lay.split = w, split
		v.lay.forget()
	}
	v.high = h
	v.reveal(s)
}

// draw draws one line in w cells.
func (v *scroll) draw(s *view.Scene, at spot, w int) string {
	th := &s.Th
	r := &v.rows.all[at.row]
	lines := v.lay.lines(s, at.row)
	switch r.sort {
	case rowHead:
		return th.In(th.Head, th.Rule(safe(r.text), w))
	case rowSummary:
		return " " + paint(th, lines[at.line].left, w-1)
	}
	pointer := " "
	chosen := at == v.cur && !s.Still
	if chosen {
		pointer = th.In(th.Pointer, ">")
	}
	sign := " "
	if r.sort == rowNote && r.sign == " " && r.fold == 0 || r.sort == rowNoise && !r.open {
		return th.Row(pointer+paint(th, lines[at.line].left, w-1), chosen)
	}
	if at.line == 0 {
		sign = v.rows.sign(at.row)
	}
	line := lines[at.line]
	text := blanks(line.in)
	if line.right == nil {
		return th.Row(pointer+sign+" "+text+paint(th, line.left, w-signCells-line.in), chosen)
	}
	half := v.lay.half()
	left := text + paint(th, line.left, half-line.in)
	return th.Row(pointer+sign+" "+left+" "+th.In(th.Dim, th.Bar)+" "+paint(th, line.right, w-signCells-3-half), chosen)
}

// state says in words what the sign of the chosen row says.
func (v *scroll) state() string {
	r := v.chosen()
	if r == nil {
		return ""
	}
	n := 0
	for n < len(v.rows.changes) && v.rows.changes[n] <= v.cur.row {
		n++
	}
	say := fmt.Sprintf("change %s of %s: ", wording.Count(n), wording.Count(len(v.rows.changes)))
	if v.rows.all[v.cur.row].sort == rowNoise {
		return say + "ignored here"
	}
	return say + kindWord(r.Kind) + classNote(r.Class)
}
