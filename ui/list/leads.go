package list

import (
	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/view"
)

// The first words of items without a title are read for the rows on the screen only:
// in some feeds no item has one, and the texts of a long list are many.

// leads are the first words of items, "" for those that have none or are being read.
// All lists of a screen share them.
type leads map[reader.ItemID]string

// maxLeads bounds them: what is on the screen then is read again.
const maxLeads = 10_000

// maxUntitled bounds the rows that a find knows the first words of.
const maxUntitled = 2_000

// leadsMsg brings the items whose first words were asked for.
type leadsMsg struct{ items []reader.Item }

// Leads asks for the first words of those rows that have no title.
func (s *Source) Leads(h view.Host, rows []*reader.Row) tea.Cmd {
	var ids []reader.ItemID
	for _, r := range rows {
		if _, known := s.leads[r.ID]; r.Title == "" && r.ID != 0 && !known {
			ids = append(ids, r.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	if len(s.leads) > maxLeads {
		clear(s.leads)
	}
	for _, id := range ids {
		s.leads[id] = "" // asked once
	}
	ctx, lib := h.Life(), s.lib
	return func() tea.Msg {
		items, err := lib.Items(ctx, ids)
		if err != nil {
			return nil // the rows say that there is no title
		}
		return leadsMsg{items}
	}
}

// Untitled asks for the first words of the newest rows of a list without a title: a find
// or a narrowing goes by them.
func (s *Source) Untitled(h view.Host, of view.View) tea.Cmd {
	return s.untitled(h, func(do func(*reader.Row)) { of.Amend(nil, do) })
}

func (s *Source) untitled(h view.Host, each func(do func(*reader.Row))) tea.Cmd {
	var rows []*reader.Row
	each(func(r *reader.Row) {
		if r.Title == "" && len(rows) < maxUntitled {
			rows = append(rows, r)
		}
	})
	return s.Leads(h, rows)
}

func (known leads) take(items []reader.Item) {
	for i := range items {
		known[items[i].Key] = items[i].Lead
	}
}
