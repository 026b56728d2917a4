package prose

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// piece is a part of a text that stands on one line.
type piece struct{ from, to int }

// ruler measures text in cells: by clusters where it is true, as a terminal that
// confirmed mode 2027 does.
type ruler bool

// next gives the bytes and cells of the first character of s, a cluster of
// code points being one character.
func (r ruler) next(s string) (size, cells int) {
	if s[0] < utf8.RuneSelf {
		return 1, 1
	}
	if r {
		cluster, w := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
		return len(cluster), w
	}
	cluster, w := ansi.FirstGraphemeCluster(s, ansi.WcWidth)
	if len(cluster) > 3 {
		// Terminals with mode 2027 count the cluster, others its parts: with
		// the larger of the two no line is too wide in either.
		w = max(w, ansi.GraphemeWidth.StringWidth(cluster))
	}
	return len(cluster), w
}

// width gives the cells of s.
func (r ruler) width(s string) (w int) {
	for s != "" {
		n, c := r.next(s)
		s, w = s[n:], w+c
	}
	return w
}

// wrap breaks s into lines of at most w cells: at blanks, after hyphens in
// words, between ideographs, and inside a word only where it is wider than a
// line. Line breaks in s are kept, blanks at the edges of lines are not.
func (m ruler) wrap(s string, w int, out []piece) []piece {
	from, used := 0, 0
	stop, resume, past := -1, 0, 0 // the last place to break: end of this line, start of the next, cells up to there
	prev, before := rune(0), rune(0)
	for i := 0; i < len(s); {
		switch s[i] {
		case '\n':
			out = append(out, piece{from, i})
			i++
			from, used, stop, prev, before = i, 0, -1, 0, 0
			continue
		case ' ':
			if i > from {
				stop, resume, past = i, i+1, used+1
			}
			i++
			used++
			prev, before = ' ', prev
			continue
		}
		r := rune(s[i])
		size, cells := 1, 1
		if r >= utf8.RuneSelf {
			r, _ = utf8.DecodeRuneInString(s[i:])
			size, cells = m.next(s[i:])
		}
		if i > from && mayBreak(before, prev, r, cells) {
			stop, resume, past = i, i, used
		}
		if used+cells > w && i > from {
			if stop > from {
				out = append(out, piece{from, stop})
				from, used = resume, used-past
			} else if prev == ' ' {
				from, used = i, 0
			} else {
				out = append(out, piece{from, i})
				from, used = i, 0
			}
			stop = -1
			continue
		}
		used += cells
		i += size
		prev, before = r, prev
	}
	if from < len(s) {
		out = append(out, piece{from, len(s)})
	}
	return out
}

// mayBreak reports whether a line may end between prev and r, where there is
// no blank; before is what stands before prev.
func mayBreak(before, prev, r rune, cells int) bool {
	switch {
	case prev < utf8.RuneSelf && r < utf8.RuneSelf:
		// After a hyphen inside a word, but not in -1 or --option.
		return prev == '-' && isLetter(r) && isLetter(before)
	case prev == '\u200b' || prev == '—' && r != '—':
		return true
	case prev == ' ' || prev == 0:
		return false
	}
	wide := cells == 2 && isIdeograph(r) || isIdeograph(prev)
	return wide && !strings.ContainsRune(noStart, r) && !strings.ContainsRune(noEnd, prev)
}

// What may not begin or end a line in Chinese and Japanese, and the brackets
// of link numbers.
const (
	noStart = "、。，．・：；？！゛゜ヽヾゝゞ々ー’”）〕］｝〉》」』】゠–〜～ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ,.:;?!)]}%…‥[\u200b"
	noEnd   = "‘“（〔［｛〈《「『【([{"
)

// isIdeograph reports whether lines may be broken beside r: kana, Hangul and
// Chinese characters with their punctuation.
func isIdeograph(r rune) bool {
	return r >= 0x2e80 && r <= 0xa4cf || r >= 0xac00 && r <= 0xd7a3 || r >= 0xf900 && r <= 0xfaff ||
		r >= 0xfe30 && r <= 0xfe4f || r >= 0xff00 && r <= 0xffef || r >= 0x20000 && r <= 0x3fffd
}

func isLetter(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' }
