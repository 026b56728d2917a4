package view

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// Prompt is a box in the last row. It keeps the keys until Enter or Esc.
type Prompt struct {
	Name  string // "find": also the name of its history
	Label string // what stands before the text
	Editor
	Says  func(h Host, text string) string // what Enter will do, while typing
	Do    func(h Host, text string) tea.Cmd
	Tab   func(h Host, text string) tea.Cmd // what Tab does instead; nil: nothing
	hint  string                            // what says said of the present text
	Wrong string                            // why Enter did nothing, with a mark under the place
	at    int                               // clusters before the mark
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
	}
	return lines, n + cur
}

// Reject lets the box say why Enter did nothing, under a place of its text.
func (p *Prompt) Reject(at int, why string) { p.Wrong, p.at = why, at }

// Ask asks once per change of the text what Enter will do: it may have to walk
// through 100,000 rows for that, and drawing must not.
func (p *Prompt) Suggest(h Host) {
	p.hint = ""
	if p.Says != nil {
		p.hint = p.Says(h, strings.TrimSpace(p.String()))
	}
}
