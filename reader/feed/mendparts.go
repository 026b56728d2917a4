package feed

import (
	"slices"
	"strings"

	"diurna/reader/feed/xmlscan"
)

// person writes an author whose name and address stand in elements.
func (m *xmlMender) person(at *place, e element) bool {
	name, mail, ok := m.namedPerson(e)
	if !ok || name+mail == "" && !m.atom {
		return false
	}
	if name+mail == "" {
		return true
	}
	if m.atom && e.key == "atom:author" && e.base == at.base && m.inOrder(at, e.key) {
		m.out = append(m.out, "<author>"...)
		m.part("name", name)
		m.part("email", mail)
		m.end("author")
		return true
	}
	at.first[m.groupIn(at, e.key)] = "-"
	m.begin(at, e, false)
	m.out = append(m.out, '>')
	m.part("kept:name", name)
	m.part("kept:email", mail)
	m.end("kept:field")
	return true
}

// namedPerson reads the first name and the last address of a person.
func (m *xmlMender) namedPerson(e element) (name, mail string, ok bool) {
	ok = m.children(e, func(in element) bool {
		text, _, written := m.text(in)
		if written {
			text, _ = m.p.Decoded(in.content, false)
		}
		switch _, local, _ := strings.Cut(":"+in.key, ":"); local[strings.IndexByte(local, ':')+1:] {
		case "name":
			if xmlscan.HasElements(in.content) {
				return false
			}
			setOnce(&name, strings.TrimSpace(text))
		case "email":
			mail = text
		}
		return true
	})
	return name, mail, ok
}

func (m *xmlMender) part(name, text string) {
	if text != "" {
		m.out = append(append(append(m.out, '<'), name...), '>')
		m.out = appendEscaped(m.out, text)
		m.end(name)
	}
}

// source writes the author of the feed that an entry of Atom was taken from.
func (m *xmlMender) source(at *place, e element) bool {
	author := m.p.authorOf(e)
	if len(author.content) == 0 {
		return true
	}
	if !m.atom || !xmlscan.HasElements(author.content) || e.base != at.base || !m.inOrder(at, e.key) || slices.Contains(at.seen, e.key) {
		return false
	}
	name, mail, ok := m.namedPerson(author)
	if !ok {
		return false
	}
	at.seen = append(at.seen, e.key)
	m.out = append(m.out, "<source><author>"...)
	m.part("name", name)
	m.part("email", mail)
	m.out = append(m.out, "</author></source>"...)
	return true
}

// image writes the address out of RSS's <image>.
func (m *xmlMender) image(at *place, e element) bool {
	return m.children(e, func(in element) bool {
		if in.key != "url" {
			return true
		}
		text, _ := m.p.Decoded(in.content, false)
		if !m.atom && e.base == at.base && m.inOrder(at, e.key) && !slices.Contains(at.seen, e.key) {
			at.seen = append(at.seen, e.key)
			m.out = append(m.out, "<image>"...)
			m.part("url", text)
			m.end("image")
			return true
		}
		m.begin(at, e, false)
		m.out = append(m.out, '>')
		m.out = appendEscaped(m.out, text)
		m.end("kept:field")
		return true
	})
}

// skips writes hours or days.
func (m *xmlMender) skips(at *place, e element) bool {
	if m.atom || slices.Contains(at.seen, e.key) {
		return false
	}
	at.seen = append(at.seen, e.key)
	name, part := "skipHours", "hour"
	if e.key == "skipdays" {
		name, part = "skipDays", "day"
	}
	m.out = append(append(append(m.out, '<'), name...), '>')
	ok := m.children(e, func(in element) bool {
		m.part(part, string(in.content[:min(len(in.content), 32)]))
		return true
	})
	m.end(name)
	return ok
}
