package ui

import (
	"fmt"
	"sort"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
)

// What keys do in lists: moving, finding, narrowing.

// listOf gives the virtual list of a layer and the lines it was drawn in.
func listOf(l layer) (*vlist, int) {
	switch l := l.(type) {
	case *items:
		return &l.list, l.high
	case *tree:
		return &l.list, l.high
	case *pages:
		return &l.list, l.high
	case *history:
		return &l.list, l.high
	case *files:
		return &l.list, l.high
	case *help:
		return &l.list, l.high
	case *info:
		return &l.list, l.high
	case *addBox:
		return &l.list, 1 << 20
	}
	return nil, 0
}

// touched notes that a key moved in a list of items: from now on nothing
// moves in it by itself.
func (m *model) touched() {
	if l, ok := m.top().(*items); ok {
		l.moved = true
	}
}

func (m *model) move(d int) tea.Cmd {
	m.touched()
	if m.scrollSheet(d) {
		return nil
	}
	switch l := m.top().(type) {
	case *diff:
		l.step(&m.scene, d)
		return nil
	case *help:
		l.step(d)
		return nil
	case *addBox:
		l.list.set(l.list.cur+d, 1<<20)
		return m.fillChosen(l)
	}
	list, h := listOf(m.top())
	list.set(list.cur+d, max(1, h))
	return nil
}

// page moves by 1/part of a screen; a whole page keeps one line in sight.
func (m *model) page(d, part int) tea.Cmd {
	if a, ok := m.top().(*article); ok {
		a.coming = 0
		a.move(d * pageStep(a.high, part))
		return nil
	}
	if t, ok := m.top().(*sheet); ok {
		m.scrollSheet(d * pageStep(t.high, part))
		return nil
	}
	if t, ok := m.top().(*rhythm); ok {
		m.scrollSheet(d * pageStep(t.high, part))
		return nil
	}
	if l, ok := m.top().(*diff); ok {
		l.coming = 0
		l.turn(&m.scene, d*pageStep(l.high, part))
		return nil
	}
	m.touched()
	list, h := listOf(m.top())
	list.scroll(d*pageStep(h, part), max(1, h))
	if l, ok := m.top().(*help); ok && (l.list.cur >= len(l.rows) || l.rows[l.list.cur].run == nil) {
		l.step(d)
	}
	return nil
}

func pageStep(h, part int) int {
	if part == 1 {
		return max(1, h-1)
	}
	return max(1, h/part)
}

