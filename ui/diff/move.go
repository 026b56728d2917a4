package diff

import (
	tea "charm.land/bubbletea/v2"

	"diurna/reader/page"
	"diurna/ui/view"
)

// Moving in a diff. Rows are as high as their text is long, and only those
// near the screen are ever laid out: a place is a row and a line of it, and
// moving walks from one to the next.

// lineCount gives the lines of a row.
func (d *View) lineCount(s *view.Scene, i int) int {
	if n := d.tall[i]; n > 0 {
		return int(n)
	}
	return len(d.layout(s, i))
}

// walk goes n lines on (n > 0) or back, as far as there are lines.
func (d *View) walk(s *view.Scene, p spot, n int) spot {
	for ; n > 0; n-- {
		switch {
		case p.line+1 < d.lineCount(s, p.row):
			p.line++
		case p.row+1 < len(d.all):
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
			p.line = d.lineCount(s, p.row) - 1
		default:
			return p
		}
	}
	return p
}

// apart counts the lines from one spot to a later one, up to most.
func (d *View) apart(s *view.Scene, from, to spot, most int) int {
	n := to.line - from.line
	for i := from.row; i < to.row && n < most; i++ {
		n += d.lineCount(s, i)
	}
	return min(n, most)
}

func (p spot) before(q spot) bool { return p.row < q.row || p.row == q.row && p.line < q.line }

// rest finds the nearest line the cursor may stand on, going the way it came.
func (d *View) rest(s *view.Scene, p spot, by int) spot {
	if d.all[p.row].rests() {
		return p
	}
	for _, by := range []int{by, -by} {
		if i := d.next(p.row, by, (*diffRow).rests); i >= 0 {
			if by < 0 {
				return spot{i, d.lineCount(s, i) - 1}
			}
			return spot{row: i}
		}
	}
	return p
}

// reveal scrolls as little as needed for the chosen line, and the heading right
// above it, to be in sight.
func (d *View) reveal(s *view.Scene) {
	last := len(d.all) - 1
	d.cur.row = max(0, min(d.cur.row, last))
	d.cur.line = max(0, min(d.cur.line, d.lineCount(s, d.cur.row)-1))
	d.top.row = max(0, min(d.top.row, last))
	d.top.line = max(0, min(d.top.line, d.lineCount(s, d.top.row)-1))
	first := d.cur
	for range max(0, min(4, d.high/2-1)) {
		up := d.walk(s, first, -1)
		if up == first || d.all[up.row].rests() {
			break
		}
		first = up
	}
	if first.before(d.top) {
		d.top = first
	}
	if d.apart(s, d.top, d.cur, d.high) >= d.high {
		d.top = d.walk(s, d.cur, 1-d.high)
	}
	end := spot{last, d.lineCount(s, last) - 1}
	if d.apart(s, d.top, end, d.high) < d.high-1 {
		d.top = d.walk(s, end, 1-d.high)
	}
}

func (d *View) Move(h view.Host, n int) tea.Cmd {
	d.step(h.Screen(), n)
	return nil
}

// Click chooses a line; a second click unfolds or folds it as Enter does.
func (d *View) Click(h view.Host, _, y int) int {
	s := h.Screen()
	if !d.ready || y < 0 || y >= d.high {
		return -1
	}
	at := d.walk(s, d.top, y)
	if d.apart(s, d.top, at, d.high) != y || !d.all[at.row].rests() {
		return -1
	}
	d.cur = at
	return at.row
}

func (d *View) Page(h view.Host, n, part int) tea.Cmd {
	d.coming = 0
	d.turn(h.Screen(), n*view.PageStep(d.high, part))
	return nil
}

func (d *View) Ends(h view.Host, n int) tea.Cmd {
	d.home(h.Screen(), n < 0)
	return nil
}

func (d *View) Back(view.Host) view.Backing {
	switch {
	case d.found.End():
	case d.terms:
		d.terms = false
	default:
		return view.BackOut
	}
	return view.BackWithin
}

// step moves the cursor by n lines.
func (d *View) step(s *view.Scene, n int) {
	if !d.ready {
		return
	}
	was := d.cur
	to := d.rest(s, d.walk(s, d.cur, n), sgn(n))
	if n > 0 && to.before(was) || n < 0 && was.before(to) {
		to = was // nothing beyond: what stands there is only read
		d.top = d.walk(s, d.top, n)
	}
	d.cur = to
	d.reveal(s)
}

func sgn(n int) int {
	if n < 0 {
		return -1
	}
	return 1
}

// turn moves screen and cursor together by n lines.
func (d *View) turn(s *view.Scene, n int) {
	if !d.ready {
		return
	}
	d.top = d.walk(s, d.top, n)
	d.cur = d.rest(s, d.walk(s, d.cur, n), sgn(n))
	d.reveal(s)
}

