package ui

import (
	tea "charm.land/bubbletea/v2"

	"diurna/ui/keymap"
	"diurna/ui/view"
)

// askKey waits for the key that is to be explained.
func (h *help) askKey(m *model) tea.Cmd {
	m.which, m.whichOf = true, h.of
	m.Say("Which key? Press it.")
	return nil
}

// explain shows all there is to say about a key: ? ? and the key.
func (m *model) explain(key string) tea.Cmd {
	m.which = false
	m.Clear()
	m.Push(view.NewSheet("Help: "+keymap.Label(key), m.keys.Explain(key, m.whichOf)))
	return nil
}
