package align

import (
	"fmt"
	"sort"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"diurna/reader/markup"
)

// maxDepth is how deep the tree for selectors grows. Deeper elements are
// attached flat to the deepest one, with what they span, so a hostile page costs
// no more than a plain one and selectors see them still, but for the elements
// between. (x/net's own parser refuses pages with more than 512 open elements.)
// An end tag is held against the innermost maxBack open elements.
const (
	maxDepth = 400
	maxBack  = 512
)

// maxNodes and maxSiblings bound the tree in size and breadth: selectors such
// as :nth-child look at all siblings of each. What is beyond belongs to the
// element around it.
const (
	maxNodes    = 100_000
	maxSiblings = 10_000
)

// Tree is a page as elements, each with the tokens it spans. It is built from
// the tokens themselves, because selectors must say which bytes they mean.
type Tree struct {
	Root *html.Node
	Span map[*html.Node][2]int32
}

// closes lists which open elements a start tag ends when their end tag was
// left out, up to the element named in stopAt.
var closes = map[string][]string{
	"li": {"li"}, "p": {"p"}, "tr": {"tr", "td", "th"}, "td": {"td", "th"}, "th": {"td", "th"},
	"dt": {"dt", "dd"}, "dd": {"dt", "dd"}, "option": {"option"}, "optgroup": {"option", "optgroup"},
	"thead": {"tr", "td", "th"}, "tbody": {"thead", "tbody", "tr", "td", "th"}, "tfoot": {"tbody", "tr", "td", "th"},
	"div": {"p"}, "ul": {"p"}, "ol": {"p"}, "table": {"p"}, "h1": {"p"}, "h2": {"p"}, "h3": {"p"}, "h4": {"p"},
	"section": {"p"}, "article": {"p"}, "body": {"head"},
}

// stopAt are elements out of which nothing is closed by omission.
var stopAt = map[string]bool{"table": true, "ul": true, "ol": true, "dl": true, "div": true, "section": true, "article": true, "body": true, "select": true}

// grower builds a tree from tokens.
type grower struct {
	d     *Document
	nodes int
	wide  map[*html.Node]int // children of each open element
	t     *Tree
	stack []*html.Node
	open  map[string]int // how many of a name are on the stack: most of a hostile page's tags end nothing
	text  []byte
}

// GrowTree builds the tree of a document.
func GrowTree(d *Document) *Tree {
	t := &Tree{Root: &html.Node{Type: html.DocumentNode}, Span: map[*html.Node][2]int32{}}
	g := &grower{d: d, t: t, stack: []*html.Node{t.Root}, wide: map[*html.Node]int{}, open: map[string]int{}}
	for i := int32(0); i < d.End(); i = d.Next(i) {
		switch d.Is(i) {
		case Tag:
			if n, closing := element(d.At(i)); n != nil {
				g.flush()
				if closing {
					g.end(n.Data, i)
				} else {
					g.start(n, i)
				}
			}
		case Word, Sign, Space:
			g.text = markup.AppendDecoded(g.text, d.At(i))
		}
	}
	g.flush()
	g.pop(1, d.End())
	return t
}

func (g *grower) top() *html.Node { return g.stack[len(g.stack)-1] }

// parent is the element that the next one becomes a child of.
func (g *grower) parent() *html.Node { return g.stack[min(len(g.stack), maxDepth)-1] }

// flush adds the text so far: selectors such as :contains() and :empty look at it.
func (g *grower) flush() {
	if len(g.text) > 0 && g.fits(g.top()) {
		g.top().AppendChild(&html.Node{Type: html.TextNode, Data: string(g.text)})
	}
	g.text = g.text[:0]
}

// fits takes the room of one more child of an open element.
func (g *grower) fits(in *html.Node) bool {
	if g.nodes >= maxNodes || g.wide[in] >= maxSiblings {
		return false
	}
	g.nodes++
	g.wide[in]++
	return true
}

func (g *grower) push(n *html.Node, at int32) {
	g.parent().AppendChild(n)
	g.t.Span[n] = [2]int32{at, g.d.End()}
	g.stack = append(g.stack, n)
	g.open[n.Data]++
}

