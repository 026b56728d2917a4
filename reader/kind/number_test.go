package kind

import (
	"strings"
	"testing"
)

func TestLeadingNumber(t *testing.T) {
	for w, want := range map[string]int{"3": 3, "3rd": 3, "3.1": -1, "12.9": -1, "14": 14, "14e": 14, "21st": 21, "3日目": 3,
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

// A date has a day and a month; a version may look like one.
func TestIsDate(t *testing.T) {
	for w, want := range map[string]bool{"2026.11.3": true, "01.02.00": true, "3.11.2026": true, "11/21/26": true,
		"2026.11.0": false, "2026.0.4": false, "0.18.26": false, "0.4.2026": false} {
		if got := IsDate(w); got != want {
			t.Errorf("IsDate(%q) = %v", w, got)
		}
	}
}

// An age may be words alone, and a name may follow one of several words.
func TestAgeOfBlock(t *testing.T) {
	for _, c := range []struct {
		words string
		want  Kind
	}{
		{"last month", Age}, {"last month oduya", Age}, {"Letzten Monat Rhett", Age}, {"yesterday", Age},
		{"last regatta oduya", Text}, {"last month two won", Text}, {"today rehearsal", Text}, {"today only day tickets", Text}, {"closed last month", Text},
	} {
		words := strings.Fields(c.words)
		if got := OfBlock(words, DateSpans(words)); got != c.want {
			t.Errorf("%q: %s, want %s", c.words, got, c.want)
		}
	}
}
