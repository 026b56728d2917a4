package ui

import (
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
)

// What keys do in an article, and how one is opened.

func (m *model) open() tea.Cmd {
	l, ok := m.top().(*items)
	if !ok || l.list.n == 0 {
		return nil
	}
	l.moved = true
	return m.openRow(l, l.list.cur)
}

// openRow shows a row's article, in place of the one that is shown. The row is
// read from now on; that is no step that undo would take back.
func (m *model) openRow(l *items, i int) tea.Cmd {
	l.list.set(i, max(1, l.high))
	r := l.row(i)
	wasUnread := unread(r)
	m.sitting++
	a := &article{row: *r, from: l, gen: m.nextGen(), sitting: m.sitting}
	a.row.Flags |= reader.FlagRead
	switch m.top().(type) {
	case *article, *diff:
		m.pop()
	}
	j := &job{kind: jobOpen, ids: []reader.ItemID{r.ID}, at: m.now, again: !wasUnread, found: l.search()}
	m.paint(j, false)
	if f := m.feeds[r.ID.Feed()]; f != nil && f.Watched {
		return tea.Batch(m.openChange(r, l), m.eff.add(j))
	}
	m.push(a)
	return tea.Batch(m.eff.article(a.gen, r.ID), m.eff.add(j))
}

func (m *model) gotArticle(msg articleMsg) tea.Cmd {
	a, ok := m.waiting(msg.gen).(*article)
	if !ok {
		if m.answers(msg.gen) { // `e` in a list
			m.gotFiles(msg)
		}
		return nil
	}
	a.ready, a.width = true, 0
	if msg.err != nil {
		a.failed = sentence(msg.err)
		return nil
	}
	a.art = msg.art
	if a.row.Title == "" && msg.art.Title != "" {
		a.row.Title = msg.art.Title
	}
	if a.row.At == 0 {
		a.row = rowOf(&msg.art.Item)
	}
	return nil
}

func (m *model) scroll(d int) tea.Cmd {
	if a, ok := m.top().(*article); ok {
		a.coming = 0
		a.move(d)
	}
	return nil
}

// readOn is space in an article: a page on; at the end it announces the next
// unread item, and the second time opens it.
func (m *model) readOn() tea.Cmd {
	var from *items
	var id reader.ItemID
	var coming *reader.ItemID
	switch l := m.top().(type) {
	case *article:
		if !l.end() {
			l.coming = 0
			l.move(pageStep(l.high, 1))
			return nil
		}
		from, id, coming = l.from, l.row.ID, &l.coming
	case *diff:
		if !l.end(&m.scene) {
			return m.page(1, 1)
		}
		from, id, coming = l.from, l.row.ID, &l.coming
	default:
		return nil
	}
	i := unreadFrom(from, id, 1)
	switch {
	case i < 0:
		m.say(sayNoUnread(1, from))
	case *coming != 0 && *coming == from.row(i).ID:
		return m.openRow(from, i)
	default:
		r := from.row(i)
		*coming = r.ID
		m.say(fmt.Sprintf("Next unread: %s, %s. space opens it.", m.feedTitle(r.ID.Feed()), titleOf(r.Title)))
	}
	return nil
}

// nextItem opens the next or previous item of the list.
func (m *model) nextItem(d int) tea.Cmd {
	var from *items
	var id reader.ItemID
	switch l := m.top().(type) {
	case *article:
		from, id = l.from, l.row.ID
	case *diff:
		from, id = l.from, l.row.ID
	}
	if l, ok := m.top().(*diff); ok && l.pages {
		return m.otherPage(l, d)
	}
	if from == nil {
		return nil
	}
	i := from.index(id)
	if i < 0 {
		i = from.list.cur - d
	}
	if i += d; i < 0 || i >= from.list.n {
		m.say("That was the last item of " + from.name + ".")
		if d < 0 {
			m.say("That was the first item of " + from.name + ".")
		}
		return nil
	}
	return m.openRow(from, i)
}

