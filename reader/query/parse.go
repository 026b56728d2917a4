package query

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"diurna/store"
)

// Bounds of a query; ids of items are piped in by the thousand.
const (
	maxBytes    = 1 << 18
	maxDepth    = 64 // of brackets and negations
	maxPatterns = 16
	maxPhrases  = 1000 // words and phrases: each of them is looked for in a text
)

// Parse reads s. now dates what is relative (today, 2d); names are the saved queries
// that it may ask for. The error is an *Error.
//
//go:noinline // 13 places
func Parse(s string, now time.Time, names ...Named) (Query, error) {
	return parse(s, now, done, names)
}

// ParseTyped is Parse for a line that is being typed: its last word stands for all
// words that begin with it, until a space or a quote ends it.
//
//go:noinline // 13 places
func ParseTyped(s string, now time.Time, names ...Named) (Query, error) {
	return parse(s, now, typed, names)
}

// ParseTyping is ParseTyped with nothing asked of the end of s yet: a phrase without
// its second quote ends there.
//
//go:noinline // 7 places
func ParseTyping(s string, now time.Time, names ...Named) (Query, error) {
	return parse(s, now, typing, names)
}

// writing is how far a query is written.
type writing uint8

const (
	done   writing = iota
	typed          // its last word may be a part of one
	typing         // so may its last phrase
)

func parse(s string, now time.Time, far writing, names []Named) (Query, error) {
	if len(s) > maxBytes {
		return Query{}, &Error{Query: s[:64] + "…", Why: fmt.Sprintf("a query may have at most %d KB", maxBytes>>10)}
	}
	p := parser{s: s, now: now, far: far, saved: saved{names: names}}
	root, err := p.whole()
	if err != nil {
		return Query{}, err
	}
	text := strings.TrimSpace(s)
	if !strings.ContainsAny(text, `"/`) {
		text = strings.Join(strings.Fields(text), " ")
	}
	return Query{root: root, typed: text + p.closes}, nil
}

// parser reads by recursive descent: either is one line of the grammar, all the
// next, and so on.
type parser struct {
	s               string
	at              int
	now             time.Time
	far             writing
	closes          string // what the text is short of
	depth, patterns int
	states, looked  int // of the patterns; words and phrases
	saved           saved
}

// whole reads all of the text.
func (p *parser) whole() (*node, error) {
	root, err := p.either()
	if err == nil && p.at < len(p.s) {
		err = p.wrong(p.at, "this ) closes nothing") // either stops at nothing else
	}
	return root, err
}

//go:noinline // 11 places
func (p *parser) wrong(at int, format string, args ...any) *Error {
	return &Error{Query: p.s, At: at, Why: onOneLine.Replace(fmt.Sprintf(format, args...))}
}

// unfinished is wrong where the text ends too early.
//
//go:noinline // 20 places
func (p *parser) unfinished(at int, format string, args ...any) *Error {
	err := p.wrong(at, format, args...)
	err.Incomplete = p.at == len(p.s)
	return err
}

type keywords uint8

const (
	noKeyword keywords = iota
	and
	or
	not
)

func keyword(word string) keywords {
	switch strings.ToLower(word) {
	case "and":
		return and
	case "or":
		return or
	case "not":
		return not
	}
	return noKeyword
}

// look passes spaces and gives the keyword that follows, and where it ends.
func (p *parser) look() (keywords, int) {
	for p.at < len(p.s) && isSpace(p.s[p.at]) {
		p.at++
	}
	end := wordEnd(p.s, p.at)
	return keyword(p.s[p.at:end]), end
}

// ended reports whether nothing more follows within the brackets.
func (p *parser) ended() bool { return p.at == len(p.s) || p.s[p.at] == ')' }

// either = all { "or" all }
func (p *parser) either() (*node, error) {
	left, err := p.all()
	if err != nil {
		return nil, err
	}
	parts := []*node{left}
	for {
		word, end := p.look()
		if word != or {
			return joined(opOr, parts...), nil
		}
		at := p.at
		if left == nil {
			return nil, p.wrong(at, "or needs something before it")
		}
		p.at = end
		right, err := p.all()
		if err != nil {
			return nil, err
		}
		if right == nil {
			return nil, p.unfinished(at, "or needs something after it")
		}
		parts = append(parts, right)
	}
}

