package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/history"
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
	if l := m.items(); l != nil {
		return l.scope()
	}
	return "Feeds"
}

// scope names the list with what it is narrowed by: a mass mark touches no more.
func (l *items) scope() string {
	if l.narrow != "" {
		return l.name + " & " + l.narrow
	}
	return l.name
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
func (m *model) paint(j *job, undo bool) {
	set, clear := flagsOf(j.act)
	if j.kind == jobOpen && !j.again {
		set = reader.FlagRead
	}
	if undo {
		set, clear = clear, set
	}
	ids := make(map[reader.ItemID]bool, len(j.ids))
	for _, id := range j.ids {
		ids[id] = true
	}
	told := make(map[reader.ItemID]bool, len(j.ids))
	change := func(r *reader.Row) {
		was := unread(r)
		r.Flags = r.Flags&^clear | set
		if f := m.Feeds[r.ID.Feed()]; f != nil && was != unread(r) && !told[r.ID] {
			told[r.ID] = true
			f.Unread += map[bool]int{true: -1, false: 1}[was]
		}
		if j.tag != "" {
			r.Tags = retag(r.Tags, j.tag, (j.act == reader.Tag) != undo)
		}
	}
	for _, l := range m.layers() {
		l.Amend(ids, change)
	}
	if m.W >= three {
		m.feedz.Take(&m.Scene) // its numbers stand beside the list
	}
}

func (l *items) Amend(ids map[reader.ItemID]bool, do func(*reader.Row)) {
	switch {
	case ids != nil && len(ids) == 0:
		return
	case len(ids) == 1:
		for id := range ids {
			l.touch(id, do)
		}
		return
	}
	l.each(func(r *reader.Row) {
		if ids == nil || ids[r.ID] {
			do(r)
		}
	})
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
func (m *model) queue(j *job) tea.Cmd {
	j.sitting = m.sittingAt()
	return m.carry(j)
}

// carry is queue for a job that was begun elsewhere.
func (m *model) carry(j *job) tea.Cmd {
	j.at = m.Now
	m.paint(j, false)
	return m.eff.add(j)
}

// markRows marks the unread ones of the shown rows for which is holds: exactly
// rows that were drawn or could have been scrolled to.
func (m *model) markRows(l *items, is func(i int, r *reader.Row) bool) tea.Cmd {
	var ids []reader.ItemID
	for i := range l.List.N {
		if r := l.at(i); unread(r) && is(i, r) {
			ids = append(ids, r.ID)
		}
	}
	if len(ids) == 0 {
		m.Say("Nothing unread there.")
		return nil
	}
	l.moved = true
	return m.queue(&job{kind: jobMark, act: reader.MarkRead, scope: l.scope(), ids: ids, tell: tellRead})
}

func (l *items) markAll(m *model) tea.Cmd {
	return m.markRows(l, func(int, *reader.Row) bool { return true })
}

// operand gives the rows that a letter after M means.
func (m *model) operand(l *items, what byte) func(i int, r *reader.Row) bool {
	cur := l.chosen()
	if cur == nil {
		return func(int, *reader.Row) bool { return false }
	}
	day, week, month := wording.Midnight(m.Local(cur.At)), m.Now.AddDate(0, 0, -7).Unix(), m.Now.AddDate(0, -1, 0).Unix()
	from, to := day.Unix(), day.AddDate(0, 0, 1).Unix()
	switch what {
	case 'j':
		return func(i int, _ *reader.Row) bool { return i >= l.List.Cur }
	case 'k':
		return func(i int, _ *reader.Row) bool { return i <= l.List.Cur }
	case 'd':
		return func(_ int, r *reader.Row) bool { return r.At >= from && r.At < to }
	case 'f':
		return func(_ int, r *reader.Row) bool { return r.ID.Feed() == cur.ID.Feed() }
	case 'w':
		return func(_ int, r *reader.Row) bool { return r.At < week }
	case 'm':
		return func(_ int, r *reader.Row) bool { return r.At < month }
	}
	return func(int, *reader.Row) bool { return true }
}

// markWhat asks for the second key of M and says how many each would mark.
func (l *items) markWhat(m *model) tea.Cmd {
	if l.List.N == 0 {
		return nil
	}
	counts := make(map[byte]int)
	const operands = "jkdfwma"
	var is [len(operands)]func(int, *reader.Row) bool
	for k := range operands {
		is[k] = m.operand(l, operands[k])
	}
	for i := range l.List.N {
		if r := l.at(i); unread(r) {
			for k := range operands {
				if is[k](i, r) {
					counts[operands[k]]++
				}
			}
		}
	}
	m.pending = view.CtxMark
	names := [len(operands)]string{"below", "above", "day", "feed", "older week", "older month", "all"}
	say := "M:"
	for k := range operands {
		say += " " + string(operands[k])
		if m.W >= view.Wide {
			say += " " + names[k]
		}
		say += " " + wording.Count(counts[operands[k]]) + " "
	}
	m.Say(strings.TrimSpace(say))
	return nil
}

func (l *items) markOperand(m *model, what byte) tea.Cmd {
	return m.markRows(l, m.operand(l, what))
}

// undo takes back the newest step; in an article only what was done in it.
func (m *model) undo() tea.Cmd {
	return m.eff.add(&job{kind: jobUndo, at: m.Now, sitting: m.sittingAt()})
}

func (m *model) redo() tea.Cmd { return m.eff.add(&job{kind: jobRedo, at: m.Now}) }

// UndoStep takes back one step, whatever was done since.
func (m *model) UndoStep(no uint64) tea.Cmd {
	return m.eff.add(&job{kind: jobUndo, step: no, at: m.Now})
}

func (m *model) showSteps() tea.Cmd { return history.Open(m, m.eff.lib, m) }

func (m *model) noUnsubscribe() tea.Cmd {
	m.Say(sayNoUnsubscribe)
	return nil
}

// sayMarked tells what a mark came to: another process may have marked some of
// the rows before, or removed them.
func (j *job) sayMarked() string {
	switch {
	case j.tell == "":
		return ""
	case j.done.Step == 0:
		return fmt.Sprintf("Nothing was left to change in %s.", j.scope)
	}
	return fmt.Sprintf(j.tell, wording.Count(j.done.Changed), j.scope)
}

// gotJobs tells how the acts fared.
func (m *model) gotJobs(msg jobsMsg) tea.Cmd {
	var cmds []tea.Cmd
	for _, j := range msg.jobs {
		switch {
		case j.err != nil && (j.kind == jobMark || j.kind == jobOpen):
			m.paint(j, true)
			m.Say(takenBack(j.err, j.at))
		case j.err != nil:
			m.Say(view.Sentence(j.err))
		case j.kind == jobUndo:
			m.Say(fmt.Sprintf("Took back: %s, %s.", j.taken.What, view.StepTime(j.taken.At, m.Now)))
			if len(j.taken.Feeds) > 0 && m.Watched(j.taken.Feeds[0]) == nil {
				m.pagez.Want(j.taken.Feeds[0]) // a page that is watched again is chosen
			}
			cmds = append(cmds, m.afterStep(&j.taken), m.taught())
		case j.kind == jobRedo:
			m.Say(fmt.Sprintf("Did again: %s.", j.taken.What))
			cmds = append(cmds, m.afterStep(&j.taken), m.taught())
		case j.kind == jobChange:
			m.Say(j.say)
			cmds = append(cmds, m.reloadAll(), m.taught(), m.deliver(view.SettingMsg{}))
			if j.then != nil {
				cmds = append(cmds, j.then())
			}
		case j.kind == jobMark:
			if say := j.sayMarked(); say != "" {
				m.Say(say)
			}
			if j.done.Step == 0 {
				cmds = append(cmds, m.eff.states(j.ids)) // what the rows show may not be so
			}
		case j.say != "":
			m.Say(j.say)
		}
		if j.reload {
			cmds = append(cmds, m.Reload())
		}
	}
	return tea.Batch(cmds...)
}

// afterStep shows what a step that was taken back, or done again, left behind.
func (m *model) afterStep(st *reader.Step) tea.Cmd {
	cmds := []tea.Cmd{m.Reload(), m.deliver(view.SettingMsg{Undone: true})}
	if len(st.Feeds) > 0 && len(st.Items) == 0 {
		return tea.Batch(append(cmds, m.reloadAll())...)
	}
	if len(st.Items) > 0 {
		cmds = append(cmds, m.eff.states(st.Items))
	}
	return tea.Batch(cmds...)
}

// reloadAll asks again for feeds and the list on screen; its rows are replaced
// even where a key has moved, because the person asked for the change.
func (m *model) reloadAll() tea.Cmd {
	if l := m.items(); l != nil {
		l.force = true
	}
	return m.loadShown()
}

// gotItems brings what items say after an undo.
func (m *model) gotItems(msg itemsMsg) tea.Cmd {
	if msg.err != nil {
		m.Say(view.Sentence(msg.err))
		return nil
	}
	if acts, none := m.eff.settled(); !none || acts != msg.acts {
		return m.eff.states(msg.ids) // what was done meanwhile may not be in it
	}
	gone := make(map[reader.ItemID]bool)
	for _, id := range msg.ids {
		if _, ok := msg.items[id]; !ok {
			gone[id] = true
		}
	}
	if len(gone) > 0 && len(msg.items) == 0 && m.message == "" {
		m.Say(sayGone)
	}
	change := func(r *reader.Row) {
		if now, ok := msg.items[r.ID]; ok {
			r.Flags, r.Tags = now.Flags, now.Tags
		} else if gone[r.ID] {
			r.Flags, r.Tags = reader.FlagRead, nil
		}
	}
	for _, l := range m.layers() {
		l.Amend(nil, change)
	}
	// What came back unread may be missing from the list: it waits like new rows.
	if l := m.items(); l != nil {
		return m.load(l)
	}
	return nil
}