// goTop goes to the first row; in a list of items what waits is taken in.
func (m *model) goTop() (again tea.Cmd) {
	switch l := m.top().(type) {
	case *article:
		l.top, l.coming = 0, 0
		return nil
	case *diff:
		l.home(&m.scene, true)
		return nil
	case *sheet:
		l.top = 0
		return nil
	case *rhythm:
		l.top = 0
		return m.loadRhythm()
	case *items:
		l.moved = true
		if l.fresh != nil {
			l.take(&m.scene, merge(l.all, l.fresh))
		}
		l.past = nil
		again = m.arrange(l)
	}
	list, h := listOf(m.top())
	list.top = 0
	list.set(0, max(1, h))
	if l, ok := m.top().(*help); ok {
		l.list.cur = -1
		l.step(1)
		l.list.top = 0
	}
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

func (m *model) goEnd() tea.Cmd {
	if a, ok := m.top().(*article); ok {
		a.coming = 0
		a.move(a.total())
		return nil
	}
	if l, ok := m.top().(*diff); ok {
		l.home(&m.scene, false)
		return nil
	}
	if m.scrollSheet(1 << 20) {
		return nil
	}
	m.touched()
	list, h := listOf(m.top())
	list.set(list.n-1, max(1, h))
	if l, ok := m.top().(*help); ok && l.list.n > 0 && l.rows[l.list.cur].run == nil {
		l.step(-1)
	}
	return nil
}

// nextGroup goes to the next day of a list, the next heading of an article.
func (m *model) nextGroup(d int) tea.Cmd {
	switch l := m.top().(type) {
	case *items:
		l.moved = true
		if row, ok := l.list.day(d); ok {
			l.list.set(row, max(1, l.high))
		} else if d < 0 {
			l.list.set(0, max(1, l.high))
		}
	case *article:
		l.coming = 0
		line := l.top - len(l.head)
		i := sort.SearchInts(l.page.Headings, line+1)
		if d < 0 {
			i = sort.SearchInts(l.page.Headings, line) - 1
		}
		if i >= 0 && i < len(l.page.Headings) {
			l.top = max(0, min(l.page.Headings[i]+len(l.head), l.total()-l.high))
		} else if d < 0 {
			l.top = 0
		}
	case *diff:
		l.nextHead(&m.scene, d)
	}
	return nil
}

// nextHit goes to the next match while a find stands, else to the next unread.
func (m *model) nextHit(d int) tea.Cmd {
	switch l := m.top().(type) {
	case *items:
		if l.found.text != "" {
			if i := l.found.step(l.list.cur, d); i >= 0 {
				l.list.set(i, max(1, l.high))
			}
			return nil
		}
	case *article:
		if l.find.text != "" {
			if i := l.find.step(l.at, d); i >= 0 {
				l.at = i
				l.goTo(i - len(l.head))
			}
			return nil
		}
	case *diff:
		return m.nextChange(l, d)
	}
	return m.nextUnread(d)
}

// nextUnread chooses the next unread row; in an article it opens it.
func (m *model) nextUnread(d int) tea.Cmd {
	if a, ok := m.top().(*article); ok {
		i := unreadFrom(a.from, a.row.ID, d)
		if i < 0 {
			m.say(sayNoUnread(d, a.from))
			return nil
		}
		return m.openRow(a.from, i)
	}
	l, ok := m.top().(*items)
	if !ok {
		return nil
	}
	l.moved = true
	i := l.seek(l.list.cur, d, unread)
	if i < 0 {
		m.say(sayNoUnread(d, l))
		return nil
	}
	l.list.set(i, max(1, l.high))
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
		at = from.list.cur
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
	cmd := m.loadFeeds()
	switch l := m.base().(type) {
	case *items:
		return tea.Batch(cmd, m.enterList(l), m.keepOrder())
	case *tree:
		l.find = finding{}
		l.take(&m.scene)
	case *pages:
		l.find = finding{}
		return tea.Batch(cmd, m.adviceAgain())
	case *rhythm:
		l.day, l.top = 0, 0
		return tea.Batch(cmd, m.loadRhythm())
	}
	return cmd
}

// enterList shows what is known of a list at once and asks for the rest.
func (m *model) enterList(l *items) tea.Cmd {
	if l.base != nil {
		l.all, l.base = l.base, nil
	}
	l.narrow, l.found, l.panel, l.lead = "", finding{}, nil, ""
	l.perm, l.past, l.finding = nil, nil, nil // an order is made anew for each stay
	l.askOrd, l.askGen = 0, 0
	kept, q := l.all[:0:0], l.query
	if l.only != nil {
		q = q.WithHidden()
	}
	for i := range l.all {
		if q.Match(&l.all[i], m.feeds[l.all[i].ID.Feed()]) {
			kept = append(kept, l.all[i])
		}
	}
	l.all, l.fresh, l.moved = kept, nil, false
	l.reshow(&m.scene)
	l.list.cur, l.list.top = 0, 0
	l.settle(&m.scene, 0)
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
func (m *model) loadFeeds() tea.Cmd {
	m.feedsGen = m.nextGen()
	return m.eff.feeds(m.feedsGen)
}

// loadShown asks for the feeds and the list that is on the screen.
func (m *model) loadShown() tea.Cmd {
	if l := m.items(); l != nil {
		return tea.Batch(m.loadFeeds(), m.load(l))
	}
	return m.loadFeeds()
}

// load asks for all rows of a list; one request at a time.
func (m *model) load(l *items) tea.Cmd {
	if l.busy {
		l.again = true
		return nil
	}
	l.busy, l.again = true, false
	l.gen = m.nextGen()
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
	if t, ok := m.top().(*tree); ok {
		if n := t.chosen(); n != nil && n.kind != nodeAll && n.path != "" {
			t.fold(n.path, true)
		}
	}
	return nil
}

// surfaced asks for fresh numbers when Feeds comes to light again.
func (m *model) surfaced() tea.Cmd {
	switch m.top().(type) {
	case *tree, *pages:
	default:
		return nil
	}
	return m.loadFeeds()
}

// unwind ends what stands over the list: a find, a narrowing, a layer.
func (m *model) unwind() bool {
	if unselect(m.top()) {
		return true
	}
	switch l := m.top().(type) {
	case *help:
		if l.filter != "" {
			l.search("")
			return true
		}
	case *addBox:
		if l.stage == addFound {
			l.stage = addTyping
			l.gen = m.nextGen()
			return true
		}
		if l.first && len(m.stack) == 1 {
			return false
		}
	default:
		if m.endFind() {
			return true
		}
	}
	if len(m.stack) == 0 {
		return false
	}
	m.pop()
	return true
}

// endFind ends what was found, chosen or opened within the topmost layer; false
// where there is nothing.
func (m *model) endFind() bool {
	switch l := m.top().(type) {
	case *article:
		if l.link > 0 || l.typed != "" {
			l.link, l.typed = 0, ""
			return true
		}
		return l.find.end()
	case *diff:
		if l.find.end() {
			return true
		}
		was := l.terms
		l.terms = false
		return was
	case *items:
		if l.panel != nil {
			l.panel = nil
			return true
		}
		if l.found.end() {
			return true
		}
		if l.narrow != "" || l.askGen != 0 {
			l.widen(&m.scene)
			return true
		}
	case *pages:
		return l.find.end()
	case *tree:
		return l.find.end()
	}
	return false
}
