package pagestate

import (
	"strings"

	"diurna/reader/align"
	"diurna/reader/markup"
	"diurna/reader/page"
)

// The figures that tell another page in a page's place. They look at shape and
// at how much of the page's own text remained, never at words.
const (
	ownShare    = 0.1 // of the words outside menus: with more of them it is the page
	sameShape   = 0.5 // likeness of two pages' elements from which one is the other with new text
	fewBlocks   = 4   // a page with fewer blocks may change altogether
	loginWords  = 60  // a page that asks for a password has fewer words
	scriptWords = 60  // a page whose text scripts make, or a check before a page, has fewer
	scriptLinks = 2   // and hardly a link
)

// form is the shape of a page.
type form struct {
	elements map[string]int // by name and first class
	all      int
	password bool
	scripts  bool // it has scripts, and something for where they do not run
	title    string
	links    int
}

func formOf(d *align.Document) form {
	f := form{elements: map[string]int{}, title: strings.Join(strings.Fields(align.OutlineOf(d).Title), " ")}
	script, without := false, false
	for i := int32(0); i < d.End(); i = d.Next(i) {
		if d.Is(i) != align.Tag {
			continue
		}
		raw := d.At(i)
		e, closing := d.Element(i)
		if closing {
			continue
		}
		switch e {
		case markup.Html, markup.Head, markup.Body, markup.Title, markup.Link, markup.Br, markup.Style:
			continue
		case markup.Script:
			script = true
			continue
		case markup.Noscript:
			without = true
			continue
		case markup.Meta:
			without = without || strings.EqualFold(markup.Attr(raw, "http-equiv"), "refresh")
			continue
		case markup.Input:
			f.password = f.password || strings.EqualFold(markup.Attr(raw, "type"), "password")
		case markup.A:
			f.links++
		}
		class, _, _ := strings.Cut(strings.TrimSpace(markup.Attr(raw, "class")), " ")
		f.elements[d.TagID(i).String()+"."+class]++
		f.all++
	}
	f.scripts = without && script
	return f
}

// like is the Dice coefficient of two shapes.
func (f *form) like(g *form) float64 {
	if f.all+g.all == 0 {
		return 1
	}
	n := 0
	for name, c := range f.elements {
		n += min(c, g.elements[name])
	}
	return 2 * float64(n) / float64(f.all+g.all)
}

// remained is how much of what a page shows outside menus, in words, it is known
// to have shown before.
func remained(old, cur *align.Document, m *page.Memory) float64 {
	known := map[int32]bool{}
	for i := range old.Blocks {
		known[old.Blocks[i].Key] = true
	}
	at := align.OutlineOf(cur).At
	own, all := 0, 0
	for i := range cur.Blocks {
		if at[i].Flags&align.InMenu != 0 {
			continue
		}
		n := max(int(cur.Blocks[i].Words()), 1)
		all += n
		if known[cur.Blocks[i].Key] || m != nil && m.Knows(cur.Hash(i)) {
			own += n
		}
	}
	if all == 0 {
		return 0
	}
	return float64(own) / float64(all)
}

// standIn says what stands in the place of a page: a page with few words,
// nothing of the text that was there, another title and another shape.
func standIn(old, cur *align.Document, m *page.Memory) (State, string) {
	if len(cur.Words) > fewWords || len(old.Blocks) < fewBlocks || remained(old, cur, m) >= ownShare {
		return Good, ""
	}
	was, is := formOf(old), formOf(cur)
	if is.title == was.title || is.like(&was) >= sameShape {
		return Good, ""
	}
	switch {
	case is.password && !was.password:
		return Login, "a form that asks for a password"
	case is.scripts && is.links <= scriptLinks:
		return Captcha, "a page without text of its own that waits for scripts"
	}
	return Replaced, "another title, another shape and none of its text"
}

// notYet says why a first answer is not a page that can be watched.
func notYet(cur *align.Document) (State, string) {
	if state, why := instead(cur); state != Good {
		return state, why
	}
	f := formOf(cur)
	switch {
	case f.password && len(cur.Words) <= loginWords && f.links <= stubLinks:
		return Login, "a form that asks for a password"
	case f.scripts && len(cur.Words) <= scriptWords && f.links <= scriptLinks:
		return Scripted, "hardly any text without scripts, which diurna does not run; it may also be a check for humans"
	case (strings.HasSuffix(f.title, "...") || strings.HasSuffix(f.title, "…")) && len(cur.Words) <= scriptWords && f.links == 0:
		return Captcha, "a title that asks to wait, hardly any text and no link"
	}
	return Good, ""
}
