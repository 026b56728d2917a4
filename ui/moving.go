package ui

import (
	tea "charm.land/bubbletea/v2"

	"diurna/ui/list"
	"diurna/ui/view"
)

// From view to view, and back.

// nextView goes round the views.
func (m *model) nextView(d int) tea.Cmd {
	for i, v := range views {
		if v.id == m.view {
			return m.goView(views[(i+d+len(views))%len(views)].id)
		}
	}
	return nil
}

func (m *model) goView(v viewID) tea.Cmd {
	m.stack, m.prompt = m.stack[:0], nil
	return m.enter(v)
}

// enter shows a view again: what was read is gone from it, what waited is in.
func (m *model) enter(v viewID) tea.Cmd {
	m.view = v
	m.river.Become(list.River, "River")
	if v == viewRanked {
		m.river.Become(list.Ranked, "Ranked")
		m.Say(m.lack)
		m.lack = "" // said once
	}
	return view.Batch(m.Reload(), m.base().Shown(m, true))
}

// loadFeeds asks for the subscriptions and the numbers that stand beside them.
func (m *model) Reload() tea.Cmd {
	m.feedsGen = m.Gen()
	return m.eff.feeds(m.feedsGen)
}

// loadShown asks for the feeds and the list that is on the screen.
func (m *model) loadShown() tea.Cmd {
	if l := m.items(); l != nil {
		return view.Batch(m.Reload(), l.Load(m))
	}
	return m.Reload()
}

// back goes one level back and leaves at the top: not with the key that follows one
// that went back, which is often pressed once too often.
func (m *model) back() tea.Cmd {
	switch {
	case m.unwind():
		m.backed = m.presses
		return m.surfaced()
	case m.backed > 0 && m.backed == m.presses-1:
		m.Say("There is nothing more to go back to. q once more quits.")
		return nil
	}
	return m.leave()
}

// backOnly goes one level back, folds a folder, and stops at the top.
func (m *model) backOnly() tea.Cmd {
	if m.pressed == "esc" && m.line.Stop(m) {
		return nil
	}
	if m.unwind() {
		m.backed = m.presses
		return m.surfaced()
	}
	if l, ok := m.Top().(view.Folder); ok {
		l.Fold()
	}
	return nil
}

// surfaced lets what comes to light again ask for what it shows.
func (m *model) surfaced() tea.Cmd { return m.Top().Shown(m, false) }

// unwind ends what stands over the list: a find, a narrowing, a layer.
func (m *model) unwind() bool {
	switch m.Top().Back(m) {
	case view.BackWithin:
		return true
	case view.BackNever:
		return false
	}
	if len(m.stack) == 0 {
		return false
	}
	m.Pop()
	return true
}
