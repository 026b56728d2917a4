package feed

import (
	"bytes"
)

// An xmlMender writes a well-formed document anew so that gofeed reads it without a
// loss. Names bear the usual prefix of their namespace; what nobody asks for stays
// away; text in which elements or comments stand is escaped; and an element that
// gofeed has no place for goes into a namespace of our own, which gofeed hands
// through: a second title, one with a base of its own, one whose place among others
// matters.
type xmlMender struct {
	p         *parser
	s         scanner
	out       []byte
	open      [][]byte // names of the containers that are open
	scopes    []scope
	bases     []string
	used      map[string]bool // prefixes that were written
	atom      bool
	items     int
	long      []element // texts that a number stands for
	feed      place
	inChannel scope
	tags      int
}

// place is a feed or an item while its elements are written.
type place struct {
	base  string
	about string
	seen  []string       // keys that stand where gofeed has one place for them
	first [groups]string // the key of each group that came first
	notes []string       // attributes that gofeed's own places have none for: name, value, ...
	item  bool
}

// Limits of what is given to gofeed: its XML parser copies every namespace that is
// in force for each element, and keeps every element.
const (
	maxGofeedTags = 100_000
	maxGofeedOpen = 48 // of elements in one another
	maxGofeedText = 512
)

// longMark stands before the number of an item's text that is longer than
// maxGofeedText bytes. gofeed is given that in its place: its XML parser takes each
// byte into its hands four times, which for the texts alone costs more than all else
// that a fetch does. It is a character that means nothing.
const longMark = "\ufdd0"

// keptSpace is the namespace of what gofeed has no place for.
const keptSpace = "urn:diurna:kept"

// addresses are the namespaces that are written, by their prefixes.
var addresses = map[string]string{
	"content": "http://purl.org/rss/1.0/modules/content/", "dc": "http://purl.org/dc/elements/1.1/", "dcterms": "http://purl.org/dc/terms/",
	"media": "http://search.yahoo.com/mrss/", "itunes": "http://www.itunes.com/dtds/podcast-1.0.dtd", "xhtml": "http://www.w3.org/1999/xhtml",
	"sy": "http://purl.org/rss/1.0/modules/syndication/", "atom": "http://www.w3.org/2005/Atom", "kept": keptSpace,
}

// mend returns the document as gofeed is given it and the base of its items; ok is
// false where it is not well formed, too large, or of a shape that gofeed does not
// read.
func (p *parser) mend(b []byte, root tag, sc scope) (doc []byte, m *xmlMender, ok bool) {
	m = &xmlMender{p: p, s: scanner{b: b, pos: root.end}, atom: p.atom(), used: map[string]bool{}}
	if root.empty || forbidden(b) || bytes.Contains(b, []byte(longMark)) {
		return nil, nil, false
	}
	name := "rss"
	switch key := string(sc.key(p.buf[:], root.name)); key {
	case "atom:feed":
		name = "feed"
	case "rdf:rdf":
		name = "rdf:RDF"
	case "rss":
	default:
		return nil, nil, false
	}
	m.push(root, sc, p.rebase(p.base, root.attrs))
	m.out = make([]byte, 0, min(len(b)/8, 1<<20)+4096)
	if !m.document() {
		return nil, nil, false
	}
	if m.atom {
		m.endPlace(&m.feed)
	}
	head := []byte("<" + name)
	if m.atom {
		head = append(head, ` xmlns="http://www.w3.org/2005/Atom"`...)
	} else if name == "rss" {
		head = append(head, ` version="2.0"`...)
	} else {
		head = append(head, ` xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"`...)
	}
	for prefix := range m.used {
		head = append(head, ` xmlns:`+prefix+`="`+addresses[prefix]+`"`...)
	}
	head = append(head, '>')
	m.out = append(append(m.out, "</"...), name...)
	m.out = append(m.out, '>')
	return append(head, m.out...), m, !forbidden(m.out)
}

func (m *xmlMender) push(t tag, sc scope, base string) {
	m.open, m.scopes, m.bases = append(m.open, t.name), append(m.scopes, sc), append(m.bases, base)
}

// pop closes the container that is open, and reports whether the end tag is its own.
func (m *xmlMender) pop(t tag) bool {
	n := len(m.open) - 1
	if n < 0 || !bytes.Equal(t.name, m.open[n]) {
		return false
	}
	m.open, m.scopes, m.bases = m.open[:n], m.scopes[:n], m.bases[:n]
	return true
}

