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
	"diurna/ui/diff"
	"diurna/ui/view"
)

// What keys do in Pages.

func pageKeys() []view.Binding {
	return []view.Binding{
		view.Bind("enter d l right", "what changed", "diff open show", on((*pages).open)),
		view.Bind("n ] ctrl+n", "next, previous unread change", "", by((*pages).nextUnread, 1)),
		view.Bind("N [ ctrl+p p", view.Ditto, "", by((*pages).nextUnread, -1)),
		view.Bind("J", "next, previous row", "", at(func(m *model) tea.Cmd { return m.move(1) })),
		view.Bind("K", view.Ditto, "", at(func(m *model) tea.Cmd { return m.move(-1) })),
		view.Bind("!", "next page in trouble", "error broken failing dead captcha", on((*pages).nextBroken)),
		view.Bind("A", "mark its changes read", "catch up", on((*pages).markAll)),
		view.Bind("x", "the page as it is now", "text rendered article", on((*pages).showText)),
		view.Bind("t", "tag the page", "label category", on((*pages).askTags)),
		view.Bind("v", "select pages", "visual mark several bulk", on((*pages).selectRow)),
		view.Bind("y", "copy the page's address", "yank clipboard url", on((*pages).copy)),
		view.Bind("o", "the page in the browser", "web", on((*pages).browse)),
		view.Bind("/", "find a page", "search", at((*model).askFind)),
		view.Bind("D", "unwatch", "delete remove unsubscribe", on((*pages).unwatch)),
		view.Bind("+", "accept, decline advice", "suggestion", on((*pages).accept)),
		view.Bind("-", view.Ditto, "suggestion", on((*pages).decline)),
	}
}

// openPage shows the newest change of the chosen page; on advice it accepts.
func (p *pages) open(m *model) tea.Cmd {
	r := p.chosen()
	switch {
	case r == nil:
		return nil
	case r.tip != nil:
		return p.accept(m)
	case r.page.Changed.IsZero() && r.page.Revisions < 2 && view.Broken(r.page):
		m.Say(sayPage(r.page, m.Now)) // the trouble is the news
		return nil
	case r.page.Changed.IsZero() && r.page.Revisions < 2:
		say := r.page.Title + " has not changed since it is watched"
		if !r.page.Subscribed.IsZero() {
			say += " (" + wording.When(r.page.Subscribed, m.Now) + ")"
		}
		m.Say(say + ". x shows it.")
		return nil
	}
	return m.openNewest(r.page)
}

// openNewest shows the last change that was told of a page; its row in River is
// read from now on.
func (m *model) openNewest(pg *reader.Page) tea.Cmd {
	of := diff.Of{Name: pg.Title, Feed: pg.Key, Other: m.besidePage(pg.Key)}
	var read tea.Cmd
	if pg.LastItem != 0 {
		of.Row = reader.Row{ID: pg.LastItem, At: pg.Changed.Unix(), Title: pg.Why, Flags: reader.FlagChanged}
		j := &job{kind: jobOpen, ids: []reader.ItemID{pg.LastItem}, at: m.Now, again: pg.Unread == 0, reload: true}
		m.paint(j, false)
		of.Row.Flags |= reader.FlagRead
		read = m.eff.add(j)
	}
	return tea.Batch(diff.Open(m, m.eff.lib, of).LoadChange(m, 0, 0), read)
}

// besidePage opens the next page with a change from the diff of one.
func (m *model) besidePage(of reader.FeedID) func(by int) tea.Cmd {
	return func(by int) tea.Cmd {
		p := m.pagez
		p.choosePage(of)
		for i := p.List.Cur + by; i >= 0 && i < p.List.N; i += by {
			if r := &p.entries[i]; r.tip == nil && !r.page.Changed.IsZero() {
				p.GoRow(i)
				m.Pop()
				return m.openNewest(r.page)
			}
		}
		m.Say("No other page with a change that way.")
		return nil
	}
}

// showPage shows a page as it was served last.
func (p *pages) showText(m *model) tea.Cmd {
	r := p.chosen()
	if r == nil || r.page.Revisions == 0 {
		m.Say("Nothing of this page is kept yet.")
		return nil
	}
	pg := *r.page
	row := reader.Row{Title: pg.Title, At: max(1, pg.LastFetch.Unix()), Flags: reader.FlagRead}
	return m.Read(row, nil, func(ctx context.Context) (reader.Article, error) { return newestText(ctx, m.eff.lib, &pg) })
}

