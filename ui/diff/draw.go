package diff

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"diurna/reader/page"
	"diurna/reader/plain"
	"diurna/reader/wording"
	"diurna/ui/cells"
	"diurna/ui/prose"
	"diurna/ui/theme"
	"diurna/ui/view"
)

// diffSpan is a piece of a line in one look.
type diffSpan struct {
	text string
	kind page.OpKind
	dim  bool
}

// diffLine is a line of the screen behind pointer and sign. Side by side its
// right half is not nil.
type diffLine struct {
	in          int // further indent
	left, right []diffSpan
}

// safe makes text of a page fit to be drawn. Blanks inside it stay: two of them
// part the cells of a table.
func safe(text string) string { return cells.Clean(plain.Text(text, 0)) }

// hang is the further indent of the lines after a block's first.
const hang = 2

// signCells is what stands before the text: pointer, sign, blank.
const signCells = 3

// flow breaks spans into lines of room cells.
func flow(spans []diffSpan, room int) []diffLine {
	// Lines are broken in a copy that has brackets where nothing may be parted
	// from what is in them, byte for byte as long.
	var b strings.Builder
	for _, sp := range spans {
		text := sp.text
		if n := len(text); strings.HasPrefix(text, "[-") && strings.HasSuffix(text[2:], "-]") || strings.HasPrefix(text, "{+") && strings.HasSuffix(text[2:], "+}") {
			text = text[:1] + text[:1] + text[2:n-2] + text[n-1:] + text[n-1:]
		}
		b.WriteString(text)
	}
	text := b.String()
	if cells.Width(text) <= room {
		return []diffLine{{left: spans}}
	}
	var lines []diffLine
	at, start := 0, 0 // the span that holds byte start
	for i, piece := range prose.Wrap(text, max(1, room-hang)) {
		line := diffLine{in: hang}
		if i == 0 {
			line.in = 0
		}
		for k, from := at, start; k < len(spans) && from < piece[1]; k++ {
			end := from + len(spans[k].text)
			if lo, hi := max(from, piece[0]), min(end, piece[1]); lo < hi {
				line.left = append(line.left, diffSpan{spans[k].text[lo-from : hi-from], spans[k].kind, spans[k].dim})
			}
			if end <= piece[1] {
				at, start = k+1, end
			}
			from = end
		}
		lines = append(lines, line)
	}
	if lines == nil {
		return []diffLine{{}}
	}
	return lines
}

// longEqual is how long an equal part of a changed block may be before its
// middle is left out, and edge how much of it stays at each end.
const (
	longEqual = 1200
	edge      = 300
)

// spansOf are the parts of a block with the changed ones in their brackets, as
// page.Row.Mono has them. Side Equal gives both sides, Delete only the old one.
func spansOf(r *page.Row, side page.OpKind, whole bool) []diffSpan {
	var out []diffSpan
	closed := false // the last span ends with a bracket
	for _, seg := range r.Segments {
		if side != page.Equal && seg.Kind != page.Equal && seg.Kind != side {
			continue
		}
		text := safe(seg.Text)
		if seg.Kind == page.Equal {
			if !whole {
				text = shorten(text)
			}
			out = append(out, diffSpan{text: text})
			closed = false
			continue
		}
		word := strings.Trim(text, " ")
		if word == "" {
			out = append(out, diffSpan{text: text})
			continue
		}
		at := strings.Index(text, word)
		left := text[:at]
		if left == "" && closed {
			left = " "
		}
		open, shut := "{+", "+}"
		if seg.Kind == page.Delete {
			open, shut = "[-", "-]"
		}
		out = append(out, diffSpan{text: left}, diffSpan{text: open + word + shut, kind: seg.Kind}, diffSpan{text: text[at+len(word):]})
		closed = text[at+len(word):] == ""
	}
	return out
}

// shorten leaves out the middle of a long text and says how much that was.
func shorten(text string) string {
	if len(text) <= longEqual {
		return text
	}
	from, to := edge, len(text)-edge
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	for to < len(text) && !utf8.RuneStart(text[to]) {
		to++
	}
	return fmt.Sprintf("%s … (%s characters) … %s", strings.TrimRight(text[:from], " "),
		wording.Count(utf8.RuneCountInString(text[from:to])), strings.TrimLeft(text[to:], " "))
}

// layout breaks rows into lines. They are laid out when they come into sight, so
// that a key costs the same in a diff of five blocks and of five thousand.
type layout struct {
	rows  *comparison
	wide  int // cells the rows are laid out for
	split bool
	flat  bool // one line a row: the linear form
	calls int  // how often a row was laid out: a test counts it
	tall  []int32
	known map[int][]diffLine
}

