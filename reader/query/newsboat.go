package query

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"diurna/reader/wording"
)

// TranslateNewsboat makes a query of a filter expression of newsboat. The error is an
// *Error at what has no counterpart. Conditions are grouped from the right, as
// newsboat does: a and b or c is a and (b or c).
func TranslateNewsboat(expr string, now time.Time) (Query, error) {
	if len(expr) > maxBytes {
		return parse(expr, now, done, nil) // says how long one may be
	}
	p := newsboat{parser{s: expr, now: now}}
	root, err := p.conditions()
	if err == nil && p.at < len(p.s) {
		err = p.wrong(p.at, "expected and, or, or the end")
	}
	if err != nil {
		return Query{}, err
	}
	return Query{root: root}, nil
}

type newsboat struct{ parser }

// conditions = one { ("and" | "or") one }
func (p *newsboat) conditions() (*node, error) {
	var parts []*node
	var joins []operator
	for {
		part, err := p.condition()
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
		word, end := p.look()
		if word != and && word != or {
			break
		}
		p.at = end
		joins = append(joins, map[keywords]operator{and: opAnd, or: opOr}[word])
	}
	root := parts[len(parts)-1]
	for i, op := range slices.Backward(joins) {
		root = joined(op, parts[i], root)
	}
	return root, nil
}

