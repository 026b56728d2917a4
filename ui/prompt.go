package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// prompt is a box in the last row. It keeps the keys until Enter or Esc.
type prompt struct {
	name  string // "find": also the name of its history
	label string // what stands before the text
	editor
	says  func(m *model, text string) string // what Enter will do, while typing
	do    func(m *model, text string) tea.Cmd
	tab   func(m *model, text string) tea.Cmd // what Tab does instead; nil: nothing
	hint  string                              // what says said of the present text
	wrong string                              // why Enter did nothing, with a mark under the place
	at    int                                 // clusters before the mark
}

// ask opens a box over the last row.
func (m *model) Ask(p *prompt) tea.Cmd {
	p.history = m.histories[p.name]
	m.prompt = p
	m.Clear()
	m.hint(p)
	return nil
}

// hint asks once per change of the text what Enter will do: it may have to
// walk through 100,000 rows for that, and View must not.
func (m *model) hint(p *prompt) {
	p.hint = ""
	if p.says != nil {
		p.hint = p.says(m, strings.TrimSpace(p.String()))
	}
}

// answer handles a key while a box is open.
func (m *model) answer(k tea.KeyPressMsg) tea.Cmd {
	p := m.prompt
	switch key := k.String(); {
	case key == "esc" || key == "ctrl+c" || key == "ctrl+g" || key == "backspace" && len(p.text) == 0:
		m.prompt = nil
	case key == "enter":
		text := strings.TrimSpace(p.String())
		m.prompt = nil
		cmd := p.do(m, text)
		if m.prompt == p { // not understood: it stays open with the reason
			return cmd
		}
		return tea.Batch(cmd, m.keepLine(p.name, text))
	case key == "tab" && p.tab != nil:
		text := strings.TrimSpace(p.String())
		m.prompt = nil
		return tea.Batch(p.tab(m, text), m.keepLine(p.name, text))
	case p.key(key):
		p.wrong = ""
		m.hint(p)
	case k.Text != "":
		p.insert(k.Text)
		p.wrong = ""
		m.hint(p)
	}
	return nil
}

// keepLine remembers a line of a box between sittings.
func (m *model) keepLine(name, text string) tea.Cmd {
	if text == "" || name == "" {
		return nil
	}
	m.histories[name] = remember(m.histories[name], text)
	return m.eff.keepLine(historyName+name, text)
}

// historyName and placeName are what is kept between sittings.
const (
	historyName = "history/"
	placeName   = "place"
)

// reject keeps the box open with a reason under a place of its text.
func (m *model) reject(p *prompt, at int, why string) {
	p.wrong, p.at = why, at
	m.prompt = p
}

// rows draws the box: one line, two with a reason. x is the cursor's cell.
func (p *prompt) rows(m *model, w int) (lines []string, x int) {
	th := &m.scene.Th
	label := " " + p.label
	n := th.Measure.Width(label)
	says := ""
	if p.wrong == "" {
		says = p.hint
	}
	room := w - n - 1
	if s := th.Measure.Width(says); says != "" && s+12 <= room {
		room -= s + 1
	} else {
		says = ""
	}
	text, cur := p.draw(th.Measure, room)
	lines = []string{th.Ends(label+text, says, w)}
	if p.wrong != "" {
		mark := strings.Repeat(" ", n+min(p.at, max(0, room-1))) + "^ "
		if th.Measure.Width(mark)+th.Measure.Width(p.wrong) > w {
			mark = " "
		}
		lines = append(lines, th.Fit(mark+p.wrong, w))
	}
	return lines, n + cur
}
