package cells

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxMarks is how many combining marks one character keeps: more are a prank
// that climbs over the neighbouring rows.
const maxMarks = 8

// clean drops or replaces what makes two terminals disagree about the width of
// a text. It is idempotent: m.clean(m.clean(s)) == m.clean(s). With Graphemes a
// sequence of emoji, which such a terminal shows as one sign, stays whole.
func (m Measure) clean(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	var last rune // the last base character kept, 0 when there is none
	marks := 0
	s = norm.NFC.String(s)
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			r = '�' // written in its three-byte form: a lone byte would end a row's escape sequence
		}
		if m.Graphemes && r >= firstEmoji {
			if cluster, _ := m.Next(s[i:]); EmojiSequence(cluster) {
				b.WriteString(cluster)
				i += len(cluster)
				last, marks = r, 0
				continue
			}
		}
		i += size
		r = translate(r, last)
		switch {
		case r < 0:
			continue
		case isMark(r):
			// A mark without a base would sit on the cell of the column before
			// it. One on an ASCII letter that composed to nothing is lost in the
			// renderer, which draws ASCII byte by byte.
			if last < utf8.RuneSelf || marks == maxMarks {
				continue
			}
			marks++
		default:
			last, marks = r, 0
		}
		b.WriteRune(r)
	}
	return m.narrow(norm.NFC.String(b.String())) // what was dropped may have stood between two that compose
}

// maxCells is the widest cluster the renderer draws; it takes a wider one for
// an escape sequence and gives it no cell at all.
const maxCells = 4

// narrow splits clusters of more than maxCells with a space: conjuncts of five
// Indic consonants and rows of leading Hangul letters, counted letter by
// letter as a terminal without mode 2027 does.
func (m Measure) narrow(s string) string {
	for at := 0; at < len(s); {
		cluster, n := m.Next(s[at:])
		if n <= maxCells {
			at += len(cluster)
			continue
		}
		used, keep := 0, 0
		for i, r := range cluster {
			_, n := m.Next(string(r))
			if used+n > maxCells {
				keep = i
				break
			}
			used += n
		}
		rest := s[at+keep:]
		if r, size := utf8.DecodeRuneInString(rest); isMark(r) {
			s = s[:at+keep] + rest[size:] // a mark joins whatever stands before it
			continue
		}
		s = s[:at+keep] + " " + rest
	}
	return s
}

// translate gives the character to print for r after the base character last,
// or -1 for none.
func translate(r, last rune) rune {
	switch {
	case r == '\t' || r == '\n' || r == '\r' || r == '\u2028' || r == '\u2029' || r == '\u0085':
		return ' '
	case r < ' ' || r >= 0x7f && r < 0xa0:
		return -1
	case r < 0xad:
		return r
	case r == '\u200c':
		// The zero-width non-joiner is spelling in Persian and in Indic
		// scripts, and nothing anywhere else.
		if last < 0x600 {
			return -1
		}
		return r
	case r >= 0x1f1e6 && r <= 0x1f1ff:
		// One regional indicator is one cell or two, a pair two or four: as
		// letters (DE for the flag) they are the same everywhere.
		return 'A' + r - 0x1f1e6
	case r >= 0x1f3fb && r <= 0x1f3ff:
		return -1 // skin tone: two more cells in a terminal without clusters
	case r >= 0xfe00 && r <= 0xfe0f, r >= 0xe0100 && r <= 0xe01ef, r >= 0x180b && r <= 0x180f:
		return -1 // variation selectors; VS16 turns one cell into two in some terminals
	case r >= 0xe0000 && r <= 0xe0fff:
		return -1 // tag characters: text that nobody sees
	case r == 0x115f || r == 0x1160 || r == 0x3164 || r == 0xffa0:
		return -1 // Hangul fillers: blank letters of no agreed width
	case unicode.Is(unicode.Cf, r), isPrepend(r), r >= 0xfff0 && r < 0xfffc:
		return -1 // joiners, bidi controls, soft hyphen, byte order mark
	}
	return r
}

// isMark reports whether r is drawn over the character before it.
func isMark(r rune) bool {
	return r >= 0x300 && (r == '\u200c' || unicode.In(r, unicode.Mn, unicode.Me, unicode.Mc))
}

// isPrepend reports whether r swallows the character after it into its own
// cluster (Grapheme_Cluster_Break=Prepend, the letters among them): the space
// of the padding would lose its cell.
func isPrepend(r rune) bool {
	switch r {
	case 0x0d4e, 0x111c2, 0x111c3, 0x113d1, 0x1193f, 0x11941, 0x11d46, 0x11f02:
		return true
	}
	return r >= 0x11a3a && r <= 0x11a89 && (r == 0x11a3a || r >= 0x11a84)
}
