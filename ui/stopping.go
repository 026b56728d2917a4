package ui

import (
	tea "charm.land/bubbletea/v2"

	"diurna/ui/jobs"
	"diurna/ui/term"
	"diurna/ui/view"
)

// A stopped process keeps its locks: before the program stops for a while, by
// ^z or because it was asked to from outside, fetching has ended and what was
// marked is kept, so that another process can go on.

// suspend ends fetching before the process stops; what was marked is kept first.
func (m *model) suspend() tea.Cmd { return m.suspendBy(true) }

func (m *model) suspendBy(whole bool) tea.Cmd {
	if m.eff.halt == nil {
		m.Say("Nothing can suspend a program here.")
		return nil
	}
	m.fetch.Paused()
	return func() tea.Msg {
		failed := m.marks.Drain()
		m.fetch.Plan.Stop()
		return suspendMsg{failed, whole}
	}
}

// stopMsg: the process is asked to stop, from outside.
type stopMsg struct{}

// suspendMsg: nothing is under way any more, the process may stop.
type suspendMsg struct {
	failed []*jobs.Job
	whole  bool // ^z means all of the process group, a signal this process
}

func (m *model) gotSuspend(msg suspendMsg) tea.Cmd {
	stop := tea.Exec(term.Suspend(m.eff.halt, msg.whole), func(err error) tea.Msg { return resumedMsg{err} })
	return view.Batch(m.marks.Got(m, jobs.Msg{Jobs: msg.failed}), stop)
}

// resumedMsg: the process goes on.
type resumedMsg struct{ err error }

// resumed takes up fetching again; coming back to the screen is a look.
func (m *model) resumed(msg resumedMsg) tea.Cmd {
	cmd := view.Batch(m.fetch.Begin(m), m.sights.Look(), m.gotNews(view.ChangedMsg{}))
	if msg.err != nil {
		m.Say(view.Sentence(msg.err))
	}
	return cmd
}

// retakeMsg: somebody else has stopped the process, and it goes on. Whoever had
// the terminal meanwhile has left it in another mode.
type retakeMsg struct{}

// retake gives the terminal back and takes it again, which draws all of it.
func (m *model) retake() tea.Cmd {
	return tea.Exec(term.Retake(), func(error) tea.Msg { return resumedMsg{} })
}

// stopLine stops what the command line runs; false where nothing runs.
func (m *model) stopLine() bool { return m.line.Stop(m) }
