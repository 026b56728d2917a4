package ui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/page"
	"diurna/reader/plain"
	"diurna/reader/wording"
)

// What keys do in Pages.

func pageKeys() []binding {
	return []binding{
		{[]string{"enter", "d", "l", "right"}, "what changed", "diff open show", (*model).openPage},
		{[]string{"n", "]", "ctrl+n"}, "next, previous unread change", "", func(m *model) tea.Cmd { return m.nextPage(1) }},
		{[]string{"N", "[", "ctrl+p", "p"}, ditto, "", func(m *model) tea.Cmd { return m.nextPage(-1) }},
		{[]string{"J"}, "next, previous row", "", func(m *model) tea.Cmd { return m.move(1) }},
		{[]string{"K"}, ditto, "", func(m *model) tea.Cmd { return m.move(-1) }},
		{[]string{"!"}, "next page in trouble", "error broken failing dead captcha", (*model).nextBroken},
		{[]string{"A"}, "mark its changes read", "catch up", (*model).markPage},
		{[]string{"x"}, "the page as it is now", "text rendered article", (*model).showPage},
		{[]string{"t"}, "tag the page", "label category", (*model).askPageTags},
		{[]string{"v"}, "select pages", "visual mark several bulk", (*model).selectRow},
		{[]string{"y"}, "copy the page's address", "yank clipboard url", (*model).copyPage},
		{[]string{"o"}, "the page in the browser", "web", (*model).browsePage},
		{[]string{"/"}, "find a page", "search", (*model).askFind},
		{[]string{"D"}, "unwatch", "delete remove unsubscribe", (*model).unwatch},
		{[]string{"+"}, "accept, decline advice", "suggestion", func(m *model) tea.Cmd { return m.answerTip(true) }},
		{[]string{"-"}, ditto, "suggestion", func(m *model) tea.Cmd { return m.answerTip(false) }},
	}
}

// openPage shows the newest change of the chosen page; on advice it accepts.
func (m *model) openPage() tea.Cmd {
	r := m.pagez.chosen()
	switch {
	case r == nil:
		return nil
	case r.tip != nil:
		return m.answerTip(true)
	case r.page.Changed.IsZero() && r.page.Revisions < 2 && broken(r.page):
		m.say(sayPage(r.page, m.now)) // the trouble is the news
		return nil
	case r.page.Changed.IsZero() && r.page.Revisions < 2:
		say := r.page.Title + " has not changed since it is watched"
		if !r.page.Subscribed.IsZero() {
			say += " (" + wording.When(r.page.Subscribed, m.now) + ")"
		}
		m.say(say + ". x shows it.")
		return nil
	}
	return m.openNewest(r.page)
}

// openNewest shows the last change that was told of a page; its row in River is
// read from now on.
func (m *model) openNewest(pg *reader.Page) tea.Cmd {
	d := &diff{name: pg.Title, page: pg.Key, pages: true}
	var read tea.Cmd
	if pg.LastItem != 0 {
		d.row = reader.Row{ID: pg.LastItem, At: pg.Changed.Unix(), Title: pg.Why, Flags: reader.FlagChanged}
		j := &job{kind: jobOpen, ids: []reader.ItemID{pg.LastItem}, at: m.now, again: pg.Unread == 0, reload: true}
		m.paint(j, false)
		d.row.Flags |= reader.FlagRead
		read = m.eff.add(j)
	}
	m.openDiff(d)
	return tea.Batch(m.eff.change(d.gen, pg.Key, 0, 0), read)
}

// otherPage opens the next page with a change from the diff of one.
func (m *model) otherPage(d *diff, by int) tea.Cmd {
	p := m.pagez
	p.choose(d.page)
	for i := p.list.cur + by; i >= 0 && i < p.list.n; i += by {
		if r := &p.rows[i]; r.tip == nil && !r.page.Changed.IsZero() {
			p.list.set(i, max(1, p.high))
			m.pop()
			return m.openNewest(r.page)
		}
	}
	m.say("No other page with a change that way.")
	return nil
}

