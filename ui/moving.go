package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/view"
)

// What keys do in lists: moving, finding, narrowing.

func (l *items) Move(h view.Host, d int) tea.Cmd {
	m := of(h)
	l.moved = true // from now on nothing moves in it by itself
	return l.Listing.Move(m, d)
}

func (l *items) Page(h view.Host, d, part int) tea.Cmd {
	m := of(h)
	l.moved = true
	return l.Listing.Page(m, d, part)
}

// ends goes to the last row, or to the first: then what waits is taken in.
func (l *items) Ends(h view.Host, d int) (again tea.Cmd) {
	m := of(h)
	l.moved = true
	if d < 0 {
		if l.fresh != nil {
			l.take(&m.Scene, merge(l.all, l.fresh))
		}
		l.past = nil
		again = m.arrange(l)
	}
	l.Listing.Ends(m, d)
	return again
}

// merge joins two lists in order: what was read in this sitting stays, what
// came is added. Rows of both keep the flags that were seen.
func merge(have, fresh []reader.Row) []reader.Row {
	out := make([]reader.Row, 0, len(fresh)+64)
	i := 0
	for j := range fresh {
		for i < len(have) && newer(&have[i], &fresh[j]) {
			out = append(out, have[i])
			i++
		}
		if i < len(have) && have[i].ID == fresh[j].ID {
			out = append(out, have[i])
			i++
			continue
		}
		out = append(out, fresh[j])
	}
	return append(out, have[i:]...)
}

// move, page and the ends are the keys of every list.
func (m *model) move(d int) tea.Cmd { return m.Top().Move(m, d) }

func (m *model) page(d, part int) tea.Cmd { return m.Top().Page(m, d, part) }

func (m *model) goTop() tea.Cmd { return m.Top().Ends(m, -1) }

func (m *model) goEnd() tea.Cmd { return m.Top().Ends(m, 1) }

// nextDay goes to the next day of a list.
func (l *items) nextDay(_ *model, d int) tea.Cmd {
	l.moved = true
	if row, ok := l.List.Day(d); ok {
		l.GoRow(row)
	} else if d < 0 {
		l.GoRow(0)
	}
	return nil
}

// nextHit goes to the next match while a find stands, else to the next unread.
func (l *items) nextHit(m *model, d int) tea.Cmd {
	if l.found.Text == "" {
		return l.nextUnread(m, d)
	}
	if i := l.found.Step(l.List.Cur, d); i >= 0 {
		l.GoRow(i)
	}
	return nil
}

// nextUnread chooses the next unread row.
func (l *items) nextUnread(m *model, d int) tea.Cmd {
	l.moved = true
	i := l.seek(l.List.Cur, d, unread)
	if i < 0 {
		m.Say(sayNoUnread(d, l))
		return nil
	}
	l.GoRow(i)
	return nil
}

func sayNoUnread(d int, l *items) string {
	where := "below"
	if d < 0 {
		where = "above"
	}
	if l == nil {
		return "There is no list to go on in."
	}
	return fmt.Sprintf("No unread item %s in %s.", where, l.name)
}

// unreadFrom gives the row of the next unread item of the list that what is
// read was opened from.
func unreadFrom(from *items, id reader.ItemID, d int) int {
	if from == nil {
		return -1
	}
	at := from.index(id)
	if at < 0 {
		at = from.List.Cur
	}
	return from.seek(at, d, unread)
}

// nextView goes round the views.
func (m *model) nextView(d int) tea.Cmd {
	for i, v := range views {
		if v.id == m.view {
			return m.goView(views[(i+d+len(views))%len(views)].id)
		}
	}
	return nil
}

func (m *model) goView(v viewID) tea.Cmd {
	m.stack = m.stack[:0]
	return m.enter(v)
}

