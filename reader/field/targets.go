package field

import (
	"strings"
	"unicode"

	"diurna/reader/kind"
)

// Binds reports whether an address says that it leads to what binds people.
func Binds(href string) bool {
	return kind.Legal.Has(strings.FieldsFunc(bareTarget(href), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }))
}

// Rebuilt returns how one address became another: what differs between their common
// beginning and end.
func Rebuilt(a, b string) string {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	a, b = a[i:], b[i:]
	i = 0
	for i < min(len(a), len(b)) && a[len(a)-1-i] == b[len(b)-1-i] {
		i++
	}
	return a[:len(a)-i] + " " + b[:len(b)-i]
}

// shortToken is how long a token is at least.
const shortToken = 6

// ByChance reports whether two words are tokens made by chance: as long as each other,
// and hardly a byte the same.
func ByChance(a, b string) bool {
	return len(a) >= shortToken && len(a) == len(b) && 3*alikeAt(a, b) <= len(a)
}

// alikeAt counts the bytes of two words of one length that are the same.
func alikeAt(a, b string) (n int) {
	for i := range len(a) {
		if a[i] == b[i] {
			n++
		}
	}
	return n
}

// Redrawn reports whether one address becomes another by tokens made by chance:
// as long as before, letters and digits mixed in one of them.
func Redrawn(a, b string) bool {
	if len(a) != len(b) || a == b {
		return false // as most, for every address that went is held against every one that came
	}
	mixed := func(s string) bool { return kind.HasDigit(s) && strings.ContainsFunc(s, unicode.IsLetter) }
	x, y := strings.FieldsFunc(a, notWord), strings.FieldsFunc(b, notWord)
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if x[i] != y[i] && (len(x[i]) < shortToken-2 || !mixed(x[i]) && !mixed(y[i]) || 2*alikeAt(x[i], y[i]) > len(x[i])) {
			return false
		}
	}
	return true
}

func notWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
