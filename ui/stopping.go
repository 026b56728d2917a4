package ui

import (
	"errors"
	"io"
	"os"

	tea "charm.land/bubbletea/v2"

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
	m.working = false
	return func() tea.Msg {
		failed := m.eff.drain()
		m.eff.rest()
		return suspendMsg{failed, whole}
	}
}

// stopMsg: the process is asked to stop, from outside.
type stopMsg struct{}

// suspendMsg: nothing is under way any more, the process may stop.
type suspendMsg struct {
	failed []*job
	whole  bool // ^z means all of the process group, a signal this process
}

func (m *model) gotSuspend(msg suspendMsg) tea.Cmd {
	stop := tea.Exec(stopped{m.eff.halt, msg.whole}, func(err error) tea.Msg { return resumedMsg{err} })
	return view.Batch(m.gotJobs(jobsMsg{msg.failed}), stop)
}

// stopped is the stop as Bubble Tea takes it: it gives the terminal back to
// the shell before and takes it again afterwards. Its own Suspend waits for
// SIGCONT for ever where nothing stops the process, as in a tmux window that
// was opened with the program in it.
type stopped struct {
	stop  func(whole bool) bool
	whole bool
}

// errNoShell: nothing stopped the process.
var errNoShell = errors.New("no shell waits behind this screen, so ^z does nothing; in tmux the prefix and d leave it running")

func (s stopped) Run() error {
	if !s.stop(s.whole) {
		return errNoShell
	}
	return nil
}

func (stopped) SetStdin(io.Reader)  {}
func (stopped) SetStdout(io.Writer) {}
func (stopped) SetStderr(io.Writer) {}

// resumedMsg: the process goes on.
type resumedMsg struct{ err error }

// resumed takes up fetching again; coming back to the screen is a look.
func (m *model) resumed(msg resumedMsg) tea.Cmd {
	cmd := view.Batch(m.begin(), m.look(), m.gotNews(view.ChangedMsg{}))
	if msg.err != nil {
		m.Say(view.Sentence(msg.err))
	}
	return cmd
}

// obeyStops hears the signals that ask the process to stop, until the program
// ends. Where the event loop waits for a person's line or for another program
// that has the terminal, the process stops without it.
func (e *effects) obeyStops(asked <-chan os.Signal, tell func()) {
	for {
		select {
		case <-asked:
		case <-e.ctx.Done():
			return
		}
		if tell != nil && !e.out.Lent() {
			tell()
			continue
		}
		fetched := e.duty.runs()
		e.rest()
		e.halt(false)
		if fetched {
			e.work()
		}
	}
}

// retakeMsg: somebody else has stopped the process, and it goes on. Whoever had
// the terminal meanwhile has left it in another mode.
type retakeMsg struct{}

// retake gives the terminal back and takes it again, which draws all of it.
func (m *model) retake() tea.Cmd {
	return tea.Exec(nothing{}, func(error) tea.Msg { return resumedMsg{} })
}

// nothing is a program that does nothing.
type nothing struct{ stopped }

func (nothing) Run() error { return nil }

// retakes hears that the process goes on after a stop that it did not ask for. In
// the background it stops once more, holding nothing, until it has the terminal.
func (e *effects) retakes(continued <-chan struct{}, foreground func() bool, tell func()) {
	for {
		select {
		case <-continued:
		case <-e.ctx.Done():
			return
		}
		if e.out.Lent() {
			continue
		}
		if !foreground() {
			fetched := e.duty.runs()
			e.rest()
			e.halt(false)
			if fetched {
				e.work()
			}
		}
		tell()
	}
}

// runs reports whether fetching by the plan is on.
func (d *duty) runs() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.done != nil
}
