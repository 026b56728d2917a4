package kind

import (
	"strings"
	"testing"
)

func TestLeadingNumber(t *testing.T) {
	for w, want := range map[string]int{"3": 3, "3rd": 3, "14": 14, "14e": 14, "21st": 21, "3日目": 3,
		"": -1, "rd": -1, "140": -1, "3xyz": -1, "14日目の": -1} {
		if got := LeadingNumber(w); got != want {
			t.Errorf("LeadingNumber(%q) = %d, want %d", w, got, want)
		}
	}
}

// A currency stands beside its amount also where blanks part groups of digits.
func TestCosts(t *testing.T) {
	for _, c := range []struct {
		words string
		i, j  int
		want  bool
	}{
		{"costs 200 € now", 1, 2, true}, {"costs € 200 now", 2, 3, true}, {"costs 200 now", 1, 2, false},
		{"costs 1 200 000 € now", 1, 2, true}, {"costs € 1 200 000 now", 4, 5, true}, {"costs 1 200 000", 1, 2, false},
		{"costs 1 20 € now", 1, 2, false}, {"room 200 and € 5", 1, 2, false},
	} {
		if got := Costs(strings.Fields(c.words), c.i, c.j); got != c.want {
			t.Errorf("%q [%d, %d): %v", c.words, c.i, c.j, got)
		}
	}
}
