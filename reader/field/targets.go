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
