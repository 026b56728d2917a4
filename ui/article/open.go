package article

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"diurna/reader"
	"diurna/ui/view"
)

// Of says what an article is of.
type Of struct {
	Row  reader.Row // as the list drew it
	From view.View  // the list it was opened from; nil: none
	// Para and Into are where the last session left it: see view.Place.
	Para, Into int
	// Load reads the text.
	Load func(context.Context) (reader.Article, error)
	// Full fetches the whole text from the item's page; nil: there is no such page.
	Full func(context.Context) (*reader.FullText, error)
	// Known is an article of the same row that is on the screen; nil: none. Its
	// text stands until the one asked for is there.
	Known *View
}

// Open shows an article over what is there and asks for its text.
func Open(h view.Host, of Of) tea.Cmd {
	a, load := New(h, of)
	if k := of.Known; k != nil && k.ready && k.failed == "" {
		a.art, a.ready = k.art, true
	}
	h.Push(a)
	return load
}

// New makes an article that is not shown yet, and asks for its text.
func New(h view.Host, of Of) (*View, tea.Cmd) {
	a := &View{r: of.Row, from: of.From, gen: h.Gen(), opening: h.Screen().NewOpening(), para: of.Para, into: of.Into, full: full{fetch: of.Full}}
	gen, ctx := a.gen, h.Life()
	return a, func() tea.Msg {
		art, err := of.Load(ctx)
		return textMsg{gen, art, err}
	}
}

// textMsg brings the text of an article.
type textMsg struct {
	gen uint64
	art reader.Article
	err error
}
