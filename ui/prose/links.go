package prose

import (
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/atom"

	"diurna/reader/plain"
)

// maxLabel bounds the bytes kept of the text of a link or a picture.
const maxLabel = 300

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
	label := inline(string(l.text))
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
		b.line([]Span{{Text: strings.Repeat("─", b.room()), Style: Dim}})
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

// embedded writes one such link: [video: title][3].
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
		label += ": " + t
	}
	if t := &b.page.Links[n-1]; t.Text == "" {
		t.Text = label
	}
	style := b.top().style | Link
	b.para.add("["+label+"]", style, n)
	b.para.add("["+strconv.Itoa(n)+"]", style, n)
}

// image writes the alternative text of a picture. Counting pixels are left
// out; a picture that stands for a sign (an emoji) is the sign itself.
func (b *builder) image(t *token) {
	a := t.attrs
	if a == nil || a.hidden || tiny(a.width) || tiny(a.height) {
		return
	}
	alt := plain.Line(a.alt, maxLabel)
	el := b.top()
	if alt != "" && utf8.RuneCountInString(alt) <= 2 && alt[0] >= utf8.RuneSelf {
		b.text(alt)
		return
	}
	if alt == "" {
		alt = plain.Line(a.title, maxLabel)
	}
	label := "[image]"
	if alt != "" {
		label = "[image: " + inline(alt) + "]"
	}
	if el.link > 0 {
		b.link.text = append(b.link.text, label...)
	}
	b.page.Images++
	b.para.add(label, el.style|Image, el.link)
}

// tiny reports whether a picture of this width or height is there to count
// its readers.
func tiny(n string) bool {
	n = strings.TrimSuffix(strings.TrimSpace(n), "px")
	return n == "0" || n == "1"
}
