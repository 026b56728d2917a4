package ui

import (
	"cmp"
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/page"
)

// The calls to the reader about watched pages and what changed: like those in
// effects.go each stands in a command and brings back a message.

// diffMsg brings a comparison: of a page, or of an item.
type diffMsg struct {
	gen    uint64
	change *reader.Change
	edit   *reader.ItemEdit
	err    error
}

// previewMsg tells what an ignored block would have hidden; say is the sentence
// it belongs to.
type previewMsg struct {
	say       string
	now, then int
	of        int
	err       error
}

func (e *effects) change(gen uint64, id reader.FeedID, from, to int) tea.Cmd {
	return func() tea.Msg {
		c, err := e.lib.Change(e.ctx, id, from, to)
		return diffMsg{gen: gen, change: &c, err: err}
	}
}

func (e *effects) changeOf(gen uint64, id reader.ItemID) tea.Cmd {
	return func() tea.Msg {
		c, err := e.lib.ChangeOf(e.ctx, id)
		return diffMsg{gen: gen, change: &c, err: err}
	}
}

func (e *effects) itemChange(gen uint64, id reader.ItemID, back int) tea.Cmd {
	return func() tea.Msg {
		c, err := e.lib.ItemChange(e.ctx, id, back)
		return diffMsg{gen: gen, edit: &c, err: err}
	}
}

func (e *effects) previewIgnore(say string, id reader.FeedID, rule string) tea.Cmd {
	return func() tea.Msg {
		now, then, of, err := e.lib.PreviewIgnore(e.ctx, id, rule)
		return previewMsg{say, now, then, of, err}
	}
}

// rendered reads a revision as it was served and gives it as an article.
func (e *effects) rendered(gen uint64, id reader.FeedID, no int, address string, item reader.ItemID) tea.Cmd {
	return func() tea.Msg {
		body, kind, err := e.lib.RevisionRaw(e.ctx, id, no)
		text, _ := page.Decode(body, kind)
		msg := articleMsg{gen: gen, art: reader.Article{Item: reader.Item{Key: item}, HTML: string(text), Base: address}, err: err}
		msg.art.LeadTo(address)
		return msg
	}
}

// newest reads the last revision of a page as it was served.
func (e *effects) newest(gen uint64, pg *reader.Page) tea.Cmd {
	id, address := pg.Key, cmp.Or(pg.Site, pg.URL)
	return func() tea.Msg {
		revs, err := e.lib.Revisions(e.ctx, id)
		for i := len(revs) - 1; i >= 0 && err == nil; i-- {
			if !revs[i].Child {
				return e.rendered(gen, id, revs[i].No, address, 0)()
			}
		}
		if err == nil {
			err = errors.New("nothing of this page is kept yet")
		}
		return articleMsg{gen: gen, err: err}
	}
}

// changeBeside compares the revision after the shown one (by > 0), or the older
// of the two that are shown, with the one before: of the same address, which
// the numbers of child pages lie between.
func (e *effects) changeBeside(gen uint64, id reader.FeedID, base, no, by int) tea.Cmd {
	return func() tea.Msg {
		revs, err := e.lib.Revisions(e.ctx, id)
		if err != nil {
			return diffMsg{gen: gen, err: err}
		}
		for i := range revs {
			if by > 0 && revs[i].Base == no || by < 0 && revs[i].No == base && revs[i].Base != 0 {
				return e.change(gen, id, 0, revs[i].No)()
			}
		}
		if by > 0 {
			return diffMsg{gen: gen, err: errors.New("this is the newest revision")}
		}
		return diffMsg{gen: gen, err: errors.New("no older revision is kept")}
	}
}

// tipsMsg brings the advice about watched pages.
type tipsMsg struct {
	gen  uint64
	tips []reader.Suggestion
	err  error
}

func (e *effects) tips(gen uint64) tea.Cmd {
	return func() tea.Msg {
		tips, err := e.lib.Suggestions(e.ctx)
		return tipsMsg{gen, tips, err}
	}
}

// secondMsg brings what the second fetch of a new page showed.
type secondMsg struct {
	title  string
	second reader.Second
	err    error
}

func (e *effects) second(w reader.Watched) tea.Cmd {
	return func() tea.Msg {
		second, err := e.lib.SecondFetch(e.ctx, w)
		return secondMsg{w.Page.Title, second, err}
	}
}

// watchedMsg brings the page that is watched from now on.
type watchedMsg struct {
	gen uint64
	got reader.Watched
	err error
}

func (e *effects) watch(ctx context.Context, gen uint64, address string, o reader.WatchOptions) tea.Cmd {
	return func() tea.Msg {
		got, err := e.lib.Watch(ctx, address, o)
		return watchedMsg{gen, got, err}
	}
}
