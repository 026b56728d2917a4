package feed

import (
	"bytes"
	"strings"
)

// What Nodes of one document may be: they are for looking closely at one
// document, not for keeping.
const (
	maxNodes     = 20_000
	maxNodeDepth = 4
)

// node notes an element with what stands in it, as this package reads it. lang
// is the language in force around it.
func (p *parser) node(name []byte, e element, lang string, depth int) Node {
	n := Node{Name: e.key, Base: e.base, Lang: p.lang(e.attrs, lang)}
	if n.Name == "" {
		n.Name = string(bytes.ToLower(name[:min(len(name), 64)]))
	}
	p.nodes++
	eachAttr(e.attrs, func(key, value []byte) {
		k := strings.ToLower(string(key[:min(len(key), 64)]))
		if strings.HasPrefix(k, "xmlns") || len(value) > MaxURL || len(n.Attrs) >= MaxAttributes {
			return
		}
		if n.Attrs == nil {
			n.Attrs = map[string]string{}
		}
		if _, twice := n.Attrs[k]; !twice {
			v, _ := p.value(value, false)
			n.Attrs[k] = strings.TrimSpace(v)
		}
	})
	s, markup := p.value(e.content[:min(len(e.content), MaxItem)], false)
	kind := p.kind(e.attrs, markup)
	if raw, ok := p.base64(e.attrs, s); ok {
		s = raw
		if kind == textPlain && looksHTML(s) {
			kind = textHTML
		}
	}
	n.Text = strings.TrimSpace(s)
	for _, k := range []string{"href", "url", "uri", "src", "rdf:resource"} {
		setOnce(&n.URL, n.Attrs[k])
	}
	if n.URL == "" && !markup && len(n.Text) <= MaxURL {
		n.URL = n.Text
	}
	if n.URL != "" {
		n.URL = resolve(e.base, n.URL)
	}
	n.HTML = p.markup(e)
	n.Type = kind.mediaType(s)
	if kind == textGuess && bodyRank(e.key) > 3 { // markup by its module, though it hold no tag
		n.Type = textHTML.mediaType(s)
	}
	n.Nodes = p.childNodes(e, n.Lang, depth)
	return n
}

// childNodes notes the elements in an element's content.
func (p *parser) childNodes(e element, lang string, depth int) []Node {
	if depth >= maxNodeDepth || !hasElements(e.content) {
		return nil
	}
	var all []Node
	s := scanner{b: e.content}
	for p.nodes < maxNodes {
		t, ok := s.next()
		if !ok {
			break
		}
		if t.closing {
			continue
		}
		in := element{scope: e.scope.with(t.attrs), attrs: t.attrs, base: p.rebase(e.base, t.attrs)}
		in.content, _ = s.inner(t)
		in.key = string(in.scope.key(p.buf[:], t.name))
		all = append(all, p.node(t.name, in, lang, depth+1))
	}
	return all
}

// lang is the language inside an element, that around it if it names none.
func (p *parser) lang(attrs []byte, around string) string {
	if !bytes.Contains(attrs, []byte("lang")) {
		return around
	}
	return p.ownLang(attrs, around)
}

func (p *parser) ownLang(attrs []byte, around string) string {
	eachAttr(attrs, func(name, value []byte) {
		if bytes.EqualFold(name, []byte("xml:lang")) {
			v, _ := p.value(value[:min(len(value), 64)], false)
			around = strings.ReplaceAll(line(v, 64), "_", "-")
		}
	})
	return around
}

// mediaType is what a text of this kind is.
func (k textKind) mediaType(s string) string {
	switch {
	case k == textXHTML:
		return "application/xhtml+xml"
	case k == textHTML, k == textGuess && looksHTML(s):
		return "text/html"
	}
	return "text/plain"
}