// showPage shows a page as it was served last.
func (m *model) showPage() tea.Cmd {
	r := m.pagez.chosen()
	if r == nil || r.page.Revisions == 0 {
		m.say("Nothing of this page is kept yet.")
		return nil
	}
	m.sitting++
	a := &article{row: reader.Row{Title: r.page.Title, At: max(1, r.page.LastFetch.Unix()), Flags: reader.FlagRead}, gen: m.nextGen(), sitting: m.sitting}
	m.push(a)
	return m.eff.newest(a.gen, r.page)
}

func (m *model) nextPage(by int) tea.Cmd {
	p := m.pagez
	if p.find.text != "" {
		if i := p.find.step(p.list.cur, by); i >= 0 {
			p.list.set(i, max(1, p.high))
		}
		return nil
	}
	for i := p.list.cur + by; i >= 0 && i < p.list.n; i += by {
		if p.rows[i].tip == nil && p.rows[i].page.Unread > 0 {
			p.list.set(i, max(1, p.high))
			return nil
		}
	}
	m.say("No page with an unread change that way.")
	return nil
}

func (m *model) nextBroken() tea.Cmd {
	p := m.pagez
	for k := range p.list.n {
		i := (p.list.cur + 1 + k) % p.list.n
		if p.rows[i].tip == nil && broken(p.rows[i].page) {
			p.list.set(i, max(1, p.high))
			return nil
		}
	}
	m.say("No page is in trouble.")
	return nil
}

// markPage marks what is unread of the chosen page: exactly the rows that are
// there now.
func (m *model) markPage() tea.Cmd {
	r := m.pagez.chosen()
	if r == nil || r.page.Unread == 0 {
		m.say("Nothing unread there.")
		return nil
	}
	return m.askUnreadOf(map[reader.FeedID]bool{r.page.Key: true}, r.page.Title, 'a')
}

func (m *model) askPageTags() tea.Cmd {
	r := m.pagez.chosen()
	if r == nil {
		return nil
	}
	id := r.page.Key
	p := &prompt{label: "tags of " + r.page.Title + ": ", do: func(m *model, text string) tea.Cmd {
		return m.queue(&job{kind: jobAdjust, feeds: []reader.FeedID{id}, field: "tags", value: text, say: "Tags kept. u undoes."})
	}, says: func(*model, string) string { return "Enter keeps them" }}
	p.set(strings.Join(r.page.Tags, " "))
	return m.ask(p)
}

func (m *model) copyPage() tea.Cmd {
	var lines []string
	for _, pg := range m.pagez.selectedPages() {
		lines = append(lines, plain.Redact(cmp.Or(pg.Site, pg.URL)))
	}
	m.pagez.selected = nil
	if len(lines) == 0 {
		return nil
	}
	return m.copyText(strings.Join(lines, "\n"), "")
}

func (m *model) browsePage() tea.Cmd {
	if r := m.pagez.chosen(); r != nil {
		return m.openURL(cmp.Or(r.page.Site, r.page.URL))
	}
	return nil
}

// unwatch stops watching the selected pages, or the chosen one, as one step.
func (m *model) unwatch() tea.Cmd {
	gone := m.pagez.selectedPages()
	if len(gone) == 0 {
		return nil
	}
	j := &job{kind: jobUnsubscribe, at: m.now}
	revisions := 0
	for _, pg := range gone {
		j.feeds = append(j.feeds, pg.Key)
		revisions += pg.Revisions
	}
	name := gone[0].Title
	if len(gone) > 1 {
		name = wording.Plural(len(gone), "page")
	}
	j.say = fmt.Sprintf("Not watched any more: %s, %s. u undoes.", name, wording.Plural(revisions, "revision"))
	m.pagez.selected = nil
	return m.eff.add(j)
}

