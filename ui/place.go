package ui

import (
	tea "charm.land/bubbletea/v2"

	"diurna/ui/greeting"
	"diurna/ui/jobs"
)

// Leave ends the program once all is kept: pending changes, notes, and where the reader
// was.
func (m *model) Leave() tea.Cmd {
	m.session.CountImpressions()
	place, at, seen := m.present(), m.Scene.Now, m.session.Take()
	noted := m.greet.Noted // once more: what the key before this one noted may not be kept yet
	return func() tea.Msg {
		for _, keep := range noted {
			keep()
		}
		m.session.Note(at, seen)
		if failed := m.marks.Drain(); len(failed) > 0 {
			return jobs.Msg{Jobs: failed} // stay: the rows change back and say why
		}
		m.notes.KeepNow(greeting.PlaceName, place)
		return tea.Quit()
	}
}

// present is the reader's place, as it is kept between sessions.
func (m *model) present() []byte {
	if m.empty && len(m.Scene.Order) == 0 {
		return nil // there is no library, and leaving makes none
	}
	return m.places.Now()
}
