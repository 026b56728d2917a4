package page

import (
	"strings"
	"testing"
)

// TestFurniture: what kind of thing changed outranks the element it stands in.
func TestFurniture(t *testing.T) {
	const fields = "<div class=f><div class=n>Hand</div><div>@</div></div><div class=f><div class=n>Mast</div><div>Oak</div></div><div class=f><div class=n>Sail</div><div>Two</div></div>"
	const buttons = "<ul><li>Stalls <button>Nabu</button></li><li>Balcony <button>@</button></li></ul>"
	long := strings.Repeat("<p>The harbour office is behind the old customs house.</p>", 3)
	for _, c := range []struct {
		name, around, a, b string
		want               Class
	}{
		// A server puts a form around all of a short page.
		{"row of a page in a form", "<form><input type=hidden name=state><h1>Tides</h1><table><tr><td>High</td><td>@</td></tr></table><input name=q></form>", "4.1 m", "4.3 m", Content},
		{"price of a page in a form", "<form><h1>Oars</h1><div>Pair: @</div><select name=n><option>1</select></form>", "48 €", "52 €", Content},
		{"text of a page in a form", "<form><input name=q><p>One</p><p>Two</p><p>Ferries leave @ today.</p></form>", "from the north quay", "from the south quay", Content},
		{"form of hidden inputs", "<form><input type=hidden name=a><div>The crew is @ this year</div></form>", "Ann and Bob", "Cem and Dora", Content},
		{"search box", "<form><input name=q><div>Search the @ archive</div></form>", "harbour", "quay", Menu},
		{"registration", "<form><p><label>Name</label><input name=n></p><p><label>Your @</label><input name=m></p></form>", "mail", "mailbox address", Menu},
		// An aside, a footer.
		{"event's date", "<aside><p>Regatta on @ at the pier</p></aside>", "21 November 2026", "28 November 2026", Content},
		{"event's place", "<aside><p>Where: @</p></aside>", "Hall North", "Hall South", Content},
		{"booked", "<aside><p>Course one: @</p></aside>", "open", "cancelled", Content},
		{"came", "<aside><p>Friday</p>@</aside>", "", "<p>Sold out</p>", Content},
		{"telephone", "<footer><p>Ring @ from nine</p></footer>", "01632 960142", "01632 960187", Content},
		{"number of a company", "<footer><p>VAT @</p></footer>", "GB 432 7781 05", "GB 432 7781 19", Content},
		{"in one word", "<footer><p>© 2026 Quay Ltd, VAT @</p></footer>", "DE811907980", "DE811907997", Content},
		{"price in an aside", "<aside><p>Day ticket @ at the gate</p></aside>", "£12.00", "£14.00", Content},
		{"theme", "<footer><p>Made with Kelp @</p></footer>", "3.1", "3.2", Volatile},
		{"readers", "<footer><p>Join @ sailors</p></footer>", "3,412", "3,417", Volatile},
		{"year", "<footer><p>© @ Quay Ltd</p></footer>", "2026", "2027", Menu},
		{"version of a portal that looks like a date", "<footer><p>© Quay Ltd 2026 · Portal @</p></footer>", "2026.10.3", "2026.11.1", Menu},
		{"one of several buttons", buttons, "Nabu", "Zorit", Content},
		{"one of several buttons as before", buttons, "Zorit", "Nabu", Content},
		{"button by itself", "<button>@</button>", "Nabu", "Zorit", Menu},
		{"number on one of several buttons", strings.Replace(buttons, "Nabu", "♡ 14", 1), "♡ 12", "♡ 14", Volatile},
		{"blog", "<aside><p>@</p></aside>", "How we moved the crane", "Ten knots to know", Menu},
		{"navigation", "<nav><a href=/o>@</a></nav>", "Open days", "Open boats", Menu},
		{"state in one of a footer's links", "<footer><div><a href=/t>Terms</a> <a href=/s>@</a></div></footer>", "All systems normal", "Partial outage", Content},
		{"legal link gone", "<footer><ul><li><a href=/i>Impressum</a></li>@</ul></footer>", "<li><a href=/b>Barrierefreiheit</a></li>", "", Content},
		{"one of a block's legal links gone", "<footer><div><a href=/i>Impressum</a> <a href=/h>Help</a> @</div></footer>", "<a href=/b>Barrierefreiheit</a>", "", Content},
		{"hours of a footer", "<footer><p>Zarkum frell, mo–fr @</p></footer>", "8–18", "9–17", Content},
		{"file in a query", "<p><a href=/get?f=@>Zarkum</a></p>", "frell_bm300_v1.pdf", "frell_bm300_v2.pdf", Links},
		{"file of a build in a query", "<p><a href=/get?f=@>Zarkum</a></p>", "frell.4f2a91bc.zip", "frell.77d01e3f.zip", None},
		{"page in a query", "<p><a href=/get?f=@>Zarkum</a></p>", "frell_v1", "frell_v2", Links},
		{"telephone in the head", "<header><div>Ring @ day and night</div></header>", "01632 960142", "01632 960187", Content},
		{"value of one of several fields", "<aside>" + fields + "</aside>", "None", "Maje Tollund", Content},
		{"age in one of several fields", "<aside>" + fields + "</aside>", "3 days ago", "an hour ago", Menu},
		{"one field alone", "<aside><div class=f><div class=n>Hand</div><div>@</div></div></aside>", "None", "Maje Tollund", Menu},
		{"link that leads to another site", "<nav><a href=@>Tickets</a></nav>", "https://quay.example/t", "https://pier.example/t", Links},
		{"link that leads elsewhere on a site", "<nav><a href=@>Tickets</a></nav>", "https://quay.example/t", "https://quay.example/u", Links},
		{"one of two pictures", "<div><img src=/a.png alt=Crane><img src=@ alt=Crane></div>", "/b.png", "/quay.png", Links},
	} {
		at := func(s string) string { return "<h1>Quay</h1>" + long + strings.Replace(c.around, "@", s, 1) + long }
		d := mustCompare(t, at(c.a), at(c.b), Options{})
		if d.Class != c.want || d.Significant != (c.want == Content || c.want == Links && c.name != "link that leads elsewhere on a site" && c.name != "page in a query") {
			t.Errorf("%s: class %s, score %.2f, want %s", c.name, d.Class, d.Score, c.want)
		}
	}
}

