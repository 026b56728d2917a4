package feed

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestFolded: white space is folded as by cutting a text into its words.
func TestFolded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOf(rapid.RuneFrom([]rune(" \t\n\rab\v\u00a0é"))).Draw(t, "text")
		words := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" \t\n\r", r) })
		if got, want := string(appendFolded(nil, s)), strings.Join(words, " "); got != want {
			t.Fatalf("%q is %q, not %q", s, got, want)
		}
	})
}