func (p *pages) nextUnread(m *model, by int) tea.Cmd {
	if p.found.Text != "" {
		if i := p.found.Step(p.List.Cur, by); i >= 0 {
			p.GoRow(i)
		}
		return nil
	}
	for i := p.List.Cur + by; i >= 0 && i < p.List.N; i += by {
		if p.entries[i].tip == nil && p.entries[i].page.Unread > 0 {
			p.GoRow(i)
			return nil
		}
	}
	m.Say("No page with an unread change that way.")
	return nil
}

func (p *pages) nextBroken(m *model) tea.Cmd {
	for k := range p.List.N {
		i := (p.List.Cur + 1 + k) % p.List.N
		if p.entries[i].tip == nil && view.Broken(p.entries[i].page) {
			p.GoRow(i)
			return nil
		}
	}
	m.Say("No page is in trouble.")
	return nil
}

// markPage marks what is unread of the chosen page: exactly the rows that are
// there now.
func (p *pages) markAll(m *model) tea.Cmd {
	r := p.chosen()
	if r == nil || r.page.Unread == 0 {
		m.Say("Nothing unread there.")
		return nil
	}
	return m.askUnread(map[reader.FeedID]bool{r.page.Key: true}, r.page.Title, 'a')
}

func (p *pages) askTags(m *model) tea.Cmd {
	r := p.chosen()
	if r == nil {
		return nil
	}
	id := r.page.Key
	box := &view.Prompt{Label: "tags of " + r.page.Title + ": ", Do: func(_ view.Host, text string) tea.Cmd {
		return m.adjust(id, "tags", text, "Tags kept. u undoes.")
	}, Says: func(view.Host, string) string { return "Enter keeps them" }}
	box.Set(strings.Join(r.page.Tags, " "))
	return m.Ask(box)
}

func (p *pages) copy(m *model) tea.Cmd {
	var lines []string
	for _, pg := range p.selectedPages() {
		lines = append(lines, plain.Redact(cmp.Or(pg.Site, pg.URL)))
	}
	p.selected = nil
	if len(lines) == 0 {
		return nil
	}
	return m.Copy(strings.Join(lines, "\n"), "")
}

func (p *pages) browse(m *model) tea.Cmd {
	if r := p.chosen(); r != nil {
		return m.OpenURL(cmp.Or(r.page.Site, r.page.URL))
	}
	return nil
}

// unwatch stops watching the selected pages, or the chosen one, as one step.
func (p *pages) unwatch(m *model) tea.Cmd {
	gone := p.selectedPages()
	if len(gone) == 0 {
		return nil
	}
	var ids []reader.FeedID
	revisions := 0
	for _, pg := range gone {
		ids = append(ids, pg.Key)
		revisions += pg.Revisions
	}
	name := gone[0].Title
	if len(gone) > 1 {
		name = wording.Plural(len(gone), "page")
	}
	say := fmt.Sprintf("Not watched any more: %s, %s. u undoes.", name, wording.Plural(revisions, "revision"))
	p.selected = nil
	return m.unsubscribe(ids, say)
}

func (p *pages) accept(m *model) tea.Cmd { return p.answer(m, true) }

func (p *pages) decline(m *model) tea.Cmd { return p.answer(m, false) }

// answer accepts or declines the advice about the chosen page.
func (p *pages) answer(m *model, accept bool) tea.Cmd {
	r := p.chosen()
	if r == nil {
		return nil
	}
	tip := r.tip
	for i := range p.tips {
		if tip == nil && p.tips[i].Page == r.page.Key {
			tip = &p.tips[i]
		}
	}
	if tip == nil {
		m.Say("There is no advice about this page.")
		return nil
	}
	say := "Declined. It is not offered again this week. u undoes."
	switch {
	case accept && tip.Kind == page.AlwaysChanges:
		say = "Noted, and not said again. u undoes."
	case accept:
		say = "Done: " + sayTip(tip) + ". u undoes."
	}
	chosen := *tip
	return m.Change(view.Change{Say: say, Do: func(ctx context.Context) (reader.Done, error) { return m.eff.lib.AnswerSuggestion(ctx, chosen, accept) }})
}

