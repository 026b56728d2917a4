package diff

import (
	"strings"

	"diurna/reader/page"
	"diurna/ui/view"
)

// Speak is the chosen row of a diff; what it is of, and its score, the first
// time.
func (d *View) Speak(s *view.Scene) string {
	if !d.rows.ready {
		return d.name + ": " + d.wrong
	}
	fresh := !d.spoken
	d.lay.flat, d.spoken = true, true
	d.place.fit(s, d.side, view.LinearWidth, 24)
	text := ""
	if fresh {
		left, right := d.Title(s, 1<<10)
		text = strings.Join(strings.Fields(left), " ") + ", " + right + ".\n" + d.rows.summary(s) + ".\n"
	}
	for _, line := range d.panel(s, view.LinearWidth, 40) {
		text += strings.TrimRight(line, " ") + "\n"
	}
	return text + d.words(s)
}

// words says what the chosen row is, and what was where.
func (d *View) words(s *view.Scene) string {
	r := d.Chosen()
	if r == nil {
		var b strings.Builder
		for _, line := range d.lay.lines(s, d.place.cur.row) {
			for _, sp := range line.left {
				b.WriteString(sp.text)
			}
		}
		return b.String() + "."
	}
	state := d.place.state()
	text := strings.ToUpper(state[:1]) + state[1:]
	if row := &d.rows.all[d.place.cur.row]; row.sort == rowNoise {
		text += "."
	} else {
		text += ", under " + safe(d.rows.path(d.rows.diff.Hunks[row.hunk].Path)) + "."
	}
	if r.Kind == page.Moved {
		text += " It stood under " + safe(d.rows.path(r.From)) + "."
	}
	const most = 1 << 14
	if old := s.Th.Measure.Cut(safe(r.Old()), most); old != "" && r.Kind != page.Moved {
		text += "\nWas: " + old
	}
	if now := s.Th.Measure.Cut(safe(r.New()), most); now != "" {
		text += "\nIs: " + now
	}
	return text
}
