package pagestate

import (
	"strings"
	"testing"
)

func TestMainPart(t *testing.T) {
	text := "<p>" + strings.Repeat("The lamp burns for twelve hours at sea. ", 6) + "</p>"
	around := "<nav><a href=/>Start</a> <a href=/all>All goods</a></nav>"
	foot := "<footer>" + strings.Repeat("Made by the old harbour. ", 4) + "</footer>"
	for _, c := range []struct{ name, html, selector string }{
		{"main", around + "<main><h1>Lamp</h1>" + text + "</main>" + foot, "main"},
		{"by its role", around + "<div role=main><h1>Lamp</h1>" + text + "</div>" + foot, "[role=main]"},
		{"article", around + "<article><h1>Lamp</h1>" + text + "</article>" + foot, "article"},
		{"main before article", around + "<main><h1>Lamp</h1><article>" + text + "</article><article>" + text + "</article></main>" + foot, "main"},
		{"several articles", around + "<h1>Lamps</h1><article>" + text + "</article><article>" + text + "</article>" + foot, ""},
		{"the heading is elsewhere", around + "<h1>Lamp</h1><article>" + text + "</article>" + foot, ""},
		{"the whole page", "<main><h1>Lamp</h1>" + text + text + "</main><p>End</p>", ""},
		{"a small part", around + "<main><h1>Lamp</h1>" + text + "</main>" + strings.Repeat(foot, 12), ""},
		{"few words", around + "<main><h1>Lamp</h1><p>Sold out</p></main>" + foot, ""},
		{"none", around + "<div><h1>Lamp</h1>" + text + "</div>" + foot, ""},
		{"nothing", "", ""},
	} {
		got, ok := MainPart([]byte("<!doctype html><title>Lamp</title>" + c.html))
		if ok != (c.selector != "") || ok && (got.Selector != c.selector || got.Words >= got.Of || got.Words < mainWords) {
			t.Errorf("%s: %+v %t, want %q", c.name, got, ok, c.selector)
		}
	}
}
