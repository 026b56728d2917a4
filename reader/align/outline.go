package align

import (
	"bytes"
	"strings"

	"diurna/reader/kind"
	"diurna/reader/markup"
)

// Outline says of every block of a document where it stands.
type Outline struct {
	Heads []Heading
	At    []Place // by block
	Lang  string  // of the root element
	Title string
	Paths map[int32][]string // by heading, made when asked for
}

// Heading is a heading of the page; parent is the one it stands under, or -1.
type Heading struct {
	From, To int32 // its bytes
	Parent   int32
	Level    int8
}

// Text returns what a heading says.
func (h Heading) Text(d *Document) string { return d.Text(h.From, h.To) }

// PlaceFlags say where a block stands.
type PlaceFlags uint16

const (
	InMenu  PlaceFlags = 1 << iota // in an element that holds navigation or furniture
	InTime                         // all its words stand in time elements
	InLink                         // all its words stand in links
	InText                         // in main, an article, a heading, a paragraph or a cell: no furniture by its place alone
	InHead                         // it is a heading
	InRow                          // in a row of a table, an item of a list or a definition
	InItem                         // beside inRow: an item of a list
	InQuote                        // in a quotation that is marked up as one
	InNav                          // beside inMenu: the head of a site and what leads elsewhere: only a state is a fact there
)

// Place is the heading a block stands under, -1 for none, and what stands around it.
type Place struct {
	Head  int32
	Flags PlaceFlags
}

// maxOpen bounds the stack of open elements; deeper ones are not told apart.
const maxOpen = 512

// open is an element on the stack.
type open struct {
	TagID
	menu bool
	nav  bool
}

// outliner walks the tokens of a document once.
type outliner struct {
	d     *Document
	out   Outline
	stack []open
	menus int
	navs  int
	link  int
	time  int
	tail  PlaceFlags // what stands here is furniture: main has ended
	inner int        // open main and article elements: a header there is content
	head  int32
	level int // of the heading being read, 0 outside
	from  int32

	block             int  // the block being read
	unlinked, untimed bool // words of it stand in no link, in no time element
	form              formSize
}

// OutlineOf reads the headings, menus, links and times of a document.
func OutlineOf(d *Document) Outline {
	o := &outliner{d: d, head: -1}
	o.out.At, o.out.Paths = make([]Place, len(d.Blocks)), map[int32][]string{}
	word := int32(0) // the next one
	for i := d.NextTag(0); ; {
		for word < int32(len(d.Words)) && d.Words[word] < i {
			if d.Words[word] >= d.Blocks[o.block].T1 {
				o.endBlock()
			}
			from, b := word, d.Blocks[o.block]
			for word++; word < b.W1 && d.Words[word] < i; word++ {
			}
			o.text(from == b.W0, int(word-from))
		}
		if o.block < len(d.Blocks) && i >= d.Blocks[o.block].T1 {
			o.endBlock()
		}
		if i == d.End() {
			break
		}
		end := d.Next(i)
		o.tag(i, end)
		i = d.NextTag(end)
	}
	o.furniture()
	return o.out
}

// text takes up words of the present block between two tags, the first ones of
// it or more of them.
func (o *outliner) text(first bool, n int) {
	if first {
		p := &o.out.At[o.block]
		p.Head = o.head
		if o.menus > 0 {
			p.Flags |= InMenu
		}
		if o.navs > 0 {
			p.Flags |= InNav
		}
		if o.inner > 0 || o.level > 0 || o.inPlain() {
			p.Flags |= InText
		}
		if o.level > 0 {
			p.Flags |= InHead
		}
		p.Flags |= o.inRow() | o.tail
	}
	o.form.words += n
	if o.link == 0 {
		o.unlinked = true
	}
	if o.time == 0 {
		o.untimed = true
	}
}

// endBlock goes on to the next block.
func (o *outliner) endBlock() {
	p := &o.out.At[o.block]
	if !o.unlinked {
		p.Flags |= InLink
	}
	if !o.untimed {
		p.Flags |= InTime
	}
	o.block++
	o.unlinked, o.untimed = false, false
}

// The measure of furniture: a page of prose has at least proseBlocks blocks of
// proseWords words; links of at most menuWords words before the first or after
// the last of them lead elsewhere.
const (
	proseBlocks = 5
	proseWords  = 12
	MenuWords   = 5
)

// furniture marks the lists of links around the prose of a page as menus where
// the page does not say so itself. What the page marks up as text is spared, and
// numbers are: "version 1.3" at the end of a page may be what it is watched for.
func (o *outliner) furniture() {
	first, last, n := -1, -1, 0
	for i, b := range o.d.Blocks {
		if b.Words() >= proseWords && o.out.At[i].Flags&(InMenu|InLink) == 0 {
			if first < 0 {
				first = i
			}
			last, n = i, n+1
		}
	}
	if n < proseBlocks {
		return
	}
	for i, b := range o.d.Blocks {
		if (i < first || i > last) && b.Words() <= MenuWords && o.out.At[i].Flags&(InLink|InText) == InLink &&
			!kind.HasDigit(o.d.TextOf(i)) {
			o.out.At[i].Flags |= InMenu | InNav
		}
	}
}

