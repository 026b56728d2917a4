package article

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/view"
)

// Texts fetches the whole text of an item.
type Texts interface {
	FetchText(ctx context.Context, id reader.ItemID) (*reader.FullText, error)
}

// full is how the whole text of an article is doing.
type full struct {
	fetch  func(context.Context) (*reader.FullText, error) // nil: there is none to be had
	asking bool                                            // it is being fetched
	off    bool                                            // the feed's own text is shown although it is there
}

// fullMsg brings the whole text of an article.
type fullMsg struct {
	gen  uint64
	text *reader.FullText
	err  error
}

// whole reports whether the whole text of an article is there.
func whole(art *reader.Article) bool { return art.Full != nil && art.Full.HTML != "" }

// of is the text of an article on the screen, what is left relative in it is relative
// to, and its length in words.
func (f *full) of(art *reader.Article) (html, base string, words int) {
	if f.off || !whole(art) {
		return art.HTML, art.Base, art.Words
	}
	return art.Full.HTML, art.Full.Base, art.Full.Words
}

// say is the line of the heading about the whole text, "" while nobody asked for it.
func (f *full) say(s *view.Scene, text *reader.FullText) string {
	switch {
	case f.asking:
		return "fetching the whole text " + s.Th.Dots
	case text == nil:
		return ""
	case text.HTML == "":
		does := "o opens it in the browser"
		switch {
		case text.Unasked:
			does = "x fetches it"
		case text.Passes:
			does = "x tries again"
		}
		return "No whole text: " + text.Sentence + " (" + view.Stamp(text.At, s.Now) + "). " + does + "."
	case f.off:
		return "the feed's text; x shows the whole one"
	}
	return "whole text from the page, " + view.Stamp(text.At, s.Now) + "; x shows the feed's"
}

// toggleFull shows the whole text, which is fetched first if it is not there, or the
// feed's own again.
func (a *View) toggleFull(h view.Host) tea.Cmd {
	switch {
	case a.full.asking || a.failed != "":
		return nil
	case whole(&a.art):
		a.full.off = !a.full.off
		a.again()
		return nil
	case a.full.fetch == nil:
		h.Say("This text has no page of its own.")
		return nil
	}
	a.full.asking, a.width = true, 0
	gen, ctx, fetch := a.gen, h.Life(), a.full.fetch
	return func() tea.Msg {
		text, err := fetch(ctx)
		return fullMsg{gen, text, err}
	}
}

// again lays the text out from its top: another one is shown.
func (a *View) again() {
	a.width, a.top, a.link, a.coming = 0, 0, 0, 0
}

func (a *View) onFull(h view.Host, m fullMsg) tea.Cmd {
	if m.gen != a.gen || a.gen == 0 {
		return nil
	}
	a.full.asking, a.width = false, 0
	if m.err != nil {
		h.Say(view.Sentence(m.err))
		return nil
	}
	a.art.Full = m.text
	if !whole(&a.art) {
		return nil
	}
	a.full.off = false
	a.again()
	offer := ""
	if f := h.Screen().Feeds[a.art.FeedKey]; f != nil && !f.Settings.Full {
		offer = " i: of all its new items."
	}
	h.Say("The whole text has " + wording.Plural(m.text.Words, "word") + ", the feed gave " + wording.Count(a.art.Words) + "." + offer)
	return nil
}
