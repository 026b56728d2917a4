package ui

import (
	tea "charm.land/bubbletea/v2"

	"diurna/ui/view"
)

// ask opens a box over the last row.
func (m *model) Ask(p *view.Prompt) tea.Cmd {
	return m.boxes.Ask(p)
}
