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
	snapshot, err := r.Snapshot(ctx, firstRows)
	if err != nil {
		return []Frame{{"Error", view.Sentence(err) + "\n"}}
	}
	o.Notice = ""
	m := newModel(ctx, r, o, snapshot)
	defer m.eff.stop()
	m.Scene.Th = theme.Plain(o.Config.ASCII)
	m.Scene.W, m.Scene.H = w, h
	var out []Frame
	shot := func(name string) {
		out = append(out, Frame{name, cells.Isolates(m.View().Content, true) + "\n"})
	}
	if m.empty {
		shot("Empty library")
		return out
	}
	settle(m, m.river.Load(m))
	shot("River")
	if m.river.List.N > 0 {
		// Shown without marking it read: a picture leaves the library as it is.
		settle(m, m.items.Article(article.Of{Row: *m.river.Row(), From: m.river}))
		shot("Article")
		m.Pop()
	}
	for _, v := range stack.Views[1:] {
		settle(m, m.nav.Go(m, v.No))
		shot(v.Name)
	}
	settle(m, m.nav.Go(m, stack.River))
	if pg := changedPage(m.Scene.Pages); pg != nil {
		// Shown without marking it read, as the article is.
		settle(m, diff.Open(m, m.eff.lib, m.eff.lib.Pages, diff.Of{Name: pg.Title, Feed: pg.Key}).LoadChange(m, 0, 0))
		shot("Diff")
		m.Pop()
	}
	settle(m, m.marks.ShowSteps(m))
	shot("What was done")
	m.Pop()
	settle(m, m.showHelp())
	shot("Help")
	m.Pop()
	settle(m, m.adding.Open(m))
	shot("Add")
	m.Pop()
	return out
}

// changedPage is a page with a change to show, nil if there is none.
func changedPage(pages []reader.Page) *reader.Page {
	for i := range pages {
		if !pages[i].Changed.IsZero() {
			return &pages[i]
		}
	}
	return nil
}

// settle runs commands inline until nothing is left to do.
func settle(m tea.Model, cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			settle(m, c)
		}
	default:
		_, next := m.Update(msg)
		settle(m, next)
	}
}
