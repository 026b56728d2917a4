package page

import (
	"strings"
	"testing"
)

// TestFurniture: what kind of thing changed outranks the element it stands in.
func TestFurniture(t *testing.T) {
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
		{"readers", "<footer><p>Join @ sailors</p></footer>", "3,412", "3,417", Menu},
		{"year", "<footer><p>© @ Quay Ltd</p></footer>", "2026", "2027", Menu},
		{"blog", "<aside><p>@</p></aside>", "How we moved the crane", "Ten knots to know", Menu},
		{"navigation", "<nav><a href=/o>@</a></nav>", "Open days", "Open boats", Menu},
	} {
		at := func(s string) string { return "<h1>Quay</h1>" + long + strings.Replace(c.around, "@", s, 1) + long }
		d := mustCompare(t, at(c.a), at(c.b), Options{})
		if d.Class != c.want || d.Significant != (c.want == Content) {
			t.Errorf("%s: class %s, score %.2f, want %s", c.name, d.Class, d.Score, c.want)
		}
	}
}
