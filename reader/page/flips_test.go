package page

import (
	"slices"
	"strings"
	"testing"
)

// statusPages are ways to show a state.
var statusPages = map[string]func(string) string{
	"line": func(s string) string { return "<h1>Status</h1><p>" + s + "</p><p>Some text that stays.</p>" },
	"badge": func(s string) string {
		return "<h1>Status</h1><div class=badge><span>" + s + "</span></div><p>Some text that stays.</p>"
	},
	"field": func(s string) string { return "<h1>Status</h1><p>Door: " + s + "</p><p>Some text that stays.</p>" },
	"row": func(s string) string {
		return "<h1>Status</h1><table><tr><td>Mail<td>Operational<tr><td>Search<td>" + s + "</table><p>Some text that stays.</p>"
	},
	"sentence": func(s string) string {
		return "<h1>Status</h1><p>The gate of the old harbour is " + s + " for boats today.</p><p>Some text that stays.</p>"
	},
	"list": func(s string) string {
		return "<h1>Status</h1><ul><li>Web: operational</li><li>Mail: " + s + "</li></ul><p>Some text that stays.</p>"
	},
	"heading": func(s string) string { return "<h1>Status</h1><h2>" + s + "</h2><p>Some text that stays.</p>" },
}

// TestNamedWordsAreNeverLearnedAway: what --has asks for is reported at every flip,
// however often it comes back.
func TestNamedWordsAreNeverLearnedAway(t *testing.T) {
	for name, page := range statusPages {
		for _, words := range [][2]string{{"open", "closed"}, {"In stock", "Sold out"}, {"zurbel", "frobnitz"}, {"The pier is open to all", "Nobody may pass: closed"}} {
			var revs []string
			for i := range 12 {
				revs = append(revs, page(words[i%2]))
			}
			o := Options{Has: []string{"open", "closed", "in stock", "sold out", "zurbel", "frobnitz"}}
			if reported, _ := watch(t, o, revs...); slices.Contains(reported, false) {
				t.Errorf("%s, %s: reported %v", name, words, reported)
			}
		}
	}
	// A word that stands beside what changes all the time was not asked for.
	var revs []string
	for i := range 9 {
		revs = append(revs, "<h1>Pier</h1><p>It is open; here now: "+strings.Repeat("|", i)+string(rune('a'+i))+"</p><p>Some text that stays.</p>")
	}
	if reported, _ := watch(t, Options{Has: []string{"open"}}, revs...); slices.Contains(reported, true) {
		t.Errorf("beside: reported %v", reported)
	}
}

// TestReturningStateIsReported: a state that comes back is news, if fetches without a
// change lie between or others came first.
func TestReturningStateIsReported(t *testing.T) {
	up, out, works := "All systems operational", "Major outage", "Under maintenance"
	for name, page := range statusPages {
		for _, words := range [][3]string{{up, out, works}, {"operational", "outage", "maintenance"}, {"In stock", "Sold out", "Back soon: sold out"}} {
			up, out, works := words[0], words[1], words[2]
			for _, life := range [][]string{
				{up, out, up, works, up},
				{up, up, out, up, works, up},
				{up, up, out, up, up, works, works, up},
				{up, up, out, out, up, up, works, works, up, up},
				{up, up, up, out, up, up, up, works, up, up, up, out, up},
				{up, out, works, up, out, up},
			} {
				reported := watchLife(t, Options{}, page, life)
				for i := 1; i < len(life); i++ {
					if reported[i-1] != (life[i] != life[i-1]) {
						t.Errorf("%s: %q: reported %v", name, life, reported)
						break
					}
				}
			}
		}
	}
}

// watchLife is watch where a fetch without a change is counted as the watching loop does.
func watchLife(t *testing.T, o Options, page func(string) string, life []string) (reported []bool) {
	t.Helper()
	var m Memory
	prev := ""
	for i, s := range life {
		now := page(s)
		if i > 0 {
			was := m
			o.Memory = &was
			reported = append(reported, mustCompare(t, prev, now, o).Significant)
		}
		if now == prev {
			m = m.Again(1)
		} else {
			var err error
			if m, err = m.After([]byte(now), o); err != nil {
				t.Fatal(err)
			}
		}
		prev = now
	}
	return reported
}