// condition = "(" conditions ")" | ATTRIBUTE OPERATOR VALUE
func (p *newsboat) condition() (*node, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, p.wrong(p.at, "more than %d nested brackets", maxDepth)
	}
	defer func() { p.depth-- }()
	p.look()
	at := p.at
	if at < len(p.s) && p.s[at] == '(' {
		p.at++
		inner, err := p.conditions()
		if err != nil {
			return nil, err
		}
		if p.look(); p.at == len(p.s) || p.s[p.at] != ')' {
			return nil, p.unfinished(at, "this ( is not closed")
		}
		p.at++
		return inner, nil
	}
	name := p.take(func(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' })
	if name == "" {
		return nil, p.unfinished(at, `expected a condition such as title =~ "ferry"`)
	}
	p.look()
	c := comparison{name: name, at: at, opAt: p.at}
	if c.op = p.operator(); c.op == "" {
		return nil, p.unfinished(p.at, "expected =, !=, =~, !~, <, >, <=, >=, #, !# or between")
	}
	p.look()
	c.valueAt = p.at
	if err := p.literal(&c); err != nil {
		return nil, err
	}
	return p.translate(&c)
}

// comparison is one condition.
type comparison struct {
	name, op, value   string
	at, opAt, valueAt int
}

func (p *parser) take(is func(byte) bool) string {
	from := p.at
	for p.at < len(p.s) && is(p.s[p.at]) {
		p.at++
	}
	return p.s[from:p.at]
}

// newsboatSigns are the operators, those first that begin with another.
var newsboatSigns = []string{"==", "=~", "=", "!=", "!~", "!#", "<=", ">=", "<", ">", "#", "between"}

func (p *newsboat) operator() string {
	for _, op := range newsboatSigns {
		if strings.HasPrefix(p.s[p.at:], op) {
			p.at += len(op)
			return strings.Replace(op, "==", "=", 1)
		}
	}
	return ""
}

// literal reads "text", a number or from:to.
func (p *newsboat) literal(c *comparison) error {
	if p.at < len(p.s) && p.s[p.at] == '"' {
		var t term
		p.at++
		if strings.HasPrefix(p.s[p.at:], `"`) { // the empty text, which no phrase is
			p.at++
			return nil
		}
		p.at--
		err := p.phrase(&t)
		c.value = t.text
		return err
	}
	c.value = p.take(func(b byte) bool { return '0' <= b && b <= '9' || b == ':' || b == '-' })
	if c.value == "" {
		return p.unfinished(p.at, "expected a quoted text or a number")
	}
	return nil
}

// textAttributes are those of newsboat that are texts here.
var textAttributes = map[string]Field{"title": Title, "author": Author, "link": Link, "content": Text, "feedtitle": Feed, "rssurl": Address}

// otherAttributes are those without a counterpart, and why.
var otherAttributes = map[string]string{
	"flags": "items have tags and saved here, no flags", "guid": "publishers' ids cannot be queried", "date": "use age instead",
	"enclosure_url": "", "enclosure_type": "", "articleindex": "", "feedlink": "", "description": "", "feeddate": "", "feedindex": "", "latest_article_age": "", "unread_count": "", "total_count": "",
}

func (p *newsboat) translate(c *comparison) (*node, error) {
	if field, ok := textAttributes[c.name]; ok {
		return p.textCondition(c, field)
	}
	switch c.name {
	case "tags":
		return p.tagCondition(c)
	case "unread":
		return p.unreadCondition(c)
	case "age":
		return p.ageCondition(c)
	}
	why, known := otherAttributes[c.name]
	switch {
	case known && why != "":
		return nil, p.wrong(c.at, "%s has no counterpart: %s", c.name, why)
	case known:
		return nil, p.wrong(c.at, "%s has no counterpart", c.name)
	}
	names := []string{"tags", "unread", "age"}
	for n := range textAttributes {
		names = append(names, n)
	}
	slices.Sort(names)
	if near := wording.Nearest(c.name, names); near != "" {
		return nil, p.wrong(c.at, "%s is not a newsboat attribute. Nearest: %s", c.name, near)
	}
	return nil, p.wrong(c.at, "%s is not a newsboat attribute", c.name)
}

// unfit refuses an operator that an attribute does not go with.
func (p *newsboat) unfit(c *comparison) error {
	return p.wrong(c.opAt, "%s %s has no counterpart", c.name, c.op)
}

// negated is a part, or its opposite for the operators with a !.
func (c *comparison) negated(n *node) *node {
	if c.op[0] == '!' {
		return &node{op: opNot, kids: []*node{n}}
	}
	return n
}

// fromPOSIX writes the ends of words and the letters of all scripts as RE2 does: POSIX has
// signs of its own for them.
var fromPOSIX = strings.NewReplacer(`\\`, `\\`, `\<`, `\b`, `\>`, `\b`, `[:alnum:]`, `\pL\pN`, `[:alpha:]`, `\pL`)

func (p *newsboat) textCondition(c *comparison, field Field) (*node, error) {
	t := &term{kind: isPattern, field: field}
	switch c.op {
	case "=", "!=":
		t.text = "^" + regexp.QuoteMeta(c.value) + "$"
	case "=~", "!~":
		t.text, t.fold = fromPOSIX.Replace(c.value), true
	case "#", "!#": // one of the words between spaces
		t.text = "(^| )" + regexp.QuoteMeta(c.value) + "( |$)"
	default:
		return nil, p.unfit(c)
	}
	if t.text == "" {
		return nil, p.wrong(c.valueAt, "an empty pattern matches everything")
	}
	if err := p.bind(t, c.valueAt); err != nil {
		return nil, err
	}
	return c.negated(&node{term: t}), nil
}

func (p *newsboat) tagCondition(c *comparison) (*node, error) {
	t := &term{kind: isWords, field: Tag, text: c.value}
	switch c.op {
	case "#", "!#":
	case "=~", "!~":
		t.kind, t.fold = isPattern, true
	default:
		return nil, p.unfit(c)
	}
	if c.value == "" {
		return nil, p.wrong(c.valueAt, "a tag has a name")
	}
	if err := p.bind(t, c.valueAt); err != nil {
		return nil, err
	}
	return c.negated(&node{term: t}), nil
}

func (p *newsboat) unreadCondition(c *comparison) (*node, error) {
	if c.op != "=" && c.op != "!=" {
		return nil, p.unfit(c)
	}
	if c.value != "yes" && c.value != "no" {
		return nil, p.wrong(c.valueAt, `unread is "yes" or "no"`)
	}
	if (c.value == "yes") == (c.op == "=") {
		return Unread().root, nil
	}
	return Read().root, nil
}

// ageCondition translates a number of whole days since an item was published.
func (p *newsboat) ageCondition(c *comparison) (*node, error) {
	low, high, isRange := strings.Cut(c.value, ":")
	if !isRange {
		high = low
	}
	from, err := strconv.Atoi(low)
	to, err2 := strconv.Atoi(high)
	if err != nil || err2 != nil || from < 0 || to < 0 || max(from, to) >= 100_000 || isRange != (c.op == "between") {
		return nil, p.wrong(c.valueAt, "age needs a number of days, and between two of them: 2:5")
	}
	newer := func(n int) *node { return p.days(isNewer, n) }
	older := func(n int) *node { return p.days(isOlder, n) }
	switch c.op {
	case "<":
		return newer(from), nil
	case "<=":
		return newer(from + 1), nil
	case ">":
		return older(from + 1), nil
	case ">=":
		return older(from), nil
	case "=", "!=", "between":
		return c.negated(joined(opAnd, newer(max(from, to)+1), older(min(from, to)))), nil
	}
	return nil, p.unfit(c)
}

func (p *newsboat) days(kind termKind, n int) *node {
	t := &term{kind: kind, when: moment{count: n, unit: 'd'}}
	t.at = t.when.time(p.now).Unix()
	return &node{term: t}
}
