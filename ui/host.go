package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/article"
	"diurna/ui/view"
)

// The model as the host that views know.

// of is the model behind a host.
func of(h view.Host) *model { return h.(*model) }

// at makes a binding of what a key does in every view.
func at(do func(*model) tea.Cmd) func(view.Host) tea.Cmd {
	return func(h view.Host) tea.Cmd { return do(of(h)) }
}

// Pressed is the key being handled, and how many were pressed.
func (m *model) Pressed() (key string, no uint64) { return m.pressed, m.presses }

// Life is the context that ends with the program.
func (m *model) Life() context.Context { return m.eff.ctx }

// Screen is what everything is drawn with.
func (m *model) Screen() *view.Scene { return &m.Scene }

// Ask opens a box over the last row.
func (m *model) Ask(p *view.Prompt) tea.Cmd { return m.boxes.Ask(p) }

// Reload reads the subscriptions and their counts again.
func (m *model) Reload() tea.Cmd {
	m.feedsGen = m.Gen()
	return m.eff.feeds(m.feedsGen)
}

// Change starts a change of the library.
func (m *model) Change(c view.Change) tea.Cmd { return m.marks.Change(c) }

// Do does what a key that means the same in several views stands for.
func (m *model) Do(a view.Action) tea.Cmd {
	switch a {
	case view.ToggleRead:
		return m.marks.ToggleRead(m)
	case view.ToggleSaved:
		return m.marks.ToggleSaved(m)
	case view.AskTag:
		return m.marks.AskTag(m)
	case view.AskFind:
		return m.finder.Ask(m)
	case view.Browse:
		return m.items.Browse(m)
	case view.BrowseOnly:
		return m.items.BrowseOnly(m)
	case view.TrainMore, view.TrainLess:
		return m.marks.Train(m, a == view.TrainLess)
	case view.CopyLink, view.CopyBoth:
		return m.items.Copy(m, a == view.CopyBoth)
	case view.ShowEdits:
		return m.items.ShowEdits(m)
	case view.NextFeed:
		return m.opener.Next(m)
	case view.PreviousFeed:
		return m.opener.Previous(m)
	}
	return nil
}

// Read shows a text over the present screen.
func (m *model) Read(row reader.Row, from view.View, load func(context.Context) (reader.Article, error)) tea.Cmd {
	return article.Open(m, article.Of{Row: row, From: from, Load: load})
}

// OpenURL opens a web address in the browser, Copy copies it.
func (m *model) OpenURL(addr string) tea.Cmd { return m.eff.out.Open(m, addr) }

func (m *model) Copy(addr, title string) tea.Cmd { return m.eff.out.Copy(m, addr, title) }

// ShowFiles shows the enclosures of an item.
func (m *model) ShowFiles(item *reader.Item) tea.Cmd { return m.files.Show(m, item) }
