package segment

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"diurna/reader/align"
)

// wordy reports whether a stretch begins with a letter, a digit or a price.
func wordy(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return !unicode.IsPunct(r)
}

// Mono marks the changed stretches of a row. Spaces at their ends stand
// outside the marks: "[-8 €-] {+9.50 €+}".
func Mono(segs []Segment) string {
	var b strings.Builder
	for _, s := range segs {
		if s.Kind == align.Equal {
			b.WriteString(s.Text)
			continue
		}
		text := strings.Trim(s.Text, " ")
		left := s.Text[:len(s.Text)-len(strings.TrimLeft(s.Text, " "))]
		right := s.Text[len(strings.TrimRight(s.Text, " ")):]
		if text == "" {
			b.WriteString(s.Text)
			continue
		}
		if out := b.String(); left == "" && wordy(text) && (strings.HasSuffix(out, "-]") || strings.HasSuffix(out, "+}")) {
			left = " "
		}
		b.WriteString(left)
		if s.Kind == align.Delete {
			b.WriteString("[-" + text + "-]")
		} else {
			b.WriteString("{+" + text + "+}")
		}
		b.WriteString(right)
	}
	return b.String()
}