// enter shows a view anew: what was read is gone from it, what waited is in.
func (m *model) enter(v viewID) tea.Cmd {
	m.view = v
	m.river.name, m.river.order = "River", reader.Newest
	if v == viewRanked {
		m.river.name, m.river.order = "Ranked", reader.Ranked
	}
	return tea.Batch(m.Reload(), m.base().Shown(m, true))
}

func (l *items) Shown(h view.Host, anew bool) tea.Cmd {
	m := of(h)
	if !anew {
		return nil
	}
	return tea.Batch(m.enterList(l), m.keepOrder())
}

// enterList shows what is known of a list at once and asks for the rest.
func (m *model) enterList(l *items) tea.Cmd {
	if l.base != nil {
		l.all, l.base = l.base, nil
	}
	l.narrow, l.found, l.panel, l.lead = "", view.Found{}, nil, ""
	l.perm, l.past, l.finding = nil, nil, nil // an order is made anew for each stay
	l.askOrd, l.askGen = 0, 0
	kept, q := l.all[:0:0], l.query
	if l.only != nil {
		q = q.WithHidden()
	}
	for i := range l.all {
		if q.Match(&l.all[i], m.Feeds[l.all[i].ID.Feed()]) {
			kept = append(kept, l.all[i])
		}
	}
	l.all, l.fresh, l.moved = kept, nil, false
	l.reshow(&m.Scene)
	l.List.Cur, l.List.Top = 0, 0
	l.settle(&m.Scene, 0)
	load, order := m.load(l), m.arrange(l)
	if load == nil || order == nil {
		return tea.Batch(load, order)
	}
	// The rows in memory are put in order before fresh ones are read: both at once
	// take twice as long to the first rows that stand where they belong.
	done := make(chan struct{})
	return tea.Batch(func() tea.Msg {
		defer close(done)
		return order()
	}, func() tea.Msg {
		<-done
		return load()
	})
}

// loadFeeds asks for the subscriptions and the numbers that stand beside them.
func (m *model) Reload() tea.Cmd {
	m.feedsGen = m.Gen()
	return m.eff.feeds(m.feedsGen)
}

// loadShown asks for the feeds and the list that is on the screen.
func (m *model) loadShown() tea.Cmd {
	if l := m.items(); l != nil {
		return tea.Batch(m.Reload(), m.load(l))
	}
	return m.Reload()
}

// load asks for all rows of a list; one request at a time.
func (m *model) load(l *items) tea.Cmd {
	if l.busy {
		l.again = true
		return nil
	}
	l.busy, l.again = true, false
	l.gen = m.Gen()
	l.acts = -1
	if acts, none := m.eff.settled(); none {
		l.acts = acts
	}
	return m.eff.rows(l.gen, l.query, l.only)
}

// back goes one level back and leaves at the top.
func (m *model) back() tea.Cmd {
	if m.unwind() {
		return m.surfaced()
	}
	return m.leave()
}

// backOnly goes one level back, folds a folder, and stops at the top.
func (m *model) backOnly() tea.Cmd {
	if m.unwind() {
		return m.surfaced()
	}
	if l, ok := m.Top().(view.Folder); ok {
		l.Fold()
	}
	return nil
}

// surfaced lets what comes to light again ask for what it shows.
func (m *model) surfaced() tea.Cmd { return m.Top().Shown(m, false) }

// unwind ends what stands over the list: a find, a narrowing, a layer.
func (m *model) unwind() bool {
	switch m.Top().Back(m) {
	case view.BackWithin:
		return true
	case view.BackNever:
		return false
	}
	if len(m.stack) == 0 {
		return false
	}
	m.Pop()
	return true
}

func (l *items) Back(h view.Host) view.Backing {
	m := of(h)
	switch {
	case l.Unselect():
	case l.panel != nil:
		l.panel = nil
	case l.found.End():
	case l.narrow != "" || l.askGen != 0:
		l.widen(&m.Scene)
	default:
		return view.BackOut
	}
	return view.BackWithin
}
