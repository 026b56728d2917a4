package fulltext

import (
	"bytes"
	"html"
	"strings"
	"unicode/utf8"

	"diurna/reader/markup"
)

// What the tree of a page may have. Its builder and the search for the article
// take time by nodes times depth, and copy open formatting into every block.
const (
	maxNodes  = 60_000
	maxMarkup = 2 << 20 // bytes of what is left of the page
	maxDepth  = 48      // open elements, but for those that end by themselves
	maxTag    = 4 << 10 // bytes of a start tag; a longer one loses its attributes
	maxMeta   = 600     // bytes of a <meta>
	maxPicked = 8 << 10 // bytes of a <noscript>
)

// trimmer copies a page without what no article has, bounded and well nested.
type trimmer struct {
	src, out []byte
	open     []element // open elements
	kept     int       // of them
	styled   int       // of them that format text
	dropped  int       // 1 + the index of the one that is left out with all in it, 0 for none
	left     int       // nodes that there may still be
	base     string    // what <base> says
	paywall  bool      // the page says that it has one
	consent  bool      // something that asks for consent was left out
}

type element struct {
	name []byte
	e    markup.Element
	kept bool
}

// trim prepares a page for the search of its article.
func trim(src []byte) *trimmer {
	t := &trimmer{src: src, out: make([]byte, 0, len(src)/2+64), left: maxNodes}
	s := markup.Scan(src)
	for t.left > 0 && len(t.out) < maxMarkup && s.Next() {
		switch s.Kind {
		case markup.Open:
			t.start(&s)
		case markup.Close:
			t.end(&s)
		case markup.Text:
			t.text(&s)
		}
	}
	for len(t.open) > 0 {
		t.pop()
	}
	return t
}

// spend counts a node and those that the builder puts around it.
func (t *trimmer) spend() { t.left -= 1 + t.styled }

func (t *trimmer) text(s *markup.Scanner) {
	if t.dropped > 0 {
		return
	}
	t.spend()
	t.out = append(t.out, t.src[s.From:s.To]...)
}

func (t *trimmer) start(s *markup.Scanner) {
	tag := t.src[s.From:s.To]
	switch s.Element {
	case markup.Script, markup.Style, markup.Textarea, markup.Iframe, markup.Xmp, markup.Noembed, markup.Noframes, markup.Plaintext,
		markup.Noscript, markup.Title:
		t.raw(s)
		return
	case markup.Base:
		if t.base == "" {
			t.base = markup.Attr(tag, "href")
		}
		return
	case markup.Meta:
		t.meta(tag)
		return
	}
	if t.dropped > 0 && !nests(s.Element) {
		return
	}
	name := nameOf(tag, 1)
	if strings.EqualFold(string(name), "nobr") { // formatting, too, and of no use
		return
	}
	el := element{name: name, e: s.Element}
	drop := false
	if len(tag) > maxTag {
		tag = append(append([]byte{'<'}, name...), '>')
	} else if t.dropped == 0 {
		drop = t.unwanted(s.Element, tag)
	}
	if !nests(s.Element) {
		t.spend()
		if s.Element == markup.Img {
			tag = awake(tag)
		}
		t.out = append(t.out, tag...)
		return
	}
	el.kept = t.dropped == 0 && !drop && t.kept < maxDepth
	if len(t.open) >= 64*maxDepth { // what is never closed need not be known
		return
	}
	t.open = append(t.open, el)
	if drop {
		t.dropped = len(t.open)
	}
	if el.kept {
		t.kept++
		t.spend()
		t.out = append(t.out, tag...)
		if formats[el.e] {
			t.styled++
		}
	}
}

// raw deals with an element whose content is no markup.
func (t *trimmer) raw(s *markup.Scanner) {
	from, e := s.From, s.Element
	tag := t.src[s.From:s.To]
	if !s.Next() {
		return
	}
	content := []byte(nil)
	if s.Kind == markup.Text {
		content = t.src[s.From:s.To]
		s.Next()
	}
	if s.Kind != markup.Close || s.Element != e {
		s.Skip(s.From) // not its end: empty, or cut off
	}
	switch {
	case e == markup.Script:
		t.paywall = t.paywall || bytes.Contains(tag, []byte("ld+json")) && notFree(content)
	case t.dropped > 0:
	case e == markup.Noscript && onePicture(content):
		t.spend()
		t.out = append(t.out, t.src[from:s.To]...)
	case e == markup.Title:
		t.spend()
		t.out = append(append(append(t.out, "<title>"...), cutBytes(content, maxTitle)...), "</title>"...)
	}
}

