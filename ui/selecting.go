package ui

import (
	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/jobs"
)

// v selects rows; m, s, t, y and D then act on all of them as one step.

// mark does act to rows, as one step. A selection is over with it and told
// about: its rows may be out of sight.
func (m *model) mark(act reader.Act, rows []*reader.Row, tag, done string) tea.Cmd {
	j := &jobs.Job{Kind: jobs.Mark, Act: act, Scope: m.scope(), Tag: tag}
	for _, r := range rows {
		j.IDs = append(j.IDs, r.ID)
	}
	if act == reader.MarkRead || act == reader.MarkUnread {
		j.IDs = m.lists.WithTwins(&m.Scene, j.IDs)
	}
	if l := m.TopItems(); l != nil {
		l.Hold()
		if l.Unselect() {
			j.Tell = done
		}
	} else if tag != "" {
		j.Tell = done // the tags of an article may be scrolled out
	}
	return m.queue(j)
}

// allHave reports whether every row has a flag.
func allHave(rows []*reader.Row, flag reader.Flags) bool {
	for _, r := range rows {
		if r.Flags&flag == 0 {
			return false
		}
	}
	return true
}

func (m *model) toggleRead() tea.Cmd {
	if rows := m.Top().Rows(); len(rows) > 0 && allHave(rows, reader.FlagRead) {
		return m.mark(reader.MarkUnread, rows, "", "Marked %s unread in %s. u undoes.")
	}
	return m.markRead()
}

// markRead marks what is chosen read, also where it is read already.
func (m *model) markRead() tea.Cmd {
	if rows := m.Top().Rows(); len(rows) > 0 {
		return m.mark(reader.MarkRead, rows, "", tellRead)
	}
	return nil
}

func (m *model) toggleSaved() tea.Cmd {
	if rows := m.Top().Rows(); len(rows) > 0 && allHave(rows, reader.FlagSaved) {
		return m.mark(reader.Unsave, rows, "", "Unsaved %s in %s. u undoes.")
	}
	return m.save()
}

// save saves what is chosen, also where it is already saved.
func (m *model) save() tea.Cmd {
	if rows := m.Top().Rows(); len(rows) > 0 {
		return m.mark(reader.Save, rows, "", "Saved %s in %s. u undoes.")
	}
	return nil
}
