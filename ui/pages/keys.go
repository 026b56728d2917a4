package pages

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/advice"
	"diurna/reader/plain"
	"diurna/reader/wording"
	"diurna/ui/article"
	"diurna/ui/diff"
	"diurna/ui/view"
)

// Keys are what keys do in Pages.
func Keys() []view.Binding {
	return []view.Binding{
		view.Bind("enter d l right", "what changed", "diff open show", view.On((*View).open)),
		view.Bind("n ] ctrl+n", "next, previous unread change", "", view.By((*View).nextUnread, 1)),
		view.Bind("N [ ctrl+p p", view.Ditto, "", view.By((*View).nextUnread, -1)),
		view.Bind("J", "next, previous row", "", view.Moves(1)),
		view.Bind("K", view.Ditto, "", view.Moves(-1)),
		view.Bind("!", "next page in trouble", "error broken failing dead captcha", view.On((*View).nextBroken)),
		view.Bind("A", "mark its changes read", "catch up", view.On((*View).markAll)),
		view.Bind("x", "the page as it is now", "text rendered article", view.On((*View).showText)),
		view.Bind("t", "tag the page", "label category", view.On((*View).askTags)),
		view.Bind("v", "select pages", "visual mark several bulk", view.On((*View).selectRow)),
		view.Bind("y", "copy the page's address", "yank clipboard url", view.On((*View).copy)),
		view.Bind("o", "the page in the browser", "web", view.On((*View).browse)),
		view.Bind("/", "find a page", "search", view.Does(view.AskFind)),
		view.Bind("D", "unwatch", "delete remove unsubscribe", view.On((*View).unwatch)),
		view.Bind("+", "accept, decline advice", "suggestion", view.On((*View).accept)),
		view.Bind("-", view.Ditto, "suggestion", view.On((*View).decline)),
	}
}

// open shows the newest change of the chosen page; on advice it accepts.
func (p *View) open(h view.Host) tea.Cmd {
	r := p.chosen()
	switch {
	case r == nil:
		return nil
	case r.tip != nil:
		return p.accept(h)
	case r.page.Changed.IsZero() && r.page.Revisions < 2 && view.Broken(r.page):
		return p.desk.OpenTrouble(r.page.Key) // the trouble is the news
	case r.page.Changed.IsZero() && r.page.Revisions < 2:
		say := r.page.Title + " has not changed since you started watching it"
		if !r.page.Subscribed.IsZero() {
			say += " (" + wording.When(r.page.Subscribed, h.Screen().Now) + ")"
		}
		h.Say(say + ". x shows it.")
		return nil
	}
	return p.openNewest(h, r.page)
}

// openNewest shows the last reported change of a page; its row in River is
// read from now on.
func (p *View) openNewest(h view.Host, pg *reader.Page) tea.Cmd {
	of := diff.Of{Name: pg.Title, Feed: pg.Key, Other: p.Beside(h, pg.Key)}
	var read tea.Cmd
	if pg.LastItem != 0 {
		of.Row = reader.Row{ID: pg.LastItem, At: pg.Changed.Unix(), Title: pg.Why, Flags: reader.FlagChanged | reader.FlagRead}
		read = p.desk.Opened(pg.LastItem, pg.Unread == 0)
	}
	return view.Batch(diff.Open(h, p.lib, p.pages, of).LoadChange(h, 0, 0), read)
}

// Beside gives what opens the next page with a change, from the diff of one.
func (p *View) Beside(h view.Host, of reader.FeedID) func(by int) tea.Cmd {
	return func(by int) tea.Cmd {
		p.choosePage(of)
		for i := p.List.Cur + by; i >= 0 && i < p.List.N; i += by {
			if r := &p.entries[i]; r.tip == nil && !r.page.Changed.IsZero() {
				p.GoRow(i)
				h.Pop()
				return p.openNewest(h, r.page)
			}
		}
		h.Say("No other changed page in that direction.")
		return nil
	}
}

// showText shows a page as it was served last.
func (p *View) showText(h view.Host) tea.Cmd {
	r := p.chosen()
	if r == nil || r.page.Revisions == 0 {
		h.Say("No revision of this page is stored yet.")
		return nil
	}
	pg := *r.page
	return article.Open(h, p.textOf(&pg))
}

// textOf is a page as it was served last, to be read.
//
//go:noinline // 2 places, each with a closure of its own
func (p *View) textOf(pg *reader.Page) article.Of {
	row := reader.Row{Title: pg.Title, At: max(1, pg.LastFetch.Unix()), Flags: reader.FlagRead}
	return article.Of{Row: row, Load: func(ctx context.Context) (reader.Article, error) { return newestText(ctx, p.pages, pg) }}
}

func (p *View) nextUnread(h view.Host, by int) tea.Cmd {
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
	h.Say("No page with an unread change in that direction.")
	return nil
}

func (p *View) nextBroken(h view.Host) tea.Cmd {
	for k := range p.List.N {
		i := (p.List.Cur + 1 + k) % p.List.N
		if p.entries[i].tip == nil && view.Broken(p.entries[i].page) {
			p.GoRow(i)
			return nil
		}
	}
	h.Say("No page is in trouble.")
	return nil
}

