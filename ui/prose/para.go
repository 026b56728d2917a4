package prose

import (
	"strings"
	"unicode/utf8"
)

// para collects the text of one paragraph, white space collapsed, before it is
// wrapped. A line break stands for <br>, a zero-width space for <wbr>.
type para struct {
	buf   []byte
	marks []mark
	space bool // a blank is owed before the next character
	pre   bool // white space is kept
}

// mark says that the text up to end, from the mark before, has one style.
type mark struct {
	end   int
	style Style
	link  int
}

// breakHere is where a word may be broken; it never reaches a line.
const breakHere = "\u200b"

// add appends text that is clean already; white space in it is collapsed
// unless the paragraph is preformatted.
func (p *para) add(s string, style Style, link int) {
	if p.pre {
		p.buf = append(p.buf, s...)
		p.mark(style, link)
		return
	}
	begun := false
	for s != "" {
		if isSpace(s[0]) {
			p.space = true
			s = s[1:]
			continue
		}
		n := 0
		for n < len(s) && !isSpace(s[n]) {
			n++
		}
		switch {
		case !begun:
			p.owe(style, link)
			begun = true
		case p.space:
			p.buf = append(p.buf, ' ')
			p.space = false
		}
		p.buf = append(p.buf, s[:n]...)
		s = s[n:]
	}
	p.mark(style, link)
}

// owe writes the blank that is owed, unless a line begins here.
func (p *para) owe(style Style, link int) {
	if p.space && len(p.buf) > 0 && p.buf[len(p.buf)-1] != '\n' {
		// The blank before a link is not part of it, nor the one after: it
		// takes the plainer of the two styles.
		if n := len(p.marks); n > 0 && (p.marks[n-1].link != link || p.marks[n-1].style != style) {
			style &= p.marks[n-1].style
			link = 0
			if p.marks[n-1].link != 0 && p.marks[n-1].style == style {
				style &^= Link
			}
		}
		p.buf = append(p.buf, ' ')
		p.mark(style, link)
	}
	p.space = false
}

// mark closes the present run of text.
func (p *para) mark(style Style, link int) {
	n := len(p.marks)
	at := 0
	if n > 0 {
		at = p.marks[n-1].end
	}
	if len(p.buf) == at {
		return
	}
	if n > 0 && p.marks[n-1].style == style && p.marks[n-1].link == link {
		p.marks[n-1].end = len(p.buf)
		return
	}
	p.marks = append(p.marks, mark{len(p.buf), style, link})
}

// newline breaks the line; at the beginning it does nothing, and no more than
// one empty line is kept.
func (p *para) newline(style Style) {
	p.space = false
	n := len(p.buf)
	if n == 0 || n > 1 && p.buf[n-1] == '\n' && p.buf[n-2] == '\n' && !p.pre {
		return
	}
	p.buf = append(p.buf, '\n')
	p.mark(style, 0)
}

// freshLine begins a new line unless one begins here.
func (p *para) freshLine(style Style) {
	if n := len(p.buf); n > 0 && p.buf[n-1] != '\n' {
		p.newline(style)
	}
	p.space = false
}

// cutTo takes back everything after the first n bytes.
func (p *para) cutTo(n int) {
	p.buf = p.buf[:n]
	for len(p.marks) > 0 && p.marks[len(p.marks)-1].end > n {
		if k := len(p.marks); k > 1 && p.marks[k-2].end >= n {
			p.marks = p.marks[:k-1]
			continue
		}
		if n == 0 {
			p.marks = p.marks[:0]
			break
		}
		p.marks[len(p.marks)-1].end = n
	}
}

// spans cuts the text between from and to into spans. Both are at the
// boundaries of characters; the zero-width spaces are left out.
func (p *para) spans(all string, from, to int, out []Span) []Span {
	at := from
	for i := p.find(from); i < len(p.marks) && at < to; i++ {
		m := p.marks[i]
		if m.end <= at {
			continue
		}
		stop := min(m.end, to)
		t := all[at:stop]
		if strings.Contains(t, breakHere) {
			t = strings.ReplaceAll(t, breakHere, "")
		}
		if t != "" {
			out = append(out, Span{t, m.style, m.link})
		}
		at = stop
	}
	return out
}

// find gives the first mark that ends after at.
func (p *para) find(at int) int {
	lo, hi := 0, len(p.marks)
	for lo < hi {
		mid := (lo + hi) / 2
		if p.marks[mid].end <= at {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// reset empties the paragraph and keeps its memory.
func (p *para) reset() {
	p.buf, p.marks, p.space, p.pre = p.buf[:0], p.marks[:0], false, false
}

// small are the characters that exist raised and lowered.
var raised = strings.NewReplacer("0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶",
	"7", "⁷", "8", "⁸", "9", "⁹", "+", "⁺", "-", "⁻", "−", "⁻", "=", "⁼", "(", "⁽", ")", "⁾", "n", "ⁿ", "i", "ⁱ")

var lowered = strings.NewReplacer("0", "₀", "1", "₁", "2", "₂", "3", "₃", "4", "₄", "5", "₅", "6", "₆",
	"7", "₇", "8", "₈", "9", "₉", "+", "₊", "-", "₋", "−", "₋", "=", "₌", "(", "₍", ")", "₎")

// maxScript bounds the bytes that are raised or lowered; more is a paragraph in
// the wrong element.
const maxScript = 40

// script rewrites what was appended since from as a superscript or subscript:
// with the characters for it where all of them exist, else as ^x, ^(word), _x
// or _(word). Ordinals (1st) and text with links stay as they are.
func (p *para) script(from int, up bool) {
	if from >= len(p.buf) || len(p.buf)-from > maxScript {
		return
	}
	s := string(p.buf[from:])
	last := p.marks[len(p.marks)-1]
	if last.link != 0 || strings.ContainsAny(s, "\n[") || p.find(from) != len(p.marks)-1 {
		return
	}
	lead := ""
	if s[0] == ' ' {
		lead, s = " ", s[1:]
	}
	switch s {
	case "st", "nd", "rd", "th", "TM", "SM", "®", "™", "er", "re", "e", "o", "a":
		if up {
			return
		}
	}
	r, sign := raised, "^"
	if !up {
		r, sign = lowered, "_"
	}
	t := r.Replace(s)
	if !converted(t) {
		if t = sign + s; utf8.RuneCountInString(s) > 1 {
			t = sign + "(" + s + ")"
		}
	}
	p.cutTo(from)
	p.buf = append(append(p.buf, lead...), t...)
	p.mark(last.style, last.link)
}

// converted reports whether every character of s is a raised or lowered one.
func converted(s string) bool {
	for _, r := range s {
		if !strings.ContainsRune("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎", r) {
			return false
		}
	}
	return true
}

// isSpace reports whether c is white space to HTML.
func isSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f'
}
