package prose

import (
	"net/url"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/atom"

	"diurna/reader/plain"
)

// The bytes kept of the text of a link, and of what a picture shows.
const (
	maxLabel = 300
	maxAlt   = 4096
)

// openLink is the link that is open; there is at most one.
type openLink struct {
	n     int    // its number, 0 for none
	text  []byte // what stands in it, as it was found
	fresh bool   // the number is new
	shown bool   // the number is written
}

// enterLink opens a link. Places on the same page and addresses that cannot be
// opened are plain text.
func (b *builder) enterLink(href string, el *element) {
	n, fresh := b.target(href)
	if n == 0 {
		return
	}
	el.link = n
	el.style |= Link
	b.link = openLink{n: n, fresh: fresh, text: b.link.text[:0]}
}

// target gives the number of an address, and whether it is new.
func (b *builder) target(href string) (n int, fresh bool) {
	href = strings.TrimSpace(href)
	if href == "" || href[0] == '#' {
		return 0, false
	}
	u, err := url.Parse(href)
	if err != nil {
		return 0, false
	}
	if b.base != nil {
		u = b.base.ResolveReference(u)
	}
	addr, ok := plain.URL(u.String())
	if !ok {
		return 0, false // javascript:, data: and whatever else is not safe to open
	}
	if n := b.seen[addr]; n > 0 {
		return n, false
	}
	b.page.Links = append(b.page.Links, Target{URL: addr, Line: -1})
	n = len(b.page.Links)
	b.seen[addr] = n
	return n, true
}

// number writes the number of the open link, once there is text in it.
func (b *builder) number() {
	l := &b.link
	if l.n == 0 || l.shown || len(b.para.buf) == 0 {
		return
	}
	label := b.cells.inline(string(l.text))
	if strings.TrimSpace(label) == "" {
		return
	}
	if t := &b.page.Links[l.n-1]; t.Text == "" {
		t.Text = plain.Line(label, maxLabel)
	}
	space := b.para.space
	b.para.space = false
	b.para.add("["+strconv.Itoa(l.n)+"]", b.top().style|Link, l.n)
	b.para.space = space
	l.shown = true
}

// endLink closes the open link. A new one without any text is forgotten.
func (b *builder) endLink() {
	b.number()
	if l := b.link; l.n > 0 && l.fresh && !l.shown && l.n == len(b.page.Links) {
		delete(b.seen, b.page.Links[l.n-1].URL)
		b.page.Links = b.page.Links[:l.n-1]
	}
	b.link = openLink{text: b.link.text[:0]}
}

// void lays out an element without content.
func (b *builder) void(t *token) {
	if t.tag == atom.Source || t.tag == atom.Embed {
		b.source(t)
	}
	if b.hidden > 0 {
		return
	}
	switch t.tag {
	case atom.Br:
		b.para.newline(b.top().style)
	case atom.Wbr:
		b.para.add(breakHere, b.top().style, b.top().link)
	case atom.Hr:
		b.breakBlock(true)
		b.rtl = false
		b.line([]Span{{Text: strings.Repeat(b.marks.rule, b.room()), Style: Dim}})
		b.gap = true
	case atom.Img, atom.Image:
		b.image(t)
	case atom.Embed:
		b.embedded("embedded", t.attrs)
	}
}

// source gives the video, audio or object it stands in an address.
func (b *builder) source(t *token) {
	if n := len(b.open); n > 0 && b.open[n-1].waits && b.hidden == 1 && t.attrs != nil && t.attrs.src != "" {
		b.open[n-1].waits = false
		b.embedded(kindOf(b.open[n-1].tag), t.attrs)
	}
}

// kindOf names what is embedded.
func kindOf(tag atom.Atom) string {
	switch tag {
	case atom.Video, atom.Audio:
		return tag.String()
	}
	return "embedded"
}

// embed lays out what a terminal cannot show as a numbered link.
func (b *builder) embed(t *token, el *element) {
	if t.attrs == nil || t.attrs.src == "" {
		el.waits = t.tag != atom.Iframe
		return
	}
	b.embedded(kindOf(t.tag), t.attrs)
}

