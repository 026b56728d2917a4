package plain

import (
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
)

// isClean reports whether clean would return s unchanged. It errs towards
// false (joiners always take the slow path) and allocates nothing.
func isClean(s string, lines bool) bool {
	marks := 0
	spaced := !lines // a line may not begin with a space
	for i := 0; i < len(s); {
		if lines {
			// In text of many lines spaces may stand anywhere, so ASCII is passed
			// over in words.
			if n := printable(s[i:]); n > 0 {
				marks = 0
				i += n
				continue
			}
		}
		b := s[i]
		if b > ' ' && b < 0x7F || lines && (b == ' ' || b == '\n' || b == '\t') {
			marks, spaced = 0, false
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n <= 1 {
			return false
		}
		switch classOf(r) {
		case keep, pict, skin:
			marks, spaced = 0, false
		case mark:
			if marks++; marks > maxMarks {
				return false
			}
			spaced = false
		case space:
			if r != ' ' || spaced {
				return false
			}
			marks, spaced = 0, !lines
		case newline, tab:
			if !lines || r != '\n' && r != '\t' {
				return false
			}
			marks = 0
		default:
			return false
		}
		i += n
	}
	return lines || !spaced || s == ""
}

// printable returns the length of ASCII from ' ' to '~' at the beginning of s, in
// multiples of 8.
func printable(s string) int {
	const each = 0x0101010101010101
	n := 0
	for ; len(s)-n >= 8; n += 8 {
		v := eight(s[n : n+8])
		// The high bit of a byte is set where it is no ASCII, DEL or below ' '.
		if (v|(v+each)|(v-' '*each))&(0x80*each) != 0 {
			break
		}
	}
	return n
}

// eight are eight bytes as a number, the first of them lowest.
func eight(w string) uint64 {
	return uint64(w[0]) | uint64(w[1])<<8 | uint64(w[2])<<16 | uint64(w[3])<<24 |
		uint64(w[4])<<32 | uint64(w[5])<<40 | uint64(w[6])<<48 | uint64(w[7])<<56
}

// cleaner builds clean text. Its decisions look at what has been written, not
// at what was read, so that removing a rune cannot make two harmless halves
// into something that a second pass would remove.
type cleaner struct {
	out     []byte
	marks   int  // combining marks since the last base
	emoji   bool // out ends in a pictograph, perhaps with modifiers
	joiner  bool // a joiner waits for a pictograph
	parter  bool // a non-joiner waits for a letter
	base    rune // the last one in out, 0 after a space
	last    rune // the last rune of out
	pending bool // a folded space waits for what follows
	lines   bool // keep line breaks, tabs and runs of spaces
}

func clean(s string, lines bool) string {
	c := cleaner{out: make([]byte, 0, len(s)), lines: lines}
	for i := 0; i < len(s); {
		r, n := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			if r, n = utf8.DecodeRuneInString(s[i:]); r == utf8.RuneError && n <= 1 {
				i++
				continue
			}
		}
		switch cl := classOf(r); cl {
		case escape:
			n = escapeLen(s[i:])
		case carriage:
			if i+1 < len(s) && s[i+1] == '\n' {
				n = 2
			}
			c.put('\n', newline)
		case c1:
			if g := cp1252[r-0x80]; g != 0 {
				c.put(g, classOf(g))
			}
		default:
			c.put(r, cl)
		}
		i += n
	}
	return string(c.out)
}

// put writes one rune of the given class.
func (c *cleaner) put(r rune, cl class) {
	switch cl {
	case drop:
		return
	case joiner:
		c.joiner = c.emoji && !c.pending
		return
	case parter:
		c.parter = c.base != 0 && !c.pending
		return
	case space, newline, tab:
		c.putSpace(r, cl)
		return
	case mark:
		if c.marks >= maxMarks {
			return
		}
		c.flush(r, cl)
		c.marks++
		c.emoji = c.emoji && r == 0xFE0F
	default:
		c.flush(r, cl)
		c.marks = 0
		c.emoji = cl == pict || cl == skin && c.emoji
		c.base = r
	}
	c.out = utf8.AppendRune(c.out, r)
	c.last = r
}

// flush writes the folded space, or what waited to join or part what is written and
// r, of the given class.
func (c *cleaner) flush(r rune, cl class) {
	switch {
	case c.joiner && cl == pict:
		c.out = append(c.out, "\u200d"...)
	case c.parter && parts(c.base, c.last, r):
		c.out = append(c.out, "\u200c"...)
	}
	if c.pending {
		c.out = append(c.out, ' ')
		c.emoji = false
		c.marks = 0
	}
	c.joiner, c.parter, c.pending = false, false, false
}

func (c *cleaner) putSpace(r rune, cl class) {
	c.joiner, c.parter, c.base, c.last = false, false, 0, 0
	if !c.lines {
		// The space is written only when something follows it, and marks are
		// counted again from then on; nothing may lead the line.
		c.pending = len(c.out) > 0
		c.marks = 0
		return
	}
	b := byte(' ')
	switch {
	case cl == newline:
		b = '\n'
	case r == '\t':
		b = '\t'
	}
	c.out = append(c.out, b)
	c.marks, c.emoji = 0, false
}

// cut returns the longest prefix of clean text s that has at most max bytes and
// ends at a grapheme boundary, without trailing white space if trim is set.
func cut(s string, max int, trim bool) string {
	if max <= 0 || len(s) <= max {
		return s
	}
	s = s[:boundary(s, max)]
	if trim {
		s = strings.TrimRight(s, " \n\t")
	}
	return s
}

// boundary returns the last grapheme boundary of s at or before max < len(s).
// Between two printable ASCII characters there always is one (rules GB999 of
// UAX 29), so only the piece after the last such place is segmented.
func boundary(s string, max int) int {
	printable := func(b byte) bool { return b >= ' ' && b < 0x7F }
	start := max
	for start > 0 && !(printable(s[start]) && printable(s[start-1])) {
		start--
	}
	if start == max {
		return max
	}
	at := start
	for it := graphemes.FromString(s[start:]); it.Next(); {
		if start+it.End() > max {
			break
		}
		at = start + it.End()
	}
	// The segmenter's tables may be of another Unicode version than ours: a
	// joiner must never be left without its right side, nor a non-joiner.
	return len(strings.TrimRight(s[:at], "\u200c\u200d"))
}
