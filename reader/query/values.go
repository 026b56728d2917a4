package query

import (
	"strconv"
	"strings"
	"time"
)

// What stands after a colon: words, phrases, times and numbers.

// fieldWants says what stands after a field's colon.
var fieldWants = map[Field]string{Title: "a word", Author: "a word", Text: "a word", Link: "a word", Address: "a word", Feed: "a name", Folder: "a name", Tag: "a name", LinksTo: "an address or a host"}

// value reads what stands after a colon, or in its place: a phrase, a pattern, a
// word; the text is empty where there is none.
func (p *parser) value(t *term, at int) error {
	if p.at == len(p.s) {
		return nil
	}
	switch p.s[p.at] {
	case '"':
		return p.phrase(t)
	case '/':
		return p.patternTerm(t)
	}
	end := wordEnd(p.s, p.at)
	if t.field == LinksTo {
		end = addressEnd(p.s, p.at)
	}
	t.text, t.open = strings.CutSuffix(p.s[p.at:end], "*")
	t.open = t.open || t.text != "" && p.typedTo(end)
	p.at = end
	return nil
}

// addressEnd is wordEnd of an address, which may have pairs of brackets in it.
func addressEnd(s string, at int) int {
	open := 0
	for end := wordEnd(s, at); ; end = wordEnd(s, end+1) {
		switch {
		case end < len(s) && s[end] == '(':
			open++
		case end < len(s) && s[end] == ')' && open > 0:
			open--
		default:
			return end
		}
	}
}

// phrase reads words in quotes, within which \" is a quote.
func (p *parser) phrase(t *term) error {
	open := p.at
	var b strings.Builder
	for p.at++; p.at < len(p.s); p.at++ {
		switch c := p.s[p.at]; {
		case c == '"':
			p.at++
			if t.text = b.String(); strings.TrimSpace(t.text) == "" {
				return p.wrong(open, "there is nothing between the quotes")
			}
			if p.at < len(p.s) && p.s[p.at] == '*' {
				t.open = true
				p.at++
			}
			return nil
		case c == '\\' && p.at+1 < len(p.s) && (p.s[p.at+1] == '"' || p.s[p.at+1] == '\\'):
			p.at++
			b.WriteByte(p.s[p.at])
		default:
			b.WriteByte(c)
		}
	}
	if t.text = b.String(); p.far == typing && strings.TrimSpace(t.text) != "" {
		t.open, p.closes = true, `"*`
		return nil
	}
	return p.unfinished(open, `this " is not closed`)
}

// number reads the value of newer:, older:, longer: and shorter:.
func (p *parser) number(t *term, value string, at int) error {
	name := valueNames[t.kind]
	if t.kind == isNewer || t.kind == isOlder {
		when, ok := parseMoment(value)
		if !ok {
			return p.unfinished(at, "%s: needs a time: 2d, 1w, 2026-11-02", name)
		}
		t.when = when
		return nil
	}
	n, err := strconv.Atoi(value)
	if err != nil || n < 0 || n > 1e9 {
		return p.unfinished(at, "%s: needs a number of words, such as 1200", name)
	}
	t.count = n
	return nil
}

// lengthTerm reads words>1200 and the like.
func (p *parser) lengthTerm(rest string, at int) (*term, error) {
	sign := rest[:1]
	number := strings.TrimPrefix(rest[1:], "=")
	n, err := strconv.Atoi(number)
	switch {
	case sign == "=":
		return nil, p.wrong(at, "words takes > or <, such as words>1200")
	case err != nil || n < 0 || n > 1e9:
		return nil, p.unfinished(at+len("words")+len(rest)-len(number), "words%s needs a number, such as words%s1200", sign, sign)
	}
	t := &term{kind: isLonger, count: n}
	if sign == "<" {
		t.kind = isShorter
	}
	if number != rest[1:] { // >= is longer than one less
		t.count += map[termKind]int{isLonger: -1, isShorter: 1}[t.kind]
	}
	if t.count < 0 || t.count > 1e9 { // what is written of it could not be read again
		return nil, p.wrong(at, "words%s= needs a number from 1 to 999999999", sign)
	}
	return t, nil
}

// parseMoment reads a date such as 2026-11-02, or 3h, 2d, 1w, 6m, 1y.
func parseMoment(v string) (moment, bool) {
	if _, err := time.Parse(time.DateOnly, v); err == nil {
		return moment{date: v}, true
	}
	if len(v) < 2 || !strings.Contains("hdwmy", v[len(v)-1:]) {
		return moment{}, false
	}
	n, err := strconv.Atoi(v[:len(v)-1])
	if err != nil || n < 0 || n > 100_000 || v[0] == '+' {
		return moment{}, false
	}
	return moment{count: n, unit: v[len(v)-1]}, true
}
