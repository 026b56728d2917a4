package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/history"
	"diurna/ui/jobs"
	"diurna/ui/lastrow"
	"diurna/ui/panes"
	"diurna/ui/view"
)

// Acts: what changes the library. The row changes with the key, the commit
// follows in a command, and a failed one changes the row back.

// chosenRow is the item that keys act on: the article, else the chosen row.
func (m *model) chosenRow() *reader.Row { return m.Top().Row() }

// sittingAt is the opening of an article or a diff that is on top, 0 elsewhere.
func (m *model) sittingAt() int {
	if l, ok := m.Top().(view.Opened); ok {
		return l.Opening()
	}
	return 0
}

// scope is where an act happens, as the log says it.
func (m *model) scope() string {
	if l := m.Items(); l != nil {
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

// paint shows an act on every row it touches, or takes it off the screen again.
func (m *model) paint(j *jobs.Job, undo bool) {
	set, clear := flagsOf(j.Act)
	if j.Kind == jobs.Open && !j.Again {
		set = reader.FlagRead
	}
	if undo {
		set, clear = clear, set
	}
	ids := make(map[reader.ItemID]bool, len(j.IDs))
	for _, id := range j.IDs {
		ids[id] = true
	}
	told := make(map[reader.ItemID]bool, len(j.IDs))
	change := func(r *reader.Row) {
		was := r.Flags&reader.FlagRead == 0
		r.Flags = r.Flags&^clear | set
		if f := m.Feeds[r.ID.Feed()]; f != nil && was != (r.Flags&reader.FlagRead == 0) && !told[r.ID] {
			told[r.ID] = true
			f.Unread += map[bool]int{true: -1, false: 1}[was]
		}
		if j.Tag != "" {
			r.Tags = retag(r.Tags, j.Tag, (j.Act == reader.Tag) != undo)
		}
	}
	for _, l := range m.All() {
		l.Amend(ids, change)
	}
	if m.W >= panes.Three {
		m.feedz.Take(&m.Scene) // its numbers stand beside the list
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

// queue shows a job of this place as done and sends it on its way.
func (m *model) queue(j *jobs.Job) tea.Cmd {
	j.Sitting = m.sittingAt()
	return m.carry(j)
}

// carry is queue for a job that was begun elsewhere.
func (m *model) carry(j *jobs.Job) tea.Cmd {
	j.At = m.Now
	m.paint(j, false)
	return m.eff.queue.Add(j)
}

// undo takes back the newest step; in an article only what was done in it.
func (m *model) undo() tea.Cmd {
	return m.eff.queue.Add(&jobs.Job{Kind: jobs.Undo, At: m.Now, Sitting: m.sittingAt()})
}

func (m *model) redo() tea.Cmd { return m.eff.queue.Add(&jobs.Job{Kind: jobs.Redo, At: m.Now}) }

// UndoStep takes back one step, whatever was done since.
func (m *model) UndoStep(no uint64) tea.Cmd {
	return m.eff.queue.Add(&jobs.Job{Kind: jobs.Undo, Step: no, At: m.Now})
}

func (m *model) showSteps() tea.Cmd { return history.Open(m, m.eff.lib, m) }

// gotJobs tells how the acts fared.
func (m *model) gotJobs(msg jobs.Msg) tea.Cmd {
	var cmds []tea.Cmd
	for _, j := range msg.Jobs {
		switch {
		case j.Err != nil && (j.Kind == jobs.Mark || j.Kind == jobs.Open):
			m.paint(j, true)
			m.last.Put(lastrow.Notice, takenBack(j.Err, j.At))
		case j.Err != nil:
			m.Say(view.Sentence(j.Err))
		case j.Kind == jobs.Undo:
			m.Say(fmt.Sprintf("Undone: %s, %s.", j.Taken.What, view.StepTime(j.Taken.At, m.Now)))
			if len(j.Taken.Feeds) > 0 && m.Watched(j.Taken.Feeds[0]) == nil {
				m.pagez.Want(j.Taken.Feeds[0]) // a page that is watched again is chosen
			}
			cmds = append(cmds, m.afterStep(&j.Taken), m.taught())
		case j.Kind == jobs.Redo:
			m.Say(fmt.Sprintf("Did again: %s.", j.Taken.What))
			cmds = append(cmds, m.afterStep(&j.Taken), m.taught())
		case j.Kind == jobs.Change:
			m.Say(j.Say)
			cmds = append(cmds, m.LoadShown(m, true), m.taught(), m.deliver(view.SettingMsg{}))
			if j.Then != nil {
				cmds = append(cmds, j.Then())
			}
		case j.Kind == jobs.Mark:
			if say := j.SayMarked(); say != "" {
				m.Say(say)
			}
			if j.Done.Step == 0 {
				cmds = append(cmds, m.eff.states(j.IDs)) // what the rows show may not be so
			}
		case j.Say != "":
			m.Say(j.Say)
		}
		if j.Reload {
			cmds = append(cmds, m.Reload())
		}
	}
	return view.Batch(cmds...)
}

// afterStep shows what a step that was taken back, or done again, left behind.
func (m *model) afterStep(st *reader.Step) tea.Cmd {
	cmds := []tea.Cmd{m.Reload(), m.deliver(view.SettingMsg{Undone: true})}
	if len(st.Feeds) > 0 && len(st.Items) == 0 {
		return view.Batch(append(cmds, m.LoadShown(m, true))...)
	}
	if len(st.Items) > 0 {
		cmds = append(cmds, m.eff.states(st.Items))
	}
	return view.Batch(cmds...)
}

// gotItems brings what items say after an undo.
func (m *model) gotItems(msg itemsMsg) tea.Cmd {
	if msg.err != nil {
		m.Say(view.Sentence(msg.err))
		return nil
	}
	if acts, none := m.eff.queue.Settled(); !none || acts != msg.acts {
		return m.eff.states(msg.ids) // what was done meanwhile may not be in it
	}
	gone := make(map[reader.ItemID]bool)
	for _, id := range msg.ids {
		if _, ok := msg.items[id]; !ok {
			gone[id] = true
		}
	}
	if len(gone) > 0 && len(msg.items) == 0 && !m.last.Has(lastrow.Message) {
		m.Say(sayGone)
	}
	change := func(r *reader.Row) {
		if now, ok := msg.items[r.ID]; ok {
			r.Flags, r.Tags = now.Flags, now.Tags
		} else if gone[r.ID] {
			r.Flags, r.Tags = reader.FlagRead, nil
		}
	}
	for _, l := range m.All() {
		l.Amend(nil, change)
	}
	// What came back unread may be missing from the list: it waits like new rows.
	if l := m.Items(); l != nil {
		return l.Load(m)
	}
	return nil
}
