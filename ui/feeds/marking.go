package feeds

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/query"
	"diurna/reader/wording"
	"diurna/ui/queries"
	"diurna/ui/view"
)

// Marking a feed or folder: all of it, or the part that a letter after M means. What
// is marked are exactly the rows that were counted.

// markAll marks what is unread in the chosen feed or folder: the rows are
// read first, so that the step names exactly what was there.
func (t *View) markAll(h view.Host) tea.Cmd {
	n := t.chosen()
	if n == nil {
		return nil
	}
	if n.unread == 0 && n.kind != nodeQuery { // which may not be counted yet
		h.Say("Nothing unread there.")
		return nil
	}
	return t.askUnread(h, n, t.within(n), n.name, 'a')
}

// markWhat asks for the second key of M and, once the library has said so,
// how many items each letter would mark.
func (t *View) markWhat(h view.Host) tea.Cmd {
	n := t.chosen()
	if n == nil {
		return nil
	}
	t.counted = nil
	t.desk.Await(view.CtxMarkFeed, "M: d day  w older week  m older month  a all  in "+n.name)
	return t.askUnread(h, n, t.within(n), n.name, 0)
}

// askUnread reads what is unread in some feeds (nil: all); what says which part
// of it is marked then, 0 only counts. Of a saved query n it is what fits.
func (t *View) askUnread(h view.Host, n *node, feeds map[reader.FeedID]bool, scope string, what byte) tea.Cmd {
	q := query.Unread()
	if n != nil && n.kind == nodeQuery {
		asks, ok := queries.Ask(h, n.query)
		if !ok {
			return nil
		}
		q, feeds = q.And(asks), nil
	}
	msg := unreadMsg{gen: h.Gen(), what: what, scope: scope}
	if what == 0 {
		t.unreadGen = msg.gen
	}
	return unreadOf(h, t.lib, msg, q, feeds)
}

// markOperand marks what a letter after M means: of the rows that were
// counted, or as soon as they are.
func (t *View) markOperand(h view.Host, what byte) tea.Cmd {
	if t.counted != nil {
		return t.markCounted(h, t.counted, what)
	}
	if n := t.chosen(); n != nil {
		return t.askUnread(h, n, t.within(n), n.name, what)
	}
	return nil
}

// MarkFeed marks all of a feed that are unread now, as one step.
func (t *View) MarkFeed(h view.Host, id reader.FeedID, title string) tea.Cmd {
	return t.askUnread(h, nil, map[reader.FeedID]bool{id: true}, title, 'a')
}

// OnMsg takes in what was unread, and what was opened.
func (t *View) OnMsg(h view.Host, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case unreadMsg:
		return t.onUnread(h, msg)
	case queries.CountedMsg:
		again := t.saved.OnMsg(h, msg)
		t.Take(h.Screen())
		return again
	case attentionMsg:
		switch {
		case msg.gen != t.attentionGen:
		case msg.err != nil:
			h.Say(view.Sentence(msg.err))
		default:
			t.tree.attention = msg.byFeed
			t.Take(h.Screen())
		}
	}
	return nil
}

// onUnread brings what is unread in a feed or folder: to be marked, or to be
// counted as long as M waits for its letter.
func (t *View) onUnread(h view.Host, msg unreadMsg) tea.Cmd {
	switch {
	case msg.err != nil:
		h.Say(view.Sentence(msg.err))
	case msg.what != 0:
		return t.markCounted(h, &msg, msg.what)
	case msg.gen == t.unreadGen && t.desk.Awaits(view.CtxMarkFeed):
		t.counted = &msg
		var say strings.Builder
		say.WriteString("M:")
		for i, what := range []byte("dwma") {
			name := [...]string{"day", "older week", "older month", "all"}[i]
			fmt.Fprintf(&say, " %c %s %s ", what, name, wording.Count(len(pick(msg.rows, what, h.Screen().Now))))
		}
		t.desk.Await(view.CtxMarkFeed, say.String()+" in "+msg.scope)
	}
	return nil
}

// pick gives the items of rows that a letter means.
func pick(rows []reader.Row, what byte, now time.Time) []reader.ItemID {
	day, week, month := wording.Midnight(now).Unix(), now.AddDate(0, 0, -7).Unix(), now.AddDate(0, -1, 0).Unix()
	var ids []reader.ItemID
	for i := range rows {
		at := rows[i].At
		if what == 'a' || what == 'd' && at >= day || what == 'w' && at < week || what == 'm' && at < month {
			ids = append(ids, rows[i].ID)
		}
	}
	return ids
}

// markCounted marks the part of the counted rows that a letter means.
func (t *View) markCounted(h view.Host, c *unreadMsg, what byte) tea.Cmd {
	ids := pick(c.rows, what, h.Screen().Now)
	if len(ids) == 0 {
		h.Say("Nothing unread there.")
		return nil
	}
	return t.desk.MarkRead(c.scope, ids)
}

// unreadOf reads which items of some feeds are unread, for a mass mark.
func unreadOf(h view.Host, lib Library, msg unreadMsg, q reader.Query, only map[reader.FeedID]bool) tea.Cmd {
	if only != nil {
		q = q.WithHidden()
	}
	return func() tea.Msg {
		rows, err := lib.Rows(h.Life(), q, 0)
		msg.err = err
		for _, r := range rows {
			if only == nil || only[r.ID.Feed()] {
				msg.rows = append(msg.rows, r)
			}
		}
		return msg
	}
}

// unreadMsg brings what is unread in a feed or folder, to be marked.
type unreadMsg struct {
	gen   uint64
	what  byte // the letter of the part to be marked; 0: it is only counted
	scope string
	rows  []reader.Row
	err   error
}
