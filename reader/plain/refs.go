package plain

import (
	"strings"
	"unicode/utf8"
)

// maxPasses is how often disarm looks again after a change. Honest markup needs
// one pass, quoted examples of references two.
const maxPasses = 8

// disarm removes from markup every numeric reference that would, after any
// number of decodes, become a character Text removes. Removing or resolving one
// reference can complete another ("&#&#50;7;"), so it runs until nothing
// changes; what still changes after maxPasses is an attack and loses all of its
// ampersands.
func disarm(s string) string {
	for range maxPasses {
		t, changed := disarmOnce(s)
		if !changed {
			return s
		}
		s = t
	}
	return strings.ReplaceAll(s, "&", "\uFFFD")
}

func disarmOnce(s string) (string, bool) {
	i := strings.IndexByte(s, '&')
	if i < 0 {
		return s, false
	}
	var out []byte // nil until something changes
	done := 0      // s[:done] is in out
	for i >= 0 && i < len(s) {
		n, with, found := reference(s[i:])
		if found {
			out = append(append(out, s[done:i]...), with...)
			done = i + n
		}
		i += n
		next := strings.IndexByte(s[i:], '&')
		if next < 0 {
			break
		}
		i += next
	}
	if done == 0 {
		return s, false
	}
	return string(append(out, s[done:]...)), true
}

// reference looks at the character reference at the start of s, which begins
// with '&', through any chain of escaped ampersands. It returns how many bytes
// were looked at and, if the reference has to go, what takes its place.
func reference(s string) (n int, with string, found bool) {
	j := 1
	for {
		if k := ampersand(s[j:]); k > 0 {
			j += k
			continue
		}
		if strings.HasPrefix(s[j:], "num;") {
			return j + 4, "#", true
		}
		if strings.HasPrefix(s[j:], "semi;") {
			return j + 5, ";", true
		}
		v, k := number(s[j:])
		if k == 0 {
			return 1, "", false
		}
		j += k
		if v == '&' {
			continue
		}
		return verdict(v, j)
	}
}

// ampersand returns the length of the rest of "&amp;" after its '&', if s
// begins with it and something that can go on follows.
func ampersand(s string) int {
	if !strings.HasPrefix(s, "amp") && !strings.HasPrefix(s, "AMP") {
		return 0
	}
	if len(s) > 3 && s[3] == ';' {
		return 4
	}
	return 3
}

// verdict says what takes the place of a numeric reference to v, n bytes long.
func verdict(v rune, n int) (int, string, bool) {
	switch {
	case v >= 0x80 && v <= 0x9F:
		if g := cp1252[v-0x80]; g != 0 {
			return n, string(g), true
		}
		return n, "", true
	case v == '\r', v == '\v', v == '\f':
		return n, "\n", true
	// What could become part of another reference is resolved right away.
	case v == '#', v == ';', v >= '0' && v <= '9', v >= 'a' && v <= 'z', v >= 'A' && v <= 'Z':
		return n, string(v), true
	case v < 0, v > utf8.MaxRune, v >= 0xD800 && v <= 0xDFFF:
		return n, "", true
	}
	if cl := classOf(v); cl == drop || cl == escape {
		return n, "", true
	}
	return n, "", false
}

// number reads "#123;" or "#x7B;" (the semicolon is optional, as for browsers)
// and returns the value, -1 if beyond Unicode, and the length; 0 if s is none.
func number(s string) (v rune, n int) {
	if len(s) < 2 || s[0] != '#' {
		return 0, 0
	}
	i, base := 1, rune(10)
	if s[1] == 'x' || s[1] == 'X' {
		i, base = 2, 16
	}
	first := i
	for i < len(s) {
		d := digit(s[i])
		if d >= base {
			break
		}
		if v >= 0 {
			v = v*base + d
		}
		if v > utf8.MaxRune {
			v = -1
		}
		i++
	}
	if i == first {
		return 0, 0
	}
	if i < len(s) && s[i] == ';' {
		i++
	}
	return v, i
}

// digit returns the value of a hexadecimal digit, or 99.
func digit(b byte) rune {
	switch {
	case b >= '0' && b <= '9':
		return rune(b - '0')
	case b >= 'a' && b <= 'f':
		return rune(b-'a') + 10
	case b >= 'A' && b <= 'F':
		return rune(b-'A') + 10
	}
	return 99
}

// cutHTML cuts markup at a grapheme boundary outside tags and references.
func cutHTML(s string, max int) string {
	t := cut(s, max, false)
	if len(t) == len(s) {
		return s
	}
	if i := strings.LastIndexByte(t, '<'); i > strings.LastIndexByte(t, '>') {
		t = t[:i]
	}
	if i := strings.LastIndexByte(t, '&'); i >= 0 && len(t)-i < 64 && !strings.Contains(t[i:], ";") {
		t = t[:i]
	}
	return t
}
