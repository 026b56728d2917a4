package kind

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// CaseFold makes texts that differ in case, width of spaces or composition of
// letters the same, as Unicode's full case folding does (CaseFolding.txt, C and F).
func CaseFold(s string) string {
	folded := strings.Map(foldLetter, foldsToSeveral.Replace(norm.NFD.String(s)))
	return strings.Join(strings.Fields(norm.NFC.String(folded)), " ")
}

// foldLetter goes by way of the capital, since σ and ς share theirs.
func foldLetter(r rune) rune {
	if r == 'ı' {
		return r // i to Turks only
	}
	return unicode.ToLower(unicode.ToUpper(r))
}

// foldsToSeveral are the letters that fold to several and don't decompose into them.
var foldsToSeveral = strings.NewReplacer("ß", "ss", "ẞ", "ss", "ŉ", "ʼn", "ẚ", "aʾ", "և", "եւ", "ﬀ", "ff", "ﬁ", "fi", "ﬂ", "fl",
	"ﬃ", "ffi", "ﬄ", "ffl", "ﬅ", "st", "ﬆ", "st", "ﬓ", "մն", "ﬔ", "մե", "ﬕ", "մի", "ﬖ", "վն", "ﬗ", "մխ")
