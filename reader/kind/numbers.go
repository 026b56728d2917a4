package kind

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// zeros begin the digits of the scripts whose shops write with them.
var zeros = []rune{'٠', '۰', '०', '০', '๐', '０'}

// PlainDigits writes the digits of other scripts as 0 to 9.
func PlainDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x660 || !unicode.IsDigit(r) {
			return r
		}
		for _, zero := range zeros {
			if r >= zero && r <= zero+9 {
				return '0' + r - zero
			}
		}
		return r
	}, s)
}

// ReadNumber reads a number as it is written in any country: 1299.5, 1.299,50,
// 1,299.50, 1 299,50, 1'299.50, 1,29,900. Where only one point or comma stands in
// it, three digits behind it are a group of thousands; unsure says that they may
// be decimals as well. ok is false for what is no number, such as 2.3.1.
func ReadNumber(s string) (v float64, ok, unsure bool) {
	s = strings.NewReplacer("٬", "'", "’", "'", "\u00a0", "'", "\u202f", "'", "\u2009", "'", " ", "'", "٫", "d").Replace(s)
	whole, decimals := s, ""
	dots, commas := strings.Count(s, "."), strings.Count(s, ",")
	at := strings.LastIndexAny(s, ".,")
	switch {
	case strings.Count(s, "d") > 1 || s == "" || at == len(s)-1:
		return 0, false, false
	case strings.Contains(s, "d"):
		whole, decimals, _ = strings.Cut(s, "d")
	case dots > 0 && commas > 0:
		if strings.Count(s, s[at:at+1]) > 1 {
			return 0, false, false
		}
		whole, decimals = s[:at], s[at+1:]
	case dots+commas == 1:
		if len(s)-at-1 == 3 && at <= 3 && s[0] != '0' && !strings.Contains(s, "'") {
			unsure = true
			break
		}
		whole, decimals = s[:at], s[at+1:]
	}
	whole, grouped := groups(whole)
	if !grouped || !isNumeric(whole) || decimals != "" && !isNumeric(decimals) {
		return 0, false, false
	}
	v, err := strconv.ParseFloat(whole+"."+decimals, 64)
	return v, err == nil, unsure
}

// groups takes the signs between thousands out of a whole number; false where they
// stand otherwise than every three digits, or as India writes them.
func groups(s string) (string, bool) {
	i := strings.IndexAny(s, ".,'")
	if i < 0 {
		return s, true
	}
	parts := strings.Split(s, s[i:i+1])
	last := parts[len(parts)-1]
	lakh := s[i] == ','
	for _, p := range parts[1 : len(parts)-1] {
		lakh = lakh && len(p) == 2
	}
	threes := !slices.ContainsFunc(parts[1:], func(p string) bool { return len(p) != 3 })
	if len(last) != 3 || !threes && !lakh || len(parts[0]) > 3 || parts[0] == "" {
		return s, false
	}
	return strings.Join(parts, ""), true
}

func isNumeric(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' }) < 0
}

// Succeeds reports whether one version is the next one of another: one of its numbers,
// which points part, is larger by one, and those behind it begin again.
func Succeeds(a, b string) bool {
	p, q := Parts(strings.TrimPrefix(a, "v"), "."), Parts(strings.TrimPrefix(b, "v"), ".")
	if len(p) < 2 || len(p) != len(q) || IsDate(a) || strings.Contains(a, ".0") && AmountLike(a) || strings.Contains(b, ".0") && AmountLike(b) {
		return false
	}
	i := 0
	for i < len(p) && p[i] == q[i] {
		i++
	}
	if i == len(p) || q[i] != p[i]+1 {
		return false
	}
	for i++; i < len(q); i++ {
		if q[i] != 0 {
			return false
		}
	}
	return true
}
