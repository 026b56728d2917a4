package watch

import (
	"testing"

	"diurna/reader/page"
)

func TestRowHTML(t *testing.T) {
	parts := []page.Segment{{Kind: page.Equal, Text: "Ferry "}, {Kind: page.Delete, Text: "9"}, {Kind: page.Delete, Text: " "},
		{Kind: page.Insert, Text: "<10"}}
	for _, c := range []struct {
		row  page.Row
		want string
	}{
		{page.Row{Kind: page.Changed, Segments: parts}, "Ferry <del>9</del> <ins>&lt;10</ins>"},
		{page.Row{Kind: page.Moved, From: []string{"A&B", "C"}, Segments: parts}, "moved here from A&amp;B &gt; C: Ferry &lt;10"},
		{page.Row{Kind: page.Moved, Segments: parts[:1]}, "moved here from the top of the page: Ferry"},
	} {
		if got := rowHTML(&c.row); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
