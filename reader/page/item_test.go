package page

import (
	"testing"

	"diurna/reader/align"
)

// The word after a number may lie in a later stretch of the same side.
func TestWordAfter(t *testing.T) {
	rest := []Segment{{Kind: align.Delete, Text: "old"}, {Kind: align.Insert, Text: " "}, {Kind: align.Equal, Text: "Ferry left"}, {Kind: align.Equal, Text: "late"}}
	for _, c := range []struct {
		words []string
		rest  []Segment
		want  string
	}{
		{nil, nil, ""}, {nil, rest[:2], ""}, {nil, rest, "ferry"}, {[]string{"euro", "net"}, rest, "euro"}, {[]string{"euro"}, nil, "euro"},
	} {
		if got := wordAfter(c.words, c.rest, align.Insert); got != c.want {
			t.Errorf("%q %v: %q, want %q", c.words, c.rest, got, c.want)
		}
	}
}
