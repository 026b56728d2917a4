package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/query"
	"diurna/ui/info"
	"diurna/ui/list"
	"diurna/ui/stack"
	"diurna/ui/view"
)

// What keys do in Feeds.

// OpenFeed shows the items of one feed, read and unread.
func (m *model) OpenFeed(id reader.FeedID) tea.Cmd {
	if m.addBox() != nil {
		m.Over = m.Over[:0]
		m.At = stack.Feeds
		m.feedz.Take(&m.Scene)
	}
	l := itemsIn(m.lists, m.FeedTitle(id), map[reader.FeedID]bool{id: true}, true, 0, reader.Query{})
	m.Push(l)
	return l.Load(m)
}

// OpenTrouble shows what is wrong with a feed or a page.
func (m *model) OpenTrouble(id reader.FeedID) tea.Cmd {
	return info.OpenTrouble(m, m.eff.lib, m, m.rhythm, id)
}

// OpenFeeds shows the items of several feeds under a name; nil: of all.
func (m *model) OpenFeeds(name string, only map[reader.FeedID]bool, saved reader.Query) tea.Cmd {
	l := itemsIn(m.lists, name, only, false, 0, saved)
	m.Push(l)
	return l.Load(m)
}

// Newest lists the newest items of some feeds without showing the list, and asks for
// as many as a screen has rows for.
func (m *model) Newest(name string, only map[reader.FeedID]bool, one bool) (view.View, tea.Cmd) {
	l := itemsIn(m.lists, name, only, one, firstRows, reader.Query{})
	return l, l.Load(m)
}

// itemsIn makes a list of the items of some feeds: the newest, or with 0 all.
func itemsIn(lists *list.Source, name string, only map[reader.FeedID]bool, one bool, most int, saved reader.Query) *list.View {
	q, feed, kind := reader.Query{}, reader.FeedID(0), list.Several
	if one {
		kind = list.OneFeed
		for id := range only {
			feed, q = id, query.OfFeed(id)
		}
	}
	return lists.New(list.Of{Kind: kind, Name: name, Query: q, Only: only, Days: !one, Feed: feed, Most: most, Saved: saved,
		Empty: func(s *view.Scene) string {
			if f := s.Feeds[feed]; f != nil && f.InTrouble() {
				return view.SayFeed(f, s.Now)
			}
			return name + " has no items yet."
		}})
}

// nextFeedList shows what is unread in the next feed that has any, by the order
// of Feeds; from an article it opens the first of it.
func (m *model) nextFeedList() tea.Cmd { return m.feedListBeside(1) }

func (m *model) previousFeedList() tea.Cmd { return m.feedListBeside(-1) }

func (m *model) feedListBeside(d int) tea.Cmd {
	_, reading := m.Top().(view.Opened)
	l, at := m.Items(), -1
	if l != nil && l.Feed() != 0 || reading {
		id := reader.FeedID(0)
		if r := m.chosenRow(); r != nil {
			id = r.ID.Feed()
		} else if l != nil {
			id = l.Feed()
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
		if top := m.TopItems(); top != nil && top.Feed() != 0 && len(m.Over) > 0 {
			m.Pop() // lists of feeds stand beside each other, not above
		}
		return m.showUnread(f, reading)
	}
	m.Say("No other feed with unread items in that direction.")
	return nil
}

// showUnread opens a list of what is unread in a feed, and the first of it.
func (m *model) showUnread(f *reader.Feed, open bool) tea.Cmd {
	name, all := f.Title, query.OfFeed(f.Key)
	l := m.lists.New(list.Of{Kind: list.Unread, Name: name, Query: all, Unread: query.Unread().And(all), Only: map[reader.FeedID]bool{f.Key: true}, Feed: f.Key, Start: open,
		Empty: func(*view.Scene) string { return name + " has no items yet." }})
	m.Push(l)
	return l.Load(m)
}

// why says when the feed of the chosen row is fetched, or what is wrong.
func (m *model) why() tea.Cmd {
	if cmd, ok := m.Top().Why(m); ok {
		return cmd
	}
	if r := m.chosenRow(); r != nil {
		id := r.ID.Feed()
		f, pg := m.Feeds[id], m.Scene.Watched(id)
		switch {
		case pg != nil && view.Broken(pg), pg == nil && f != nil && f.InTrouble():
			return m.OpenTrouble(id)
		case f != nil:
			m.Say(view.SayFeed(f, m.Now))
		}
	}
	return nil
}
