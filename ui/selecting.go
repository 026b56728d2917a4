package ui

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/view"
)

// v selects rows; m, s, t, y and D then act on all of them as one step.

// selectRow takes the chosen row into the selection, or out of it, and goes on
// to the next.
func (l *items) selectRow(m *model) tea.Cmd {
	r := l.Row()
	if r == nil {
		return nil
	}
	view.Flip(&l.selected, r.ID)
	return l.Move(m, 1)
}

func (t *tree) selectRow(m *model) tea.Cmd {
	n := t.chosen()
	if n == nil || n.kind != nodeFeed {
		m.Say("v selects rows of feeds.")
		return nil
	}
	view.Flip(&t.selected, n.feed.Key)
	return t.Move(m, 1)
}

// rows are the items that keys act on: those selected, else the chosen one.
func (l *items) Rows() []*reader.Row {
	if len(l.selected) > 0 {
		var rows []*reader.Row
		for i := range l.List.N {
			if r := l.at(i); l.selected[r.ID] {
				rows = append(rows, r)
			}
		}
		return rows
	}
	if r := l.Row(); r != nil {
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
	if l := m.topItems(); l != nil {
		l.moved = true
		if l.Unselect() {
			j.tell = done
		}
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
	rows := m.Top().Rows()
	switch {
	case len(rows) == 0:
		return nil
	case allHave(rows, reader.FlagRead):
		return m.mark(reader.MarkUnread, rows, "", markWords["unread"].told)
	}
	return m.mark(reader.MarkRead, rows, "", tellRead)
}

func (m *model) toggleSaved() tea.Cmd {
	rows := m.Top().Rows()
	switch {
	case len(rows) == 0:
		return nil
	case allHave(rows, reader.FlagSaved):
		return m.mark(reader.Unsave, rows, "", markWords["unsaved"].told)
	}
	return m.mark(reader.Save, rows, "", markWords["saved"].told)
}

// unselect ends a selection; false when there is none.
func (l *items) Unselect() bool { return view.Emptied(&l.selected) }

func (t *tree) Unselect() bool { return view.Emptied(&t.selected) }

// unselect ends the selection of what is on top.
func (m *model) unselect() {
	if l, ok := m.Top().(view.Selector); ok {
		l.Unselect()
	}
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

func (t *tree) unsubscribe(m *model) tea.Cmd {
	feeds := t.selectedFeeds()
	if len(feeds) == 0 {
		m.Say("D unsubscribes, on rows of feeds.")
		return nil
	}
	var ids []reader.FeedID
	items := 0
	for _, f := range feeds {
		ids = append(ids, f.Key)
		items += f.Items
	}
	name := feeds[0].Title
	if len(feeds) > 1 {
		name = wording.Plural(len(feeds), "feed")
	}
	say := fmt.Sprintf("Unsubscribed from %s, %s. u undoes.", name, wording.Plural(items, "item"))
	t.selected = nil
	return m.unsubscribe(ids, say)
}

// unsubscribe takes feeds and pages away, as one step.
func (m *model) unsubscribe(ids []reader.FeedID, say string) tea.Cmd {
	return m.Change(view.Change{Say: say, Do: func(ctx context.Context) (reader.Done, error) { return m.eff.lib.Unsubscribe(ctx, ids) }})
}
