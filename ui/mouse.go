package ui

import (
	tea "charm.land/bubbletea/v2"

	"diurna/ui/keymap"
	"diurna/ui/stack"
	"diurna/ui/view"
)

// The mouse, where config.toml asks for it: the wheel scrolls, a click chooses a
// row, and another one on the same row is Enter. It marks nothing by itself.

// click is the row that the last click chose; no view: none.
type click struct {
	on  view.View
	row int
}

// wheelLines is how far a step of the wheel scrolls.
const wheelLines = 3

// pointed does what the mouse asks. In an open box it asks nothing.
func (m *model) pointed(msg tea.MouseMsg) tea.Cmd {
	at := msg.Mouse()
	if !m.Scene.Cfg.Mouse || m.Scene.Tiny() || m.Box != nil || m.Awaited != 0 || m.macros.Naming() {
		return nil
	}
	var do func() tea.Cmd
	switch msg.(type) {
	case tea.MouseWheelMsg:
		if d := map[tea.MouseButton]int{tea.MouseWheelDown: 1, tea.MouseWheelUp: -1}[at.Button]; d != 0 {
			do = func() tea.Cmd { return m.Top().Page(m, d, max(2, (m.Scene.H-2)/wheelLines)) }
		}
	case tea.MouseClickMsg:
		switch {
		case at.Button != tea.MouseLeft || at.Y >= m.Scene.H-1:
		case at.Y > 0:
			do = func() tea.Cmd { return m.clickAt(at.X, at.Y-1) }
		default:
			_, named := m.Top().Over()
			if no, ok := m.head.At(at.X); ok && named && m.adding.Box() == nil {
				do = func() tea.Cmd { return m.nav.Go(m, no) }
			}
		}
	}
	if do == nil {
		return nil
	}
	m.session.CountImpressions()
	m.session.LastKey = m.Scene.Now
	cmds := []tea.Cmd{m.session.Look(), m.macros.CatchUp(m, ""), m.greet.Key(&m.Scene)}
	m.last.Done()
	m.pressed = "mouse"
	m.presses++
	cmds = append(cmds, do())
	if l := m.TopItems(); l != nil {
		cmds = append(cmds, l.Explain(m))
	}
	return view.Batch(append(cmds, m.session.Follow(m.visible()))...)
}

// clickAt chooses what stands at a cell below row 1, or opens it if the click
// before this one chose it. A list beside its article is gone back to; the feeds at
// the left become the view Feeds, which draws the same rows at the same place.
func (m *model) clickAt(x, y int) tea.Cmd {
	on, x := m.Panes.At(x)
	rows, ok := on.(view.Clickable)
	if !ok {
		m.clicked = click{}
		return nil
	}
	var back tea.Cmd
	switch {
	case on == m.feedz && on != m.Top():
		m.clicked = click{}
		if rows.Click(m, x, y) < 0 {
			return nil
		}
		back = m.nav.Go(m, stack.Feeds) // may put the rows in another order
		m.clicked = click{on, m.feedz.List.Cur}
		return back
	case on != m.Top():
		m.Pop()
		if back = m.nav.Surfaced(m); on != m.Top() {
			return back
		}
	}
	before := m.clicked
	m.clicked = click{on, rows.Click(m, x, y)}
	back = view.Batch(back, on.Move(m, 0)) // what is chosen may have to be asked for
	if m.clicked.row < 0 || before != m.clicked {
		return back
	}
	m.clicked = click{}
	return view.Batch(back, m.press(keymap.Press("enter")))
}
