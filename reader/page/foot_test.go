package page

import (
	"fmt"
	"strings"
	"testing"
)

// TestVersionOfTheFoot: a version by itself in what is called the foot of a page is that
// of what made it, elsewhere it is news.
func TestVersionOfTheFoot(t *testing.T) {
	for form, want := range map[string]bool{
		"<div id=footer><a href=/p>Privacy</a><p>Idox # osk</p></div>": false,
		"<div id=frell><a href=/p>Privacy</a><p>Idox # osk</p></div>":  true,
	} {
		page := func(v string) string {
			return "<h1>Brindle</h1>" + strings.Repeat("<p>Zarkum frell mollup osk tervin brask.</p>", 12) + strings.Replace(form, "#", v, 1)
		}
		if d := mustCompare(t, page("5.11.2"), page("5.11.4"), Options{}); d.Significant != want {
			t.Errorf("%s: reported %v, %s %.2f", form, d.Significant, d.Class, d.Score)
		}
		dated := strings.Replace(form, "#", "16.45.2 / #", 1)
		page = func(v string) string {
			return "<h1>Brindle</h1>" + strings.Repeat("<p>Zarkum frell mollup osk tervin brask.</p>", 12) + strings.Replace(dated, "#", v, 1)
		}
		if d := mustCompare(t, page("2026-10-28"), page("2026-11-04"), Options{}); d.Significant {
			t.Errorf("%s: reported, %s %.2f", dated, d.Class, d.Score)
		}
	}
}

// TestHeadingOfTurns: the heading of a box in which all else goes by turns is no news,
// that of one which stands still is.
func TestHeadingOfTurns(t *testing.T) {
	for name, turns := range map[string]bool{"by turns": true, "still": false} {
		var revs []string
		for n := range 9 {
			head, at := "Zarkum frell", 0
			if n == 8 {
				head = "Mollup tervin brask"
			}
			if turns {
				at = n % 3
			}
			box := []string{"Oskel of the vorlik", "Dremmen and brask", "Tervin by a quay"}[at]
			revs = append(revs, "<h1>Brindle</h1><p>Vorlik dremmen oskel.</p><div class=zark><h3>"+head+"</h3><p>"+box+"</p></div><p>Some more text.</p>")
		}
		got, _ := watch(t, Options{}, revs...)
		if got[7] == turns {
			t.Errorf("%s: reported %v", name, got)
		}
	}
}

// TestLinksOfTheFoot: a link of the foot of a page that stood there at every fetch is
// news when it goes or leads elsewhere, in invented words too; one that comes and goes, one among
// several that go, and one that only another name was given are none.
func TestLinksOfTheFoot(t *testing.T) {
	page := func(links string) string {
		return "<h1>Brindle</h1><main><p>Zarkum frell mollup osk tervin brask.</p><p>Vorlik dremmen oskel.</p></main><footer><ul>" + links + "</ul></footer>"
	}
	link := func(path, text string) string { return "<li><a href=/" + path + ">" + text + "</a></li>" }
	all := link("zark", "Zark") + link("frell", "Frell") + link("osk", "Osk") + link("drem", "Drem") + link("tervin", "Tervin")
	for name, c := range map[string]struct {
		last  string
		after int // fetches that show all links
		want  bool
	}{
		"one is gone":             {strings.Replace(all, link("osk", "Osk"), "", 1), 5, true},
		"the last one is gone":    {strings.Replace(all, link("tervin", "Tervin"), "", 1), 5, true},
		"one leads elsewhere":     {strings.Replace(all, "/osk", "/mollup", 1), 5, true},
		"at the second fetch":     {strings.Replace(all, link("osk", "Osk"), "", 1), 1, false},
		"one with a campaign":     {strings.Replace(all, "/osk", "/osk?from=foot", 1), 5, false},
		"one with another name":   {strings.Replace(all, ">Osk", ">Oskelin", 1), 5, false},
		"three are gone":          {link("zark", "Zark") + link("tervin", "Tervin"), 5, false},
		"all of them are rebuilt": {strings.ReplaceAll(all, "href=/", "href=/en/"), 5, false},
		"one more":                {all + link("brask", "Brask"), 5, false},
	} {
		revs := []string{}
		for range c.after {
			revs = append(revs, page(all))
		}
		got, _ := watch(t, Options{Host: "brindle.example"}, append(revs, page(c.last))...)
		if got[len(got)-1] != c.want {
			t.Errorf("%s: reported %v", name, got)
		}
	}
	turns := func(n int) string { return all + link(fmt.Sprint("t", n%2), []string{"Mollup", "Brask"}[n%2]) }
	var revs []string
	for n := range 10 {
		revs = append(revs, page(turns(n)))
	}
	got, _ := watch(t, Options{Host: "brindle.example"}, revs...)
	for n, reported := range got {
		if reported {
			t.Errorf("links by turns: reported at fetch %d", n)
		}
	}
}

// TestLinkToAnotherSiteGone: a link to another site that stood at every fetch and leaves a
// gap is no advertisement; one in whose place another one stands may be.
func TestLinkToAnotherSiteGone(t *testing.T) {
	page := func(text string) string {
		return "<h1>Brindle</h1><p>Zarkum frell mollup osk tervin brask.</p>" + text + "<p>Vorlik dremmen oskel.</p>"
	}
	const one, other = "<div><a href=https://zark.example/a>Zark</a></div>", "<div><a href=https://frell.example/b>Frell</a></div>"
	for name, c := range map[string]struct {
		revs string // a: one, b: the other, a point: none
		want bool
	}{
		"gone":                  {"aaaaa.", true},
		"replaced":              {"aaaaab", false},
		"gone after two visits": {"aa.", false},
		"by turns":              {"a.a.a.a.", false},
	} {
		var revs []string
		for _, r := range c.revs {
			revs = append(revs, page(map[rune]string{'a': one, 'b': other}[r]))
		}
		got, _ := watch(t, Options{Host: "brindle.example"}, revs...)
		if got[len(got)-1] != c.want {
			t.Errorf("%s: reported %v", name, got)
		}
	}
}
