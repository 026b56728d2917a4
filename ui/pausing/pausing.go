// Package pausing stops the process for a while. A stopped process keeps its locks:
// before it stops, by ^z or because it was asked to from outside, fetching has ended and
// what was marked is kept, so that another process can go on.
package pausing

import (
	tea "charm.land/bubbletea/v2"

	"diurna/ui/fetching"
	"diurna/ui/impressions"
	"diurna/ui/jobs"
	"diurna/ui/marks"
	"diurna/ui/term"
	"diurna/ui/view"
)

// Pause stops one program.
type Pause struct {
	Halt func(whole bool) bool // stops the process, or all of its group; nil: nothing does

	marks   *marks.Marks
	fetch   *fetching.Fetching
	session *impressions.Session
}

// New stops what marks, fetches and watches the reader.
func New(m *marks.Marks, f *fetching.Fetching, s *impressions.Session) *Pause {
	return &Pause{marks: m, fetch: f, session: s}
}

// StopMsg: the process is asked to stop, from outside. RetakeMsg: somebody else has
// stopped it, and it goes on; whoever had the terminal meanwhile has left it in another
// mode. ResumedMsg: it goes on.
type (
	StopMsg    struct{}
	RetakeMsg  struct{}
	ResumedMsg struct{ err error }
)

// readyMsg: nothing is under way any more, the process may stop.
type readyMsg struct {
	failed []*jobs.Job
	whole  bool // ^z means all of the process group, a signal this process
}

// Suspend ends fetching before the process stops; what was marked is kept first.
func (p *Pause) Suspend(h view.Host) tea.Cmd { return p.prepare(h, true) }

func (p *Pause) prepare(h view.Host, whole bool) tea.Cmd {
	if p.Halt == nil {
		h.Say("Nothing can suspend a program here.")
		return nil
	}
	p.fetch.Paused()
	return func() tea.Msg {
		failed := p.marks.Drain()
		p.fetch.Plan.Stop()
		return readyMsg{failed, whole}
	}
}

// OnMsg stops the process, gives the terminal back after a stop and takes it again, which
// draws all of it, and takes up fetching again.
func (p *Pause) OnMsg(h view.Host, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case StopMsg:
		return p.prepare(h, false)
	case readyMsg:
		stop := tea.Exec(term.Suspend(p.Halt, msg.whole), func(err error) tea.Msg { return ResumedMsg{err} })
		return view.Batch(p.marks.OnMsg(h, jobs.Msg{Jobs: msg.failed}), stop)
	case RetakeMsg:
		return tea.Exec(term.Retake(), func(error) tea.Msg { return ResumedMsg{} })
	case ResumedMsg:
		// Coming back to the screen is a look.
		cmd := view.Batch(p.fetch.Begin(h), p.session.Look(), func() tea.Msg { return view.ChangedMsg{} })
		if msg.err != nil {
			h.Say(view.Sentence(msg.err))
		}
		return cmd
	}
	return nil
}