// answerTip accepts or declines the advice about the chosen page.
func (m *model) answerTip(accept bool) tea.Cmd {
	r := m.pagez.chosen()
	if r == nil {
		return nil
	}
	tip := r.tip
	for i := range m.pagez.tips {
		if tip == nil && m.pagez.tips[i].Page == r.page.Key {
			tip = &m.pagez.tips[i]
		}
	}
	if tip == nil {
		m.say("There is no advice about this page.")
		return nil
	}
	say := "Declined. It is not offered again this week. u undoes."
	switch {
	case accept && tip.Kind == page.AlwaysChanges:
		say = "Noted, and not said again. u undoes."
	case accept:
		say = "Done: " + sayTip(tip) + ". u undoes."
	}
	return m.queue(&job{kind: jobTip, tip: *tip, accept: accept, say: say})
}

// whyPage says when the chosen page is fetched, or what is wrong with it.
func (m *model) whyPage() tea.Cmd {
	r := m.pagez.chosen()
	if r == nil {
		return nil
	}
	if r.tip != nil {
		m.say(fmt.Sprintf("%s. It would help with a chance of %.0f %%, by what you did with advice so far.", strings.TrimSuffix(r.tip.Reason, "."), 100*r.tip.Chance))
		return nil
	}
	m.say(sayPage(r.page, m.now))
	return nil
}

// adviceAgain asks which advice is offered now, where it is shown.
func (m *model) adviceAgain() tea.Cmd {
	if m.view != viewPages {
		return nil
	}
	m.pagez.gen = m.nextGen()
	return m.eff.tips(m.pagez.gen)
}

// gotTips brings the advice that is offered now.
func (m *model) gotTips(msg tipsMsg) tea.Cmd {
	if msg.gen != m.pagez.gen {
		return nil
	}
	if msg.err != nil {
		m.say(sentence(msg.err))
		return nil
	}
	m.pagez.take(m.pagez.all, msg.tips)
	return nil
}

// watch watches the page at an address itself, from the add box.
func (m *model) watch(b *addBox) tea.Cmd {
	b.stage, b.wrong, b.page = addKeeping, "", false
	b.gen = m.nextGen()
	return m.eff.watch(m.beginLook(b.gen), b.gen, b.address(), reader.WatchOptions{Title: b.opts.Title, Tags: b.opts.Tags})
}

// watchCommand is :watch ADDRESS.
func (m *model) watchCommand(address string) tea.Cmd {
	if address == "" {
		m.say(":watch needs the address of a page.")
		return nil
	}
	for _, word := range strings.Fields(address)[1:] {
		if strings.HasPrefix(word, "-") {
			m.say("Here :watch takes an address alone; i in Pages sets the rest. With flags it is the shell's: diurna watch " + address)
			return nil
		}
	}
	m.add()
	b := m.top().(*addBox)
	b.set(address)
	return m.watch(b)
}

// watchFound is w where an address brought feeds.
func (m *model) watchFound() tea.Cmd {
	if b, ok := m.top().(*addBox); ok {
		return m.watch(b)
	}
	return nil
}

// gotWatched shows the page that is watched now.
func (m *model) gotWatched(msg watchedMsg) tea.Cmd {
	b, ok := m.waiting(msg.gen).(*addBox)
	if !ok {
		return nil
	}
	m.endLook(msg.gen)
	switch {
	case errors.Is(msg.err, context.Canceled):
		b.stage = addTyping
		m.say(sayStopped)
		return nil
	case msg.err != nil:
		b.stage = addTyping
		b.wrong, b.known = m.addError(msg.err)
		return nil
	}
	m.stack = m.stack[:0]
	cmd := m.enter(viewPages)
	m.pagez.want = msg.got.Page.Key
	m.say(fmt.Sprintf("Watching %s: %s. u undoes. i holds what is looked at.", msg.got.Page.Title, wording.Plural(msg.got.Words, "word")))
	if msg.got.Second <= 0 {
		return cmd
	}
	return tea.Batch(cmd, m.eff.second(msg.got))
}

// gotSecond says what changes by itself on a page that was just added. Other
// outcomes are shown on its row.
func (m *model) gotSecond(msg secondMsg) tea.Cmd {
	if msg.err == nil && msg.second.Outcome == reader.SecondDiffers {
		m.say(fmt.Sprintf("%s: %s differed at a second fetch.", msg.title, wording.Plural(msg.second.Places, "place")))
	}
	return m.loadFeeds()
}