// all = { [ "and" ] one }
func (p *parser) all() (*node, error) {
	var parts []*node
	for {
		word, end := p.look()
		if word == or || p.ended() {
			return joined(opAnd, parts...), nil
		}
		if word == and {
			at := p.at
			if parts == nil {
				return nil, p.wrong(at, "and needs something before it")
			}
			p.at = end
			if word, _ := p.look(); word == and || word == or || p.ended() {
				return nil, p.unfinished(at, "and needs something after it")
			}
		}
		part, err := p.one()
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
}

// one = "not" one | "-" one | "(" either ")" | term
func (p *parser) one() (*node, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, p.wrong(p.at, "more than %d nested brackets and negations", maxDepth)
	}
	defer func() { p.depth-- }()
	word, end := p.look()
	at := p.at
	switch {
	case word == not:
		p.at = end
		if word, _ := p.look(); word == and || word == or || p.ended() {
			return nil, p.unfinished(at, "not needs something after it")
		}
		return p.negated()
	case p.s[at] == '-':
		p.at++
		if p.ended() || isSpace(p.s[p.at]) {
			return nil, p.unfinished(at, "- needs something to leave out")
		}
		if word, _ := p.look(); word != noKeyword {
			return nil, p.wrong(p.at, `in quotes it is a word: -"%s"`, p.s[p.at:wordEnd(p.s, p.at)])
		}
		return p.negated()
	case p.s[at] == '(':
		p.at++
		inner, err := p.either()
		switch {
		case err != nil:
			return nil, err
		case p.at == len(p.s):
			return nil, p.unfinished(at, "this ( is not closed")
		case inner == nil:
			return nil, p.wrong(at, "there is nothing between the brackets")
		}
		p.at++
		return inner, nil
	}
	if p.namesSaved() {
		return p.savedQuery()
	}
	t, err := p.term()
	if err != nil {
		return nil, err
	}
	return &node{term: t}, nil
}

func (p *parser) negated() (*node, error) {
	kid, err := p.one()
	if err != nil {
		return nil, err
	}
	return &node{op: opNot, kids: []*node{kid}}, nil
}

// term reads one question to one field and makes it ready to be asked.
func (p *parser) term() (t *term, err error) {
	at := p.at
	switch p.s[at] {
	case '"', '/':
		t = &term{kind: isWords}
		err = p.value(t, at)
	case '#':
		t = &term{kind: isWords, field: Tag}
		p.at++
		if err = p.value(t, at); err == nil && t.text == "" {
			err = p.unfinished(at, "# needs a tag, such as #later")
		}
	default:
		t, err = p.bare()
	}
	if err != nil {
		return nil, err
	}
	if err := p.bind(t, at); err != nil {
		return nil, err
	}
	return t, nil
}

// bare reads a part that begins with no sign: FIELD:VALUE, words>N, a state, an item
// or a word.
func (p *parser) bare() (*term, error) {
	at, end := p.at, wordEnd(p.s, p.at)
	raw := p.s[at:end]
	if name, ok := fieldName(p.s[at:]); ok {
		return p.named(name, at, end)
	}
	if rest, ok := strings.CutPrefix(strings.ToLower(raw), "words"); ok && rest != "" && strings.ContainsAny(rest[:1], "<>=") {
		p.at = end
		return p.lengthTerm(rest, at)
	}
	p.at = end
	for kind, name := range stateNames {
		if strings.EqualFold(raw, name) {
			return &term{kind: kind}, nil
		}
	}
	if id, ok := store.ParseItemID(raw); ok && strings.Contains(raw, "-") {
		return &term{kind: isItems, ids: []store.ItemID{id}}, nil
	}
	text, open := strings.CutSuffix(raw, "*")
	return &term{kind: isWords, text: text, open: open || p.typedTo(end)}, nil
}

// typedTo reports whether a word that ends at a place is still being typed.
func (p *parser) typedTo(end int) bool { return p.far >= typed && end == len(p.s) }

// fieldName is the word of letters before a colon that may mark a field: with a
// colon or an address after it, it is none.
func fieldName(s string) (string, bool) {
	end := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) })
	if end < 1 || s[end] != ':' || strings.HasPrefix(s[end:], "::") || strings.HasPrefix(s[end:], "://") {
		return "", false
	}
	return s[:end], true
}

// named reads FIELD:VALUE.
func (p *parser) named(name string, at, end int) (*term, error) {
	p.at = at + len(name) + 1
	lower := strings.ToLower(name)
	for kind, n := range valueNames {
		if n == lower {
			t := &term{kind: kind}
			value := p.at
			p.at = end
			return t, p.number(t, p.s[value:end], value)
		}
	}
	for field, n := range fieldNames {
		if n != lower {
			continue
		}
		t := &term{kind: isWords, field: field}
		err := p.value(t, at)
		if err == nil && t.text == "" {
			err = p.unfinished(at, "%s: needs %s", n, fieldWants[field])
		}
		return t, err
	}
	if p.at == end && (end == len(p.s) || p.s[end] != '"' && p.s[end] != '(') { // "Ruby: a language": a colon that ends a word
		p.at = end
		return &term{kind: isWords, text: p.s[at:end]}, nil
	}
	return nil, p.unknown(name, at, end)
}

// wordEnd is where the word that begins at a place ends: at a space, a bracket or a
// quote.
func wordEnd(s string, at int) int {
	for at < len(s) && !isSpace(s[at]) && s[at] != '"' && s[at] != '(' && s[at] != ')' {
		at++
	}
	return at
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
