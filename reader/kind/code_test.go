package kind

import "testing"

// TestIsCode: gates, rooms and lines are codes; words, years and amounts are not.
func TestIsCode(t *testing.T) {
	for w, want := range map[string]bool{
		"A1": true, "B22": true, "ICE503": true, "RE1234": true, "4A": true, "113B": true, "Ε8": true, "Ж12": true, "4Д": true,
		"": false, "A": false, "ABC": false, "ABCD1": false, "A12345": false, "a1": false, "Abc1": false, "7": false, "2026": false,
		"1234A": false, "4a": false, "4AB": false, "12K": false, "3M": false, "A1B": false, "ε8": false,
	} {
		if got := IsCode(w); got != want {
			t.Errorf("%q: %v, want %v", w, got, want)
		}
	}
}
