// Package condition reads and tells the conditions of watch --when, such as
// price<44.
package condition

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"diurna/reader/align"
	"diurna/reader/kind"
	"diurna/reader/page"
)

// Condition is what --when asks of a page: "price<44". Its zero value asks for
// nothing.
type Condition struct {
	subject subject
	op      string
	limit   float64
	number  string // the limit as it was written
}

// subject is what of a page a condition looks at.
type subject uint8

const (
	noSubject subject = iota
	thePrice          // the first amount with a currency
	theFigure         // the first number
)

var subjects = map[string]subject{"price": thePrice, "number": theFigure}

func (s subject) String() string { return [...]string{"", "price", "number"}[s] }

// operators are the comparisons, longer ones first, and how a sentence says them.
var operators = []struct{ sign, as, says string }{
	{"<=", "<=", "at most"}, {">=", ">=", "at least"}, {"!=", "!=", "not"}, {"==", "=", "exactly"},
	{"<", "<", "below"}, {">", ">", "above"}, {"=", "=", "exactly"}, {"≤", "<=", "at most"}, {"≥", ">=", "at least"}, {"≠", "!=", "not"},
}

// ConditionError says where in a condition a mistake stands, in bytes.
type ConditionError struct {
	At  int
	Why string
}

func (e *ConditionError) Error() string { return e.Why }

// ParseCondition reads "price<44" or "number >= 1.299,50": price, the first amount
// with a currency of what is watched, or number, the first number; a comparison;
// and a number as any country writes it. "" is the zero Condition. The error is a
// *ConditionError.
func ParseCondition(s string) (Condition, error) {
	var c Condition
	if strings.TrimSpace(s) == "" {
		return c, nil
	}
	fail := func(at int, format string, args ...any) (Condition, error) {
		return Condition{}, &ConditionError{at, fmt.Sprintf(format, args...)}
	}
	at := len(s) - len(strings.TrimLeft(s, " "))
	end := at + strings.IndexFunc(s[at:]+"<", func(r rune) bool { return !unicode.IsLetter(r) })
	end = min(end, len(s))
	var known bool
	if c.subject, known = subjects[strings.ToLower(s[at:end])]; !known {
		return fail(at, "a condition begins with price or number")
	}
	for at = end; at < len(s) && s[at] == ' '; at++ {
	}
	for _, op := range operators {
		if strings.HasPrefix(s[at:], op.sign) {
			c.op = op.as
			at += len(op.sign)
			break
		}
	}
	if c.op == "" {
		return fail(at, "expected a comparison: < <= > >= = or !=")
	}
	for ; at < len(s) && s[at] == ' '; at++ {
	}
	c.number = strings.TrimSpace(s[at:])
	limit, ok, unsure := kind.ReadNumber(kind.PlainDigits(c.number))
	switch {
	case c.number == "":
		return fail(at, "expected a number, such as 44 or 1299.50")
	case !ok:
		return fail(at, "%q is not a number, such as 44 or 1299.50; leave out the currency", c.number)
	case unsure:
		return fail(at, "%q could be thousands or a fraction; write it without a thousands separator, or with two decimals", c.number)
	}
	c.limit = limit
	return c, nil
}

// String is the condition as it is kept: "price<44", "" for none.
func (c Condition) String() string {
	if c.subject == noSubject {
		return ""
	}
	return c.subject.String() + c.op + c.number
}

// Subject is "price" or "number".
func (c Condition) Subject() string { return c.subject.String() }

// Words says what must be so: "below 44".
func (c Condition) Words() string {
	for _, op := range operators {
		if op.as == c.op {
			return op.says + " " + c.number
		}
	}
	return ""
}

// Reading is what a condition finds on a page.
type Reading struct {
	Found bool
	Text  string  // as the page writes it: "39,90 €"
	Value float64 //
	Block string  // the text of the block that it stands in
	Of    int     // how many there are to choose from
	True  bool    // the condition holds
}

// Read looks for a condition's number in a page, as far as the selectors of o look
// at it: the first one below the page's heading, if any stands there, that is not
// struck through and stands in no furniture. The only error is a selector that
// does not parse.
func (c Condition) Read(body []byte, o page.Options) (Reading, error) {
	sc, err := page.NewScope(o)
	if err != nil || c.subject == noSubject {
		return Reading{}, err
	}
	d := align.Parse(body)
	in, _ := sc.Of(d)
	out := align.OutlineOf(d)
	from := int32(0)
	for _, h := range out.Heads {
		if h.Level == 1 {
			from = h.To
			break
		}
	}
	struck := align.StruckThrough(d)
	var best Reading
	rank := 0 // of best: 1 furniture, 2 above the heading, 3 below it
	all := 0
	for n := range d.Blocks {
		if sc.Outside(d, n, in) || d.Blocks[n].Words() > align.LongBlock {
			continue
		}
		list := c.numbers(d.TextWithout(n, struck))
		all += len(list)
		r := 3
		if out.At[n].Flags&align.InMenu != 0 && len(o.Select) == 0 {
			r = 1
		} else if d.Blocks[n].T0 < from {
			r = 2
		}
		if len(list) > 0 && r > rank {
			rank, best = r, list[0]
			best.Block = align.Clean(strings.TrimSpace(d.TextOf(n)))
		}
	}
	best.Of = all
	best.True = best.Found && c.holds(best.Value)
	return best, nil
}

