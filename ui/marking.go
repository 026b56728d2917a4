package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/query"
	"diurna/reader/wording"
	"diurna/ui/view"
)

// Marking in Feeds: a whole feed or folder, or the part of it that a letter
// after M means. What is marked are exactly the rows that were counted.

// markAll marks what is unread in the chosen feed or folder: the rows are
// read first, so that the step names exactly what was there.
func (t *tree) markAll(m *model) tea.Cmd {
	n := t.chosen()
	if n == nil {
		return nil
	}
	if n.unread == 0 {
		m.Say("Nothing unread there.")
		return nil
	}
	return m.askUnread(t.within(n), n.name, 'a')
}

// markWhat asks for the second key of M and, once the library has said so,
// how many items each letter would mark.
func (t *tree) markWhat(m *model) tea.Cmd {
	n := t.chosen()
	if n == nil {
		return nil
	}
	m.pending, m.counted = view.CtxMarkFeed, nil
	m.Say("M: d day  w older week  m older month  a all  in " + n.name)
	return m.askUnread(t.within(n), n.name, 0)
}

// askUnread reads what is unread in some feeds (nil: all); what says which part
// of it is marked then, 0 only counts.
func (m *model) askUnread(feeds map[reader.FeedID]bool, scope string, what byte) tea.Cmd {
	msg := unreadMsg{gen: m.Gen(), what: what, scope: scope}
	if what == 0 {
		m.unreadGen = msg.gen
	}
	q, _ := query.Parse("unread", m.Now)
	return m.eff.unreadOf(msg, q, feeds)
}

// markOperand marks what a letter after M means: of the rows that were
// counted, or as soon as they are.
func (t *tree) markOperand(m *model, what byte) tea.Cmd {
	if m.counted != nil {
		return m.markCounted(m.counted, what)
	}
	if n := t.chosen(); n != nil {
		return m.askUnread(t.within(n), n.name, what)
	}
	return nil
}

// gotUnread brings what is unread in a feed or folder: to be marked, or to be
// counted as long as M waits for its letter.
func (m *model) gotUnread(msg unreadMsg) tea.Cmd {
	switch {
	case msg.err != nil:
		m.Say(view.Sentence(msg.err))
	case msg.what != 0:
		return m.markCounted(&msg, msg.what)
	case msg.gen == m.unreadGen && m.pending == view.CtxMarkFeed:
		m.counted = &msg
		var say strings.Builder
		say.WriteString("M:")
		for i, what := range []byte("dwma") {
			name := [...]string{"day", "older week", "older month", "all"}[i]
			fmt.Fprintf(&say, " %c %s %s ", what, name, wording.Count(len(m.pick(msg.rows, what))))
		}
		m.Say(say.String() + " in " + msg.scope)
	}
	return nil
}

// pick gives the items of rows that a letter means.
func (m *model) pick(rows []reader.Row, what byte) []reader.ItemID {
	day, week, month := wording.Midnight(m.Now).Unix(), m.Now.AddDate(0, 0, -7).Unix(), m.Now.AddDate(0, -1, 0).Unix()
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
func (m *model) markCounted(c *unreadMsg, what byte) tea.Cmd {
	ids := m.pick(c.rows, what)
	if len(ids) == 0 {
		m.Say("Nothing unread there.")
		return nil
	}
	return m.carry(&job{kind: jobMark, act: reader.MarkRead, scope: c.scope, ids: ids, reload: true, tell: tellRead})
}

// markWords are what :mark does, as in the shell.
var markWords = map[string]struct {
	act  reader.Act
	told string
	flag reader.Flags
	had  bool // rows that have the flag are what it is for
}{
	"read":    {reader.MarkRead, tellRead, reader.FlagRead, false},
	"unread":  {reader.MarkUnread, "Marked %s unread in %s. u undoes.", reader.FlagRead, true},
	"saved":   {reader.Save, "Saved %s in %s. u undoes.", reader.FlagSaved, false},
	"unsaved": {reader.Unsave, "Took %s off the saved in %s. u undoes.", reader.FlagSaved, true},
}

// markCommand marks what fits a query in the whole library, as the shell does.
func (m *model) markCommand(text string) tea.Cmd {
	what, wanted, _ := strings.Cut(text, " ")
	word, ok := markWords[what]
	if wanted = strings.TrimSpace(wanted); !ok || wanted == "" {
		m.Say(":mark needs read, unread, saved or unsaved and a query: mark read folder:comics older:1w")
		return nil
	}
	q, err := query.Parse(wanted, m.Now)
	if err != nil {
		m.Say(err.Error()) // begins with a word of the query, as it was typed
		return nil
	}
	j := &job{kind: jobMark, act: word.act, scope: wanted, reload: true, sitting: m.sittingAt()}
	return m.eff.fit(fitMsg{job: j, told: what}, q)
}

// gotFit does what :mark was for to the items that it changes.
func (m *model) gotFit(msg fitMsg) tea.Cmd {
	if msg.err != nil {
		m.Say(view.Sentence(msg.err))
		return nil
	}
	word := markWords[msg.told]
	for i := range msg.rows {
		if (msg.rows[i].Flags&word.flag != 0) == word.had {
			msg.job.ids = append(msg.job.ids, msg.rows[i].ID)
		}
	}
	if len(msg.job.ids) == 0 {
		m.Say(fmt.Sprintf("Nothing to mark %s fits \"%s\".", msg.told, msg.job.scope))
		return nil
	}
	msg.job.tell = word.told
	return m.carry(msg.job)
}
