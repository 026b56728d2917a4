package feed

import (
	"bytes"
	"strings"
)

// author takes over an element that names one.
func (p *parser) author(d *draft, e element) bool {
	rank := map[string]int{"author": 5, "atom:author": 5, "dc:creator": 4, "creator": 4, "dc:author": 4,
		"itunes:author": 3, "managingeditor": 2, "dc:contributor": 1}[e.key]
	if rank == 0 {
		return false
	}
	s := p.person(e)
	if s != "" && rank > d.authorRank {
		d.it.Author, d.authorRank = s, rank
	}
	return true
}

// person reads a name: Atom's <name> (or <email>), or RSS's "mail (name)".
func (p *parser) person(e element) string {
	if hasElements(e.content) && !bytes.HasPrefix(bytes.TrimSpace(e.content), []byte("<![CDATA[")) {
		mail := ""
		s := scanner{b: e.content}
		for {
			t, ok := s.next()
			if !ok {
				return mail
			}
			if t.closing {
				continue
			}
			inner, _ := s.inner(t)
			switch key := string(localName(e.scope.key(p.buf[:], t.name))); key {
			case "name":
				if n := p.text(inner, 256); n != "" {
					return n
				}
			case "email":
				mail = p.text(inner, 256)
			}
		}
	}
	return nameOf(p.text(e.content, 256))
}

// splitPerson does the work of Person.
func splitPerson(s string) (name, mail string) {
	s = strings.TrimSpace(s)
	open := strings.IndexAny(s, "(<")
	if open < 0 || !strings.HasSuffix(s, ")") && !strings.HasSuffix(s, ">") || strings.Count(s, "@") != 1 {
		if strings.Count(s, "@") == 1 && !strings.ContainsAny(s, " ()<>") {
			return "", s
		}
		return s, ""
	}
	before, inside := strings.TrimSpace(s[:open]), strings.TrimSpace(s[open+1:len(s)-1])
	if strings.Contains(before, "@") {
		return inside, before
	}
	return before, inside
}

// nameOf is the name of a person, the address where there is no name.
func nameOf(s string) string {
	name, mail := splitPerson(s)
	if name == "" {
		return mail
	}
	return name
}
