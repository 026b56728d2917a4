package query

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// foldText makes comparing independent of letter case.
func foldText(s string) string { return strings.ToLower(strings.TrimSpace(s)) }

// containsFold is strings.Contains with letter case folded, without a copy of
// s: a find over 100,000 rows runs between two key presses.
func containsFold(s, folded string) bool {
	if folded == "" {
		return true
	}
	first, size := utf8.DecodeRuneInString(folded)
	if first < utf8.RuneSelf && first != 'k' && first != 's' && first != 'i' {
		// Few letters outside ASCII fold into it (the Kelvin sign, the long s, the
		// dotted I); all others are matched by their own two bytes only, which the
		// processor finds many at a time.
		return containsFrom(s, folded, byte(first)) || upper(byte(first)) != byte(first) && containsFrom(s, folded, upper(byte(first)))
	}
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if unicode.ToLower(r) == first && prefixFold(s[n:], folded[size:]) {
			return true
		}
		s = s[n:]
	}
	return false
}

// containsFrom is containsFold for matches that begin with the byte c.
func containsFrom(s, folded string, c byte) bool {
	for {
		i := strings.IndexByte(s, c)
		if i < 0 {
			return false
		}
		if prefixFold(s[i+1:], folded[1:]) {
			return true
		}
		s = s[i+1:]
	}
}

func upper(c byte) byte {
	if 'a' <= c && c <= 'z' {
		return c - 'a' + 'A'
	}
	return c
}

// prefixFold reports whether s begins with folded, letter case aside.
func prefixFold(s, folded string) bool {
	for len(folded) > 0 {
		if len(s) == 0 {
			return false
		}
		if a, b := s[0], folded[0]; a < utf8.RuneSelf && b < utf8.RuneSelf {
			if lower(a) != b {
				return false
			}
			s, folded = s[1:], folded[1:]
			continue
		}
		a, n := utf8.DecodeRuneInString(s)
		b, m := utf8.DecodeRuneInString(folded)
		if unicode.ToLower(a) != b {
			return false
		}
		s, folded = s[n:], folded[m:]
	}
	return true
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
