package ui

import (
	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/diff"
	"diurna/ui/stack"
	"diurna/ui/view"
)

// How a diff is opened.

// openChange shows the change that a row of a watched page tells of.
func (m *model) openChange(r *reader.Row, from view.View) tea.Cmd {
	return diff.Open(m, m.eff.lib, m.eff.lib.Pages, diff.Of{Name: m.FeedTitle(r.ID.Feed()), Feed: r.ID.Feed(), Row: *r, From: from}).LoadChangeOf(m)
}

// resumeDiff goes back to the diff of the last sitting, and to the line of it.
func (m *model) resumeDiff(id reader.ItemID) tea.Cmd {
	of := diff.Of{Name: m.FeedTitle(id.Feed()), Row: reader.Row{ID: id, Flags: reader.FlagRead}, From: m.Base().Origin(),
		At: [2]int{m.place.Para, m.place.Into}}
	if f := m.Feeds[id.Feed()]; f != nil && f.Watched {
		of.Feed = f.Key
		if m.At == stack.Pages {
			of.Other = m.pagez.Beside(m, f.Key)
		}
		d := diff.Open(m, m.eff.lib, m.eff.lib.Pages, of)
		if m.place.Revs[1] > 0 {
			return d.LoadChange(m, m.place.Revs[0], m.place.Revs[1])
		}
		return d.LoadChangeOf(m)
	}
	of.Edit = true
	return diff.Open(m, m.eff.lib, m.eff.lib.Pages, of).LoadEdit(m, max(0, m.place.Revs[0]))
}

// showEdits shows what its publisher changed in an item.
func (m *model) showEdits() tea.Cmd {
	r := m.chosenRow()
	if r == nil {
		return nil
	}
	if f := m.Feeds[r.ID.Feed()]; f != nil && f.Watched {
		return m.openChange(r, m.Origin())
	}
	return diff.Open(m, m.eff.lib, m.eff.lib.Pages, diff.Of{Name: view.TitleOf(r.Title), Row: *r, From: m.Origin(), Edit: true}).LoadEdit(m, 0)
}
