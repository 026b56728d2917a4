package interest

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// noTitle sorts after every key there is.
const noTitle = "\U0010ffff"

// SortKey is what titles are compared by: in lower case, without the quotes and
// brackets before the first letter or digit, and Latin letters without their
// accents. Numbers come first; a text without letters and digits sorts last.
func SortKey(title string) string {
	title = fromFirst(title)
	r, n := utf8.DecodeRuneInString(title)
	if n == 0 {
		return noTitle
	}
	low := strings.ToLower(title)
	if strings.ContainsFunc(low, accented) {
		low = withoutAccents(low)
	}
	if unicode.IsNumber(r) {
		return "\x00" + low
	}
	return low
}

// Initial is the group that a title stands in where titles are in order: the first
// letter of its key, 0 for all that begin with a number, -1 for those without
// letters and digits.
func Initial(title string) rune {
	if title != "" { // most titles: a list of 50,000 asks while a key waits
		if c := title[0] | 0x20; 'a' <= c && c <= 'z' {
			return rune(c)
		}
	}
	r, n := utf8.DecodeRuneInString(fromFirst(title))
	switch {
	case n == 0:
		return -1
	case unicode.IsNumber(r):
		return 0
	}
	return plainLetter(unicode.ToLower(r))
}

// fromFirst is a text from its first letter or digit on.
func fromFirst(s string) string {
	return strings.TrimLeftFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
}

// accented reports whether a letter may be a Latin one with an accent, or the accent
// of one.
func accented(r rune) bool {
	return r >= 0xc0 && (r < 0x250 || isAccent(r) || r >= 0x1e00 && r < 0x1f00)
}

func isAccent(r rune) bool { return r >= 0x300 && r <= 0x36f }

// plainLetter is a letter without its accent.
func plainLetter(r rune) rune {
	if accented(r) {
		r, _ = utf8.DecodeRuneInString(norm.NFD.String(string(r)))
	}
	return r
}

// withoutAccents takes the accents off Latin letters. Other scripts keep their
// marks: there they make other letters.
func withoutAccents(s string) string {
	var b strings.Builder
	latin := false
	for _, r := range s {
		if isAccent(r) && latin {
			continue
		}
		r = plainLetter(r)
		latin = unicode.Is(unicode.Latin, r)
		b.WriteRune(r)
	}
	return b.String()
}
