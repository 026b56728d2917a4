package prose

import (
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"
)

// Isolate begins a right-to-left line for a terminal or a program that knows
// the Unicode Bidirectional Algorithm (UAX 9, RLI), EndIsolate ends it (PDI).
// In between the line is laid out from the right, whatever is around it.
const (
	Isolate    = "\u2067"
	EndIsolate = "\u2069"
)

// Isolated gives a text of one line as it is, or between isolates where it
// runs from right to left.
func Isolated(text string) string {
	if !RightToLeft(text) {
		return text
	}
	return Isolate + text + EndIsolate
}

// direction is what the source says of the direction of a text.
type direction uint8

const (
	unsaid direction = iota
	ltr
	rtl
)

// readDirection reads a dir attribute; around is what holds without one.
func readDirection(dir string, around direction) direction {
	switch dir {
	case "rtl":
		return rtl
	case "ltr":
		return ltr
	case "auto":
		return unsaid
	}
	return around
}

// turn finds the direction of the lines that come: what the source says, else
// that of the first strong character (UAX 9, P2 and P3). Code runs from the
// left.
func (b *builder) turn(text string) {
	switch b.dir {
	case rtl:
		b.rtl = !b.para.pre
	case ltr:
		b.rtl = false
	default:
		b.rtl = !b.para.pre && RightToLeft(text)
	}
}

// RightToLeft reports whether the first strong character of a text runs from
// right to left.
func RightToLeft(s string) bool {
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			if isLetter(rune(c)) {
				return false
			}
			i++
			continue
		}
		p, n := bidi.LookupString(s[i:])
		switch p.Class() {
		case bidi.L:
			return false
		case bidi.R, bidi.AL:
			return true
		}
		i += max(n, 1)
	}
	return false
}

// turnTable is turn for a whole table: its columns run as its text does.
func (b *builder) turnTable(t *token, rows [][]*cell) {
	if t.attrs != nil {
		if dir := readDirection(t.attrs.dir, unsaid); dir != unsaid {
			b.rtl = dir == rtl
			return
		}
	}
	for _, row := range rows {
		for _, x := range row {
			if x != nil && len(x.para.buf) > 0 {
				b.turn(string(x.para.buf))
				return
			}
		}
	}
}
