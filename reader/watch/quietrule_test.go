package watch

import "testing"

// TestQuietRule: a score above the threshold is never said to be below it.
func TestQuietRule(t *testing.T) {
	for points, want := range map[float64]string{
		.4:  "its score is not above the threshold of 1",
		1:   "its score is not above the threshold of 1",
		1.3: "only menus, footers and the like changed",
	} {
		if got := quietRule(points, 1); got != want {
			t.Errorf("%g: %q, want %q", points, got, want)
		}
	}
}
