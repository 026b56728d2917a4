package feed

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"diurna/reader/feed/xmlscan"
)

// singles are those of a place.
func (m *xmlMender) singles(at *place) map[string]string {
	switch {
	case m.atom && at.item:
		return singleAtom
	case m.atom:
		return singleAtomFeed
	case at.item:
		return singleRSS
	}
	return singleChannel
}

// field writes one element of an item or of the feed. It is false where that cannot
// be done without a loss.
func (m *xmlMender) field(at *place, e element) bool {
	body := at.item && bodyRank(e.key) > 0
	if len(e.content) > 2*MaxItem || !body && len(e.content) > MaxURL || m.strayed(e) {
		return false
	}
	switch e.key {
	case "atom:source":
		return m.source(at, e)
	case "author", "atom:author", "dc:creator", "itunes:author", "dc:author", "creator", "dc:contributor":
		if xmlscan.HasElements(e.content) {
			return m.person(at, e)
		}
	case "image":
		return m.image(at, e)
	case "skiphours", "skipdays":
		return m.skips(at, e)
	}
	attrs := m.named(e.attrs)
	if href := value(attrs, "href"); !m.atom && (e.key == "atom:link" && href == "" || e.key == "link" && len(attrs) > 0) {
		return false // a link of one format as the other has it, whose place among those counts
	}
	if at.item && value(attrs, "src") != "" {
		at.first[groupFile] = "-" // it may be a file as well as a text
		at.first[groupOf(e.key)] = "-"
	}
	var text string
	var markup, written bool
	if body && len(e.content) > maxGofeedText {
		text = m.lift(e)
	} else {
		if text, markup, written = m.text(e); strings.Contains(text, longMark) {
			return false
		}
	}
	if e.base == at.base && m.inOrder(at, e.key) && m.native(at, e, attrs, text, markup, written) {
		return true
	}
	if n := len(e.content); body && n > 0 && !strings.HasPrefix(text, longMark) && (xmlscan.IsSpace(e.content[0]) || xmlscan.IsSpace(e.content[n-1])) {
		text, written = m.lift(e), false // gofeed takes off even references to space here
	}
	name := m.begin(at, e, markup)
	for i := 0; i < len(attrs); i += 2 {
		m.attr(attrs[i], attrs[i+1])
	}
	m.out = append(m.out, '>')
	if written && bytes.ContainsAny(e.content, "&\r") { // gofeed leaves HTML's own references as they are here
		text, _ = m.p.Decoded(e.content, false)
		written = false
	}
	m.content(e.content, text, written)
	m.end(name)
	return true
}

// lift keeps a text where it is and returns what stands for it.
func (m *xmlMender) lift(e element) string {
	m.long = append(m.long, e)
	return longMark + strconv.Itoa(len(m.long)-1)
}

// value is that of an attribute.
func value(attrs []string, name string) string {
	for i := 0; i < len(attrs); i += 2 {
		if attrs[i] == name {
			return attrs[i+1]
		}
	}
	return ""
}

// strayed reports whether an element holds what the scanner takes for the next one.
func (m *xmlMender) strayed(e element) bool {
	if bytes.IndexByte(e.content, '<') < 0 || !isField(e.key) {
		return false
	}
	long := bodyRank(e.key) > 0 || strings.HasSuffix(e.key, "author")
	s := xmlscan.Within(e.content)
	for {
		t, ok := s.Next()
		if !ok {
			return false
		}
		if !t.Closing && (!long && !inText[strings.ToLower(string(xmlscan.LocalName(t.Name)))] ||
			isField(string(e.scope.With(t.Attrs).Key(m.p.buf[:], t.Name)))) {
			return true
		}
	}
}

// begin writes the start of an element that gofeed has no place of its own for, and
// returns its name: its own where gofeed keeps all of that name, in their order.
func (m *xmlMender) begin(at *place, e element, markup bool) (name string) {
	prefix, _, found := strings.Cut(e.key, ":")
	g := m.groupIn(at, e.key)
	if _, single := m.singles(at)[e.key]; found && !single && e.base == at.base && !markup && at.first[g] == e.key && addresses[prefix] != "" && !(m.atom && prefix == "atom") {
		m.used[prefix] = true
		m.out = append(append(m.out, '<'), e.key...)
		return e.key
	}
	m.inOrder(at, e.key)
	at.first[g] = "-" // from now on none of its group stands elsewhere
	m.used["kept"] = true
	m.out = append(m.out, "<kept:field"...)
	m.attr("key", e.key)
	if e.base != at.base {
		m.attr("base", e.base)
	}
	if markup {
		m.attr("markup", "1")
	}
	return "kept:field"
}