// end reports whether the last line is on the screen.
func (d *View) end(s *view.Scene) bool {
	if !d.ready {
		return true
	}
	last := len(d.all) - 1
	return d.apart(s, d.top, spot{last, d.lineCount(s, last) - 1}, d.high) < d.high
}

// goRow chooses a row, a quarter from the top if it is out of sight.
func (d *View) goRow(s *view.Scene, i int) {
	to := spot{row: i}
	if to.before(d.top) || d.apart(s, d.top, to, d.high) >= d.high {
		d.top = d.walk(s, to, -d.high/4)
	}
	d.cur = to
	d.reveal(s)
}

// home goes to the first line, or to the last.
func (d *View) home(s *view.Scene, first bool) {
	if !d.ready {
		return
	}
	d.coming = 0
	d.top, d.cur = spot{}, d.rest(s, spot{}, 1)
	if !first {
		last := len(d.all) - 1
		d.cur = d.rest(s, spot{last, d.lineCount(s, last) - 1}, -1)
	}
	d.reveal(s)
}

// nextChange chooses the next change; false at the ends.
func (d *View) nextChange(s *view.Scene, by int) bool {
	i := -1
	for _, c := range d.changes {
		if by > 0 && c > d.cur.row {
			i = c
			break
		}
		if by < 0 && c < d.cur.row {
			i = c
		}
	}
	if i < 0 {
		return false
	}
	d.goRow(s, i)
	return true
}

// nextHead goes to the first row below the next heading.
func (d *View) nextHead(s *view.Scene, by int) {
	head := func(r *diffRow) bool { return r.sort == rowHead }
	i := d.next(d.cur.row, by, head)
	if by < 0 && i >= 0 && d.next(i, 1, (*diffRow).rests) == d.cur.row {
		i = d.next(i, -1, head) // from inside a part first to its own heading
	}
	if i < 0 {
		if by < 0 {
			d.top, d.cur = spot{}, d.rest(s, spot{}, 1)
			d.reveal(s)
		}
		return
	}
	d.top = spot{row: i}
	d.cur = d.rest(s, spot{row: i}, 1)
	d.reveal(s)
}

// unfold shows the unchanged blocks of a row, or folds them again; false where
// there is nothing to unfold.
func (d *View) unfold(s *view.Scene) bool {
	if !d.ready {
		return false
	}
	r := d.all[d.cur.row]
	switch {
	case r.fold > 0:
		from := d.cur.row
		for from > 0 && d.all[from-1].fold == r.fold {
			from--
		}
		to := from
		for to < len(d.all) && d.all[to].fold == r.fold {
			to++
		}
		d.splice(from, to, d.folds[r.fold-1])
	case r.sort == rowFold || r.sort == rowQuiet:
		d.folds = append(d.folds, r)
		d.splice(d.cur.row, d.cur.row+1, d.inside(r, len(d.folds))...)
	case d.folded(d.cur.row):
		d.all[d.cur.row].open = !r.open
		d.forget()
	default:
		return false
	}
	d.cur.line = 0
	d.cur = d.rest(s, d.cur, 1)
	d.reveal(s)
	return true
}

// inside gives the rows that a folded one stands for.
func (d *View) inside(r diffRow, fold int) []diffRow {
	var rows []diffRow
	under := r.hunk
	if r.at == 0 && r.sort == rowQuiet {
		under = -1
	}
	d.each(&r, func(hunk int, row *page.Row) {
		if hunk != under {
			under = hunk
			rows = append(rows, diffRow{sort: rowHead, text: d.path(d.d.Hunks[hunk].Path), fold: fold})
		}
		for _, text := range d.d.Unchanged(*row) {
			rows = append(rows, diffRow{sort: rowPlain, text: text, fold: fold})
		}
	})
	if len(rows) == 0 {
		rows = append(rows, diffRow{sort: rowNote, sign: " ", text: "(no text)", fold: fold})
	}
	return rows
}

// each calls do with every run of unchanged blocks that a folded row stands for.
func (d *View) each(r *diffRow, do func(hunk int, row *page.Row)) {
	do(r.hunk, &d.d.Hunks[r.hunk].Rows[r.at])
	if r.sort == rowFold {
		for i := r.at + 1; i < r.to; i++ {
			do(r.hunk, &d.d.Hunks[r.hunk].Rows[i])
		}
		return
	}
	for k := r.hunk; k < r.to; k++ {
		for i := range d.d.Hunks[k].Rows {
			if k > r.hunk || i > r.at {
				do(k, &d.d.Hunks[k].Rows[i])
			}
		}
	}
}

// splice puts rows in place of others and chooses the first of them.
func (d *View) splice(from, to int, rows ...diffRow) {
	tail := append([]diffRow(nil), d.all[to:]...)
	d.all = append(append(d.all[:from], rows...), tail...)
	d.cur = spot{row: from}
	if d.top.row > from {
		d.top = spot{row: from}
	}
	d.found = view.Found{} // its rows have moved
	d.index()
}
