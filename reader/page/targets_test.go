package page

import (
	"fmt"
	"strings"
	"testing"
)

// TestLinksElsewhere: in furniture an address says what binds people, whatever its text
// is; a link that reads differently is judged by its words.
func TestLinksElsewhere(t *testing.T) {
	for _, c := range []struct {
		around, a, b string
		want         bool
	}{
		{"<footer><a href=@</a></footer>", "/policies/refund-policy>Zark", "/pages/zark>Zark", true},
		{"<footer><a href=@</a></footer>", "/frell>Zark", "/legal/terms>Zark", true},
		{"<footer><a href=@</a></footer>", "/boats/oars>Zark", "/pages/zark>Zark", false},
		{"<footer><a href=@</a></footer>", "/policies/refund-policy?a=1>Zark", "/policies/refund-policy?a=2>Zark", false},
		{"<p>Frell <a href=@</a></p>", "/boats/oars>Zark 2", "/boats/sails>Zark 3", true},
		{"<div class=ad><a href=@</a></div>", "/policies/refund-policy>Zark", "/pages/zark>Zark", false},
		{"<div><a href=@ in the ice</a></div>", "/read/oars>Lost", "/read/sails>Found", false},
	} {
		at := func(s string) string {
			return "<h1>Quay</h1><p>Some text.</p>" + strings.Replace(c.around, "@", s, 1) + "<p>More text.</p>"
		}
		d := mustCompare(t, at(c.a), at(c.b), Options{})
		if got := d.hasTarget(); got != c.want {
			t.Errorf("%s, %q to %q: %v", c.around, c.a, c.b, got)
		}
	}
}

// hasTarget reports whether a link that leads elsewhere is part of the score.
func (d Diff) hasTarget() bool {
	for _, term := range d.Terms {
		if term.Category == CatTargets {
			return true
		}
	}
	return false
}

// TestNumberedTargets: a link to another number of what it leads to is news, one to
// another query is none.
func TestNumberedTargets(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"/file.php?id=9917", "/file.php?id=9960", true},
		{"/file.php?f=3&amp;id=9917", "/file.php?f=3&amp;id=9960", true},
		{"/file.php?id=9917&amp;from=top", "/file.php?id=9917&amp;from=end", false},
		{"/file.php?view=12", "/file.php?view=14", false},
		{"/file.php?sid=9917", "/file.php?sid=9960", false},
		{"/file.php?id=4f2a91bc", "/file.php?id=77d01e3f", false},
	} {
		at := func(href string) string {
			return "<h1>Quay</h1><p>The harbour office is behind the old customs house.</p><p>The log is <a href=\"" + href + "\">here</a> to read.</p>"
		}
		d := mustCompare(t, at(c.a), at(c.b), Options{})
		if d.Significant != c.want {
			t.Errorf("%s -> %s: class %s, score %.2f", c.a, c.b, d.Class, d.Score)
		}
	}
}

// TestLinksToAnotherSite: links that lead to another site are news, several that changed
// alike too, and those of which every fetch has another token; what a site rebuilt is none.
func TestLinksToAnotherSite(t *testing.T) {
	for _, c := range []struct {
		links int
		a, b  string
		want  bool
	}{
		{3, "https://dl.zark.example/gull-@.zip", "https://get.frell.example/gull-@.zip", true},
		{3, "https://dl.zark.example/gull-@.zip", "https://get.zark.example/gull-@.zip", false},
		{3, "https://dl.zark.example/gull-@.zip", "https://dl.zark.example/all/gull-@.zip", false},
		{1, "https://dl.zark.example/gull?oduya=#", "https://get.frell.example/gull?oduya=#", true},
		{1, "https://dl.zark.example/gull?oduya=#", "https://dl.zark.example/gull?oduya=#", false},
	} {
		page := func(href string, fetch int) string {
			var b strings.Builder
			for i := range c.links {
				at := strings.NewReplacer("@", string(rune('a'+i)), "#", []string{"x7p2m9", "m3k8v1", "q6t4z0", "b9w5n2"}[fetch])
				fmt.Fprintf(&b, "<li><a href=%q>Gull %s</a> and more</li>", at.Replace(href), []string{"oduya", "mettle", "brass"}[i])
			}
			return "<h1>Quay</h1><p>The harbour office is behind the old customs house.</p><ul>" + b.String() + "</ul><p>More of it, about ropes.</p>"
		}
		var m Memory
		for i := range 3 {
			var err error
			if m, err = m.After([]byte(page(c.a, i)), Options{}); err != nil {
				t.Fatal(err)
			}
		}
		d := mustCompare(t, page(c.a, 2), page(c.b, 3), Options{Memory: &m})
		if d.Significant != c.want || d.hasTarget() != c.want {
			t.Errorf("%d from %s to %s: class %s, score %.2f", c.links, c.a, c.b, d.Class, d.Score)
		}
	}
}
