package xmlscan

import (
	"bytes"
	"strings"
)

// spaces maps namespace addresses (lower case, without the final slash) to the
// prefixes under which this package knows them. "" is the core: RSS elements
// whatever namespace their version put them in.
var spaces = map[string]string{
	"":                                      "",
	"http://purl.org/rss/1.0":               "",
	"http://my.netscape.com/rdf/simple/0.9": "",
	"http://channel.netscape.com/rdf/simple/0.9":          "",
	"http://my.netscape.com/publish/formats/rss-0.91.dtd": "",
	"http://backend.userland.com/rss":                     "",
	"http://backend.userland.com/rss2":                    "",
	"http://backend.userland.com/rss091":                  "",
	"http://backend.userland.com/rss092":                  "",
	"http://blogs.law.harvard.edu/tech/rss":               "",
	"http://purl.org/net/rss1.1#":                         "",
	"http://example.com/newformat#":                       "atom",
	"http://example.com/necho":                            "atom",
	"http://purl.org/echo":                                "atom",
	"uri/of/echo/namespace#":                              "atom",
	"http://purl.org/pie":                                 "atom",
	"http://purl.org/atom/ns#":                            "atom",
	"http://www.w3.org/2005/atom":                         "atom",
	"https://www.w3.org/2005/atom":                        "atom",
	"http://purl.org/rss/1.0/modules/content":             "content",
	"http://purl.org/dc/elements/1.1":                     "dc",
	"http://purl.org/dc/elements/1.0":                     "dc",
	"http://purl.org/metadata/dublin_core#":               "dc",
	"http://purl.org/dc/terms":                            "dcterms",
	"http://search.yahoo.com/mrss":                        "media",
	"http://www.itunes.com/dtds/podcast-1.0.dtd":          "itunes",
	"http://purl.org/rss/1.0/modules/syndication":         "sy",
	"http://www.w3.org/1999/02/22-rdf-syntax-ns#":         "rdf",
	"http://www.w3.org/1999/xhtml":                        "xhtml",
	"http://www.w3.org/xml/1998/namespace":                "xml",
}

// usual are prefixes whose meaning is taken for granted where a document does
// not declare them: half of the broken feeds are broken in this way.
var usual = map[string]string{
	"rss": "", "atom": "atom", "atom10": "atom", "atom03": "atom", "a10": "atom", "content": "content", "dc": "dc", "dcterms": "dcterms",
	"media": "media", "itunes": "itunes", "sy": "sy", "syn": "sy", "rdf": "rdf", "xhtml": "xhtml", "xml": "xml",
}

// Scope is the namespaces in force at some place: a default one and prefixes.
// Inner declarations are appended, so lookups run backwards.
type Scope struct {
	def      string
	prefixes []binding
}

type binding struct{ prefix, space string }

// maxPrefixes bounds those in force: no honest feed names half as many, and what
// each tag adds to is copied.
const maxPrefixes = 128

// With returns the scope inside an element with the given attributes.
func (s Scope) With(attrs []byte) Scope {
	if !bytes.Contains(attrs, []byte("xmlns")) {
		return s
	}
	s.prefixes = s.prefixes[:len(s.prefixes):len(s.prefixes)]
	EachAttr(attrs, func(name, value []byte) {
		n := string(name)
		if n != "xmlns" && !strings.HasPrefix(n, "xmlns:") {
			return
		}
		uri := strings.ToLower(strings.TrimSpace(string(value[:min(len(value), 256)])))
		space, known := spaces[strings.TrimSuffix(uri, "/")]
		if prefix := strings.TrimPrefix(n, "xmlns"); prefix != "" {
			if !known { // a slip in the address of a module that all name alike
				if space = usual[strings.ToLower(prefix[1:])]; space == "" {
					space = "?"
				}
			}
			if len(s.prefixes) < maxPrefixes && s.space([]byte(prefix[1:])) != space {
				s.prefixes = append(s.prefixes, binding{prefix[1:], space})
			}
		} else {
			// An unknown default namespace is taken for the core: publishers
			// invent addresses for RSS.
			s.def = space
		}
	})
	return s
}

// Key returns the name of an element as this package knows it: lower case, with
// the canonical prefix of its namespace ("dc:date"), none for the core.
func (s Scope) Key(buf []byte, name []byte) []byte {
	i := bytes.IndexByte(name, ':')
	space := s.def
	if i >= 0 {
		space = s.space(name[:i])
		name = name[i+1:]
	}
	buf = buf[:0]
	if space != "" {
		buf = append(append(buf, space...), ':')
	}
	for _, c := range name[:min(len(name), 64)] {
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		buf = append(buf, c)
	}
	return buf
}

func (s Scope) space(prefix []byte) string {
	for i := len(s.prefixes) - 1; i >= 0; i-- {
		if s.prefixes[i].prefix == string(prefix) {
			return s.prefixes[i].space
		}
	}
	if known, ok := usual[strings.ToLower(string(prefix[:min(len(prefix), 16)]))]; ok {
		return known
	}
	return "?"
}

// Unprefixed is markup in place whose elements bear no prefix where theirs stands
// for XHTML: it is read as HTML, which knows none.
func (s Scope) Unprefixed(markup string) string {
	b := []byte(markup)
	var out []byte
	done := 0
	sc := Within(b)
	for {
		t, ok := sc.Next()
		if !ok {
			break
		}
		s = s.With(t.Attrs)
		i := bytes.IndexByte(t.Name, ':')
		if i <= 0 || s.space(t.Name[:i]) != "xhtml" {
			continue
		}
		at := t.Start + 1
		if t.Closing {
			at++
		}
		out = append(out, b[done:at]...)
		done = at + i + 1
	}
	if done == 0 {
		return markup
	}
	return string(append(out, b[done:]...))
}