// TestFurnitureAlone: furniture of several places adds up, and is not reported alone.
func TestFurnitureAlone(t *testing.T) {
	at := func(weather, name, offer string) string {
		return "<header><p>" + weather + "</p><p>Name day: " + name + "</p></header><main><h1>Quay</h1><p>The harbour office is behind the old customs house.</p></main>" +
			"<aside><p>" + offer + "</p><a href=/go/" + name + "><img src=/" + name + ".webp></a></aside>"
	}
	a, b := at("Cloudy over the bay", "Ann", "Ten knots to know before autumn"), at("Sunny and calm again", "Cem", "How we moved the crane last spring")
	if d := mustCompare(t, a, b, Options{}); d.Score < DefaultThreshold || d.Significant {
		t.Errorf("score %.2f, reported %t", d.Score, d.Significant)
	}
	list := func(words string) string {
		return a + "<nav><ul>" + strings.Repeat("<li><a href=/x>"+words+"</a></li>", 40) + "</ul></nav>"
	}
	if d := mustCompare(t, list("Tides of April"), list("Storms in May"), Options{}); !d.Significant {
		t.Errorf("a whole list is not reported, score %.2f", d.Score)
	}
	if d := mustCompare(t, a, b, Options{Threshold: .5}); !d.Significant {
		t.Errorf("not reported above .5, score %.2f", d.Score)
	}
}

