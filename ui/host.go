package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/article"
	"diurna/ui/info"
	"diurna/ui/jobs"
	"diurna/ui/trends"
	"diurna/ui/view"
)

// The model is the screen that views know as their host.

// of is the model behind it.
func of(h view.Host) *model { return h.(*model) }

// at makes a binding of what a key does in every view.
func at(do func(*model) tea.Cmd) func(view.Host) tea.Cmd {
	return func(h view.Host) tea.Cmd { return do(of(h)) }
}

// Pressed is the key that is done, and how many were.
func (m *model) Pressed() (key string, no uint64) { return m.pressed, m.presses }

// Life ends when the program does.
func (m *model) Life() context.Context { return m.eff.ctx }

// Screen is what everything is drawn with.
func (m *model) Screen() *view.Scene { return &m.Scene }

// with makes what a box does with its text of a method of the model.
func with[T any](do func(*model, string) T) func(view.Host, string) T {
	return func(h view.Host, text string) T { return do(of(h), text) }
}

// Change sends a change of the library on its way.
func (m *model) Change(c view.Change) tea.Cmd {
	return m.queue(&jobs.Job{Kind: jobs.Change, Run: c.Do, Say: c.Say, Then: c.Then})
}

// Do is what a key does that means the same in several views.
func (m *model) Do(a view.Action) tea.Cmd {
	switch a {
	case view.ToggleRead:
		return m.toggleRead()
	case view.ToggleSaved:
		return m.toggleSaved()
	case view.AskTag:
		return m.askTag()
	case view.AskFind:
		return m.finder.Ask(m)
	case view.Browse:
		return m.browse()
	case view.BrowseOnly:
		return m.browseOnly()
	case view.TeachMore:
		return m.teach(false)
	case view.TeachLess:
		return m.teach(true)
	case view.CopyLink:
		return m.copyLink()
	case view.CopyBoth:
		return m.copyBoth()
	case view.ShowEdits:
		return m.showEdits()
	case view.NextFeed:
		return m.nextFeedList()
	case view.PreviousFeed:
		return m.previousFeedList()
	}
	return nil
}

// Read shows a text over what is there.
func (m *model) Read(row reader.Row, from view.View, load func(context.Context) (reader.Article, error)) tea.Cmd {
	return article.Open(m, article.Of{Row: row, From: from, Load: load})
}

// Opened marks an item read that was opened.
func (m *model) Opened(id reader.ItemID, again bool) tea.Cmd {
	return m.carry(&jobs.Job{Kind: jobs.Open, IDs: []reader.ItemID{id}, Again: again, Reload: true})
}

// MarkFeed marks what is unread in a feed.
func (m *model) MarkFeed(id reader.FeedID, title string) tea.Cmd {
	return m.feedz.MarkFeed(m, id, title)
}

// MarkRead marks items that were counted.
func (m *model) MarkRead(scope string, ids []reader.ItemID) tea.Cmd {
	return m.carry(&jobs.Job{Kind: jobs.Mark, Act: reader.MarkRead, Scope: scope, IDs: ids, Reload: true, Tell: tellRead})
}

// MarkRows marks rows of a list.
func (m *model) MarkRows(scope string, ids []reader.ItemID) tea.Cmd {
	return m.queue(&jobs.Job{Kind: jobs.Mark, Act: reader.MarkRead, Scope: scope, IDs: ids, Tell: tellRead})
}

// Settled is as of the queue.
func (m *model) Settled() (acts int, none bool) { return m.eff.queue.Settled() }

// showInfo opens the facts about the chosen feed, or the chosen item and its.
func (m *model) showInfo() tea.Cmd {
	feed, none := m.Top().About()
	r := m.chosenRow()
	switch {
	case none != "":
		m.Say(none)
	case feed != 0:
		return info.Open(m, m.eff.lib, m.eff.lib.Stats, trends.About(m.eff.lib.Trends, m.eff.lib.Stories), m.eff.lib.Rules, feed, 0, "")
	case r != nil:
		return info.Open(m, m.eff.lib, m.eff.lib.Stats, trends.About(m.eff.lib.Trends, m.eff.lib.Stories), m.eff.lib.Rules, r.ID.Feed(), r.ID, m.lists.AlsoIn(&m.Scene, r.ID))
	}
	return nil
}
