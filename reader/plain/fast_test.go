package plain

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// oddities are characters that the fast paths must stop at.
var oddities = []string{"\x00", "\x1b", "\x7f", "\u009b", "\u202e", "\u200d", "\u200c", "\ufeff", "\xff", "\r", "\v", "\u0301", "é", "~", " ", "\n", "\t"}

func TestFastPathsStopAtOddities(t *testing.T) {
	for length := range 20 {
		for at := range length + 1 {
			for _, odd := range oddities {
				s := strings.Repeat("a", at) + odd + strings.Repeat("b", length-at)
				for _, lines := range []bool{false, true} {
					if got := clean(s, lines); isClean(s, lines) && got != s {
						t.Errorf("isClean(%q, %v), but it is cleaned to %q", s, lines, got)
					}
				}
			}
		}
	}
}

func TestFastPathsTakeText(t *testing.T) {
	for _, s := range []string{"", "a line, with spaces  and\n\ttabs ~ and more of it", strings.Repeat("words and ", 50)} {
		if !isClean(s, true) {
			t.Errorf("isClean(%q) is false", s)
		}
	}
}

// TestWordsSkipNothing compares the count with one that looks at each character.
func TestWordsSkipNothing(t *testing.T) {
	for _, text := range []string{
		"It's 3,14 a.b x:y _ __ a_b 1_000 don't.stop, Ünïcode naïve 漢字 word-word ..a.. 5a a5",
		"one more letter changes nothing  of AZaz words a b c d e f g h i j @ab [cd `ef {gh and so on\x00then é the end",
	} {
		for from := range len(text) {
			for to := from; to <= len(text); to++ {
				s := text[from:to]
				c := counter{}
				for _, r := range s {
					c.rune(r)
				}
				if want := c.words + (c.ideographs+1)/2 + (c.unspaced+3)/4; utf8.ValidString(s) && Words(s) != want {
					t.Errorf("countWords(%q) = %d, want %d", s, Words(s), want)
				}
			}
		}
	}
	for tag, want := range map[string]bool{"<B>": true, "</strong >": true, "<acronym title=x>": true, "<blockquote>": false, "<p>": false, "<!--a comment-->": true, "<acronymx>": false} {
		if inline(tag) != want {
			t.Errorf("inline(%q) is %v", tag, !want)
		}
	}
}

// TestTextInOnePiece: a text is what its characters are one by one.
func TestTextInOnePiece(t *testing.T) {
	for _, odd := range oddities {
		for _, s := range []string{"ab" + odd + "cd", odd + "a", "a b" + odd, "a" + odd + odd + "漢b " + odd + "c", "a<br>b" + odd + "<p>c"} {
			apart := ""
			for i, r := range s {
				switch r {
				case '<', 'b', 'r', '>', 'p': // may be of a tag
					apart += s[i : i+1]
				default:
					apart += "<i>" + s[i:i+max(1, len(s[i:])-len(strings.TrimPrefix(s[i:], string(r))))] + "</i>"
				}
			}
			if got, want := FromHTML(s, 0), FromHTML(apart, 0); got != want {
				t.Errorf("%q is %q, and %q one by one", s, got, want)
			}
		}
	}
}