// typedDigit forgets a half-typed link number when anything but a digit comes.
func (m *model) typedDigit(key string) {
	a, ok := m.top().(*article)
	if !ok {
		return
	}
	if len(key) == 1 && key[0] >= '0' && key[0] <= '9' {
		a.typed += key
		return
	}
	a.typed = ""
}

// digit chooses a link by its number; it opens nothing by itself.
func (m *model) digit() tea.Cmd {
	a, ok := m.top().(*article)
	if !ok {
		return nil
	}
	n, err := strconv.Atoi(a.typed)
	if err != nil || n < 1 || n > len(a.page.Links) {
		say := fmt.Sprintf("There is no link %s; the last is %d.", a.typed, len(a.page.Links))
		if len(a.page.Links) == 0 {
			say = "There is no link in this text."
		}
		m.say(say)
		a.typed, a.link = "", 0
		return nil
	}
	a.link = n
	return nil
}

// nextLink chooses the next link, starting with the first on the screen.
func (m *model) nextLink(d int) tea.Cmd {
	a, ok := m.top().(*article)
	if !ok || len(a.page.Links) == 0 {
		return nil
	}
	a.coming = 0
	n := len(a.page.Links)
	switch visible := a.visibleLinks(); {
	case a.link > 0:
		a.link = (a.link-1+d+n)%n + 1
	case len(visible) > 0:
		a.link = visible[0]
	default:
		a.link = 1
	}
	line := a.page.Links[a.link-1].Line + len(a.head)
	if line < a.top || line >= a.top+a.high {
		a.goTo(line - len(a.head))
	}
	return nil
}

func (m *model) showLetters() tea.Cmd {
	a, ok := m.top().(*article)
	if !ok {
		return nil
	}
	a.letterLinks()
	if len(a.letters) == 0 {
		a.letters = nil
		m.say("There is no link on this screen.")
	}
	return nil
}

// letterTyped takes the keys while letters stand on the links.
func (m *model) letterTyped(a *article, key string) tea.Cmd {
	if key == "y" && !a.copying {
		a.copying = true
		return nil
	}
	typed := a.typed + key
	more := false
	for _, l := range a.letters {
		if l.keys == typed {
			copying := a.copying
			a.letters, a.typed, a.copying = nil, "", false
			if l.link > len(a.page.Links) {
				return nil
			}
			if copying {
				return m.copyText(a.page.Links[l.link-1].URL, "")
			}
			return m.openURL(a.page.Links[l.link-1].URL)
		}
		more = more || strings.HasPrefix(l.keys, typed)
	}
	if more {
		a.typed = typed
		return nil
	}
	a.letters, a.typed, a.copying = nil, "", false
	return nil
}

func (m *model) followLink() tea.Cmd {
	a, ok := m.top().(*article)
	if !ok {
		return nil
	}
	if a.link == 0 {
		m.say("No link is chosen. Tab or a number chooses one, f shows letters, o opens the item.")
		return nil
	}
	return m.browse()
}

func (m *model) showFiles() tea.Cmd {
	if a, ok := m.top().(*article); ok {
		m.pushFiles(titleOf(a.row.Title), a.art.Enclosures)
		return nil
	}
	r := m.chosenRow()
	if r == nil {
		return nil
	}
	return m.eff.article(m.wonder(), r.ID)
}

// gotFiles shows the enclosures of a row, which is not read by that.
func (m *model) gotFiles(msg articleMsg) {
	if msg.err != nil {
		m.say(sentence(msg.err))
		return
	}
	m.pushFiles(titleOf(msg.art.Title), msg.art.Enclosures)
}

func (m *model) pushFiles(of string, encl []reader.Enclosure) {
	if len(encl) == 0 {
		m.say("This item has no enclosures.")
		return
	}
	m.push(&files{of: of, files: encl, list: vlist{n: len(encl)}})
}