// embedded writes one such link on a line of its own: [video: title][3].
func (b *builder) embedded(kind string, a *attrs) {
	if a == nil {
		return
	}
	n, _ := b.target(a.src)
	if n == 0 {
		return
	}
	label := kind
	if t := plain.Line(a.title, maxLabel); t != "" {
		label += ": " + b.cells.inline(t)
	}
	if t := &b.page.Links[n-1]; t.Text == "" {
		t.Text = label
	}
	style := b.top().style
	b.para.freshLine(style)
	b.para.add("["+label+"]["+strconv.Itoa(n)+"]", style|Link, n)
	b.para.freshLine(style)
}

// image writes the alternative text of a picture and its number, which leads to
// the picture as that of a link does. Counting pixels are left out; a picture
// that stands for a sign (an emoji) is the sign itself.
func (b *builder) image(t *token) {
	a := t.attrs
	if a == nil || a.hidden || tiny(a.width) || tiny(a.height) {
		return
	}
	alt := plain.Line(a.alt, maxAlt)
	if alt != "" && utf8.RuneCountInString(alt) <= 2 && alt[0] >= utf8.RuneSelf {
		b.text(alt)
		return
	}
	if alt == "" {
		alt = plain.Line(a.title, maxAlt)
	}
	label := "image"
	if alt != "" {
		label = "image: " + b.cells.inline(alt)
	}
	n := b.picture(a)
	el := b.top()
	if el.link > 0 {
		b.link.text = append(b.link.text, "["+label+"]"...)
	}
	b.page.Images++
	if k := len(b.para.buf); k > 0 && b.para.buf[k-1] == ']' {
		b.para.space = true // two pictures side by side
	}
	if n == 0 {
		b.para.add("["+label+"]", el.style|Image, el.link)
		return
	}
	if t := &b.page.Links[n-1]; t.Text == "" {
		t.Text = label
	}
	b.para.add("["+label+"]", el.style&^Link|Image, n)
	b.para.add("["+strconv.Itoa(n)+"]", el.style&^Link|Image, n)
}

// picture gives a picture the number of its address: 0 where it has none that
// can be opened, and where the link around it leads to a picture already.
func (b *builder) picture(a *attrs) int {
	around := b.top().link
	if around > 0 && isPicture(b.page.Links[around-1].URL) {
		return 0
	}
	fresh := around > 0 && b.link.fresh && around == len(b.page.Links) && strings.TrimSpace(string(b.link.text)) == ""
	n, added := b.target(a.src)
	for _, other := range []string{a.lazy, firstOf(a.srcset)} {
		if n == 0 && other != "" {
			n, added = b.target(other)
		}
	}
	if !fresh || !added {
		return n
	}
	// The picture is the first thing in a new link: its number comes first.
	l := b.page.Links
	l[around-1], l[n-1] = l[n-1], l[around-1]
	b.seen[l[around-1].URL], b.seen[l[n-1].URL] = around, n
	for i := range b.open {
		if b.open[i].link == around {
			b.open[i].link = n
		}
	}
	b.link.n = n
	return around
}

// isPicture reports whether an address is that of a picture, as far as its path
// says.
func isPicture(addr string) bool {
	addr, _, _ = strings.Cut(addr, "?")
	addr, _, _ = strings.Cut(addr, "#")
	switch strings.ToLower(path.Ext(addr)) {
	case ".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".svg", ".bmp", ".tif", ".tiff":
		return true
	}
	return false
}

// firstOf gives the first address of a srcset.
func firstOf(srcset string) string {
	for _, f := range strings.Fields(srcset) {
		return strings.TrimSuffix(f, ",")
	}
	return ""
}

// tiny reports whether a picture of this width or height is there to count
// its readers.
func tiny(n string) bool {
	n = strings.TrimSuffix(strings.TrimSpace(n), "px")
	return n == "0" || n == "1"
}
