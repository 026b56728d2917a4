package page

import (
	"strings"
	"testing"
	"time"
)

// TestAsides: what an element or heading calls an advertisement, a suggestion or
// a notice about cookies is no news; the text around it is.
func TestAsides(t *testing.T) {
	around := func(s string) string {
		return "<body><main><h1>Quay</h1><p>Some text of the quay.</p>" + s + "<p>More text.</p></main></body>"
	}
	for _, c := range []struct {
		form, a, b string
		reported   bool
	}{
		{`<div class="topAdBox"><p>#</p></div>`, "Boots at half price", "A weekend on Skye", false},
		{`<div id="related-items"><p>#</p></div>`, "Boots at half price", "A weekend on Skye", false},
		{`<div class="popup-app"><p>#</p></div>`, "Get the app", "Bring a friend along", false},
		{`<div role="dialog"><p>#</p></div>`, "Get the app", "Bring a friend along", false},
		{`<div role="region"><p>#</p></div>`, "Get the app", "Bring a friend along", true},
		{`<div class="top_banner"><ul><li>#</li></ul></div>`, "Mind the cables in winter", "A week for safe toys", false},
		{`<section><h2>Senast visade</h2><div>#</div></section>`, "Karaff", "Pendyl", false},
		{`<section><h3>Te puede gustar</h3><ul><li>#</li></ul></section>`, "Botas", "Abrigo", false},
		{`<div class="adjacent shadow"><p>#</p></div>`, "Boots at half price", "A weekend on Skye", true},
		{`<section><h3>Das könnte Ihnen auch gefallen</h3><ul><li>#</li></ul></section>`, "Stiefel", "Mantel", false},
		{`<h3>おすすめ商品</h3><ul><li>#</li></ul>`, "小皿", "茶碗", false},
		{`<h3>You may also like</h3><ul><li>Rope</li></ul><p>#</p>`, "The quay is open all day", "Nobody may fish here now", true},
		{`<div>We use cookies. Accept or choose.#</div>`, "", " Read our new policy.", false},
		{`<p>Cookies are baked # each morning.</p>`, "here", "elsewhere by others", true},
	} {
		put := func(s string) string { return around(strings.Replace(c.form, "#", s, 1)) }
		if d := mustCompare(t, put(c.a), put(c.b), Options{}); d.Significant != c.reported {
			t.Errorf("%s: %q to %q: reported %v, %s %.2f", c.form, c.a, c.b, d.Significant, d.Class, d.Score)
		}
	}
}

// TestNamesOfTheWhole: what the page or its main part is called makes no aside of it.
func TestNamesOfTheWhole(t *testing.T) {
	for _, form := range []string{
		`<html class="no-js supports-no-cookies"><body><main>#</main></body></html>`,
		`<html><body class="cookies related-off" id="similar"><main>#</main></body></html>`,
		`<html><body><main class="social">#</main></body></html>`,
	} {
		put := func(s string) string {
			return strings.Replace(form, "#", "<h1>Quay</h1><p>Some text of the quay.</p><p>"+s+"</p>", 1)
		}
		if d := mustCompare(t, put("The ferry leaves from the pier"), put("The ferry leaves from the quay"), Options{}); !d.Significant {
			t.Errorf("%s: %s %.2f", form, d.Class, d.Score)
		}
	}
}

// TestAbove: what stands above the head of a site is none of the page's own text, unless it
// says a state, a date or a number. The heading of an aside is no more news than that.
func TestAbove(t *testing.T) {
	const head, text = "<header><nav><a href=/z>Zarkum</a></nav></header>", "<main><h1>Quay</h1><p>Some text of the quay.</p></main>"
	for _, c := range []struct {
		form, a, b string
		reported   bool
	}{
		{"<div><p>#</p></div>" + head + text, "Our new pages are there", "Follow us where you like", false},
		{"<div><p>#</p></div>" + head + text, "Our new pages are there", "The quay is closed for good", true},
		{"<div><p>#</p></div>" + head + text, "Our new pages are there", "We open at 11 from now on", true},
		{head + "<div><p>#</p></div>" + text, "Our new pages are there", "Follow us where you like", true},
		{head + "<main><h1>Quay</h1><div><h3>#</h3><p>Zarkum frell</p></div></main>", "Senast visade", "Du har tittat på", false},
		{head + "<main><h1>Quay</h1><div><h3>#</h3><p>Zarkum frell</p></div></main>", "Mollup tervin", "Brask oskel", true},
	} {
		put := func(s string) string { return strings.Replace(c.form, "#", s, 1) }
		if d := mustCompare(t, put(c.a), put(c.b), Options{}); d.Significant != c.reported {
			t.Errorf("%s: %q to %q: reported %v, %s %.2f", c.form, c.a, c.b, d.Significant, d.Class, d.Score)
		}
	}
}

// TestFetchTime: what went on as the clock did says when the page was fetched, in
// whatever language.
func TestFetchTime(t *testing.T) {
	at := time.Date(2026, 11, 3, 8, 0, 30, 0, time.UTC)
	o := Options{Fetched: [2]time.Time{at, at.Add(25*time.Hour + 10*time.Minute)}}
	for _, c := range []struct {
		a, b     string
		reported bool
	}{
		{"Blorp zint 08:00 frell", "Blorp zint 09:10 frell", false},
		{"Blorp zint 10:00 frell", "Blorp zint 11:11 frell", false}, // in another zone
		{"Blorp zint 10:00 frell", "Blorp zint 12:00 frell", true},
		{"Zark 03.11.2026 om 09:00", "Zark 04.11.2026 om 10:10", false},
		{"Frell blorp on 3 November 2026", "Frell blorp on 4 November 2026", false},
		{"Frell blorp on 3 November 2026", "Frell blorp on 9 November 2026", true},
		{"Frell 3 blorp zint", "Frell 4 blorp zint", true},
	} {
		around := func(s string) string { return "<h1>Quay</h1><p>Some text.</p><p>" + s + "</p><p>More text.</p>" }
		if d := mustCompare(t, around(c.a), around(c.b), o); d.Significant != c.reported {
			t.Errorf("%q to %q: reported %v, %s %.2f", c.a, c.b, d.Significant, d.Class, d.Score)
		}
	}
}
