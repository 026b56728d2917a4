package article

import "testing"

func TestSayEdited(t *testing.T) {
	for _, c := range []struct {
		edits, kept int
		want        string
	}{{1, 0, "edited once before you read it"}, {3, 0, "edited 3 times before you read it"}, {2, 1, "edited once, d shows what"}, {2, 2, "edited 2 times, d shows what"}} {
		if got := sayEdited(c.edits, c.kept); got != c.want {
			t.Errorf("%d edits, %d kept: %q, want %q", c.edits, c.kept, got, c.want)
		}
	}
}