// lines gives the lines of a row; those in sight are kept.
func (l *layout) lines(s *view.Scene, i int) []diffLine {
	if lines, ok := l.known[i]; ok {
		return lines
	}
	if len(l.known) > 512 {
		clear(l.known)
	}
	l.calls++
	lines := l.lay(s, &l.rows.all[i], i)
	l.known[i] = lines
	l.tall[i] = int32(len(lines))
	return lines
}

// lay breaks a row into lines.
func (l *layout) lay(s *view.Scene, r *diffRow, i int) []diffLine {
	room := l.room(s)
	one := func(text string) []diffLine { return []diffLine{{left: []diffSpan{{text: text, dim: true}}}} }
	switch r.sort {
	case rowHead, rowBlank:
		return one("")
	case rowSummary:
		var lines []diffLine
		for _, l := range flow([]diffSpan{{text: l.rows.summary(s)}}, l.wide-1) {
			lines = append(lines, diffLine{left: l.left})
		}
		return lines
	case rowFold:
		n := 0
		l.rows.each(r, func(_ int, row *page.Row) { n += row.Count })
		return one(fmt.Sprintf("%s %s unchanged", s.Th.Dots, wording.Count(n)))
	case rowQuiet:
		n := 0
		l.rows.each(r, func(_ int, row *page.Row) { n += row.Count })
		under := ""
		if heads := r.to - r.hunk; heads > 2 {
			under = " under " + wording.Plural(heads, "heading")
		}
		return one(fmt.Sprintf("%s %s unchanged%s", s.Th.Dots, wording.Count(n), under))
	case rowPlain:
		lines := flow([]diffSpan{{text: safe(r.text)}}, room)
		if l.split {
			lines = beside2(lines, lines)
		}
		return lines
	case rowNote:
		return flow([]diffSpan{{text: safe(r.text), kind: noteKind(r.sign), dim: r.sign == " "}}, l.single(s))
	}
	if r.sort == rowNoise && !r.open {
		return flow([]diffSpan{{text: safe(r.text), dim: true}}, l.single(s))
	}
	return l.layBlock(l.rows.block(i), r.open, room)
}

func noteKind(sign string) page.OpKind {
	switch sign {
	case "-":
		return page.Delete
	case "+":
		return page.Insert
	}
	return page.Equal
}

// layBlock breaks a changed block into lines, or into the lines of its two
// sides.
func (l *layout) layBlock(r *page.Row, whole bool, room int) []diffLine {
	var said []diffLine
	if r.Kind == page.Moved {
		said = flow([]diffSpan{{text: "moved here from " + safe(l.rows.path(r.From)) + ":", dim: true}}, room)
	}
	if !l.split {
		return append(said, flow(spansOf(r, page.Equal, whole), room)...)
	}
	var old, now []diffLine
	if r.Kind != page.Inserted && r.Kind != page.Moved {
		old = flow(spansOf(r, page.Delete, whole), room)
	}
	if r.Kind != page.Deleted {
		now = flow(spansOf(r, page.Insert, whole), room)
	}
	if r.Kind == page.Moved {
		old = said
	}
	return beside2(old, now)
}

// beside2 joins the lines of two sides.
func beside2(old, now []diffLine) []diffLine {
	lines := make([]diffLine, max(len(old), len(now)))
	for i := range lines {
		lines[i].right = []diffSpan{}
		if i < len(old) {
			lines[i].in, lines[i].left = old[i].in, old[i].left
		}
		if i < len(now) {
			lines[i].right = append([]diffSpan{{text: blanks(now[i].in)}}, now[i].left...)
		}
	}
	return lines
}

func blanks(n int) string { return strings.Repeat(" ", n) }

// room is how many cells the text of a row gets, side by side each of the two.
func (l *layout) room(s *view.Scene) int {
	if l.split && !l.flat {
		return min(l.half(), l.single(s))
	}
	return l.single(s)
}

// single is how many cells a text gets that no side has to itself.
func (l *layout) single(s *view.Scene) int {
	most := s.Cfg.Width
	if most <= 0 {
		most = view.DefaultWidth
	}
	room := l.wide - signCells
	switch {
	case l.flat:
		return 1 << 20
	case l.split || l.wide > most+2*signCells+4: // a screen of 80 is used whole
		return min(room, most)
	}
	return room
}

// half is how many cells each side has.
func (l *layout) half() int { return (l.wide - signCells - 3) / 2 }

