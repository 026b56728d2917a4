package info

import "testing"

// What belongs into a box is said beside it in 80 columns: 50 are left by the longest
// label and what is typed.
func TestPageSaysHasRoom(t *testing.T) {
	for _, field := range []string{"select", "ignore", "keywords", "has", "not", "when", "threshold", "depth", "keep"} {
		if says := pageSays(field); says == "" || len(says) > 50 {
			t.Errorf("%s: %q has %d cells", field, says, len(says))
		}
	}
}
