package segment

import (
	"testing"

	"diurna/reader/align"
)

// TestOf: the changed words of a pair of blocks, with the signs and spaces around them.
func TestOf(t *testing.T) {
	for _, c := range [][3]string{
		{"<p>A seat costs 8 € today.", "<p>A seat costs 9.50 € today.", "A seat costs [-8 €-] {+9.50 €+} today."},
		{"<p>Open on Monday", "<p>Open on Monday and Friday", "Open on Monday {+and Friday+}"},
		{"<p>Closed, for now", "<p>Closed for now", "Closed[-,-] for now"},
	} {
		al := align.ReadIn(nil, []byte(c[0]), []byte(c[1]), "")
		if got := Mono(Of(al, 0, 0)); got != c[2] {
			t.Errorf("%q, want %q", got, c[2])
		}
	}
}
