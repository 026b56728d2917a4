package page

import (
	"testing"
)

// TestKinds: what changed decides what a change counts as while its place has
// no history.
func TestKinds(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want Class
	}{
		{"Oars for two: in stock", "Oars for two: sold out", Content},
		{"Ruder: ausverkauft", "Ruder: lieferbar", Content},
		{"受付中 の 講座", "受付終了 の 講座", Content},
		{"Doors at 19:00 on 21 November 2026", "Doors at 20:00 on 21 November 2026", Content},
		{"The sale is on 21 November 2026", "The sale is on 28 November 2026", Content},
		{"Needs v2.3.1 of the lock", "Needs v2.4.0 of the lock", Content},
		{"The ferry leaves from pier 3", "The ferry leaves from pier 4", Content},
		{"12 people viewing this boat", "9 people viewing this boat", Volatile},
		{"Gelesen: 812 Aufrufe", "Gelesen: 815 Aufrufe", Volatile},
		{"1 comment on this", "2 comments on this", Volatile},
		{"Vor 39 Min. von der Küste", "Vor 41 Min. von der Küste", Volatile},
		{"Publié il y a 2 heures", "Publié il y a 3 heures", Volatile},
		{"posted 59 minutes ago", "posted 1 hour ago", Volatile},
		{"A letter, 4 min read", "A letter, 5 min read", Volatile},
		{"Page made 14:05:11 by the quay", "Page made 14:06:38 by the quay", Date},
	} {
		around := func(s string) string { return "<h1>Quay</h1><p>Some text.</p><p>" + s + "</p><p>More text.</p>" }
		d := mustCompare(t, around(c.a), around(c.b), Options{})
		if d.Class != c.want || d.Significant != (c.want == Content) {
			t.Errorf("%q to %q: class %s, score %.2f, want %s", c.a, c.b, d.Class, d.Score, c.want)
		}
	}
}
