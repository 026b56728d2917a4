package query

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// String is the query as typed, spaces evened.
//
//go:noinline // 7 places
func (q Query) String() string {
	if q.typed != "" {
		return q.typed
	}
	return q.Canonical()
}

// Canonical is the query in the one form that all queries of the same parts have:
// Parse makes the same query of it. Its fields need no quoting in a shell.
func (q Query) Canonical() string {
	if q.root == nil {
		return ""
	}
	var b strings.Builder
	q.root.write(&b, opOr)
	return b.String()
}

// write writes a part that stands under an operator.
func (n *node) write(b *strings.Builder, under operator) {
	switch n.op {
	case opTerm:
		b.WriteString(n.term.String())
	case opNot:
		if k := n.kids[0]; k.op == opTerm {
			b.WriteString("-")
			k.write(b, opNot)
		} else {
			b.WriteString("not ")
			k.write(b, opNot)
		}
	default:
		// and binds closer than or; not binds closest.
		bracket := under == opNot || under == opAnd && n.op == opOr
		if bracket {
			b.WriteString("(")
		}
		for i, k := range n.kids {
			if i > 0 {
				b.WriteString(map[operator]string{opAnd: " ", opOr: " or "}[n.op])
			}
			k.write(b, n.op)
		}
		if bracket {
			b.WriteString(")")
		}
	}
}

// stateNames are the words that are states.
var stateNames = map[termKind]string{isUnread: "unread", isRead: "read", isSaved: "saved", isChanged: "changed", isMuted: "muted", isToday: "today"}

// States are the words that are states, sorted.
func States() []string { return slices.Sorted(maps.Values(stateNames)) }

// fieldNames are the words before a colon.
var fieldNames = map[Field]string{Title: "title", Author: "author", Feed: "feed", Folder: "folder", Tag: "tag", Link: "link", Text: "text", Address: "address", LinksTo: "linksto"}

var valueNames = map[termKind]string{isNewer: "newer", isOlder: "older", isLonger: "longer", isShorter: "shorter"}

func (t *term) String() string {
	if s, ok := stateNames[t.kind]; ok {
		return s
	}
	switch t.kind {
	case isNewer, isOlder:
		return valueNames[t.kind] + ":" + t.when.String()
	case isLonger, isShorter:
		return valueNames[t.kind] + ":" + strconv.Itoa(t.count)
	case isFeed:
		return "feed:" + t.text
	case isItems:
		names := make([]string, len(t.ids))
		for i, id := range t.ids {
			names[i] = id.String()
		}
		return strings.Join(names, " ")
	case isPattern:
		return t.prefix() + pattern(t.text, t.fold)
	}
	s := t.prefix()
	if t.field.unnamed() && !plainWord(t.text) || !t.field.unnamed() && !plainValue(t.text) {
		s += quoted(t.text)
	} else {
		s += t.text
	}
	if t.open {
		s += "*"
	}
	return s
}

func (t *term) prefix() string {
	if t.field.unnamed() {
		return ""
	}
	return fieldNames[t.field] + ":"
}

func (m moment) String() string {
	if m.unit == 0 {
		return m.date
	}
	return strconv.Itoa(m.count) + string(m.unit)
}

func pattern(text string, fold bool) string {
	s := "/" + escapeSlashes(text) + "/"
	if fold {
		s += "i"
	}
	return s
}

// quoted is a text as a phrase.
func quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

// plainWord reports whether a text that stands for itself means words anywhere.
func plainWord(text string) bool {
	if !plainValue(text) || strings.HasPrefix(text, "-") || strings.HasPrefix(text, "#") {
		return false
	}
	p := parser{s: text}
	t, err := p.bare()
	return err == nil && p.at == len(text) && keyword(text) == noKeyword && t.kind == isWords && t.field == Anywhere && t.text == text && !t.open
}

// plainValue reports whether a text may follow a field's colon as it is.
func plainValue(text string) bool {
	return text != "" && text[0] != '/' && text[0] != ':' && !strings.HasSuffix(text, "*") && wordEnd(text, 0) == len(text)
}
