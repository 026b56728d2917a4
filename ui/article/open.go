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
	// Para and Into are where the last sitting left it: see view.Place.
	Para, Into int
	// Load reads the text.
	Load func(context.Context) (reader.Article, error)
}

// Open shows an article over what is there and asks for its text.
func Open(h view.Host, of Of) tea.Cmd {
	a := &View{r: of.Row, from: of.From, gen: h.Gen(), opening: h.Screen().NewOpening(), para: of.Para, into: of.Into}
	h.Push(a)
	gen, ctx := a.gen, h.Life()
	return func() tea.Msg {
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
