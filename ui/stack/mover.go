package stack

import (
	tea "charm.land/bubbletea/v2"

	"diurna/ui/list"
	"diurna/ui/view"
)

// Ways are where keys lead that go from view to view, beside the views.
type Ways struct {
	Leave    func() tea.Cmd // ends the program
	StopLine func() bool    // stops what the command line runs; false where nothing runs
	AtRanked func()         // is called when Ranked is shown
}

// Mover goes from view to view and back.
type Mover struct {
	*Stack
	ways   Ways
	river  *list.View
	backed uint64 // the key that went back last, by how many were pressed
}

// NewMover moves on a stack whose Ranked is river in another order.
func NewMover(s *Stack, w Ways, river *list.View) *Mover {
	return &Mover{Stack: s, ways: w, river: river}
}

// Next goes round the views.
func (m *Mover) Next(h view.Host, d int) tea.Cmd {
	for i, v := range Views {
		if v.No == m.At {
			return m.Go(h, Views[(i+d+len(Views))%len(Views)].No)
		}
	}
	return nil
}

// Go leaves all that is open for a view.
func (m *Mover) Go(h view.Host, no Number) tea.Cmd {
	m.Over, m.Box = m.Over[:0], nil
	return m.Enter(h, no)
}

// Enter shows a view again: what was read is gone from it, what waited is in.
func (m *Mover) Enter(h view.Host, no Number) tea.Cmd {
	m.At = no
	m.river.Become(list.River, "River")
	if no == Ranked {
		m.river.Become(list.Ranked, "Ranked")
		m.ways.AtRanked()
	}
	return view.Batch(h.Reload(), m.Base().Shown(h, true))
}

// Back goes one level back and leaves at the top: not with the key that follows one
// that went back, which is often pressed once too often.
func (m *Mover) Back(h view.Host) tea.Cmd {
	_, presses := h.Pressed()
	switch {
	case m.unwind(h):
		m.backed = presses
		return m.Surfaced(h)
	case m.backed > 0 && m.backed == presses-1:
		h.Say("This is the top. q again quits.")
		return nil
	}
	return m.ways.Leave()
}

// BackOnly goes one level back, folds a folder, and stops at the top.
func (m *Mover) BackOnly(h view.Host) tea.Cmd {
	pressed, presses := h.Pressed()
	if pressed == "esc" && m.ways.StopLine() {
		return nil
	}
	if m.unwind(h) {
		m.backed = presses
		return m.Surfaced(h)
	}
	if f, ok := m.Top().(view.Folder); ok {
		f.Fold()
	}
	return nil
}

// Surfaced lets what comes to light again ask for what it shows.
func (m *Mover) Surfaced(h view.Host) tea.Cmd { return m.Top().Shown(h, false) }

// unwind ends what stands over the list: a find, a narrowing, a view.
func (m *Mover) unwind(h view.Host) bool {
	switch m.Top().Back(h) {
	case view.BackWithin:
		return true
	case view.BackNever:
		return false
	}
	if len(m.Over) == 0 {
		return false
	}
	m.Pop()
	return true
}

// AwaitZ is the first Z of ZZ.
func (m *Mover) AwaitZ(view.Host) tea.Cmd {
	m.Awaited = view.CtxZ
	return nil
}
