package words

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// class says what a character does to the word it stands in.
type class uint8

const (
	between  class = iota // ends a word
	word                  // a letter or digit of a word
	mark                  // belongs to the character before it
	unspaced              // of a script written without spaces
)

var asciiClass = func() (t [utf8.RuneSelf]class) {
	for _, r := range "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" {
		t[r] = word
	}
	return t
}()

// tabled is how many characters have their class and folded form in a table: those
// of Latin, Greek and Cyrillic.
const tabled = 0x530

var tables = sync.OnceValue(func() *struct {
	class [tabled]class
	fold  [tabled]string
} {
	t := new(struct {
		class [tabled]class
		fold  [tabled]string
	})
	for r := range rune(tabled) {
		t.class[r], t.fold[r] = classify(r), foldRune(string(r), r)
	}
	return t
})

func classOf(r rune) class {
	switch { // the commonest first
	case r < tabled:
		return tables().class[r]
	case 0x4E00 <= r && r <= 0x9FFC, 0x3041 <= r && r <= 0x3096, 0x30A1 <= r && r <= 0x30FA, 0xAC00 <= r && r <= 0xD7A3:
		return unspaced
	case 0x2010 <= r && r <= 0x2027, 0x3008 <= r && r <= 0x3020:
		return between
	}
	return classify(r)
}

// unspacedRanges are the scripts written without spaces, and Korean, whose words
// carry their particles.
var unspacedRanges = [][2]rune{
	{0x0E01, 0x0E4E}, {0x0E80, 0x0ECF}, {0x0EDC, 0x0EFF}, {0x1000, 0x103F}, {0x1050, 0x109F}, {0x1100, 0x11FF}, {0x1780, 0x17D3},
	{0x3005, 0x3007}, {0x3021, 0x3029}, {0x3041, 0x30FA}, {0x30FC, 0x318F}, {0x31A0, 0x31BF}, {0x31F0, 0x31FF}, {0x3400, 0x4DBF}, {0x4E00, 0x9FFF},
	{0xA960, 0xA97F}, {0xAC00, 0xD7FF}, {0xF900, 0xFAFF}, {0xFF66, 0xFFDC}, {0x1B000, 0x1B16F}, {0x20000, 0x3FFFF},
}

func classify(r rune) class {
	switch {
	case ignored(r), unicode.IsMark(r), r == 0xFF9E, r == 0xFF9F: // the voiced sounds of narrow kana
		return mark
	case !unicode.IsLetter(r) && !unicode.IsNumber(r):
		return between
	}
	for _, in := range unspacedRanges {
		if r < in[0] {
			break
		}
		if r <= in[1] {
			return unspaced
		}
	}
	return word
}

// ignored are characters that only say how a word is drawn or broken: the soft
// hyphen, joiners, the tatweel.
func ignored(r rune) bool {
	switch r {
	case 0x00AD, 0x0640, 0x200C, 0x200D, 0x2060, 0xFEFF:
		return true
	}
	return false
}

// accent reports whether a mark is left out when comparing: the accents of Latin,
// Greek and Cyrillic, the vowel points of Hebrew and Arabic, and variants of signs.
// The marks of other scripts are letters to those who write them.
func accent(r rune) bool {
	return 0x0300 <= r && r <= 0x036F || 0x0483 <= r && r <= 0x0487 || 0x0591 <= r && r <= 0x05C7 || 0x064B <= r && r <= 0x065F || r == 0x0670 ||
		0x1AB0 <= r && r <= 0x1AFF || 0x1DC0 <= r && r <= 0x1DFF || 0x20D0 <= r && r <= 0x20FF || 0xFE00 <= r && r <= 0xFE0F || 0xFE20 <= r && r <= 0xFE2F
}

// undecomposed are letters that Unicode does not take apart and people do.
var undecomposed = map[rune]string{
	'ß': "ss", 'ẞ': "ss", 'æ': "ae", 'Æ': "ae", 'œ': "oe", 'Œ': "oe", 'ø': "o", 'Ø': "o", 'đ': "d", 'Đ': "d", 'ð': "d", 'Ð': "d",
	'ħ': "h", 'Ħ': "h", 'ı': "i", 'ł': "l", 'Ł': "l", 'ŋ': "n", 'Ŋ': "n", 'þ': "th", 'Þ': "th", 'ŧ': "t", 'Ŧ': "t", 'ς': "σ",
}

// foldRune is the folded form of a character, whose bytes are s. A letter or digit
// folds into one at least, an accent into nothing.
func foldRune(s string, r rune) string {
	if u, ok := undecomposed[r]; ok {
		return u
	}
	if ignored(r) || accent(r) {
		return ""
	}
	if 0xAC00 <= r && r <= 0xD7A3 || 0x4E00 <= r && r <= 0x9FFF {
		return s // Korean syllables stay whole
	}
	parts := norm.NFKD.PropertiesString(s).Decomposition()
	if parts == nil {
		if l := unicode.ToLower(r); l != r {
			return string(l)
		}
		return s
	}
	var b strings.Builder
	for _, p := range string(parts) {
		if accent(p) || !unicode.In(p, unicode.L, unicode.M, unicode.N) {
			continue
		}
		if u, ok := undecomposed[p]; ok {
			b.WriteString(u)
			continue
		}
		b.WriteRune(unicode.ToLower(p))
	}
	if b.Len() == 0 && classify(r) != mark {
		return s
	}
	return b.String()
}

// folded is foldRune by the table.
func folded(s string, r rune) string {
	if r < tabled {
		return tables().fold[r]
	}
	return foldRune(s, r)
}

// Fold is a text without case and accents, in which characters of all kinds are
// kept: names are compared by it.
func Fold(text string) string {
	if isASCII(text) {
		return strings.ToLower(text)
	}
	var b strings.Builder
	b.Grow(len(text))
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		b.WriteString(folded(text[i:i+n], r))
		i += n
	}
	return b.String()
}

// foldsTo reports whether Fold(s) is want, or with prefix begins with it, without
// making it.
func foldsTo(s, want string, prefix bool) bool {
	for i := 0; i < len(s); {
		if want == "" && prefix {
			return true
		}
		c := s[i]
		if c < utf8.RuneSelf {
			if want == "" || lower(c) != want[0] {
				return false
			}
			want = want[1:]
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		f := folded(s[i:i+n], r)
		if len(f) > len(want) {
			return prefix && strings.HasPrefix(f, want)
		}
		if want[:len(f)] != f {
			return false
		}
		want = want[len(f):]
		i += n
	}
	return want == ""
}

// equalFold reports whether a text of ASCII is want but for its case.
func equalFold(s, want string) bool {
	for i := range len(s) {
		if lower(s[i]) != want[i] {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

func upper(c byte) byte {
	if 'a' <= c && c <= 'z' {
		return c - 'a' + 'A'
	}
	return c
}

func isASCII(s string) bool {
	for len(s) >= 8 {
		if (s[0]|s[1]|s[2]|s[3]|s[4]|s[5]|s[6]|s[7])&0x80 != 0 {
			return false
		}
		s = s[8:]
	}
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
