package ui

import tea "charm.land/bubbletea/v2"

// The model is the screen that views know as their host.

// of is the model behind it.
func of(h Host) *model { return h.(*model) }

// at makes a binding of what a key does in every view.
func at(do func(*model) tea.Cmd) func(Host) tea.Cmd {
	return func(h Host) tea.Cmd { return do(of(h)) }
}

// on makes a binding of what it does in one kind of view.
func on[V View](do func(V, *model) tea.Cmd) func(Host) tea.Cmd {
	return On(func(v V, h Host) tea.Cmd { return do(v, of(h)) })
}

// by is on for what is done in one direction or the other.
func by[V View](do func(V, *model, int) tea.Cmd, d int) func(Host) tea.Cmd {
	return on(func(v V, m *model) tea.Cmd { return do(v, m, d) })
}

// Screen is what everything is drawn with.
func (m *model) Screen() *scene { return &m.scene }

// IsBase reports whether a view lies lowest.
func (m *model) IsBase(v View) bool { return m.base() == v }
