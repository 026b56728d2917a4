package feed

import (
	"bytes"

	"diurna/reader/feed/xmlscan"
)

// An xmlMender rewrites a well-formed document so that gofeed reads it without a
// loss. Names bear the usual prefix of their namespace; what nobody asks for stays
// away; text in which elements or comments stand is escaped; and an element that
// gofeed has no place for goes into a namespace of our own, which gofeed hands
// through: a second title, one with a base of its own, one whose place among others
// matters.
type xmlMender struct {
	p         *parser
	s         xmlscan.Scanner
	out       []byte
	open      [][]byte // names of the containers that are open
	scopes    []xmlscan.Scope
	bases     []string
	used      map[string]bool // prefixes that were written
	atom      bool
	items     int
	long      []element // texts that a number stands for
	feed      place
	inChannel xmlscan.Scope
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
func (p *parser) mend(b []byte, root xmlscan.Tag, sc xmlscan.Scope) (doc []byte, m *xmlMender, ok bool) {
	m = &xmlMender{p: p, s: xmlscan.Scanner{B: b, Pos: root.End}, atom: p.atom(), used: map[string]bool{}}
	if root.Empty || forbidden(b) || bytes.Contains(b, []byte(longMark)) {
		return nil, nil, false
	}
	name := "rss"
	switch key := string(sc.Key(p.buf[:], root.Name)); key {
	case "atom:feed":
		name = "feed"
	case "rdf:rdf":
		name = "rdf:RDF"
	case "rss":
	default:
		return nil, nil, false
	}
	m.push(root, sc, p.Rebase(p.base, root.Attrs))
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

func (m *xmlMender) push(t xmlscan.Tag, sc xmlscan.Scope, base string) {
	m.open, m.scopes, m.bases = append(m.open, t.Name), append(m.scopes, sc), append(m.bases, base)
}

// pop closes the container that is open, and reports whether the end tag is its own.
func (m *xmlMender) pop(t xmlscan.Tag) bool {
	n := len(m.open) - 1
	if n < 0 || !bytes.Equal(t.Name, m.open[n]) {
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
		if t.Closing {
			if !m.pop(t) {
				return false
			}
			if len(m.open) == 0 {
				_, more := m.s.Next()
				return !more && !m.s.Recovered
			}
			// Beside the channel what it said holds on, as publishers mean it.
			m.scopes[0], m.bases[0] = m.inChannel, m.feed.base
			m.endPlace(&m.feed)
			m.out = append(m.out, "</channel>"...)
			continue
		}
		top := len(m.scopes) - 1
		sc := m.scopes[top].With(t.Attrs)
		key := string(sc.Key(m.p.buf[:], t.Name))
		switch key {
		case "channel":
			if channels++; m.atom || channels > 1 || t.Empty {
				return false
			}
			m.push(t, sc, m.p.Rebase(m.bases[top], t.Attrs))
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
		e := element{key: key, scope: sc, attrs: t.Attrs, base: m.p.Rebase(m.bases[top], t.Attrs)}
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
func (m *xmlMender) next() (xmlscan.Tag, bool) {
	t, ok := m.s.Next()
	m.tags++
	return t, ok && !m.s.Recovered && m.tags <= maxGofeedTags
}

// inside is the content of an element, which the next tags must end properly.
func (m *xmlMender) inside(t xmlscan.Tag) ([]byte, bool) {
	if t.Empty {
		return nil, true
	}
	from := m.s.Pos
	var open [maxGofeedOpen][]byte
	open[0] = t.Name
	depth := 1
	m.s.In = t.Name
	defer func() { m.s.In = nil }()
	for {
		n, ok := m.next()
		switch {
		case !ok:
			return nil, false
		case n.Closing:
			if depth--; !bytes.Equal(n.Name, open[depth]) {
				return nil, false
			}
			if depth == 0 {
				return m.s.B[from:n.Start], true
			}
		case xmlscan.IsContainer(n.Name), depth == len(open):
			return nil, false
		case n.Empty:
		default:
			open[depth] = n.Name
			depth++
		}
	}
}

// item writes an item.
func (m *xmlMender) item(t xmlscan.Tag, sc xmlscan.Scope) bool {
	if m.items++; t.Empty || m.items > m.p.maxItems {
		return false
	}
	name := "item"
	if m.atom {
		name = "entry"
	}
	at := place{item: true, base: m.p.Rebase(m.bases[len(m.bases)-1], t.Attrs), about: m.p.Attr(t.Attrs, "rdf:about")}
	m.out = append(append(append(m.out, '<'), name...), '>')
	for {
		n, ok := m.next()
		if !ok {
			return false
		}
		if n.Closing {
			if !bytes.Equal(n.Name, t.Name) {
				return false
			}
			break
		}
		if xmlscan.IsContainer(n.Name) {
			return false
		}
		e := element{scope: sc.With(n.Attrs), attrs: n.Attrs}
		if e.content, ok = m.inside(n); !ok {
			return false
		}
		e.key = string(e.scope.Key(m.p.buf[:], n.Name))
		e.base = m.p.Rebase(at.base, n.Attrs)
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
	for in := range m.p.within(&e) {
		if m.p.Rebase(e.base, in.attrs) != e.base || !f(in) {
			return false
		}
	}
	return true
}
