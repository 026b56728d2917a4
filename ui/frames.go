package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/article"
	"diurna/ui/cells"
	"diurna/ui/diff"
	"diurna/ui/stack"
	"diurna/ui/theme"
	"diurna/ui/view"
)

// frames draws every view once: the model is driven as by a user, and its
// commands run inline. Commands that wait for something are left out.
func frames(ctx context.Context, r Library, w, h int, o Options) []Frame {
	shelf, err := r.Snapshot(ctx, firstRows)
	if err != nil {
		return []Frame{{"Error", view.Sentence(err) + "\n"}}
	}
	o.Notice = ""
	m := newModel(ctx, r, o, shelf)
	defer m.eff.stop()
	m.Th = theme.Plain(o.Config.ASCII)
	m.W, m.H = w, h
	var out []Frame
	shot := func(name string) {
		out = append(out, Frame{name, cells.Isolates(m.View().Content, true) + "\n"})
	}
	if m.empty {
		shot("Empty library")
		return out
	}
	m.settleAll(m.river.Load(m))
	shot("River")
	if m.river.List.N > 0 {
		// Shown without marking it read: a picture leaves the library as it is.
		m.settleAll(m.items.Article(article.Of{Row: *m.river.Row(), From: m.river}))
		shot("Article")
		m.Pop()
	}
	for _, v := range stack.Views[1:] {
		m.settleAll(m.nav.Go(m, v.No))
		shot(v.Name)
	}
	m.settleAll(m.nav.Go(m, stack.River))
	if pg := m.changedPage(); pg != nil {
		// Shown without marking it read, as the article is.
		m.settleAll(diff.Open(m, m.eff.lib, m.eff.lib.Pages, diff.Of{Name: pg.Title, Feed: pg.Key}).LoadChange(m, 0, 0))
		shot("Diff")
		m.Pop()
	}
	m.settleAll(m.marks.ShowSteps(m))
	shot("What was done")
	m.Pop()
	m.settleAll(m.showHelp())
	shot("Help")
	m.Pop()
	m.settleAll(m.adding.Open(m))
	shot("Add")
	m.Pop()
	return out
}

// changedPage is a page with a change to show, nil if there is none.
func (m *model) changedPage() *reader.Page {
	for i := range m.Pages {
		if !m.Pages[i].Changed.IsZero() {
			return &m.Pages[i]
		}
	}
	return nil
}

// settleAll runs commands inline until nothing is left to do.
func (m *model) settleAll(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			m.settleAll(c)
		}
	default:
		_, next := m.Update(msg)
		m.settleAll(next)
	}
}