// document writes what stands in the root, up to its end.
func (m *xmlMender) document() bool {
	m.feed = place{base: m.bases[0]}
	channels := 0
	for {
		t, ok := m.next()
		if !ok {
			return false
		}
		if t.closing {
			if !m.pop(t) {
				return false
			}
			if len(m.open) == 0 {
				_, more := m.s.next()
				return !more && !m.s.recovered
			}
			// Beside the channel what it said holds on, as publishers mean it.
			m.scopes[0], m.bases[0] = m.inChannel, m.feed.base
			m.endPlace(&m.feed)
			m.out = append(m.out, "</channel>"...)
			continue
		}
		top := len(m.scopes) - 1
		sc := m.scopes[top].with(t.attrs)
		key := string(sc.key(m.p.buf[:], t.name))
		switch key {
		case "channel":
			if channels++; m.atom || channels > 1 || t.empty {
				return false
			}
			m.push(t, sc, m.p.rebase(m.bases[top], t.attrs))
			if m.bases[top+1] != m.feed.base && m.items > 0 {
				return false
			}
			m.feed.base, m.inChannel = m.bases[top+1], sc
			m.out = append(m.out, "<channel>"...)
			continue
		case "rss", "atom:feed", "feed", "rdf:rdf", "entry", "rdf:item", "?:item", "?:entry", "atom:item":
			return false
		case "item", "atom:entry":
			if m.atom != (key != "item") || !m.item(t, sc) {
				return false
			}
			continue
		}
		e := element{key: key, scope: sc, attrs: t.attrs, base: m.p.rebase(m.bases[top], t.attrs)}
		if e.content, ok = m.inside(t); !ok {
			return false
		}
		if !m.atom && top == 0 && key != "image" {
			if feedGroupOf(key) != noGroup { // of what stands beside the channel gofeed keeps this alone
				return false
			}
			continue
		}
		if feedGroupOf(key) != noGroup && !m.field(&m.feed, e) {
			return false
		}
	}
}

// next is the next tag; ok is false where the document is not well formed or has
// too many.
func (m *xmlMender) next() (tag, bool) {
	t, ok := m.s.next()
	m.tags++
	return t, ok && !m.s.recovered && m.tags <= maxGofeedTags
}

// inside is the content of an element, which the next tags must end properly.
func (m *xmlMender) inside(t tag) ([]byte, bool) {
	if t.empty {
		return nil, true
	}
	from := m.s.pos
	var open [maxGofeedOpen][]byte
	open[0] = t.name
	depth := 1
	m.s.in = t.name
	defer func() { m.s.in = nil }()
	for {
		n, ok := m.next()
		switch {
		case !ok:
			return nil, false
		case n.closing:
			if depth--; !bytes.Equal(n.name, open[depth]) {
				return nil, false
			}
			if depth == 0 {
				return m.s.b[from:n.start], true
			}
		case isContainer(n.name), depth == len(open):
			return nil, false
		case n.empty:
		default:
			open[depth] = n.name
			depth++
		}
	}
}

// item writes an item.
func (m *xmlMender) item(t tag, sc scope) bool {
	if m.items++; t.empty || m.items > m.p.maxItems {
		return false
	}
	name := "item"
	if m.atom {
		name = "entry"
	}
	at := place{item: true, base: m.p.rebase(m.bases[len(m.bases)-1], t.attrs), about: m.p.attr(t.attrs, "rdf:about")}
	m.out = append(append(append(m.out, '<'), name...), '>')
	for {
		n, ok := m.next()
		if !ok {
			return false
		}
		if n.closing {
			if !bytes.Equal(n.name, t.name) {
				return false
			}
			break
		}
		if isContainer(n.name) {
			return false
		}
		e := element{scope: sc.with(n.attrs), attrs: n.attrs}
		if e.content, ok = m.inside(n); !ok {
			return false
		}
		e.key = string(e.scope.key(m.p.buf[:], n.name))
		e.base = m.p.rebase(at.base, n.attrs)
		if !m.itemField(&at, e) {
			return false
		}
	}
	m.endPlace(&at)
	m.out = append(append(append(m.out, "</"...), name...), '>')
	return true
}

// itemField writes an element of an item. Those that only hold others are left out
// around them.
func (m *xmlMender) itemField(at *place, e element) bool {
	switch e.key {
	case "media:group":
		return m.children(e, func(in element) bool { return in.key == "media:group" || m.itemField(at, in) })
	case "media:content":
		if !m.field(at, e) {
			return false
		}
		return m.children(e, func(in element) bool {
			return in.key != "media:title" && in.key != "media:description" || m.itemField(at, in)
		})
	case "itunes:category":
		if !m.field(at, e) {
			return false
		}
		return m.children(e, func(in element) bool { return in.key != "itunes:category" || m.itemField(at, in) })
	}
	if groupOf(e.key) == noGroup {
		return true
	}
	return m.field(at, e)
}

// children calls f with the elements in an element until it is false.
func (m *xmlMender) children(e element, f func(element) bool) bool {
	s := scanner{b: e.content}
	for {
		t, ok := s.next()
		if !ok {
			return true
		}
		if t.closing {
			continue
		}
		in := element{scope: e.scope.with(t.attrs), attrs: t.attrs, base: e.base}
		if m.p.rebase(e.base, t.attrs) != e.base {
			return false
		}
		in.key = string(in.scope.key(m.p.buf[:], t.name))
		in.content, _ = s.inner(t)
		if !f(in) {
			return false
		}
	}
}