// markAll marks what is unread of the chosen page: exactly the rows that are
// there now.
func (p *View) markAll(h view.Host) tea.Cmd {
	r := p.chosen()
	if r == nil || r.page.Unread == 0 {
		h.Say("Nothing unread there.")
		return nil
	}
	return p.desk.MarkFeed(h, r.page.Key, r.page.Title)
}

func (p *View) askTags(h view.Host) tea.Cmd {
	r := p.chosen()
	if r == nil {
		return nil
	}
	id := r.page.Key
	box := &view.Prompt{Label: "tags of " + r.page.Title + ": ", Do: func(_ view.Host, text string) tea.Cmd {
		return h.Change(view.Change{Say: "Tags kept. u undoes.", Do: func(ctx context.Context) (reader.Done, error) { return p.lib.Adjust(ctx, id, "tags", text) }})
	}, Says: func(view.Host, string) string { return "Enter keeps them" }}
	box.Set(strings.Join(r.page.Tags, " "))
	return h.Ask(box)
}

func (p *View) copy(h view.Host) tea.Cmd {
	var lines []string
	for _, pg := range p.selectedPages() {
		lines = append(lines, plain.Redact(cmp.Or(pg.Site, pg.URL)))
	}
	p.selected = nil
	if len(lines) == 0 {
		return nil
	}
	return h.Copy(strings.Join(lines, "\n"), "")
}

func (p *View) browse(h view.Host) tea.Cmd {
	if r := p.chosen(); r != nil {
		return h.OpenURL(cmp.Or(r.page.Site, r.page.URL))
	}
	return nil
}

// unwatch stops watching the selected pages, or the chosen one, as one step.
func (p *View) unwatch(h view.Host) tea.Cmd {
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
	say := fmt.Sprintf("No longer watched: %s, %s. u undoes.", name, wording.Plural(revisions, "revision"))
	p.selected = nil
	return h.Change(view.Change{Say: say, Do: func(ctx context.Context) (reader.Done, error) { return p.lib.Unsubscribe(ctx, ids) }})
}

func (p *View) accept(h view.Host) tea.Cmd { return p.answer(h, true) }

func (p *View) decline(h view.Host) tea.Cmd { return p.answer(h, false) }

// answer accepts or declines the advice about the chosen page.
func (p *View) answer(h view.Host, accept bool) tea.Cmd {
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
		h.Say("There is no advice about this page.")
		return nil
	}
	say := "Declined. It is not offered again this week. u undoes."
	switch {
	case accept && tip.Kind == advice.AlwaysChanges:
		say = "Noted; it will not be shown again. u undoes."
	case accept:
		say = "Done: " + sayTip(tip) + ". u undoes."
	}
	chosen := *tip
	return h.Change(view.Change{Say: say, Do: func(ctx context.Context) (reader.Done, error) { return p.pages.AnswerSuggestion(ctx, chosen, accept) }})
}

// Why says when the chosen page is fetched, or what is wrong with it.
func (p *View) Why(h view.Host) (tea.Cmd, bool) {
	r := p.chosen()
	if r == nil {
		return nil, true
	}
	if r.tip != nil {
		h.Say(fmt.Sprintf("%s. It would help with a chance of %.0f %%, by what you did with advice so far.", strings.TrimSuffix(r.tip.Reason, "."), 100*r.tip.Chance))
		return nil, true
	}
	if view.Broken(r.page) {
		return p.desk.OpenTrouble(r.page.Key), true
	}
	say, now := view.SayFeed(&r.page.Feed, h.Screen().Now), h.Screen().Now
	if pg := r.page; !pg.Changed.IsZero() {
		say += fmt.Sprintf(" Changed %s, score %.1f: %s.", wording.When(pg.Changed, now), pg.Score, pg.Why)
	}
	h.Say(say)
	return nil, true
}

// askTips asks which advice is offered now.
func (p *View) askTips(h view.Host) tea.Cmd {
	p.gen = h.Gen()
	gen := p.gen
	return func() tea.Msg {
		tips, err := p.pages.Suggestions(h.Life())
		return tipsMsg{gen, tips, err}
	}
}

// OnMsg takes in the advice that is offered now.
func (p *View) OnMsg(h view.Host, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case view.SettingMsg:
		if h.IsBase(p) {
			return p.askTips(h)
		}
	case secondMsg:
		return p.onSecond(h, msg)
	case tipsMsg:
		switch {
		case msg.gen != p.gen:
		case msg.err != nil:
			h.Say(view.Sentence(msg.err))
		default:
			p.take(p.all, msg.tips)
		}
	}
	return nil
}

func (p *View) Matches(_ *view.Scene, text string) (int, bool) { return len(p.search(text)), true }

func (p *View) Find(h view.Host, text string) {
	if i := p.found.Stand(h, text, p.search(text), p.List.Cur, "No page"); i >= 0 {
		p.GoRow(i)
	}
}

func (p *View) selectRow(h view.Host) tea.Cmd {
	r := p.chosen()
	if r == nil {
		return nil
	}
	view.Flip(&p.selected, r.page.Key)
	return p.Move(h, 1)
}

func (p *View) Unselect() bool { return view.Emptied(&p.selected) }
