package feed

import (
	"iter"
	"strings"

	"diurna/reader/feed/xmlscan"
)

// element is one element of a feed or an item. The scanner gives it as it is
// written, gofeed as it was decoded.
type element struct {
	key, base      string
	scope          xmlscan.Scope
	attrs, content []byte

	given *given // what gofeed read; nil: the scanner's
}

// given is an element as gofeed gives it.
type given struct {
	text   string
	long   bool              // the text stands in the element's content, as it was written
	markup bool              // elements stood in it: the text is markup as it was written
	attrs  map[string]string // by their names in lower case
	person bool              // it is one with a name or a mail address of its own
	name   string
	mail   string
}

// attrOf returns the decoded value of an element's attribute.
func (p *parser) attrOf(e *element, want string) string {
	if e.given == nil {
		return p.Attr(e.attrs, want)
	}
	return strings.TrimSpace(e.given.attrs[want])
}

// within gives the elements that stand in one as it is written.
func (p *parser) within(e *element) iter.Seq[element] {
	return func(yield func(element) bool) {
		s := xmlscan.Scanner{B: e.content}
		for t, ok := s.Next(); ok; t, ok = s.Next() {
			if t.Closing {
				continue
			}
			in := element{scope: e.scope.With(t.Attrs), attrs: t.Attrs, base: e.base}
			in.key = string(in.scope.Key(p.buf[:], t.Name))
			in.content, _ = s.Inner(t)
			if !yield(in) {
				return
			}
		}
	}
}

// attrless reports whether an element has no attributes that mean anything here.
func (e *element) attrless() bool {
	return e.given == nil && len(e.attrs) == 0 || e.given != nil && len(e.given.attrs) == 0
}

// valueOf decodes an element's content, of which it looks at most at max bytes.
func (p *parser) valueOf(e *element, max int) (s string, markup bool) {
	if e.asWritten() {
		return p.Value(e.content[:min(len(e.content), max)], false)
	}
	return xmlscan.Mended(e.given.text[:min(len(e.given.text), max)], e.given.markup), e.given.markup
}

// length is how long an element's content is, in bytes.
func (e *element) length() int {
	if !e.asWritten() {
		return len(e.given.text)
	}
	return len(e.content)
}

// asWritten reports whether an element's content is not decoded yet.
func (e *element) asWritten() bool { return e.given == nil || e.given.long }
