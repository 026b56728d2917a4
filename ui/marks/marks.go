// Package marks changes the library for the screen: marks and tags of items, feedback,
// changes of feeds and settings, undo. A row changes with the key, the commit follows
// in a command, and a failed one changes the row back.
//
// Marks.Queue sends a change on its way; OnMsg says how it fared.
package marks

import (
	"context"
	"errors"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/history"
	"diurna/ui/jobs"
	"diurna/ui/lastrow"
	"diurna/ui/list"
	"diurna/ui/panes"
	"diurna/ui/stack"
	"diurna/ui/view"
)

// Library is what marks ask of *reader.Reader.
type Library interface {
	jobs.Library
	Rows(ctx context.Context, q reader.Query, limit int) ([]reader.Row, error)
	Items(ctx context.Context, ids []reader.ItemID) ([]reader.Item, error)
}

// Views are all that show something of the library.
type Views interface {
	// Deliver tells them of a message.
	Deliver(msg tea.Msg) tea.Cmd
}

// Feeds is the view of the feeds, whose numbers change with marks.
type Feeds interface{ Take(s *view.Scene) }

// Pages is the view of the watched pages; Want chooses one once it is there.
type Pages interface{ Want(id reader.FeedID) }

// Marks marks on one screen.
type Marks struct {
	ctx   context.Context
	lib   Library
	wait  time.Duration
	host  view.Host
	views Views
	on    *stack.Stack
	queue *jobs.Queue

	lists *list.Source
	feeds Feeds
	pages Pages
}

// New marks in a library. Acts within wait of each other share one transaction. Attach
// has to follow.
func New(ctx context.Context, lib Library, t jobs.Trainer, wait time.Duration, h view.Host, v Views, on *stack.Stack) *Marks {
	return &Marks{ctx: ctx, lib: lib, wait: wait, host: h, views: v, on: on, queue: jobs.New(ctx, lib, t, wait)}
}

// Attach says where items and feeds are shown.
func (m *Marks) Attach(lists *list.Source, feeds Feeds, pages Pages) {
	m.lists, m.feeds, m.pages = lists, feeds, pages
}

// opening is the opening of an article or a diff that is on top, 0 elsewhere.
func (m *Marks) opening() int {
	if l, ok := m.on.Top().(view.Opened); ok {
		return l.Opening()
	}
	return 0
}

// scope is where an act happens, as the log says it.
func (m *Marks) scope() string {
	if l := m.on.Items(); l != nil {
		return l.Scope()
	}
	return "Feeds"
}

// flagsOf says what an act does to the flags of a row.
func flagsOf(act reader.Act) (set, clear reader.Flags) {
	switch act {
	case reader.MarkRead:
		return reader.FlagRead, 0
	case reader.MarkUnread:
		return 0, reader.FlagRead
	case reader.Save:
		return reader.FlagSaved, 0
	case reader.Unsave:
		return 0, reader.FlagSaved
	}
	return 0, 0
}

// opposite takes an act back.
var opposite = map[reader.Act]reader.Act{reader.MarkRead: reader.MarkUnread, reader.MarkUnread: reader.MarkRead,
	reader.Save: reader.Unsave, reader.Unsave: reader.Save, reader.Tag: reader.Untag, reader.Untag: reader.Tag}

// Apply does an act to a row.
func Apply(r *reader.Row, act reader.Act, tag string) {
	set, clear := flagsOf(act)
	r.Flags = r.Flags&^clear | set
	if tag != "" {
		r.Tags = retag(r.Tags, tag, act == reader.Tag)
	}
}

// paint shows an act on every row it touches, or takes it off the screen again.
func (m *Marks) paint(j *jobs.Job, undo bool) {
	s := m.host.Screen()
	act := j.Act
	if j.Kind == jobs.Open && !j.Again {
		act = reader.MarkRead
	}
	if undo {
		act = opposite[act]
	}
	ids := make(map[reader.ItemID]bool, len(j.IDs))
	for _, id := range j.IDs {
		ids[id] = true
	}
	counted := make(map[reader.ItemID]bool, len(j.IDs))
	m.amend(ids, func(r *reader.Row) {
		was := r.Flags&reader.FlagRead == 0
		Apply(r, act, j.Tag)
		if f := s.Feeds[r.ID.Feed()]; f != nil && was != (r.Flags&reader.FlagRead == 0) && !counted[r.ID] {
			counted[r.ID] = true
			f.Unread += map[bool]int{true: -1, false: 1}[was]
		}
	})
	if s.W >= panes.Three {
		m.feeds.Take(s) // its numbers stand beside the list
	}
}

// amend changes the rows of some items wherever they are kept; nil stands for all.
func (m *Marks) amend(ids map[reader.ItemID]bool, change func(*reader.Row)) {
	for _, l := range m.on.All() {
		l.Amend(ids, change)
	}
}

// retag gives tags with or without one, in a slice of its own: rows of several
// lists share theirs.
func retag(tags []string, tag string, with bool) []string {
	out := make([]string, 0, len(tags)+1)
	for _, t := range tags {
		if t != tag {
			out = append(out, t)
		}
	}
	if with {
		out = append(out, tag)
	}
	return out
}

