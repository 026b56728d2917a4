package ui

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/query"
	"diurna/reader/wording"
	"diurna/ui/view"
)

// What keys do in Feeds.

// openNode unfolds a folder that is folded and shows what is in any other row.
func (t *tree) open(m *model) tea.Cmd {
	n := t.chosen()
	switch {
	case n == nil:
		return nil
	case n.kind == nodeFolder && t.folded[n.path]:
		t.setFolded(n.path, false)
		return nil
	case n.kind == nodeFolder:
		return m.showItems(n.path, t.within(n), false)
	case n.kind == nodeAll:
		return m.showItems("All feeds", nil, false)
	}
	return m.OpenFeed(n.feed.Key)
}

// OpenFeed shows the items of one feed, read and unread.
func (m *model) OpenFeed(id reader.FeedID) tea.Cmd {
	if m.addBox() != nil {
		m.stack = m.stack[:0]
		m.view = viewFeeds
		m.feedz.take(&m.Scene)
	}
	return m.showItems(m.FeedTitle(id), map[reader.FeedID]bool{id: true}, true)
}

// showItems opens a list of all items of some feeds.
func (m *model) showItems(name string, only map[reader.FeedID]bool, one bool) tea.Cmd {
	q, _ := query.Parse("", m.Now)
	feed := reader.FeedID(0)
	if one {
		for id := range only {
			feed = id
			q, _ = query.Parse("feed:"+id.String(), m.Now)
		}
	}
	l := &items{name: name, query: q, only: only, one: one, days: !one, feed: feed,
		empty: func(*view.Scene) string { return name + " has no items yet." }}
	m.Push(l)
	return m.load(l)
}

// nextFeedList shows what is unread in the next feed that has any, by the order
// of Feeds; from an article it opens the first of it.
func (m *model) nextFeedList(d int, reading bool) tea.Cmd {
	l, at := m.items(), -1
	if l != nil && l.one || reading {
		id := reader.FeedID(0)
		if r := m.chosenRow(); r != nil {
			id = r.ID.Feed()
		} else if l != nil {
			id = l.feed
		}
		at = slices.IndexFunc(m.Order, func(f reader.Feed) bool { return f.Key == id })
	}
	n := len(m.Order)
	if at < 0 && d < 0 {
		at = n
	}
	for i := at + d; i >= 0 && i < n; i += d {
		f := &m.Order[i]
		if f.Unread == 0 || f.Hidden {
			continue
		}
		if reading {
			m.Pop()
		}
		if top := m.topItems(); top != nil && top.one && len(m.stack) > 0 {
			m.Pop() // lists of feeds stand beside each other, not above
		}
		return m.showUnread(f, reading)
	}
	m.Say("No other feed with unread items that way.")
	return nil
}

// showUnread opens a list of what is unread in a feed, and the first of it.
func (m *model) showUnread(f *reader.Feed, open bool) tea.Cmd {
	q, _ := query.Parse("unread feed:"+f.Key.String(), m.Now)
	name := f.Title
	l := &items{name: name, query: q, only: map[reader.FeedID]bool{f.Key: true}, one: true, feed: f.Key, start: open, part: "unread",
		empty: func(*view.Scene) string {
			return "Nothing is unread in " + name + ". & then \"read\" shows what is read."
		}}
	m.Push(l)
	return m.load(l)
}

// nextFeed goes to the next feed with something unread.
func (t *tree) nextFeed(m *model, d int) tea.Cmd {
	if t.found.Text != "" {
		if i := t.found.Step(t.List.Cur, d); i >= 0 {
			t.GoRow(i)
		}
		return nil
	}
	return t.goNode(m, d, false, "No feed with unread items that way.", func(n *node) bool { return n.kind == nodeFeed && n.unread > 0 })
}

func (t *tree) nextFolder(m *model, d int) tea.Cmd {
	return t.goNode(m, d, false, "No folder that way.", func(n *node) bool { return n.kind == nodeFolder })
}

// nextTrouble goes round the feeds in trouble; folders that hide one unfold.
func (t *tree) nextTrouble(m *model) tea.Cmd {
	for i := range t.all {
		if n := &t.all[i]; n.kind == nodeFolder && n.trouble && t.folded[n.path] {
			delete(t.folded, n.path)
		}
	}
	t.unfold(t.key())
	return t.goNode(m, 1, true, "No feed is in trouble.", func(n *node) bool { return n.kind == nodeFeed && n.trouble })
}

func (t *tree) goNode(m *model, d int, wrap bool, none string, is func(*node) bool) tea.Cmd {
	i := t.seek(d, wrap, is)
	if i < 0 {
		m.Say(none)
		return nil
	}
	t.GoRow(i)
	return nil
}

// why says when the feed of the chosen row is fetched, or what is wrong.
func (m *model) why() tea.Cmd {
	if cmd, ok := m.Top().Why(m); ok {
		return cmd
	}
	if r := m.chosenRow(); r != nil {
		if pg := m.Scene.Watched(r.ID.Feed()); pg != nil {
			m.Say(view.SayPage(pg, m.Now))
		} else if f := m.Feeds[r.ID.Feed()]; f != nil {
			m.Say(view.SayFeed(f, m.Now))
		}
	}
	return nil
}

func (l *items) Why(h view.Host) (tea.Cmd, bool) {
	m := of(h)
	if l.order == reader.Ranked && l.ordered() {
		return m.openPanel(l), true
	}
	return nil, false
}

// why says when the chosen feed is fetched, or what is wrong with it.
func (t *tree) Why(h view.Host) (tea.Cmd, bool) {
	m := of(h)
	n := t.chosen()
	if n == nil {
		return nil, true
	}
	if n.kind == nodeFeed {
		if n.feed.InTrouble() {
			m.Say(view.SayFeed(n.feed, m.Now)) // what to do about it stands below
		}
		return m.rhythm.AskPlan(m, n.feed.Key, false), true
	}
	trouble := 0
	for id := range m.Feeds {
		if in := t.within(n); m.Feeds[id].InTrouble() && (in == nil || in[id]) {
			trouble++
		}
	}
	m.Say(fmt.Sprintf("%s: %s, %s in trouble.", n.name, wording.Plural(n.feeds, "feed"), wording.Count(trouble)))
	return nil, true
}
