package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
)

// openingMsg: the plan fetched before the usual look that begins now.
type openingMsg struct{ opening reader.Opening }

// opening asks for the fetch to tell of as the screen opens.
func (e *effects) opening() tea.Cmd {
	return func() tea.Msg {
		o, err := e.lib.Opening(e.ctx)
		if err != nil || o.Fetched.IsZero() {
			return nil // not worth a sentence over what is read
		}
		return openingMsg{o}
	}
}

// gotOpening keeps the line for the last row, where it stands until the first
// key while there is no message.
func (m *model) gotOpening(msg openingMsg) {
	if m.lastKey.IsZero() {
		m.opening = fmt.Sprintf("fetched %s, before your usual look", msg.opening.Fetched.In(m.Zone).Format("15:04"))
	}
}
