package pagestate

import (
	"diurna/reader/align"
)

// Part is a part of a page that may be watched alone.
type Part struct {
	Selector string
	Words    int // visible words in it
	Of       int // and on the whole page
}

// mainSelectors select what may be the main part of a page, surest first.
var mainSelectors = []string{"main", "[role=main]", "article"}

// A main part is clear if it holds a share of the words that is worth watching and
// leaves out one that is worth leaving out.
const (
	mainLeast, mainMost = .4, .9
	mainWords           = 20
)

// MainPart finds the clear main part of a page: the only element of its kind, with
// the page's heading in it and most of its words. false: there is none.
func MainPart(body []byte) (Part, bool) {
	sels, err := align.Compile(mainSelectors)
	if err != nil {
		return Part{}, false
	}
	d := align.Parse(body)
	t := align.GrowTree(d)
	heads := align.OutlineOf(d).Heads
	for i, sel := range sels {
		found := sel.MatchAll(t.Root)
		if len(found) == 0 {
			continue
		}
		p := Part{Selector: mainSelectors[i], Of: len(d.Words)}
		span := t.Span[found[0]]
		for _, w := range d.Words {
			if w >= span[0] && w < span[1] {
				p.Words++
			}
		}
		share := float64(p.Words) / float64(max(p.Of, 1))
		clear := len(found) == 1 && p.Words >= mainWords && share >= mainLeast && share <= mainMost && holdsHeading(span, heads)
		return p, clear // a page with several of a kind has no main part that a weaker selector could find
	}
	return Part{}, false
}

// holdsHeading reports whether all headings of the first level stand in an element.
func holdsHeading(span [2]int32, heads []align.Heading) bool {
	for _, h := range heads {
		if h.Level == 1 && (h.From < span[0] || h.To > span[1]) {
			return false
		}
	}
	return true
}
