package ui

import (
	tea "charm.land/bubbletea/v2"

	"diurna/ui/view"
)

// Deliver tells all views and parts of a message.
func (m *model) Deliver(msg tea.Msg) tea.Cmd {
	cmds := []tea.Cmd{m.boxes.Got(m, msg), m.sights.Got(m, msg), m.greet.Got(m, msg), m.marks.Got(m, msg), m.fetch.Got(m, msg), m.adding.Got(m, msg), m.ranked.Got(m, msg),
		m.eff.out.Got(m, msg), m.line.Got(m, msg), m.pipe.Got(m, msg), m.macros.Got(m, msg), m.Panes.Got(m, msg), m.files.Got(m, msg), m.editor.Got(m, msg)}
	for _, l := range m.All() {
		cmds = append(cmds, l.Got(m, msg))
	}
	return view.Batch(cmds...)
}
