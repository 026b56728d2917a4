package cells

import (
	"unicode"
	"unicode/utf8"
)

const (
	joiner     = '\u200d'
	firstEmoji = 0x203c // the first sign that begins a sequence
	maxEmoji   = 40     // bytes: a family of four with its tones
)

// EmojiSequence reports whether a cluster is several code points that a
// terminal with mode 2027 shows as one sign of two cells: a flag, or emoji with
// a tone, a presentation selector or joiners. Anything else in a cluster, tags
// above all, makes it none.
func EmojiSequence(cluster string) bool {
	first, size := utf8.DecodeRuneInString(cluster)
	if size == len(cluster) || len(cluster) > maxEmoji || first < firstEmoji {
		return false
	}
	if isRegional(first) {
		second, n := utf8.DecodeRuneInString(cluster[size:])
		return isRegional(second) && size+n == len(cluster)
	}
	sign := false // the last code point was a sign, or belongs to one
	for _, r := range cluster {
		switch {
		case r == joiner || r == 0xfe0f || r >= 0x1f3fb && r <= 0x1f3ff:
			if !sign {
				return false
			}
			sign = r != joiner
		case sign || r < firstEmoji || !unicode.In(r, unicode.So, unicode.Sm, unicode.Po):
			return false
		default:
			sign = true
		}
	}
	_, w := Measure{Graphemes: true}.Next(cluster)
	return sign && w == 2
}

func isRegional(r rune) bool { return r >= 0x1f1e6 && r <= 0x1f1ff }
