package ignore

import (
	"strings"
	"testing"
)

func TestFits(t *testing.T) {
	for _, c := range []struct {
		pattern, words string
		want           bool
	}{
		{"*", "", true}, {"*", "a b", true}, {"a *", "a", true}, {"a *", "b a", false}, {"* ago", "# days ago", true},
		{"* a * b", "x a a y b", true}, {"* a * b", "x b a", false}, {"# a", "# b", false}, {"", "a", false},
		{"* a b *", "a a a b", true},
	} {
		if got := fits(strings.Fields(c.pattern), strings.Fields(c.words)); got != c.want {
			t.Errorf("%q against %q: %v", c.words, c.pattern, got)
		}
	}
}
