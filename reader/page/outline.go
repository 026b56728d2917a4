package page

import (
	"bytes"
	"strings"

	"diurna/reader/markup"
)

// outline says of every block of a document where it stands.
type outline struct {
	heads []heading
	at    []place // by block
	lang  string  // of the root element
	title string
	paths map[int32][]string // by heading, made when asked for
}

// heading is a heading of the page; parent is the one it stands under, or -1.
type heading struct {
	from, to int32 // its bytes
	parent   int32
	level    int8
}

func (h heading) text(d *document) string { return d.text(h.from, h.to) }

type placeFlags uint8

const (
	inMenu placeFlags = 1 << iota // in an element that holds navigation or furniture
	inTime                        // all its words stand in time elements
	inLink                        // all its words stand in links
	inText                        // in main, an article, a heading, a paragraph or a cell: no furniture by its place alone
	inHead                        // it is a heading
	inRow                         // in a row of a table, an item of a list or a definition
	inNav                         // beside inMenu: the head of a site and what leads elsewhere: only a state is a fact there
)

type place struct {
	head  int32
	flags placeFlags
}

// maxOpen bounds the stack of open elements; deeper ones are not told apart.
const maxOpen = 512

// open is an element on the stack.
type open struct {
	tagID
	menu bool
	nav  bool
}

// outliner walks the tokens of a document once.
type outliner struct {
	d     *document
	out   outline
	stack []open
	menus int
	navs  int
	link  int
	time  int
	inner int // open main and article elements: a header there is content
	head  int32
	level int // of the heading being read, 0 outside
	from  int32

	block int // the block being read
	form  formSize
}

// outlineOf reads the headings, menus, links and times of a document.
func outlineOf(d *document) outline {
	o := &outliner{d: d, head: -1}
	o.out.at, o.out.paths = make([]place, len(d.blocks)), map[int32][]string{}
	block := 0
	words, linked, timed := 0, 0, 0
	for i := int32(0); ; i = d.next(i) {
		for block < len(d.blocks) && i >= d.blocks[block].t1 {
			p := &o.out.at[block]
			if words > 0 && linked == words {
				p.flags |= inLink
			}
			if words > 0 && timed == words {
				p.flags |= inTime
			}
			block++
			words, linked, timed = 0, 0, 0
		}
		if i == d.end() {
			break
		}
		switch d.is(i) {
		case aTag:
			o.block = block
			o.tag(i)
		case aWord:
			o.form.words++
			if words == 0 && block < len(d.blocks) {
				o.out.at[block].head = o.head
				if o.menus > 0 {
					o.out.at[block].flags |= inMenu
				}
				if o.navs > 0 {
					o.out.at[block].flags |= inNav
				}
				if o.inner > 0 || o.level > 0 || o.inPlain() {
					o.out.at[block].flags |= inText
				}
				if o.level > 0 {
					o.out.at[block].flags |= inHead
				}
				if o.inRow() {
					o.out.at[block].flags |= inRow
				}
			}
			words++
			if o.link > 0 {
				linked++
			}
			if o.time > 0 {
				timed++
			}
		}
	}
	o.furniture()
	return o.out
}

// The measure of furniture: a page of prose has at least proseBlocks blocks of
// proseWords words; links of at most menuWords words before the first or after
// the last of them lead elsewhere.
const (
	proseBlocks = 5
	proseWords  = 12
	menuWords   = 5
)

// furniture marks the lists of links around the prose of a page as menus where
// the page does not say so itself. What the page marks up as text is spared, and
// numbers are: "version 1.3" at the end of a page may be what it is watched for.
func (o *outliner) furniture() {
	first, last, n := -1, -1, 0
	for i, b := range o.d.blocks {
		if b.words() >= proseWords && o.out.at[i].flags&(inMenu|inLink) == 0 {
			if first < 0 {
				first = i
			}
			last, n = i, n+1
		}
	}
	if n < proseBlocks {
		return
	}
	for i, b := range o.d.blocks {
		if (i < first || i > last) && b.words() <= menuWords && o.out.at[i].flags&(inLink|inText) == inLink &&
			!hasDigit(o.d.textOf(i)) {
			o.out.at[i].flags |= inMenu | inNav
		}
	}
}

