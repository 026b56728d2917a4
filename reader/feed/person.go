package feed

import (
	"bytes"
	"strings"

	"diurna/reader/feed/xmlscan"
)

// author takes over an element that names one.
func (p *parser) author(d *draft, e element) bool {
	rank := 0
	switch e.key {
	case "author", "atom:author":
		rank = 5
	case "dc:creator", "creator", "dc:author":
		rank = 4
	case "itunes:author":
		rank = 3
	case "managingeditor":
		rank = 2
	case "dc:contributor":
		rank = 1
	case "atom:source": // RFC 4287, 4.2.1: where the entry names nobody
		if rank = 1; e.given == nil {
			e = p.authorOf(e)
		}
	default:
		return false
	}
	s := p.person(e)
	switch {
	case s == "" || rank < d.authorRank:
	case rank > d.authorRank:
		d.it.Author, d.authorRank = s, rank
	default:
		d.it.Author = withName(d.it.Author, s)
	}
	return true
}

// withName adds a name to a list of names between commas, unless it stands there or
// the list would be too long.
func withName(names, name string) string {
	switch {
	case names == "":
		return name
	case strings.Contains(", "+names+", ", ", "+name+", "), len(names)+len(name) > MaxTitle:
		return names
	}
	return names + ", " + name
}

// authorOf is the author among an element's own.
func (p *parser) authorOf(e element) element {
	for in := range p.within(&e) {
		if in.key == "atom:author" {
			return in
		}
	}
	return element{}
}

// person reads a name: Atom's <name> (or <email>), or RSS's "mail (name)", also where
// it stands in markup.
func (p *parser) person(e element) string {
	if e.given != nil && e.given.person {
		if n := p.label(&element{given: &given{text: e.given.name}}, 256); n != "" {
			return n
		}
		return p.text(&element{given: &given{text: e.given.mail}}, 256)
	}
	if xmlscan.HasElements(e.content) && !bytes.HasPrefix(bytes.TrimSpace(e.content), []byte("<![CDATA[")) {
		mail := ""
		for in := range p.within(&e) {
			switch string(xmlscan.LocalName([]byte(in.key))) {
			case "name":
				if n := p.label(&element{content: in.content}, 256); n != "" {
					return n
				}
			case "email":
				mail = p.text(&element{content: in.content}, 256)
			}
		}
		// Without a name, what Atom's elements hold is the address of a page.
		if s := p.label(&e, 256); mail == "" && !p.atom() && xmlscan.SchemeOf(s) == 0 {
			return nameOf(s)
		}
		return mail
	}
	return nameOf(p.label(&e, 256))
}

// label is text for a name or a category: RSS writes them as it writes titles.
func (p *parser) label(e *element, max int) string {
	s, markup := p.valueOf(e, 16*MaxTitle)
	switch {
	case markup:
		s = title(s, textXHTML)
	case !p.atom():
		s = title(s, textGuess)
	}
	return line(s, max)
}

// splitPerson splits what feeds write for a person, "mail (name)", "name (mail)" or
// "name <mail>": the one word with an @ is the mail, what
// stands around it the name.
func splitPerson(s string) (name, mail string) {
	s = strings.TrimSpace(s)
	at := strings.IndexByte(s, '@')
	if at < 0 || strings.Count(s, "@") != 1 {
		return s, ""
	}
	const around = " \t()<>[]\",;"
	from, to := strings.LastIndexAny(s[:at], around)+1, len(s)
	if i := strings.IndexAny(s[at:], around); i >= 0 {
		to = at + i
	}
	if from == at || to == at+1 {
		return s, ""
	}
	before, after := strings.TrimRight(s[:from], " \t(<[\",;"), strings.TrimLeft(s[to:], " \t)>]\",;")
	if before != "" && after != "" { // within a sentence
		return s, ""
	}
	name = before + after
	if strings.HasPrefix(name, "(") && strings.HasSuffix(name, ")") {
		name = name[1 : len(name)-1]
	}
	return strings.Trim(name, " \""), s[from:to]
}

// nameOf is the name of a person, the address where there is no name.
func nameOf(s string) string {
	name, mail := splitPerson(s)
	if name == "" {
		return mail
	}
	return name
}
