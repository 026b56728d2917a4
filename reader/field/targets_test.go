package field

import "testing"

// TestRedrawnTarget tells addresses with tokens made by chance from others, and those
// of unlike length without taking them apart.
func TestRedrawnTarget(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"/go/4f2a91bc7d10/pier", "/go/77d01e3fa9b2/pier", true},
		{"/go/4f2a91bc7d10/pier", "/go/4f2a91bc7d10/pier", false},
		{"/go/4f2a91bc7d10/pier", "/go/77d01e3fa9b2/quay", false},
		{"/go/4f2a91bc7d10/pier", "/go/77d01e3fa9b2/pier2", false},
		{"/tide/low", "/tide/top", false},
	} {
		if got := Redrawn(c.a, c.b); got != c.want {
			t.Errorf("%s -> %s: %v", c.a, c.b, got)
		}
		if n := testing.AllocsPerRun(10, func() { Redrawn(c.a, c.b) }); n > 0 && len(c.a) != len(c.b) {
			t.Errorf("%s -> %s: %v allocations", c.a, c.b, n)
		}
	}
}
