package view

import (
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/reader/query"
	"diurna/ui/cells"
)

// Prompt is a box in the last row. It keeps the keys until Enter or Esc.
type Prompt struct {
	Name  string // "find": also the name of its history
	Label string // what stands before the text
	Editor
	Says func(h Host, text string) string // what Enter will do, while typing
	// Typing is what a change of the text does at once; nil: nothing.
	Typing func(h Host, text string) tea.Cmd
	Do     func(h Host, text string) tea.Cmd
	Tab    func(h Host, text string) tea.Cmd // what Tab does instead; nil: nothing
	// Complete is what Tab does to the text, shift+Tab with back; the box stays. nil: nothing.
	Complete func(h Host, back bool) tea.Cmd

	// Left is called when the box is given up; nil: nothing is to be done then.
	Left func(h Host) tea.Cmd
	// Check says why Enter does nothing yet; a *query.Error has a place.
	Check func(h Host, text string) error

	hint   string   // what says said of the present text
	Wrong  string   // why Enter did nothing, with a mark under the place
	at     int      // cells before the mark
	offers []string // what Tab goes through
	chosen int      // of them; -1: none yet
}

// Rows draws the box: one line, two with a reason. x is the cursor's cell.
func (p *Prompt) Rows(s *Scene, w int) (lines []string, x int) {
	th := &s.Th
	label := " " + p.Label
	n := th.Measure.Width(label)
	says := ""
	if p.Wrong == "" {
		says = p.hint
	}
	room := w - n - 1
	if n := th.Measure.Width(says); says != "" && n+12 <= room {
		room -= n + 1
	} else {
		says = ""
	}
	text, cur := p.Draw(th.Measure, room)
	lines = []string{th.Ends(label+text, says, w)}
	if p.Wrong != "" {
		mark := strings.Repeat(" ", n+min(p.at, max(0, room-1))) + "^ "
		if th.Measure.Width(mark)+th.Measure.Width(p.Wrong) > w {
			mark = " "
		}
		lines = append(lines, th.Fit(mark+p.Wrong, w))
	} else if len(p.offers) > 0 {
		lines = append(lines, th.Fit(p.choices(th.Measure, w), w))
	}
	return lines, n + cur
}

// Offer shows under the text what Tab goes through, with the chosen one in
// brackets; it stands until the next key.
func (p *Prompt) Offer(words []string, chosen int) { p.offers, p.chosen = words, chosen }

// choices is the row of what Tab goes through, from the chosen one on where not all
// have room.
func (p *Prompt) choices(m cells.Measure, w int) string {
	row := func(from int) string {
		var b strings.Builder
		for i := from; i < len(p.offers); i++ {
			if i == p.chosen {
				b.WriteString(" [" + p.offers[i] + "]")
			} else {
				b.WriteString("  " + p.offers[i] + " "[:min(1, len(p.offers)-1-i)])
			}
		}
		return b.String()
	}
	all := row(0)
	if m.Width(all) <= w || p.chosen <= 0 {
		return all
	}
	return row(p.chosen)
}

// Reject lets the box say why Enter did nothing, under a place of its text.
func (p *Prompt) Reject(at int, why string) { p.Wrong, p.at = why, at }

// Checked reports whether the text may be taken; else the box says why not.
func (p *Prompt) Checked(h Host) bool {
	if p.Check == nil {
		return true
	}
	text := strings.TrimSpace(p.String())
	err := p.Check(h, text)
	if err == nil {
		return true
	}
	p.Set(text) // the place counts from its first letter
	p.Refuse(h, err)
	return false
}

// Refuse is Reject with the place that a *query.Error has.
func (p *Prompt) Refuse(h Host, err error) {
	at := 0
	var wrong *query.Error
	if errors.As(err, &wrong) {
		at = h.Screen().Th.Measure.Width(wrong.Before())
	}
	p.Reject(at, err.Error())
}

// Unclear is what a box says beside a query that is not understood while it is being
// typed: nothing of one that may only be unfinished.
func Unclear(err error) string {
	var wrong *query.Error
	if errors.As(err, &wrong) && !wrong.Incomplete {
		return wrong.Why
	}
	return ""
}

// Ask asks once per change of the text what Enter will do: it may have to walk
// through 100,000 rows for that, and drawing must not.
func (p *Prompt) Suggest(h Host) (cmd tea.Cmd) {
	p.hint = ""
	text := strings.TrimSpace(p.String())
	if p.Typing != nil {
		cmd = p.Typing(h, text)
	}
	if p.Says != nil {
		p.hint = p.Says(h, text)
	}
	return cmd
}
