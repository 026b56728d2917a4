package page

import (
	"strings"
	"testing"
)

// TestShapesOfDates holds dates of many languages to their shape, and what only
// looks like one to news.
func TestShapesOfDates(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want Class
	}{
		{"Last updated: Saturday, November 21, 2026 2:05 PM", "Last updated: Sunday, November 22, 2026 7:44 AM", Date},
		{"Samstag, 21. November 2026, 14:05 Uhr", "Dienstag, 1. Dezember 2026, 07:44 Uhr", Date},
		{"Sat, 21 Nov 2026 14:05:33 CEST", "Sun, 22 Nov 2026 07:44:01 CET", Date},
		{"Updated 21 Nov 2026 2:05pm", "Updated 22 Nov 2026 7:44am", Date},
		{"Mis à jour le 21 novembre 2026 à 14h05", "Mis à jour le 3 décembre 2026 à 7h44", Date},
		{"最終更新: 2026年11月21日 14時05分", "最終更新: 2026年11月22日 07時44分", Date},
		{"최종 수정 2026년 11월 21일", "최종 수정 2026년 12월 3일", Date},
		{"Обновлено 21 ноября 2026 г. в 14:05", "Обновлено 3 декабря 2026 г. в 07:44", Date},
		{"Open, 21 November 2026", "Closed, 21 November 2026", Content},
		{"Open 21 November 2026", "Closed 22 November 2026", Content},
		{"The sale of 21 November 2026: rope", "The sale of 21 November 2026: tar", Content},
		{"Page 1 of 3, views: 1875", "Page 1 of 3, views: 1921", Volatile},
		{"Seen from 203.0.113.7", "Seen from 198.51.100.23", Volatile},
		{"Needs version 1.2.3.400", "Needs version 1.2.3.401", Content},
	} {
		d := mustCompare(t, "<p>Some text.</p><p>"+c.a+"</p>", "<p>Some text.</p><p>"+c.b+"</p>", Options{})
		if d.Class != c.want || d.Significant != (c.want == Content) {
			t.Errorf("%q to %q: class %s, score %.2f, want %s", c.a, c.b, d.Class, d.Score, c.want)
		}
	}
}

// TestLinksAroundProse: what stands around the text of a page is a menu, unless
// the page says that it is text.
func TestLinksAroundProse(t *testing.T) {
	prose := strings.Repeat("<p>Here is one sentence that has more than twelve words so that it counts as prose.</p>", 6)
	for _, c := range []struct {
		name, added string
		want        Class
	}{
		{"footer", "<div><a href=/c>Safety centre</a></div>", Menu},
		{"list in a footer", "<ul><li><a href=/c>Safety centre</a></ul>", Menu},
		{"paragraph", "<p><a href=/june.pdf>Minutes June</a></p>", Content},
		{"cell", "<table><tr><td><a href=/june.pdf>Minutes June</a></table>", Content},
		{"headline", "<h3><a href=/n>Storm damages the ferry terminal</a></h3>", Content},
		{"article", "<article><div><a href=/n>Storm damages the terminal</a></div></article>", Content},
	} {
		before := prose + "<div><a href=/a>Blog</a></div>"
		if d := mustCompare(t, before, before+c.added, Options{}); d.Class != c.want || d.Significant != (c.want == Content) {
			t.Errorf("%s: class %s, score %.2f, want %s", c.name, d.Class, d.Score, c.want)
		}
	}
}

// TestTaggedLinks: what all links got in their queries is no news, other targets
// are.
func TestTaggedLinks(t *testing.T) {
	page := func(links ...string) string {
		return "<p>Text.</p><ul><li><a href='" + strings.Join(links, "'>here</a><li><a href='") + "'>here</a></ul>"
	}
	for _, c := range []struct {
		name     string
		a, b     []string
		reported bool
	}{
		{"a campaign for all", []string{"/a", "/b", "/c"}, []string{"/a?utm=7", "/b?utm=8", "/c?utm=9"}, false},
		{"another version of all", []string{"/a?v=1", "/b?v=1", "/c?v=1"}, []string{"/a?v=2", "/b?v=2", "/c?v=2"}, false},
		{"gone from all", []string{"/a?x=1&s=2", "/b?s=3", "/c?s=4"}, []string{"/a?x=1", "/b", "/c"}, false},
		{"two only", []string{"/a", "/b", "/c"}, []string{"/a?utm=7", "/b?utm=8", "/c"}, true},
		{"other items", []string{"/t?id=1", "/u?id=2", "/v?id=3"}, []string{"/t?id=4", "/u?id=5", "/v?id=6"}, true},
		{"other topics", []string{"/t?id=1", "/t?id=2", "/t?id=3"}, []string{"/t?id=4", "/t?id=5", "/t?id=6"}, true},
	} {
		d := mustCompare(t, page(c.a...), page(c.b...), Options{})
		if got := len(d.Links.Added) > 0; got != c.reported {
			t.Errorf("%s: links %v", c.name, d.Links)
		}
	}
}
