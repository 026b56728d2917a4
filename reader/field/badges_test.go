package field

import (
	"testing"

	"diurna/reader/align"
)

// TestCountOfLink asks whether the word 299 of each page is a count: in brackets it is one
// at the end of one of several links, and of a heading.
func TestCountOfLink(t *testing.T) {
	for _, c := range []struct {
		page string
		head bool
		want bool
	}{
		{"<p><a href=/a>Oduya (299)</a> <a href=/b>Mettle</a></p>", false, true},
		{"<p><a href=/b>Mettle</a> <a href=/a>Oduya (299)</a></p>", false, true},
		{"<p><a href=/a>Oduya (299)</a></p>", false, false},
		{"<p><a href=/a>Oduya 299</a> <a href=/b>Mettle</a></p>", false, false},
		{"<p><a href=/a>Oduya (299) gulls</a> <a href=/b>Mettle</a></p>", false, false},
		{"<p>Oduya (299) <a href=/a>brass</a> <a href=/b>Mettle</a></p>", false, false},
		{"<h2>Oduya (299)</h2>", true, true},
		{"<p>Oduya (299)</p>", false, false},
	} {
		d := align.Parse([]byte(c.page))
		for block := range d.Blocks {
			for w := d.Blocks[block].W0; w < d.Blocks[block].W1; w++ {
				if d.WordText(w) == "299" && Counts(d, block, w, c.head) != c.want {
					t.Errorf("%s: %v", c.page, !c.want)
				}
			}
		}
	}
}