func (c Condition) holds(v float64) bool {
	switch c.op {
	case "<":
		return v < c.limit
	case "<=":
		return v <= c.limit
	case ">":
		return v > c.limit
	case ">=":
		return v >= c.limit
	case "=":
		return v == c.limit
	}
	return v != c.limit
}

// figures are the numbers of a text: groups of three with a plain space only
// where decimals follow, or by grouped.
var figures = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\d{1,3}(?: \d{3})+,\d{2}|\d(?:[\d.,'’٬٫\x{a0}\x{202f}\x{2009}]*\d)?`)
})

// numbers lists the numbers of a text that the condition may mean.
func (c Condition) numbers(text string) (list []Reading) {
	text = kind.PlainDigits(text)
	for _, at := range figures().FindAllStringIndex(text, -1) {
		from, to := withCurrency(text, at[0], at[1])
		if from == at[0] && to > at[1] {
			from = grouped(text, from, at[1])
			at[0] = from
		}
		v, ok, _ := kind.ReadNumber(text[at[0]:at[1]])
		if !ok || !standsAlone(text, at[0], at[1]) {
			continue
		}
		if c.subject == thePrice && from == at[0] && to == at[1] {
			continue
		}
		list = append(list, Reading{Found: true, Value: v, Text: align.Clean(strings.TrimSpace(text[from:to]))})
	}
	return list
}

// thousands are groups of digits at the end of a text that go on with one of three.
var thousands = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:^|  |[^\pL\pN\s]\s?)(\d{1,3} (?:\d{3} )*)$`) })

// grouped returns where an amount begins whose last three digits are at [from, to):
// "1 299 kr" is one number. In "Model 15 299 kr" it may be two, and is read so.
func grouped(text string, from, to int) int {
	if to-from == 3 && !strings.ContainsAny(text[from:to], ".,'") {
		if at := thousands().FindStringSubmatchIndex(text[max(0, from-16):from]); at != nil && (from <= 16 || at[0] > 0) {
			return max(0, from-16) + at[2]
		}
	}
	return from
}

// standsAlone reports whether a number is no part of a word, a date, a time of day
// or a version.
func standsAlone(text string, from, to int) bool {
	before, n := utf8.DecodeLastRuneInString(text[:from])
	after, m := utf8.DecodeRuneInString(text[to:])
	if strings.ContainsRune(":/-", after) {
		if next, _ := utf8.DecodeRuneInString(text[to+m:]); unicode.IsDigit(next) {
			return false
		}
	}
	if strings.ContainsRune(":/-", before) {
		if last, _ := utf8.DecodeLastRuneInString(text[:from-n]); unicode.IsDigit(last) {
			return false
		}
	}
	joins := func(r rune) bool { return unicode.IsLetter(r) && !kind.Unspaced(r) }
	if joins(before) && !kind.Currencies.Has([]string{currencyBefore(text[:from])}) {
		return false
	}
	return !joins(after) || kind.Currencies.Has([]string{currencyAfter(text[to:])})
}

// withCurrency widens a number by the currency before or after it.
func withCurrency(text string, from, to int) (int, int) {
	if before := strings.TrimRightFunc(text[:from], unicode.IsSpace); from-len(before) <= 4 {
		if w := currencyBefore(before); isCurrency(w) {
			return from - (from - len(before)) - len(w), to
		}
	}
	rest := strings.TrimLeft(text[to:], ".,–—-") // 44.– and 44,-
	after := strings.TrimLeftFunc(rest, unicode.IsSpace)
	if w := currencyAfter(after); isCurrency(w) && len(rest)-len(after) <= 4 {
		return from, len(text) - len(after) + len(w)
	}
	return from, to
}

func isCurrency(w string) bool {
	return w != "" && (strings.ContainsFunc(w, func(r rune) bool { return unicode.Is(unicode.Sc, r) }) || kind.Currencies.Has([]string{w}))
}

// currencySign reports whether r may stand in the name of a currency.
func currencySign(r rune) bool { return unicode.IsLetter(r) || unicode.Is(unicode.Sc, r) }

func currencyBefore(s string) string {
	s = strings.TrimSuffix(s, ".") // Rs. 500, Fr. 44
	return s[strings.LastIndexFunc(s, func(r rune) bool { return !currencySign(r) })+1:]
}

func currencyAfter(s string) string {
	for i, r := range s {
		if !currencySign(r) || i > 0 && kind.Unspaced(r) {
			return s[:i]
		}
	}
	return s
}