// TestFactsBesideCounters: an identifier, a duration in a field and the cells of a
// row are content, whatever counter stands beside them.
func TestFactsBesideCounters(t *testing.T) {
	for _, c := range []struct {
		around, a, b string
		want         Class
	}{
		{"<p>VAT GB 432 7781 @</p>", "05, online: 14", "19, online: 17", Content},
		{"<p>VAT @</p>", "DE811907980, online: 14", "DE811907997, online: 17", Content},
		{"<p>VAT DE811907980, online: @</p>", "14", "17", Volatile},
		{"<p>Account @ at the harbour bank</p>", "XY89370400440532013000", "XY02120300000000202051", Content},
		{"<p>Checksum: @</p>", strings.Repeat("9f86d081", 8), strings.Repeat("60303ae2", 8), Content},
		{"<p>Request @ served</p>", "7f3a9c2e41bd08a6", "1b2d77e05ac94f38", Volatile},
		{"<table><tr><td>Adults</td>@</tr></table>", "<td>12</td><td>14</td><td>16</td>", "<td>13</td><td>15</td><td>17</td>", Content},
		{"<dl><dt>Guarantee</dt><dd>@</dd></dl>", "1 year", "2 years", Content},
		{"<p>Durée de la garantie : @</p>", "un an", "deux ans", Content},
		{"<p>The guarantee runs for @</p>", "one year", "three years", Content},
		{"<p>Toimitusaika noin @ tilauksesta</p>", "2-3 päivää", "3-5 päivää", Content},
		{"<p>Répondu il y a @</p>", "une heure", "2 heures", Volatile},
		{"<p>Seen @ ago</p>", "an hour", "2 hours", Volatile},
		{"<p>Length: @</p>", "20cm", "35cm", Content},
		{"<p>@ on Sundays</p>", "10am – 4pm", "10am – 2pm", Content},
		{"<p>Followers: @</p>", "12k", "13k", Volatile},
		{"<p>¿Te ha resultado útil? Sí (@) No (17)</p>", "208", "211", Volatile},
		{"<p>Kyllä @ Ei 9</p>", "88", "90", Volatile},
		{"<p>No @ is open</p>", "12", "14", Content},
		{"<p>@ minutes to go</p>", "221 days 6 hours 15", "220 days 16 hours 53", Volatile},
		{"<div>@★</div>", "4,4", "4,5", Volatile},
		{"<p>★★★★★ (@)</p>", "18", "19", Volatile},
		{"<p>★ Berth @ is free again</p>", "18", "19", Content},
		{"<p>Ref @</p>", "r8812", "r8820", Volatile},
	} {
		at := func(s string) string {
			return "<h1>Quay</h1><p>Some text.</p>" + strings.Replace(c.around, "@", s, 1) + "<p>More text.</p>"
		}
		d := mustCompare(t, at(c.a), at(c.b), Options{})
		if d.Class != c.want || d.Significant != (c.want == Content) {
			t.Errorf("%s, %q to %q: class %s, score %.2f, want %s", c.around, c.a, c.b, d.Class, d.Score, c.want)
		}
	}
}

// TestObfuscatedAddress: an address hidden from robots reads the same however its
// placeholder is cut and whatever key it has at this fetch.
func TestObfuscatedAddress(t *testing.T) {
	link := func(key, text string) string {
		return `Write to <a href="/cdn-cgi/l/email-protection#` + key + `" data-cfemail="` + key + `">` + text + `</a> or ring.`
	}
	forms := []string{
		link("8ae3e4ece5caebf8e8e5fff8a4effbebe7fae6ef", "[email&#160;protected]"),
		link("29404f4f46694b465d5a074c51484459454c", "[email protected]"),
		link("5b32353d341b393a2977", "<span>[email</span> <span>protected]</span>"),
		link("f19892979eb1809084880f", "[email\u00a0protected]"),
	}
	for _, a := range forms {
		for _, b := range forms {
			if d := mustCompare(t, "<p>"+a+"</p>", "<p>"+b+"</p>", Options{}); d.Significant || d.Words != (Words{}) {
				t.Errorf("%s to %s: class %s, score %.2f, words %v", a, b, d.Class, d.Score, d.Words)
			}
		}
	}
}

