package kind

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// idDigits is the least number of digits of a telephone number or of the number
// of a company, a tax payer or an account.
const idDigits = 7

// Identifies reports whether words [i, j) belong to a number that names something
// and counts nothing: many digits, in groups or behind letters.
func Identifies(words []string, i, j int, dates []bool) bool {
	if i == j {
		return false
	}
	from, to := i, j // a date beside it is no part of it
	for from > 0 && !dates[from-1] {
		from--
	}
	for to < len(words) && !dates[to] {
		to++
	}
	words, i, j = words[from:to], i-from, j-from
	part := func(w string) bool { return HasDigit(w) || len(w) <= 3 && strings.ToUpper(w) == w }
	for i > 0 && part(words[i-1]) && (HasDigit(words[i-1]) || i == 1 || !HasDigit(words[i-2])) {
		i-- // letters stand in front of digits; behind some they are a unit
	}
	for j < len(words) && HasDigit(words[j]) {
		j++
	}
	digits, grouped := 0, j-i > 1
	for _, w := range words[i:j] {
		for _, r := range w {
			if unicode.IsDigit(r) {
				digits++
			}
		}
		grouped = grouped || names(w) || strings.ContainsFunc(w, unicode.IsLetter) || strings.ContainsAny(w, "/-") ||
			w[0] == '0' && utf8.RuneCountInString(w) >= idDigits
		if !HasDigit(w) && !part(w) || Hashed(w) && !names(w) || IsClock(w) && !Bare(w) || IsDate(w) {
			return false
		}
	}
	return digits >= idDigits && grouped
}

// names reports whether w, which looks like a token, names something by itself: the
// number of an account (a country in two to four letters, then digits alone), or a
// checksum (as many hexadecimal digits as the common ones have).
func names(w string) bool {
	digits := strings.TrimLeftFunc(w, unicode.IsLetter)
	if n := len(w) - len(digits); n >= 2 && n <= 4 && len(digits) >= idDigits && len(digits) <= 32 && Bare(digits) {
		return true
	}
	switch len(w) {
	case 56, 64, 96, 128: // SHA-2 and SHA-3; shorter ones are a build's or a session's too
		return strings.Trim(strings.ToLower(w), "0123456789abcdef") == ""
	}
	return false
}