// why says when the chosen page is fetched, or what is wrong with it.
func (p *pages) Why(h view.Host) (tea.Cmd, bool) {
	m := of(h)
	r := p.chosen()
	if r == nil {
		return nil, true
	}
	if r.tip != nil {
		m.Say(fmt.Sprintf("%s. It would help with a chance of %.0f %%, by what you did with advice so far.", strings.TrimSuffix(r.tip.Reason, "."), 100*r.tip.Chance))
		return nil, true
	}
	m.Say(sayPage(r.page, m.Now))
	return nil, true
}

// askTips asks which advice is offered now.
func (p *pages) askTips(m *model) tea.Cmd {
	p.gen = m.Gen()
	return m.eff.tips(p.gen)
}

// got takes in the advice that is offered now.
func (p *pages) Got(h view.Host, msg tea.Msg) tea.Cmd {
	m := of(h)
	switch msg := msg.(type) {
	case view.SettingMsg:
		if m.base() == p {
			return p.askTips(m)
		}
	case tipsMsg:
		switch {
		case msg.gen != p.gen:
		case msg.err != nil:
			m.Say(view.Sentence(msg.err))
		default:
			p.take(p.all, msg.tips)
		}
	}
	return nil
}

// watch watches the page at an address itself, from the add box.
func (m *model) watch(b *addBox) tea.Cmd {
	b.stage, b.wrong, b.watches = addKeeping, "", false
	b.gen = m.Gen()
	return m.eff.watch(m.beginLook(b.gen), b.gen, b.Link(), reader.WatchOptions{Title: b.opts.Title, Tags: b.opts.Tags})
}

// watchCommand is :watch ADDRESS.
func (m *model) watchCommand(address string) tea.Cmd {
	if address == "" {
		m.Say(":watch needs the address of a page.")
		return nil
	}
	for _, word := range strings.Fields(address)[1:] {
		if strings.HasPrefix(word, "-") {
			m.Say("Here :watch takes an address alone; i in Pages sets the rest. With flags it is the shell's: diurna watch " + address)
			return nil
		}
	}
	return m.watch(m.addAt(address))
}

// watch is w where an address brought feeds.
func (b *addBox) watch(m *model) tea.Cmd { return m.watch(b) }

// gotWatched shows the page that is watched now.
func (b *addBox) gotWatched(m *model, msg watchedMsg) tea.Cmd {
	m.endLook(msg.gen)
	switch {
	case errors.Is(msg.err, context.Canceled):
		b.stage = addTyping
		m.Say(sayStopped)
		return nil
	case msg.err != nil:
		b.stage = addTyping
		b.wrong, b.known = m.addError(msg.err)
		return nil
	}
	m.stack = m.stack[:0]
	cmd := m.enter(viewPages)
	m.pagez.want = msg.got.Page.Key
	m.Say(fmt.Sprintf("Watching %s: %s. u undoes. i holds what is looked at.", msg.got.Page.Title, wording.Plural(msg.got.Words, "word")))
	if msg.got.Second <= 0 {
		return cmd
	}
	return tea.Batch(cmd, m.eff.second(msg.got))
}

// gotSecond says what changes by itself on a page that was just added. Other
// outcomes are shown on its row.
func (m *model) gotSecond(msg secondMsg) tea.Cmd {
	if msg.err == nil && msg.second.Outcome == reader.SecondDiffers {
		m.Say(fmt.Sprintf("%s: %s differed at a second fetch.", msg.title, wording.Plural(msg.second.Places, "place")))
	}
	return m.Reload()
}

// newestText reads the last revision of a page as it was served.
func newestText(ctx context.Context, lib Library, pg *reader.Page) (reader.Article, error) {
	revs, err := lib.Revisions(ctx, pg.Key)
	for i := len(revs) - 1; i >= 0 && err == nil; i-- {
		if !revs[i].Child {
			return diff.Rendered(ctx, lib, pg.Key, revs[i].No, cmp.Or(pg.Site, pg.URL), 0)
		}
	}
	if err == nil {
		err = errors.New("nothing of this page is kept yet")
	}
	return reader.Article{}, err
}
