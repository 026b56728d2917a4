package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/article"
	"diurna/ui/jobs"
	"diurna/ui/view"
)

// How an item is opened from a list, and the one after it.

// Open shows an item of a list, in place of the one that is shown. It is read
// from now on; that is no step that undo would take back.
func (m *model) Open(row reader.Row, from view.View, found bool) tea.Cmd {
	if _, ok := m.Top().(view.Opened); ok {
		m.Pop()
	}
	j := &jobs.Job{Kind: jobs.Open, IDs: []reader.ItemID{row.ID}, At: m.Now, Again: row.Flags&reader.FlagRead != 0, Found: found}
	row.Flags |= reader.FlagRead
	m.paint(j, false)
	if f := m.Feeds[row.ID.Feed()]; f != nil && f.Watched {
		return view.Batch(m.openChange(&row, from), m.eff.queue.Add(j))
	}
	return view.Batch(m.openArticle(article.Of{Row: row, From: from}), m.eff.queue.Add(j), m.markTwins(row.ID))
}

// markTwins marks the items of other feeds read that have the address of one that was
// opened, as one step.
func (m *model) markTwins(id reader.ItemID) tea.Cmd {
	ids := m.lists.WithTwins(&m.Scene, []reader.ItemID{id})
	if len(ids) == 1 {
		return nil
	}
	return m.queue(&jobs.Job{Kind: jobs.Mark, Act: reader.MarkRead, Scope: m.scope(), IDs: ids[1:]})
}

// openArticle shows an item that the library has.
func (m *model) openArticle(of article.Of) tea.Cmd {
	id := of.Row.ID
	of.Load = func(ctx context.Context) (reader.Article, error) { return m.eff.lib.Article(ctx, id) }
	of.Known, of.Full = m.Panes.Article(id), func(ctx context.Context) (*reader.FullText, error) { return m.eff.lib.Texts.FetchText(ctx, id) }
	return article.Open(m, of)
}