func (m *xmlMender) groupIn(at *place, key string) group {
	if at.item {
		return groupOf(key)
	}
	return feedGroupOf(key)
}

// inOrder reports whether an element may stand where gofeed keeps those of its name:
// none of its group with another name came before.
func (m *xmlMender) inOrder(at *place, key string) bool {
	g := m.groupIn(at, key)
	if g == groupUpdated && !at.item || g == groupIdentifier { // their order says nothing
		return true
	}
	switch at.first[g] {
	case "":
		at.first[g] = key
	case key:
	default:
		at.first[g] = "-" // from now on none of them
		return false
	}
	return true
}

// text decodes an element's content; written tells that gofeed decodes it as it is
// written just as well.
func (m *xmlMender) text(e element) (text string, markup, written bool) {
	c := bytes.TrimSpace(e.content)
	plain := !m.p.Defines() && !bytes.Contains(c, []byte("]]>"))
	if bytes.HasPrefix(c, []byte("<![CDATA[")) && bytes.HasSuffix(c, []byte("]]>")) {
		in := c[9 : len(c)-3]
		plain = !bytes.Contains(in, []byte("]]>")) && !bytes.Contains(in, []byte("<![CDATA["))
	} else if bytes.IndexByte(c, '<') >= 0 {
		plain = false
	}
	if plain && !oddReference(c) {
		return "", false, true
	}
	_, xhtml := m.p.markupKind(&e)
	strict := bodyRank(e.key) > 0 && xhtml && xmlscan.HasElements(e.content)
	text, markup = m.p.Decoded(e.content, strict)
	if markup {
		text = e.scope.Unprefixed(text)
	}
	return text, markup, false
}

// native writes an element where gofeed has a place for it; it is false where it
// has none, or has none for all of it.
func (m *xmlMender) native(at *place, e element, attrs []string, text string, markup, written bool) bool {
	if strings.HasPrefix(e.key, "atom:") != m.atom && e.key != "content:encoded" {
		return false
	}
	name, single := m.singles(at)[e.key]
	keeps, many := keptOf[e.key]
	if in := inAttribute[e.key]; in != "" && value(attrs, in) == "" {
		return false // it is in the text
	}
	switch {
	case single && slices.Contains(at.seen, e.key), !single && !many:
		return false
	case single && m.atom:
		m.note(at, name, attrs, markup)
	case markup:
		return false
	}
	if e.key == "content:encoded" {
		m.used["content"] = true
	}
	m.out = append(append(m.out, '<'), orKey(name, e.key)...)
	from := len(m.out)
	for i := 0; i < len(attrs) && !(single && m.atom); i += 2 {
		if !strings.Contains(keeps, " "+attrs[i]+" ") {
			m.out = m.out[:from-1-len(orKey(name, e.key))]
			return false
		}
		m.attr(spelling(attrs[i]), attrs[i+1])
	}
	m.out = append(m.out, '>')
	if single && m.atom && name == "id" { // see attr
		m.out = append(m.out, "&#9;"...)
	}
	m.content(e.content, text, written)
	m.end(orKey(name, e.key))
	if single {
		at.seen = append(at.seen, e.key)
	}
	return true
}

// orKey is the name that gofeed knows an element by.
func orKey(name, key string) string {
	if name == "" {
		return strings.TrimPrefix(key, "atom:")
	}
	return name
}

// spelling is how gofeed wants an attribute's name.
func spelling(attr string) string {
	if attr == "ispermalink" {
		return "isPermaLink"
	}
	return attr
}

// note keeps what gofeed drops of Atom's texts.
func (m *xmlMender) note(at *place, name string, attrs []string, markup bool) {
	for i := 0; i < len(attrs); i += 2 {
		if attrs[i] == "type" || attrs[i] == "mode" {
			at.notes = append(at.notes, name+"-"+attrs[i], attrs[i+1])
		}
	}
	if markup {
		at.notes = append(at.notes, name+"-markup", "1")
	}
}
