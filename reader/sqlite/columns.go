package sqlite

import (
	"slices"
	"strings"
)

// columns reads the names of a CREATE TABLE's columns, in lower case, and which of them
// is another name of the row number (-1: none). nil for what is not understood, a table
// without row numbers among it.
func columns(sql string) (names []string, rowid int) {
	l := lexer{s: sql}
	for tok := l.next(); tok != "("; tok = l.next() {
		if tok == "" || tok == "as" || tok == "virtual" {
			return nil, -1
		}
	}
	rowid = -1
	depth := 1
	var def []string // the words of one column
	end := func() {
		if len(def) > 0 && (l.quotedName || !isConstraint(def[0])) {
			if len(def) > 3 && def[1] == "integer" && slices.Contains(def[2:], "primary") {
				rowid = len(names)
			}
			names = append(names, def[0])
		}
		def = def[:0]
	}
	for depth > 0 {
		tok := l.next()
		switch {
		case tok == "":
			return nil, -1
		case tok == "(":
			depth++
		case tok == ")":
			depth--
		case tok == "," && depth == 1:
			end()
			continue
		}
		if depth == 0 {
			break
		}
		if len(def) == 0 {
			l.quotedName = l.quoted
		}
		def = append(def, tok)
	}
	end()
	for tok := l.next(); tok != ""; tok = l.next() {
		if tok == "without" {
			return nil, -1
		}
	}
	return names, rowid
}

func isConstraint(word string) bool {
	switch word {
	case "constraint", "primary", "unique", "check", "foreign":
		return true
	}
	return false
}

// lexer cuts SQL into words, signs and quoted names, all in lower case.
type lexer struct {
	s                  string
	quoted, quotedName bool // the last word stood in quotes; the first word of a column did
}

func (l *lexer) next() string {
	l.quoted = false
	for {
		l.s = strings.TrimLeft(l.s, " \t\r\n\f")
		switch {
		case strings.HasPrefix(l.s, "--"):
			_, l.s, _ = strings.Cut(l.s, "\n")
			continue
		case strings.HasPrefix(l.s, "/*"):
			_, l.s, _ = strings.Cut(l.s[2:], "*/")
			continue
		case l.s == "":
			return ""
		}
		break
	}
	switch c := l.s[0]; c {
	case '"', '\'', '`', '[':
		end := c
		if c == '[' {
			end = ']'
		}
		return l.name(end)
	case '(', ')', ',':
		l.s = l.s[1:]
		return string(c)
	}
	n := strings.IndexAny(l.s, " \t\r\n\f(),\"'`[")
	if n < 0 {
		n = len(l.s)
	}
	word := l.s[:n]
	l.s = l.s[n:]
	return strings.ToLower(word)
}

// name reads what stands in quotes; a quote in it is written twice. An empty name is
// one space, since "" is the end.
func (l *lexer) name(end byte) string {
	l.quoted = true
	var b strings.Builder
	for i := 1; i < len(l.s); i++ {
		if l.s[i] != end {
			b.WriteByte(l.s[i])
			continue
		}
		if i+1 < len(l.s) && l.s[i+1] == end && end != ']' {
			b.WriteByte(end)
			i++
			continue
		}
		l.s = l.s[i+1:]
		if b.Len() == 0 {
			return " "
		}
		return strings.ToLower(b.String())
	}
	l.s = ""
	return ""
}
