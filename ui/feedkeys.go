package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
)

// What keys do in Feeds.

// openNode folds or unfolds a folder and shows what is in a feed.
func (m *model) openNode() tea.Cmd {
	n := m.feedz.chosen()
	switch {
	case n == nil:
		return nil
	case n.kind == nodeFolder:
		m.feedz.fold(n.path, !m.feedz.folded[n.path])
		return nil
	case n.kind == nodeAll:
		return m.showItems("All feeds", nil, false)
	}
	return m.openFeed(n.feed.Key)
}

// openFeed shows the items of one feed, read and unread.
func (m *model) openFeed(id reader.FeedID) tea.Cmd {
	if _, ok := m.top().(*addBox); ok {
		m.stack = m.stack[:0]
		m.view = viewFeeds
		m.feedz.take(&m.scene)
	}
	return m.showItems(m.feedTitle(id), map[reader.FeedID]bool{id: true}, true)
}

// showItems opens a list of all items of some feeds.
func (m *model) showItems(name string, only map[reader.FeedID]bool, one bool) tea.Cmd {
	q, _ := reader.ParseQuery("", m.now)
	if one {
		for id := range only {
			q, _ = reader.ParseQuery("feed:"+id.String(), m.now)
		}
	}
	l := &items{name: name, query: q, only: only, one: one, days: !one,
		empty: func(*scene) string { return name + " has no items yet." }}
	m.push(l)
	return m.load(l)
}

// nextFeed goes to the next feed with something unread.
func (m *model) nextFeed(d int) tea.Cmd {
	t := m.feedz
	if t.find.text != "" {
		if i := t.find.step(t.list.cur, d); i >= 0 {
			t.list.set(i, max(1, t.high))
		}
		return nil
	}
	return m.goNode(d, false, "No feed with unread items that way.", func(n *node) bool { return n.kind == nodeFeed && n.unread > 0 })
}

func (m *model) nextFolder(d int) tea.Cmd {
	return m.goNode(d, false, "No folder that way.", func(n *node) bool { return n.kind == nodeFolder })
}

// nextTrouble goes round the feeds in trouble; folders that hide one unfold.
func (m *model) nextTrouble() tea.Cmd {
	t := m.feedz
	for i := range t.all {
		if n := &t.all[i]; n.kind == nodeFolder && n.trouble && t.folded[n.path] {
			delete(t.folded, n.path)
		}
	}
	t.unfold(t.key())
	return m.goNode(1, true, "No feed is in trouble.", func(n *node) bool { return n.kind == nodeFeed && n.trouble })
}

func (m *model) goNode(d int, wrap bool, none string, is func(*node) bool) tea.Cmd {
	i := m.feedz.seek(d, wrap, is)
	if i < 0 {
		m.say(none)
		return nil
	}
	m.feedz.list.set(i, max(1, m.feedz.high))
	return nil
}

// whyFeed says when the chosen feed is fetched, or what is wrong with it.
func (m *model) whyFeed() tea.Cmd {
	n := m.feedz.chosen()
	if n == nil {
		return nil
	}
	if n.kind == nodeFeed {
		m.say(sayFeed(n.feed, m.now))
		return nil
	}
	trouble := 0
	for id := range m.feeds {
		if in := m.feedz.within(n); m.feeds[id].InTrouble() && (in == nil || in[id]) {
			trouble++
		}
	}
	m.say(fmt.Sprintf("%s: %s, %s in trouble.", n.name, plural(n.feeds, "feed"), count(trouble)))
	return nil
}

// markFeed marks what is unread in the chosen feed or folder: the rows are
// read first, so that the step names exactly what was there.
func (m *model) markFeed() tea.Cmd {
	n := m.feedz.chosen()
	if n == nil {
		return nil
	}
	if n.unread == 0 {
		m.say("Nothing unread there.")
		return nil
	}
	q, _ := reader.ParseQuery("unread", m.now)
	return m.eff.unreadOf(q, m.feedz.within(n), n.name)
}

// gotUnread marks the rows that were found in a feed or folder.
func (m *model) gotUnread(msg unreadMsg) tea.Cmd {
	if msg.err != nil {
		m.say(sentence(msg.err))
		return nil
	}
	if len(msg.ids) == 0 {
		m.say("Nothing unread there.")
		return nil
	}
	return m.queue(&job{kind: jobMark, act: reader.MarkRead, scope: msg.scope, ids: msg.ids, reload: true,
		say: fmt.Sprintf("Marked %s read in %s. u undoes.", count(len(msg.ids)), msg.scope)})
}
