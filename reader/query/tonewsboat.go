package query

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"diurna/reader/words"
)

// Newsboat writes the query as a filter expression of newsboat, where that can say it;
// TranslateNewsboat reads it back. A letter without an accent finds only itself there, and
// words of the texts are looked for in their HTML.
func (q Query) Newsboat() (string, error) {
	if q.root == nil {
		return "age >= 0", nil
	}
	expr, _, err := q.root.newsboat(false)
	return expr, err
}

// newsboat writes a part or, as newsboat has no not, its opposite. several: it is not one
// condition.
func (n *node) newsboat(not bool) (expr string, several bool, err error) {
	switch n.op {
	case opTerm:
		return n.term.newsboat(not)
	case opNot:
		return n.kids[0].newsboat(!not)
	}
	parts := make([]string, len(n.kids))
	for i, k := range n.kids {
		part, several, err := k.newsboat(not)
		if err != nil {
			return "", false, err
		}
		if several {
			part = "(" + part + ")"
		}
		parts[i] = part
	}
	return strings.Join(parts, either(n.op == opOr, not)), true, nil
}

// either joins conditions of which one has to hold, or all; under a not it is the other.
func either(one, not bool) string {
	if one != not {
		return " or "
	}
	return " and "
}

var newsboatFields = map[Field][]string{Anywhere: {"title", "author", "feedtitle"}, Title: {"title"}, Author: {"author"}, Feed: {"feedtitle"}, Link: {"link"}, Text: {"content"}, Address: {"rssurl"}, Tag: {"tags"}, Folder: {"tags"}}

func (t *term) newsboat(not bool) (expr string, several bool, err error) {
	op, value := "", ""
	switch t.kind {
	case isUnread, isRead:
		return `unread = "` + map[bool]string{true: "yes", false: "no"}[(t.kind == isUnread) != not] + `"`, false, nil
	case isNewer, isOlder:
		days, ok := t.when.days()
		if !ok {
			return "", false, fmt.Errorf("newsboat counts ages in whole days, not as %s", t)
		}
		return fmt.Sprintf("age %s %d", map[bool]string{true: "<", false: ">="}[(t.kind == isNewer) != not], days), false, nil
	case isPattern:
		op, value, err = t.posix()
	case isWords:
		op, value = t.posixWords()
	}
	fields := newsboatFields[t.field]
	if err != nil || op == "" || fields == nil || !utf8.ValidString(value) || strings.TrimSpace(value) == "" {
		if err == nil {
			err = fmt.Errorf("newsboat has nothing like %s", t)
		}
		return "", false, err
	}
	if not {
		op = "!" + strings.TrimPrefix(op, "=")
		if op == "!" {
			op = "!="
		}
	}
	parts := make([]string, len(fields))
	for i, field := range fields {
		parts[i] = field + " " + op + ` "` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value) + `"`
	}
	return strings.Join(parts, either(true, not)), len(parts) > 1, nil
}

// days is how many days before now the moment is, where it is whole days.
func (m moment) days() (int, bool) {
	switch {
	case m.unit == 'd':
		return m.count, true
	case m.unit == 'w':
		return 7 * m.count, true
	}
	return 0, false
}

// posixWords is the operator and value that look for words; "" where none do.
func (t *term) posixWords() (op, value string) {
	switch t.field {
	case LinksTo:
		return "", ""
	case Tag:
		if t.open {
			return "=~", "(^| )" + regexp.QuoteMeta(t.text)
		}
		return "#", t.text
	case Folder: // goes out as a tag of its feeds
		name := strings.Trim(t.text, "/ ")
		if strings.Contains(name, " ") {
			return "", "" // a tag has none
		}
		if value = "(^|[ /])" + regexp.QuoteMeta(name); !t.open {
			value += "([ /]|$)"
		}
		return "=~", value
	case Feed: // a part of the title is enough
		return "=~", regexp.QuoteMeta(strings.TrimSpace(t.text))
	}
	var parts []string
	for w := range words.Cut(t.text) {
		if w.Next != w.To || w.Prefix { // the script has no spaces: what was typed stands there as it is
			if strings.ContainsFunc(t.text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }) {
				return "", ""
			}
			return "=~", t.text
		}
		parts = append(parts, t.text[w.From:w.To])
	}
	value = strings.Join(parts, "[^[:alnum:]]+")
	if value[0] < 0x80 { // others are no letters to all programs
		value = `\<` + value
	}
	if value[len(value)-1] < 0x80 && !t.open {
		value += `\>`
	}
	return "=~", value
}

// posix is the operator and value that look for a pattern.
func (t *term) posix() (op, value string, err error) {
	if t.field == Folder || t.field == Tag && strings.ContainsAny(t.text, "^$") {
		return "", "", fmt.Errorf("newsboat has the tags of a feed as one text, not as %s", t)
	}
	if !t.fold {
		for _, x := range [][3]string{{"=", "^", "$"}, {"#", "(^| )", "( |$)"}} {
			inner, begins := strings.CutPrefix(t.text, x[1])
			inner, ends := strings.CutSuffix(inner, x[2])
			if plain := unquoted.ReplaceAllString(inner, "$1"); begins && ends && regexp.QuoteMeta(plain) == inner {
				return x[0], plain, nil
			}
		}
		if strings.ToLower(t.text) != strings.ToUpper(t.text) {
			return "", "", fmt.Errorf("newsboat's patterns ignore letter case: write %si", t)
		}
	}
	if beyondPOSIX.MatchString(t.text) {
		return "", "", fmt.Errorf("newsboat's patterns lack an operator used in %s", t)
	}
	return "=~", t.text, nil
}

var (
	unquoted = regexp.MustCompile(`\\(.)`)
	// beyondPOSIX finds what only RE2 knows: groups with a ?, short repeats, classes of
	// Perl, and a backslash in brackets.
	beyondPOSIX = regexp.MustCompile(`\(\?|[*+?}]\?|\\[^\W_b]|\[[^]]*\\`)
)