func (o *outliner) tag(i int32) {
	raw := o.d.at(i)
	e, closing := o.d.element(i)
	if closing {
		o.close(o.d.tagID(i), i)
		return
	}
	o.form.tag(e, raw, o.block)
	switch e {
	case markup.A:
		o.link = 1 // links do not nest
	case markup.Time:
		o.time = 1
	case markup.Html:
		o.out.lang = attr(raw, "lang")
	case markup.Title:
		if o.out.title == "" {
			o.out.title = o.rawText(o.d.next(i))
		}
	case markup.H1, markup.H2, markup.H3, markup.H4, markup.H5, markup.H6:
		o.level, o.from = 1+int(e-markup.H1), o.d.next(i)
		for o.head >= 0 && int(o.out.heads[o.head].level) >= o.level {
			o.head = o.out.heads[o.head].parent // a heading stands beside its like
		}
	}
	if o.d.kind[i]&flagShut != 0 || len(o.stack) >= maxOpen {
		return
	}
	el := open{tagID: o.d.tagID(i)}
	if el.menu, el.nav = o.isMenu(e, raw); el.menu {
		o.menus++
	}
	if el.nav {
		o.navs++
	}
	if e == markup.Main || e == markup.Article {
		o.inner++
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
		switch strings.ToLower(attr(raw, "role")) {
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

// inRow reports whether the words that follow stand in a row or an item.
func (o *outliner) inRow() bool {
	for n := len(o.stack) - 1; n >= max(0, len(o.stack)-plainDepth); n-- {
		switch o.stack[n].element {
		case markup.Td, markup.Th, markup.Tr, markup.Li, markup.Dd, markup.Dt:
			return true
		}
	}
	return false
}

// plainDepth is how many elements of phrasing (a, span, b) may stand between a
// paragraph and its words.
const plainDepth = 8

func (o *outliner) close(name tagID, i int32) {
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
		if o.stack[n].tagID != name {
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
		}
		o.stack = o.stack[:n]
		return
	}
}

// heading ends the heading that began at o.from. Its own words belong to the
// section above it: a changed heading is shown under its parent.
func (o *outliner) heading(end int32) {
	for t := o.from; t < end; t = o.d.next(t) {
		if k := o.d.is(t); k == aWord || k == aSign {
			o.out.heads = append(o.out.heads, heading{o.from, end, o.head, int8(o.level)})
			o.head = int32(len(o.out.heads) - 1)
			break
		}
	}
	o.level = 0
}

func (o *outliner) rawText(i int32) string {
	var b []byte
	for ; i < o.d.end() && o.d.is(i) != aTag && len(b) < 1000; i = o.d.next(i) {
		b = decodeRefs(b, o.d.at(i))
	}
	return strings.Join(strings.Fields(string(b)), " ")
}

// attr returns the value of an attribute in the raw bytes of a tag, resolved
// and trimmed, "" if it has none.
func attr(raw []byte, name string) string {
	for i := nameEnd(raw); i < len(raw); {
		var key, value []byte
		key, value, i = nextAttr(raw, i)
		if equalFold(key, name) {
			return attrText(value)
		}
	}
	return ""
}

// nameEnd is where the name in the raw bytes of a tag ends.
func nameEnd(raw []byte) int {
	i := 1
	for i < len(raw) && !isSpaceByte(raw[i]) {
		i++
	}
	return i
}

// equalFold compares the name of an attribute with one in lower case.
func equalFold(key []byte, name string) bool {
	return len(key) == len(name) && strings.EqualFold(string(key), name)
}

// attrText is an attribute's value as it reads, trimmed.
func attrText(value []byte) string {
	if bytes.IndexByte(value, '&') < 0 {
		return string(bytes.TrimSpace(value))
	}
	return strings.TrimSpace(string(decodeRefs(nil, value)))
}

// nextAttr reads one attribute from raw[i:] and returns where the next begins.
// It moves at least one byte.
func nextAttr(raw []byte, i int) (key, value []byte, next int) {
	for i < len(raw) && (isSpaceByte(raw[i]) || raw[i] == '/') {
		i++
	}
	from := i
	for i < len(raw) && !isSpaceByte(raw[i]) && raw[i] != '=' && raw[i] != '>' && raw[i] != '/' {
		i++
	}
	key = raw[from:i]
	for i < len(raw) && isSpaceByte(raw[i]) {
		i++
	}
	if i < len(raw) && raw[i] == '=' {
		value, i = attrValue(raw, i+1)
	} else if i == from {
		i++
	}
	return key, value, i
}

func lower(b []byte) string { return strings.ToLower(string(b)) }

func attrValue(raw []byte, i int) ([]byte, int) {
	for i < len(raw) && isSpaceByte(raw[i]) {
		i++
	}
	if i >= len(raw) {
		return nil, i
	}
	if q := raw[i]; q == '"' || q == '\'' {
		end := bytes.IndexByte(raw[i+1:], q)
		if end < 0 {
			return raw[i+1:], len(raw)
		}
		return raw[i+1 : i+1+end], i + end + 2
	}
	from := i
	for i < len(raw) && !isSpaceByte(raw[i]) && raw[i] != '>' {
		i++
	}
	return raw[from:i], i
}

func isSpaceByte(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

// text returns the words, signs and spaces of tokens [from, to) as people see
// them: references resolved, white space collapsed, cells two spaces apart.
func (d *document) text(from, to int32) string {
	b := make([]byte, 0, to-from)
	for i := from; i < to; i = d.next(i) {
		b = d.appendText(b, i)
	}
	return string(bytes.TrimSpace(b))
}

// appendText appends one token as text.
func (d *document) appendText(b []byte, i int32) []byte {
	switch d.is(i) {
	case aWord, aSign:
		raw := d.at(i)
		if bytes.IndexByte(raw, '&') >= 0 {
			return decodeRefs(b, raw)
		}
		return append(b, raw...)
	case aSpace:
		if n := len(b); n == 0 || b[n-1] != ' ' {
			return append(b, ' ')
		}
	case aTag:
		if d.kind[i]&flagCell != 0 && len(bytes.TrimSpace(b)) > 0 {
			return append(bytes.TrimRight(b, " "), "  "...)
		}
		if d.kind[i]&flagBlock != 0 && len(b) > 0 && b[len(b)-1] != ' ' {
			return append(b, ' ')
		}
	}
	return b
}