// TestDialog: a question with two buttons at the end of a page is not of its text; the
// same among the rest is.
func TestDialog(t *testing.T) {
	const box = "<div class=x><h2>Your zark</h2><p>We and 841 others look at this.</p><button>Blorp</button><button>Frell</button></div>"
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"<p>Text</p>", "<p>Text</p>" + box, false},
		{"<p>Text</p>", box + "<p>Text</p>", false},
		{box + "<p>Text</p>", "<p>Text</p>", false},
		{"<p>Text</p><p>End</p>", "<p>Text</p>" + box + "<p>End</p>", true},
		{"<p>Text</p>", "<p>Text</p>" + strings.Replace(box, "<button>Frell</button>", "", 1), true},
	} {
		if d := mustCompare(t, c.a, c.b, Options{}); d.Significant != c.want {
			t.Errorf("%s to %s: reported %t, score %.2f", c.a, c.b, d.Significant, d.Score)
		}
	}
}

// TestVersionsInFurniture: a menu shows the version that a page is of, and the foot of a
// page that of what made it.
func TestVersionsInFurniture(t *testing.T) {
	text := strings.Repeat("<p>Gulls eat what the boats leave, and the boats leave a lot of it.</p>", 12)
	for _, c := range []struct {
		name, page, a, b string
		want             bool
	}{
		{"menu", "<nav><a href=/>Oduya</a><div><a href=/v>%</a></div></nav>" + text, "4.2", "4.3", true},
		{"menu, larger", "<nav><a href=/>Oduya</a><div><a href=/v>%</a></div></nav>" + text, "v4.9", "v5.0", true},
		{"basket", "<nav><a href=/>Oduya</a><div><a href=/v>%</a></div></nav>" + text, "12.90", "17.05", false},
		{"foot", text + "<footer><a href=/v>%</a></footer>", "4.2", "4.3", false},
		{"foot with visitors", text + "<div><p>Visitors: % </p></div>", "905,783 · version 2.18", "905,995 · version 2.19", false},
		{"foot, alone", text + "<div><p>% </p></div>", "version 2.18", "version 2.19", true},
		{"top with downloads", "<div><p>% </p></div>" + text, "1,204 downloads · version 2.18", "1,251 downloads · version 2.19", true},
	} {
		d := mustCompare(t, strings.Replace(c.page, "%", c.a, 1), strings.Replace(c.page, "%", c.b, 1), Options{})
		if d.Significant != c.want {
			t.Errorf("%s: reported %t, class %s", c.name, d.Significant, d.Class)
		}
	}
}

// TestChoices: what a form in the text offers to choose from is content; a form to fill
// in is none.
func TestChoices(t *testing.T) {
	const last = "<label><input type=radio name=c value=3> Oduya green</label>"
	for name, c := range map[string]struct {
		before, after string
		want          bool
	}{
		"product":      {"<main><h1>Mill</h1><form><fieldset>", "</fieldset><p>Ready</p><button>Buy</button></form></main>", true},
		"number":       {"<main><h1>Mill</h1><form><input type=number name=n><fieldset>", "</fieldset><button>Buy</button></form></main>", true},
		"registration": {"<main><h1>Mill</h1><form><input type=email name=m><fieldset>", "</fieldset><button>Send</button></form></main>", false},
		"elsewhere":    {"<main><h1>Mill</h1><p>It mills.</p></main><form><fieldset>", "</fieldset><button>Send</button></form>", false},
	} {
		first := "<label><input type=radio name=c value=1> Black</label> <label><input type=radio name=c value=2> White</label> "
		d := mustCompare(t, c.before+first+last+c.after, c.before+first+c.after, Options{})
		if d.Significant != c.want {
			t.Errorf("%s: reported %t, class %s", name, d.Significant, d.Class)
		}
	}
}
