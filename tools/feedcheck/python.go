package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Values are Python's: nil, bool, int64, float64, string, list, tuple, dict,
// and text, a string of ours that knows how it is to be compared.
type (
	list  []any
	tuple []any
	dict  map[string]any
)

// unmapped is the error of a name for which this program has no counterpart.
type unmapped struct{ name string }

func (u unmapped) Error() string { return u.name }

// errRaise is what Python would have raised: a key or an index that is not
// there, an operation on the wrong type. The assertion then does not hold.
var errRaise = errors.New("raises")

// scope finds the value of a name, unmapped if there is no such.
type scope func(name string) (any, error)

// holds evaluates an expression in the subset of Python that assertions are
// written in: literals, names, attributes, subscripts, calls of a few
// functions, comparisons (chained too), and, or, not. Go's spellings of the
// operators, nil and raw strings are read too.
func holds(expr string, names scope) (bool, error) {
	p := pyParser{names: names}
	if err := p.lex(expr); err != nil {
		return false, err
	}
	n, err := p.or()
	if err == nil && p.at < len(p.tokens) {
		err = fmt.Errorf("syntax: %q", p.tokens[p.at].s)
	}
	if err != nil {
		return false, err
	}
	v, err := n()
	if errors.Is(err, errRaise) {
		return false, nil
	}
	return truth(v), err
}

// token is a word of an expression: a name, an operator, or a literal.
type token struct {
	kind byte // 'n'ame, 'o'perator, 'v'alue
	s    string
	v    any
}

// node is a part of an expression, ready to be evaluated.
type node func() (any, error)

type pyParser struct {
	tokens []token
	at     int
	names  scope
}

func (p *pyParser) lex(s string) error {
	for s != "" {
		c := s[0]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			s = s[1:]
		case c == '#' || c == '\\':
			_, s, _ = strings.Cut(s, "\n")
		case c == '\'' || c == '"' || c == '`':
			v, rest, err := pyString(s, c == '`')
			if err != nil {
				return err
			}
			p.value(v)
			s = rest
		case c >= '0' && c <= '9':
			n := strings.IndexFunc(s, func(r rune) bool { return (r < '0' || r > '9') && r != '.' })
			if n < 0 {
				n = len(s)
			}
			if err := p.number(s[:n]); err != nil {
				return err
			}
			s = s[n:]
		case letter(c):
			n := 0
			for n < len(s) && (letter(s[n]) || s[n] >= '0' && s[n] <= '9') {
				n++
			}
			word := s[:n]
			s = s[n:]
			if low := strings.ToLower(word); s != "" && (s[0] == '\'' || s[0] == '"') && (low == "u" || low == "b" || low == "r") {
				v, rest, err := pyString(s, low == "r")
				if err != nil {
					return err
				}
				p.value(v)
				s = rest
				continue
			}
			p.tokens = append(p.tokens, token{kind: 'n', s: word})
		default:
			op := operator(s)
			if op == "" {
				return fmt.Errorf("syntax: %q", s)
			}
			p.tokens = append(p.tokens, token{kind: 'o', s: op})
			s = s[len(op):]
		}
	}
	return nil
}

func letter(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }

// value adds a literal; strings side by side are one.
func (p *pyParser) value(v any) {
	if n := len(p.tokens); n > 0 && p.tokens[n-1].kind == 'v' {
		a, ok := p.tokens[n-1].v.(string)
		if b, too := v.(string); ok && too {
			p.tokens[n-1].v = a + b
			return
		}
	}
	p.tokens = append(p.tokens, token{kind: 'v', v: v})
}

func (p *pyParser) number(s string) error {
	if i, err := strconv.ParseInt(s, 10, 64); err == nil {
		p.value(i)
		return nil
	}
	f, err := strconv.ParseFloat(s, 64)
	p.value(f)
	return err
}

func operator(s string) string {
	for _, op := range []string{"==", "!=", "<=", ">=", "&&", "||", "<", ">", "(", ")", "[", "]", "{", "}", ",", ":", ".", "-", "+", "=", "!"} {
		if strings.HasPrefix(s, op) {
			return op
		}
	}
	return ""
}

// pyString reads the string literal at the start of s.
func pyString(s string, raw bool) (v, rest string, err error) {
	quote := s[:1]
	if strings.HasPrefix(s, strings.Repeat(quote, 3)) {
		quote = s[:3]
	}
	s = s[len(quote):]
	var b strings.Builder
	for s != "" {
		if strings.HasPrefix(s, quote) {
			return b.String(), s[len(quote):], nil
		}
		if s[0] != '\\' || raw || len(s) < 2 {
			b.WriteByte(s[0])
			s = s[1:]
			continue
		}
		n := pyEscape(&b, s)
		s = s[n:]
	}
	return "", "", errors.New("syntax: a string without an end")
}

// pyEscape writes what the escape at the start of s stands for and returns its
// length. What Python does not know stays as it is.
func pyEscape(b *strings.Builder, s string) int {
	if i := strings.IndexByte(`\'"abfnrtv`, s[1]); i >= 0 {
		b.WriteByte("\\'\"\a\b\f\n\r\t\v"[i])
		return 2
	}
	digits, base := 0, 16
	switch c := s[1]; {
	case c == '\n':
		return 2
	case c == 'x':
		digits = 2
	case c == 'u':
		digits = 4
	case c == 'U':
		digits = 8
	case c >= '0' && c <= '7':
		base = 8
		n := 1
		for n < 4 && n < len(s) && s[n] >= '0' && s[n] <= '7' {
			n++
		}
		v, _ := strconv.ParseUint(s[1:n], base, 32) // at most three octal digits
		b.WriteRune(rune(v))
		return n
	}
	if end := 2 + digits; digits > 0 && end <= len(s) {
		if v, err := strconv.ParseUint(s[2:end], base, 32); err == nil && v <= utf8.MaxRune {
			b.WriteRune(rune(v))
			return end
		}
	}
	b.WriteByte('\\')
	return 1
}

// next reports whether the next token is the operator or word s, and takes it.
func (p *pyParser) next(words ...string) bool {
	if p.at+len(words) > len(p.tokens) {
		return false
	}
	for i, w := range words {
		if t := p.tokens[p.at+i]; t.kind == 'v' || t.s != w {
			return false
		}
	}
	p.at += len(words)
	return true
}
