package interest

import "testing"

// TestMeans: the two means never read the same where one is higher.
func TestMeans(t *testing.T) {
	for _, c := range []struct {
		ranked, newest float64
		want           [2]string
	}{
		{.594, .476, [2]string{".59", ".48"}},
		{.912, .9089, [2]string{".912", ".909"}},
		{1, .5, [2]string{"1.00", ".50"}},
		{.5, .5, [2]string{".5000", ".5000"}},
	} {
		h := Hindsight{NDCG: c.ranked, NDCGNewest: c.newest}
		if a, b := h.Means(); a != c.want[0] || b != c.want[1] {
			t.Errorf("%v and %v: %s and %s, want %v", c.ranked, c.newest, a, b, c.want)
		}
	}
}