func (d *View) Lines(s *view.Scene, w, h int) []string {
	if !d.rows.ready {
		say := "comparing " + s.Th.Dots
		if d.wrong != "" {
			say = d.wrong
		}
		return s.Fill(append([]string{s.Th.Fit("", w)}, s.Wrap(say, 1, w)...), w, h)
	}
	panel := d.panel(s, w, h)
	d.place.fit(s, d.side, w, h-len(panel))
	lines := make([]string, 0, h)
	for at := d.place.top; len(lines) < d.place.high; {
		lines = append(lines, d.place.draw(s, at, w))
		next := d.place.walk(s, at, 1)
		if next == at {
			break
		}
		at = next
	}
	return append(s.Fill(lines, w, d.place.high), panel...)
}

// paint draws spans in exactly room cells.
func paint(th *theme.Theme, spans []diffSpan, room int) string {
	var b strings.Builder
	for _, sp := range spans {
		text := th.Measure.Cut(sp.text, room)
		room -= th.Measure.Width(text)
		switch {
		case sp.kind == page.Delete:
			text = th.In(th.Old, text)
		case sp.kind == page.Insert:
			text = th.In(th.Fresh, text)
		case sp.dim:
			text = th.In(th.Dim, text)
		}
		b.WriteString(text)
	}
	b.WriteString(th.Fit("", room))
	return b.String()
}

// panel is the score's terms, below the rows, in at most half of h lines.
func (d *View) panel(s *view.Scene, w, h int) []string {
	if !d.terms {
		return nil
	}
	th := &s.Th
	head := fmt.Sprintf("score %.1f", d.rows.diff.Score)
	if why := safe(d.rows.diff.Why()); why != "" {
		head += ": " + why
	}
	lines := []string{th.In(th.Head, th.Rule(head, w))}
	row := func(name, n, weight, points string) {
		lines = append(lines, th.Fit("   "+th.Fit(name, 12)+th.Measure.PadLeft(n, 7)+th.Measure.PadLeft(weight, 8)+th.Measure.PadLeft(points, 8), w))
	}
	n, room := len(d.rows.diff.Terms), max(5, h/2)
	if room > n+2 {
		row("", "count", "weight", "points")
	}
	for i, t := range d.rows.diff.Terms {
		if left := room - 2 - i; left == 1 && i < n-1 {
			row(wording.Count(n-i)+" more", "", "", "")
			break
		}
		row(t.Category, wording.Count(t.Count), fmt.Sprintf("%.2f", t.Weight), fmt.Sprintf("%.2f", t.Points))
	}
	row("sum", "", "", fmt.Sprintf("%.2f", d.rows.diff.Score))
	if d.feed != 0 && room > n+3 {
		lines = append(lines, th.Fit(fmt.Sprintf("   reported above %.2f", d.limit), w))
	}
	return lines
}

func (d *View) Status(s *view.Scene, w int) view.Status {
	hints := []string{"n N change", "[ ] older, newer", "c columns", "i ignore block", "w score", "o browser", "q"}
	switch {
	case !d.rows.ready:
		return view.Status{Keys: []string{"q back"}}
	case d.rows.edit:
		hints = []string{"n N change", "[ ] older, newer", "c columns", "w score", "x text", "o browser", "q"}
	}
	if d.place.found.Text != "" {
		return view.Status{State: d.place.found.Say(d.place.cur.row), Keys: []string{"n N next, previous", "Esc ends", "?"}, About: view.AboutKeys}
	}
	if i := d.place.cur.row; i < len(d.rows.all) && (d.rows.all[i].sort == rowFold || d.rows.all[i].sort == rowQuiet || d.rows.all[i].fold > 0 || d.rows.folded(i)) {
		hints = append([]string{"Enter unfold"}, hints...)
		if d.rows.all[i].fold > 0 || d.rows.all[i].open {
			hints[0] = "Enter fold"
		}
	}
	if state := d.place.state(); w >= view.Beside && state != "" {
		return view.Status{State: state, Keys: hints}
	}
	return view.Status{State: s.Th.Words(hints, w)}
}

func kindWord(k page.RowKind) string {
	return [...]string{page.Same: "unchanged", page.Changed: "changed", page.Deleted: "gone", page.Inserted: "new", page.Moved: "moved"}[k]
}

// forget drops what is known of how rows are laid out.
func (l *layout) forget() {
	l.tall = make([]int32, len(l.rows.all))
	l.known = make(map[int][]diffLine)
}

// lineCount gives the lines of a row.
func (l *layout) lineCount(s *view.Scene, i int) int {
	if n := l.tall[i]; n > 0 {
		return int(n)
	}
	return len(l.lines(s, i))
}