func (o *outliner) tag(i, end int32) {
	raw := o.d.Src[i:end]
	e, closing := o.d.Element(i)
	if closing {
		o.close(o.d.TagID(i), i)
		return
	}
	o.form.tag(e, raw, o.block)
	switch e {
	case markup.A:
		o.link = 1 // links do not nest
	case markup.Time:
		o.time = 1
	case markup.Html:
		o.out.Lang = markup.Attr(raw, "lang")
	case markup.Title:
		if o.out.Title == "" {
			o.out.Title = o.rawText(end)
		}
	case markup.H1, markup.H2, markup.H3, markup.H4, markup.H5, markup.H6:
		o.level, o.from = 1+int(e-markup.H1), end
		for o.head >= 0 && int(o.out.Heads[o.head].Level) >= o.level {
			o.head = o.out.Heads[o.head].Parent // a heading stands beside its like
		}
	}
	if o.d.kind[i]&flagShut != 0 || len(o.stack) >= maxOpen {
		return
	}
	el := open{TagID: o.d.TagID(i)}
	if el.menu, el.nav = o.isMenu(e, raw); el.menu {
		o.menus++
	}
	if el.nav {
		o.navs++
	}
	if e == markup.Main || e == markup.Article {
		o.inner++
		o.tail = 0
	}
	o.stack = append(o.stack, el)
}

// isMenu tells furniture by what HTML and ARIA call it, never by class names,
// which are words of some language; nav is the head of a site and what leads elsewhere.
func (o *outliner) isMenu(e markup.Element, raw []byte) (menu, nav bool) {
	switch e {
	case markup.Nav, markup.Menu:
		return true, true
	case markup.Aside, markup.Select, markup.Button:
		return true, false
	case markup.Header:
		return o.inner == 0, o.inner == 0
	case markup.Footer:
		return o.inner == 0, false
	}
	if bytes.Contains(raw, []byte("role")) {
		switch strings.ToLower(markup.Attr(raw, "role")) {
		case "navigation", "menu", "menubar", "toolbar", "tablist", "banner":
			return true, true
		case "contentinfo", "complementary", "search":
			return true, false
		}
	}
	return false, false
}

// inPlain reports whether the words that follow stand in a paragraph or a cell of
// a table or list of definitions.
func (o *outliner) inPlain() bool {
	for n := len(o.stack) - 1; n >= max(0, len(o.stack)-plainDepth); n-- {
		switch o.stack[n].element {
		case markup.P, markup.Td, markup.Dt, markup.Dd, markup.Figcaption, markup.Summary:
			return true
		case markup.Li, markup.Ul, markup.Ol, markup.Div, markup.Section, markup.Body:
			return false
		}
	}
	return false
}

// inRow says whether the words that follow stand in a row, an item or a quotation.
func (o *outliner) inRow() (at PlaceFlags) {
	for n := len(o.stack) - 1; n >= max(0, len(o.stack)-plainDepth); n-- {
		switch o.stack[n].element {
		case markup.Blockquote:
			at |= InQuote
		case markup.Li:
			return at | InRow | InItem
		case markup.Td, markup.Th, markup.Tr, markup.Dd, markup.Dt:
			return at | InRow
		}
	}
	return at
}

// plainDepth is how many elements of phrasing (a, span, b) may stand between a
// paragraph and its words.
const plainDepth = 8

func (o *outliner) close(name TagID, i int32) {
	switch name.element {
	case markup.A:
		o.link = 0
	case markup.Time:
		o.time = 0
	case markup.Form:
		o.endForm()
	case markup.H1, markup.H2, markup.H3, markup.H4, markup.H5, markup.H6:
		if o.level > 0 {
			o.heading(i)
		}
	}
	for n := len(o.stack) - 1; n >= 0 && n >= len(o.stack)-64; n-- {
		if o.stack[n].TagID != name {
			continue
		}
		for _, e := range o.stack[n:] {
			if e.menu {
				o.menus--
			}
			if e.nav {
				o.navs--
			}
			if e.element == markup.Main || e.element == markup.Article {
				o.inner--
			}
			if e.element == markup.Main {
				o.tail = InMenu
			}
		}
		o.stack = o.stack[:n]
		return
	}
}

// heading ends the heading that began at o.from. Its own words belong to the
// section above it: a changed heading is shown under its parent.
func (o *outliner) heading(end int32) {
	for t := o.from; t < end; t = o.d.Next(t) {
		if k := o.d.Is(t); k == Word || k == Sign {
			o.out.Heads = append(o.out.Heads, Heading{o.from, end, o.head, int8(o.level)})
			o.head = int32(len(o.out.Heads) - 1)
			break
		}
	}
	o.level = 0
}

func (o *outliner) rawText(i int32) string {
	var b []byte
	for ; i < o.d.End() && o.d.Is(i) != Tag && len(b) < 1000; i = o.d.Next(i) {
		b = markup.AppendDecoded(b, o.d.At(i))
	}
	return strings.Join(strings.Fields(string(b)), " ")
}
