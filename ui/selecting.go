package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/wording"
)

// v selects rows; m, s, t, y and D then act on all of them as one step.

// selectRow takes the chosen row into the selection, or out of it, and goes on
// to the next.
func (m *model) selectRow() tea.Cmd {
	switch l := m.top().(type) {
	case *items:
		r := l.chosen()
		if r == nil {
			return nil
		}
		if l.selected == nil {
			l.selected = make(map[reader.ItemID]bool)
		}
		flip(l.selected, r.ID)
	case *pages:
		r := l.chosen()
		if r == nil {
			return nil
		}
		if l.selected == nil {
			l.selected = make(map[reader.FeedID]bool)
		}
		flip(l.selected, r.page.Key)
	case *tree:
		n := l.chosen()
		if n == nil || n.kind != nodeFeed {
			m.say("v selects rows of feeds.")
			return nil
		}
		if l.selected == nil {
			l.selected = make(map[reader.FeedID]bool)
		}
		flip(l.selected, n.feed.Key)
	}
	return m.move(1)
}

func flip[K comparable](set map[K]bool, k K) {
	if set[k] {
		delete(set, k)
		return
	}
	set[k] = true
}

// rows are the items that keys act on: those selected, else the chosen one.
func (m *model) rows() []*reader.Row {
	if l, ok := m.top().(*items); ok && len(l.selected) > 0 {
		var rows []*reader.Row
		for i := range l.list.n {
			if r := l.row(i); l.selected[r.ID] {
				rows = append(rows, r)
			}
		}
		return rows
	}
	if r := m.chosenRow(); r != nil {
		return []*reader.Row{r}
	}
	return nil
}

// mark does act to rows, as one step. A selection is over with it and told
// about: its rows may be out of sight.
func (m *model) mark(act reader.Act, rows []*reader.Row, tag, done string) tea.Cmd {
	j := &job{kind: jobMark, act: act, scope: m.scope(), tag: tag}
	for _, r := range rows {
		j.ids = append(j.ids, r.ID)
	}
	m.touched()
	if l, ok := m.top().(*items); ok && len(l.selected) > 0 {
		l.selected = nil
		j.tell = done
	}
	return m.queue(j)
}

// allHave reports whether every row has a flag.
func allHave(rows []*reader.Row, flag reader.Flags) bool {
	for _, r := range rows {
		if r.Flags&flag == 0 {
			return false
		}
	}
	return true
}

func (m *model) toggleRead() tea.Cmd {
	rows := m.rows()
	switch {
	case len(rows) == 0:
		return nil
	case allHave(rows, reader.FlagRead):
		return m.mark(reader.MarkUnread, rows, "", markWords["unread"].told)
	}
	return m.mark(reader.MarkRead, rows, "", tellRead)
}

func (m *model) toggleSaved() tea.Cmd {
	rows := m.rows()
	switch {
	case len(rows) == 0:
		return nil
	case allHave(rows, reader.FlagSaved):
		return m.mark(reader.Unsave, rows, "", markWords["unsaved"].told)
	}
	return m.mark(reader.Save, rows, "", markWords["saved"].told)
}

// unselect ends a selection; false when there is none.
func unselect(l layer) bool {
	switch l := l.(type) {
	case *items:
		if len(l.selected) > 0 {
			l.selected = nil
			return true
		}
	case *pages:
		if len(l.selected) > 0 {
			l.selected = nil
			return true
		}
	case *tree:
		if len(l.selected) > 0 {
			l.selected = nil
			return true
		}
	}
	return false
}

// selectedFeeds are the feeds that D and y act on in Feeds.
func (t *tree) selectedFeeds() []*reader.Feed {
	var feeds []*reader.Feed
	for i := range t.all {
		if f := t.all[i].feed; f != nil && t.selected[f.Key] {
			feeds = append(feeds, f)
		}
	}
	if len(feeds) == 0 {
		if n := t.chosen(); n != nil && n.kind == nodeFeed {
			feeds = append(feeds, n.feed)
		}
	}
	return feeds
}

func (m *model) unsubscribe() tea.Cmd {
	feeds := m.feedz.selectedFeeds()
	if len(feeds) == 0 {
		m.say("D unsubscribes, on rows of feeds.")
		return nil
	}
	j := &job{kind: jobUnsubscribe, at: m.now}
	items := 0
	for _, f := range feeds {
		j.feeds = append(j.feeds, f.Key)
		items += f.Items
	}
	name := feeds[0].Title
	if len(feeds) > 1 {
		name = wording.Plural(len(feeds), "feed")
	}
	j.say = fmt.Sprintf("Unsubscribed from %s, %s. u undoes.", name, wording.Plural(items, "item"))
	m.feedz.selected = nil
	return m.eff.add(j)
}