// onePicture reports whether there is nothing but a picture: one for readers
// without scripts.
func onePicture(b []byte) bool {
	b = bytes.TrimSpace(b)
	return len(b) <= maxTag && len(b) > 4 && strings.EqualFold(string(b[:4]), "<img") && bytes.IndexByte(b[1:], '<') < 0 && b[len(b)-1] == '>'
}

func cutBytes(b []byte, n int) []byte {
	if len(b) <= n {
		return b
	}
	for n > 0 && !utf8.RuneStart(b[n]) {
		n--
	}
	return b[:n]
}

// awake is the tag of a picture with the address that a script would give it.
func awake(tag []byte) []byte {
	for _, name := range []string{"data-src", "data-original", "data-lazy-src"} {
		if src := markup.Attr(tag, name); src != "" {
			// Of two attributes of a name the first counts.
			return append([]byte(`<img src="`+html.EscapeString(src)+`" `), tag[len("<img"):]...)
		}
	}
	return tag
}

// meta keeps short ones, which name title and author; one may say that the page
// must be paid.
func (t *trimmer) meta(tag []byte) {
	if len(tag) > maxMeta || t.dropped > 0 {
		return
	}
	if strings.EqualFold(markup.Attr(tag, "property"), "article:content_tier") {
		t.paywall = t.paywall || strings.EqualFold(markup.Attr(tag, "content"), "locked")
	}
	t.spend()
	t.out = append(t.out, tag...)
}

func (t *trimmer) end(s *markup.Scanner) {
	tag := t.src[s.From:s.To]
	if !nests(s.Element) {
		if t.dropped == 0 {
			t.spend()
			t.out = append(append(append(t.out, "</"...), nameOf(tag, 2)...), '>')
		}
		return
	}
	name := nameOf(tag, 2)
	for i := len(t.open) - 1; i >= max(0, len(t.open)-maxDepth); i-- {
		if bytes.EqualFold(t.open[i].name, name) {
			for len(t.open) > i {
				t.pop()
			}
			return
		}
	}
}

// pop closes the innermost open element.
func (t *trimmer) pop() {
	el := t.open[len(t.open)-1]
	if t.dropped == len(t.open) {
		t.dropped = 0
	}
	t.open = t.open[:len(t.open)-1]
	if el.kept {
		t.kept--
		if formats[el.e] {
			t.styled--
		}
		t.out = append(append(append(t.out, "</"...), el.name...), '>')
	}
}

// nameOf is the name in a tag from i on.
func nameOf(tag []byte, i int) []byte {
	to := i
	for to < len(tag) && !bytes.ContainsRune([]byte(" \t\r\n\f/>"), rune(tag[to])) {
		to++
	}
	return tag[i:to]
}

// nests says whether an element stands open until its end tag: it is neither
// empty nor one that ends where the next of its kind begins.
func nests(e markup.Element) bool { return !single[e] }

var single = set(markup.Area, markup.Base, markup.Br, markup.Col, markup.Embed, markup.Hr, markup.Img, markup.Input, markup.Link, markup.Meta,
	markup.Param, markup.Source, markup.Track, markup.Wbr, markup.Html, markup.Head, markup.Body, markup.P, markup.Li, markup.Dt, markup.Dd,
	markup.Tr, markup.Td, markup.Th, markup.Thead, markup.Tbody, markup.Tfoot, markup.Option, markup.Optgroup)

// formats are the elements that a builder of trees opens again in every block
// until they are closed.
var formats = set(markup.A, markup.B, markup.Big, markup.Code, markup.Em, markup.Font, markup.I, markup.S, markup.Small, markup.Strike,
	markup.Strong, markup.Tt, markup.U)

func set(list ...markup.Element) (m [256]bool) {
	for _, e := range list {
		m[e] = true
	}
	return m
}