func (g *grower) pop(to int, at int32) {
	for _, n := range g.stack[to:] {
		g.t.Span[n] = [2]int32{g.t.Span[n][0], at}
		delete(g.wide, n)
		g.open[n.Data]--
	}
	g.stack = g.stack[:to]
}

func (g *grower) end(name string, at int32) {
	if g.open[name] == 0 {
		return
	}
	for k := len(g.stack) - 1; k > max(0, len(g.stack)-1-maxBack); k-- {
		if g.stack[k].Data == name {
			g.pop(k, g.d.Next(at))
			return
		}
	}
}

func (g *grower) start(n *html.Node, at int32) {
	if g.nodes >= maxNodes {
		return
	}
	for _, name := range closes[n.Data] {
		if g.open[name] == 0 {
			continue
		}
		for k := len(g.stack) - 1; k > max(0, len(g.stack)-1-maxBack); k-- {
			if g.stack[k].Data == name {
				g.pop(k, at)
				break
			}
			if stopAt[g.stack[k].Data] {
				break
			}
		}
	}
	if !g.fits(g.parent()) {
		return
	}
	if n.Data == "tr" && g.top().Data == "table" {
		g.push(named("tbody"), at) // as browsers do: their "copy selector" writes it
	}
	if g.d.kind[at]&flagShut != 0 {
		g.parent().AppendChild(n)
		g.t.Span[n] = [2]int32{at, g.d.Next(at)}
		return
	}
	g.push(n, at)
}

func named(name string) *html.Node {
	return &html.Node{Type: html.ElementNode, Data: name, DataAtom: atom.Lookup([]byte(name))}
}

// element parses the raw bytes of one tag.
func element(raw []byte) (n *html.Node, closing bool) {
	var buf [64]byte
	name, closing := tagName(raw, buf[:0])
	if len(name) == 0 {
		return nil, false
	}
	n = named(string(name))
	if closing {
		return n, true
	}
	for i, kept := 1+len(name), 0; i < len(raw) && kept < 64; {
		var key, value []byte
		key, value, i = markup.NextAttr(raw, i)
		if len(key) == 0 {
			continue
		}
		kept++
		n.Attr = append(n.Attr, html.Attribute{Key: markup.Lower(key), Val: string(markup.AppendDecoded(nil, value))})
	}
	return n, false
}

// Chosen returns which tokens a rule of selectors keeps: inside an element that
// selects matches (everything, without selects) and inside none that ignores
// matches. found is false if selects match nothing.
func Chosen(d *Document, selects, ignores []cascadia.Selector) (in Bitset, found bool) {
	in = NewBitset(int(d.End()))
	t := GrowTree(d)
	found = true
	if len(selects) == 0 {
		in.fill(0, d.End(), true)
	} else {
		spans := t.spans(selects)
		for _, s := range spans {
			in.fill(s[0], s[1], true)
		}
		found = len(spans) > 0
	}
	for _, s := range t.spans(ignores) {
		in.fill(s[0], s[1], false)
	}
	return in, found
}

// spans lists the bytes of the elements that selectors match, in order, those
// inside one another once.
func (t *Tree) spans(sels []cascadia.Selector) [][2]int32 {
	var all [][2]int32
	for _, sel := range sels {
		for _, n := range sel.MatchAll(t.Root) {
			all = append(all, t.Span[n])
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i][0] < all[j][0] })
	out := all[:0]
	for _, s := range all {
		if n := len(out); n > 0 && s[0] <= out[n-1][1] {
			out[n-1][1] = max(out[n-1][1], s[1])
		} else {
			out = append(out, s)
		}
	}
	return out
}

// maxSelectors bounds the selectors of one watch.
const maxSelectors = 64

// Compile parses CSS selectors.
func Compile(css []string) ([]cascadia.Selector, error) {
	if len(css) > maxSelectors {
		return nil, fmt.Errorf("%d selectors, at most %d are allowed", len(css), maxSelectors)
	}
	var out []cascadia.Selector
	for _, s := range css {
		sel, err := cascadia.Compile(s)
		if err != nil {
			return nil, fmt.Errorf("selector %q: %w", s, err)
		}
		out = append(out, sel)
	}
	return out, nil
}
