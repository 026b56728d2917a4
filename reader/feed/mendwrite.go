package feed

import (
	"bytes"
	"strconv"
	"strings"

	"diurna/reader/feed/xmlscan"
)

// endPlace writes what is noted of a feed or an item.
func (m *xmlMender) endPlace(at *place) {
	if at.about != "" {
		at.notes = append(at.notes, "about", at.about)
	}
	if at.item && at.base != m.feed.base {
		at.notes = append(at.notes, "base", at.base)
	}
	if len(at.notes) == 0 {
		return
	}
	m.used["kept"] = true
	m.out = append(m.out, "<kept:notes"...)
	for i := 0; i < len(at.notes); i += 2 {
		m.attr(at.notes[i], at.notes[i+1])
	}
	m.out = append(m.out, "/>"...)
	at.notes = nil
}

func (m *xmlMender) attr(name, value string) {
	m.out = append(append(append(m.out, ' '), name...), `="`...)
	// gofeed rewrites some addresses, unless it cannot read them as such.
	if name == "href" || name == "src" {
		m.out = append(m.out, '\t')
	}
	m.out = append(appendEscaped(m.out, value), '"')
}

// appendEscaped appends text as it stands in XML.
func appendEscaped(out []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '<':
			out = append(out, "&lt;"...)
		case '>':
			out = append(out, "&gt;"...)
		case '&':
			out = append(out, "&amp;"...)
		case '\r': // which XML would make a line feed of
			out = append(out, "&#13;"...)
		case '"':
			out = append(out, "&#34;"...)
		default:
			out = append(out, s[i])
		}
	}
	return out
}

// forbidden reports whether a character stands in b that XML has none of: gofeed
// leaves it out, and what an escape sequence ends with stays.
func forbidden[T string | []byte](b T) bool {
	for i := range len(b) {
		if c := b[i]; c < ' ' && c != '\n' && c != '\t' && c != '\r' {
			return true
		}
	}
	return false
}

// attributes are those that mean anything here, by their names in lower case.
var attributes = map[string]bool{
	"type": true, "mode": true, "src": true, "href": true, "url": true, "rel": true, "label": true, "term": true, "text": true,
	"length": true, "filesize": true, "ispermalink": true, "duration": true,
}

// named returns the attributes that mean anything, decoded: name, value, ...
func (m *xmlMender) named(attrs []byte) []string {
	var all []string
	if len(attrs) == 0 {
		return nil
	}
	xmlscan.EachAttr(attrs, func(name, value []byte) {
		if len(name) > 16 || len(value) > MaxURL {
			return
		}
		n := strings.ToLower(string(name))
		if !attributes[n] {
			return
		}
		for i := 0; i < len(all); i += 2 {
			if all[i] == n { // the first that is not empty counts
				if all[i+1] == "" {
					all[i+1], _ = m.p.Value(value, false)
				}
				return
			}
		}
		v, _ := m.p.Value(value, false)
		all = append(all, n, v)
	})
	return all
}

// content writes an element's content: as it is written, or its text. Space around a
// text is a part of it where it is no markup; gofeed takes off what is no reference.
func (m *xmlMender) content(raw []byte, text string, written bool) {
	if !written {
		from := len(m.out)
		m.out = appendEscaped(m.out, text)
		raw = m.out[from:]
		if len(raw) == 0 || !xmlscan.IsSpace(raw[0]) && !xmlscan.IsSpace(raw[len(raw)-1]) {
			return
		}
		raw = bytes.Clone(raw)
		m.out = m.out[:from]
	}
	n := len(raw)
	switch {
	case n == 0 || !xmlscan.IsSpace(raw[0]) && !xmlscan.IsSpace(raw[n-1]):
		m.out = append(m.out, raw...)
	case n == 1:
		m.out = appendReference(m.out, raw[0])
	default:
		m.out = appendReference(m.out, raw[0])
		m.out = appendReference(append(m.out, raw[1:n-1]...), raw[n-1])
	}
}

// appendReference appends a character of space as a reference, any other as it is.
func appendReference(out []byte, c byte) []byte {
	if !xmlscan.IsSpace(c) {
		return append(out, c)
	}
	return append(strconv.AppendInt(append(out, "&#"...), int64(c), 10), ';')
}

// oddReference reports whether a reference stands for a character by its number in
// Windows-1252, which gofeed turns into that character before it is known whether
// the text was encoded twice, for none, or for our own mark.
func oddReference(b []byte) bool {
	for {
		i := bytes.Index(b, []byte("&#"))
		if i < 0 {
			return false
		}
		b = b[i+2:]
		end := bytes.IndexByte(b[:min(len(b), 8)], ';')
		if end < 0 {
			continue
		}
		if s, ok := xmlscan.Numeric(string(b[:end])); ok && (s == "" || s < "\u00a0" && s >= "\u007f" || s < " " || s == longMark) {
			return true
		}
	}
}

func (m *xmlMender) end(name string) {
	m.out = append(append(append(m.out, "</"...), name...), '>')
}
