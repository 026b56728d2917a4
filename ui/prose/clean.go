package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"diurna/reader/plain"
	"diurna/ui/cells"
)

// inline makes the text of one line plain. White space at its edges stays, as
// it may part two words; inside it is collapsed later.
func (r ruler) inline(s string) string {
	if printable(s) {
		return s
	}
	t := r.steady(plain.Line(s, 0))
	// Line trims the no-break space too.
	if t == "" {
		if c, _ := utf8.DecodeRuneInString(s); unicode.IsSpace(c) {
			return " "
		}
		return ""
	}
	if c, _ := utf8.DecodeRuneInString(s); unicode.IsSpace(c) {
		t = " " + t
	}
	if c, _ := utf8.DecodeLastRuneInString(s); unicode.IsSpace(c) {
		t += " "
	}
	return t
}

// block makes preformatted text plain and keeps its blanks and line breaks;
// tabs become blanks up to the next multiple of 8 cells.
func (r ruler) block(s string) string {
	if s = strings.ReplaceAll(s, "\r\n", "\n"); !printable(s) || strings.ContainsAny(s, "\r\f") {
		s = r.steady(plain.Text(s, 0))
	}
	if strings.IndexByte(s, '\t') < 0 {
		return s
	}
	var sb strings.Builder
	sb.Grow(len(s) + 64)
	for col := 0; s != ""; {
		n := strings.IndexAny(s, "\t\n")
		if n < 0 {
			n = len(s)
		}
		sb.WriteString(s[:n])
		col += r.width(s[:n])
		if n == len(s) {
			break
		}
		if s[n] == '\n' {
			sb.WriteByte('\n')
			col = 0
		} else {
			tab := 8 - col%8
			sb.WriteString("        "[:tab])
			col += tab
		}
		s = s[n+1:]
	}
	return sb.String()
}

// printable reports whether s has nothing but printable ASCII and white space.
func printable(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; (c < ' ' || c > '~') && !isSpace(c) {
			return false
		}
	}
	return true
}

// steady drops what plain text may hold but terminals disagree about the width
// of: joiners and variation selectors. It composes letters and their marks,
// because the screen's renderer loses marks on ASCII letters. Sequences of emoji
// stay whole where clusters are measured.
func (r ruler) steady(s string) string {
	s = norm.NFC.String(s)
	if !r {
		return strings.Map(single, s)
	}
	var sb strings.Builder
	sb.Grow(len(s))
	for s != "" {
		n, _ := r.next(s)
		if cells.EmojiSequence(s[:n]) {
			sb.WriteString(s[:n])
		} else {
			sb.WriteString(strings.Map(single, s[:n]))
		}
		s = s[n:]
	}
	return sb.String()
}

// single is what stands for a code point that is no part of a whole sequence.
func single(r rune) rune {
	switch {
	case r == '\u200d', r == '\u200b', r >= 0xfe00 && r <= 0xfe0f, r >= 0xe0100 && r <= 0xe01ef,
		r >= 0x1f3fb && r <= 0x1f3ff:
		return -1
	case r >= 0x1f1e6 && r <= 0x1f1ff:
		return 'A' + r - 0x1f1e6 // a flag is one cell or four; its letters are two everywhere
	}
	return r
}
