package field

import (
	"testing"

	"diurna/reader/align"
)

// TestIdle asks of the block that begins with "Gulls".
func TestIdle(t *testing.T) {
	for page, want := range map[string]bool{
		"<div><p>1,204 followers</p><p>Gulls on the quay, by Rita</p></div><p>More.</p>":                          true,
		"<div><p>1,204 followers</p></div><p>Gulls on the quay, by Rita</p><p>More.</p>":                          false,
		"<div>9 people watching</div><div>Gulls on the quay, by Rita</div><div>Seen 12 times</div>":               true,
		"<div>9 people watching</div><h2>Gulls on the quay, by Rita</h2><div>Seen 12 times</div>":                 false,
		"<div>9 people watching</div><div>Gulls sold out</div><div>Seen 12 times</div>":                           false,
		"<div><h2>Storm</h2><p>Gulls on the quay, by Rita</p><p>14 comments</p></div>":                            false,
		"<div><p>14 comments</p><p>Gulls on the quay, by Rita</p><p>The pier is shut on Sunday.</p></div>":        false,
		"<article><p>14 comments</p><p>Gulls on the quay, by Rita</p></article>":                                  false,
		"<div><p>« On répare, on rit. » Nora</p><p>Gulls on the quay, by Rita</p></div>":                          true,
		"<ul><li>14 comments</li><li>Gulls on the quay, by Rita</li><li>9 likes</li></ul>":                        false,
		"<div><a href=/x>Gulls on the quay</a><p>9 likes</p></div>":                                               false,
		"<table><tr><td>4.8 stars<br>Gulls on the quay<br>5 visitors online</td><td>Other text</td></tr></table>": true,
	} {
		d := align.Parse([]byte("<h1>Quay</h1><p>Some text.</p>" + page))
		at := align.OutlineOf(d).At
		found := false
		for n := range d.Blocks {
			if words := d.BlockWords(n); words[0] == "Gulls" {
				found = true
				if got := Idle(d, n, words, at); got != want {
					t.Errorf("%s: %t", page, got)
				}
			}
		}
		if !found {
			t.Errorf("%s: no such block", page)
		}
	}
}
