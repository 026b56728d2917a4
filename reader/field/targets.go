package field

import (
	"strings"
	"unicode"

	"diurna/reader/align"
	"diurna/reader/kind"
	"diurna/reader/markup"
)

// Binds reports whether an address says that it leads to what binds people.
func Binds(href string) bool {
	return kind.Legal.Has(strings.FieldsFunc(bareTarget(href), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }))
}

// Dropped reports whether the link around a block leads to another page of the same
// site, and no link of the other version of the page does.
func Dropped(d, other *align.Document, block int, host string) bool {
	href := LinkOf(d, block)
	target := align.Canonical(href)
	if there := hostIn(href); target == "" || bareTarget(href) == "" || there != "" && site(there) != site(host) {
		return false
	}
	for t := other.NextTag(0); t < other.End(); t = other.NextTag(other.Next(t)) {
		if e, closing := other.Element(t); e == markup.A && !closing && SameTarget(markup.Attr(other.At(t), "href"), href) {
			return false
		}
	}
	return true
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

// sumDigits is how many hexadecimal digits a checksum shows at least, and wholeSum how
// many the shortest one has that is not cut.
const (
	sumDigits = 12
	wholeSum  = 32
)

// Checksum reports whether a token that became another is one that people compare: as
// many hexadecimal digits as before, behind a name of its own that is no build's, or
// whole in a row of a table or list.
func Checksum(d *align.Document, block int, old, next string, row bool) bool {
	if len(old) != len(next) || len(next) < sumDigits || !kind.Hexish(old) || !kind.Hexish(next) {
		return false
	}
	name := NameIn(d, block)
	return len(name) > 0 && !kind.Makers.Has(name) || row && len(next) >= wholeSum
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