// Queue shows a job of this place as done and sends it on its way.
func (m *Marks) Queue(j *jobs.Job) tea.Cmd {
	j.Session = m.opening()
	return m.Carry(j)
}

// Carry is Queue for a job that was begun elsewhere.
func (m *Marks) Carry(j *jobs.Job) tea.Cmd {
	j.At = m.host.Screen().Now
	m.paint(j, false)
	return m.queue.Add(j)
}

// Change sends a change of the library on its way.
func (m *Marks) Change(c view.Change) tea.Cmd {
	return m.Queue(&jobs.Job{Kind: jobs.Change, Run: c.Do, Say: c.Say, Then: c.Then})
}

// Settled gives a number that changes with every act, and whether none is on its way.
func (m *Marks) Settled() (acts int, none bool) { return m.queue.Settled() }

// Drain carries out at once what is on its way and gives what failed. Finish does so
// in a command.
func (m *Marks) Drain() []*jobs.Job { return m.queue.Drain() }

func (m *Marks) Finish() tea.Msg { return jobs.Msg{Jobs: m.queue.Flush()} }

// Undo takes back the newest step; in an article only what was done in it.
func (m *Marks) Undo(h view.Host) tea.Cmd {
	return m.queue.Add(&jobs.Job{Kind: jobs.Undo, At: h.Screen().Now, Session: m.opening()})
}

func (m *Marks) Redo(h view.Host) tea.Cmd {
	return m.queue.Add(&jobs.Job{Kind: jobs.Redo, At: h.Screen().Now})
}

// UndoStep takes back one step, whatever was done since.
func (m *Marks) UndoStep(no uint64) tea.Cmd {
	return m.queue.Add(&jobs.Job{Kind: jobs.Undo, Step: no, At: m.host.Screen().Now})
}

// ShowSteps shows what was done.
func (m *Marks) ShowSteps(h view.Host) tea.Cmd { return history.Open(h, m.lib, m) }

// OnMsg says how acts fared, and takes in what items say after an undo.
func (m *Marks) OnMsg(h view.Host, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case jobs.Msg:
		return m.fared(h, msg)
	case StatesMsg:
		return m.onStates(h, msg)
	}
	return nil
}

func (m *Marks) fared(h view.Host, msg jobs.Msg) tea.Cmd {
	var cmds []tea.Cmd
	for _, j := range msg.Jobs {
		switch {
		case j.Err != nil && (j.Kind == jobs.Mark || j.Kind == jobs.Open):
			m.paint(j, true)
			m.on.Last.Put(lastrow.Notice, takenBack(j.Err, j.At))
		case j.Err != nil:
			h.Say(view.Sentence(j.Err))
		case j.Kind == jobs.Undo:
			h.Say(fmt.Sprintf("Undone: %s, %s.", j.Taken.What, view.StepTime(j.Taken.At, h.Screen().Now)))
			if len(j.Taken.Feeds) > 0 && h.Screen().Watched(j.Taken.Feeds[0]) == nil {
				m.pages.Want(j.Taken.Feeds[0]) // a page that is watched again is chosen
			}
			cmds = append(cmds, m.afterStep(h, &j.Taken), m.explain(h))
		case j.Kind == jobs.Redo:
			h.Say(fmt.Sprintf("Did again: %s.", j.Taken.What))
			cmds = append(cmds, m.afterStep(h, &j.Taken), m.explain(h))
		case j.Kind == jobs.Change:
			h.Say(j.Say)
			cmds = append(cmds, m.on.LoadShown(h, true), m.explain(h), m.views.Deliver(view.SettingMsg{}))
			if j.Then != nil {
				cmds = append(cmds, j.Then())
			}
		case j.Kind == jobs.Mark:
			if say := j.SayMarked(); say != "" {
				h.Say(say)
			}
			if j.Done.Step == 0 {
				cmds = append(cmds, m.states(j.IDs)) // what the rows show may not be so
			}
		case j.Say != "":
			h.Say(j.Say)
		}
		if j.Reload {
			cmds = append(cmds, h.Reload())
		}
	}
	return view.Batch(cmds...)
}

// afterStep shows what a step that was taken back, or done again, left behind.
func (m *Marks) afterStep(h view.Host, st *reader.Step) tea.Cmd {
	cmds := []tea.Cmd{h.Reload(), m.views.Deliver(view.SettingMsg{Undone: true})}
	if len(st.Feeds) > 0 && len(st.Items) == 0 {
		return view.Batch(append(cmds, m.on.LoadShown(h, true))...)
	}
	if len(st.Items) > 0 {
		cmds = append(cmds, m.states(st.Items))
	}
	return view.Batch(cmds...)
}

// explain asks again for an explanation that is open.
func (m *Marks) explain(h view.Host) tea.Cmd {
	if l := m.on.TopItems(); l != nil {
		return l.Explained(h)
	}
	return nil
}

// takenBack is the sentence for acts that could not be kept.
func takenBack(err error, at time.Time) string {
	what := fmt.Sprintf("What you marked at %s could not be kept and was taken back.", view.Clock(at))
	if errors.Is(err, reader.ErrFull) {
		return "The disk is full. " + what + " Reading goes on; free some space and mark it again."
	}
	if errors.Is(err, reader.ErrReadOnly) {
		return "The library cannot be written. " + what
	}
	return view.Sentence(err) + " " + what
}
