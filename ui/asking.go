package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/ui/view"
)

// historyName and placeName are what is kept between sittings.
const (
	historyName = "history/"
	placeName   = "place"
)

// ask opens a box over the last row.
func (m *model) Ask(p *view.Prompt) tea.Cmd {
	p.History = m.histories[p.Name]
	m.Box = p
	return p.Suggest(m)
}

// answer handles a key while a box is open.
func (m *model) answer(k tea.KeyPressMsg) tea.Cmd {
	p := m.Box
	switch key := k.String(); {
	case key == "esc" || key == "ctrl+c" || key == "ctrl+g" || key == "backspace" && len(p.Text) == 0:
		m.Box = nil
		if p.Left != nil {
			p.Left(m)
		}
	case key == "enter" && !p.Checked(m):
	case key == "enter":
		text := strings.TrimSpace(p.String())
		m.Box = nil
		cmd := p.Do(m, text)
		if m.Box == p { // not understood: it stays open with the reason
			return cmd
		}
		return view.Batch(cmd, m.KeepLine(p.Name, text))
	case key == "tab" && p.Tab != nil:
		text := strings.TrimSpace(p.String())
		m.Box = nil
		return view.Batch(p.Tab(m, text), m.KeepLine(p.Name, text))
	case p.Complete != nil && (key == "tab" || key == "shift+tab"):
		return p.Complete(m, key != "tab")
	case p.Key(key):
		p.Wrong = ""
		p.Offer(nil, 0)
		return p.Suggest(m)
	case k.Text != "":
		p.Insert(k.Text)
		p.Wrong = ""
		p.Offer(nil, 0)
		return p.Suggest(m)
	}
	return nil
}

// KeepLine remembers a line of a box between sittings.
func (m *model) KeepLine(name, text string) tea.Cmd {
	if text == "" || name == "" {
		return nil
	}
	m.histories[name] = view.Remember(m.histories[name], text)
	return m.eff.keepLine(historyName+name, text)
}
