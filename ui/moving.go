package ui

import tea "charm.land/bubbletea/v2"

// From view to view, and back.

// Reload asks for the subscriptions and the numbers that stand beside them.
func (m *model) Reload() tea.Cmd {
	m.feedsGen = m.Gen()
	return m.eff.feeds(m.feedsGen)
}

// AtRanked says once why Ranked is not known to be better.
func (m *model) AtRanked() {
	m.Say(m.lack)
	m.lack = ""
}

// StopLine stops what the command line runs.
func (m *model) StopLine() bool { return m.line.Stop(m) }
