package page

import (
	"strings"
	"testing"
)

// TestRulesOfPlaces: the rule of a changed block hides what its place says next,
// also when the page is rearranged around it, and nothing else.
func TestRulesOfPlaces(t *testing.T) {
	const top, end = `<h1>Lantern</h1><p>It burns for twelve hours.</p>`, `<p>Write to us.</p>`
	for _, c := range []struct{ name, old, next, later, moved, other, rule string }{
		{"an advertisement", `<div class=ad><p>Tents</p></div>`, `<div class=ad><p>Warm boots</p></div>`, `<div class=ad><p>Knives that last</p></div>`,
			`<aside><div class=ad><p>Knives that last</p></div></aside>`, `<div class=box><p>Knives that last</p></div>`, "* @ div.ad p"},
		{"an age", `<p class=t>Posted 3 days ago</p>`, `<p class=t>Posted 1 week ago</p>`, `<p class=t>Posted 2 months ago</p>`,
			`<div><div><p class=t>Posted 2 months ago</p></div></div>`, `<p class=t>until further notice</p>`, "Posted * ago @ p.t"},
		{"a counter", `<p>12 people look at this</p>`, `<p>14 people look at this</p>`, `<p>9 people look at this</p>`,
			`<div class=new><p>9 people look at this</p></div>`, `<p>Nobody can look at this</p>`, "# people look at this"},
		{"a value", `<dl><dt>Points<dd>11<dt>Games<dd>4</dl>`, `<dl><dt>Points<dd>14<dt>Games<dd>4</dl>`, `<dl><dt>Points<dd>19<dt>Games<dd>4</dl>`,
			`<div><dl><dt>Points<dd>19<dt>Games<dd>4</dl></div>`, `<dl><dt>Goals<dd>8</dl>`, "# @ dl dd after Points"},
	} {
		t.Run(c.name, func(t *testing.T) {
			row := firstChange(t, top+c.old+end, top+c.next+end)
			if c.rule != "" && row.Rule != c.rule {
				t.Errorf("rule %q, want %q", row.Rule, c.rule)
			}
			o := Options{IgnoreBlocks: []string{row.Rule}}
			for _, later := range []string{top + c.later + end, c.moved + top + end} {
				if d := mustCompare(t, top+c.next+end, later, o); d.Significant {
					t.Errorf("%q is not ignored: %+v under %q", later, d.Terms, row.Rule)
				}
			}
			if d := mustCompare(t, top+c.next+end, top+c.next+c.other+end, o); d.Words.Added == 0 {
				t.Errorf("%q is ignored by %q", c.other, row.Rule)
			}
			if d := mustCompare(t, top+c.next+end, strings.Replace(top, "twelve", "nine", 1)+c.next+end, o); d.Words.Added == 0 {
				t.Errorf("another block is ignored by %q", row.Rule)
			}
		})
	}
}

// TestRuleOfARow: the rule of a row whose number changed hides the next number, and no
// other cell that changes.
func TestRuleOfARow(t *testing.T) {
	at := func(title, hits string) string {
		return "<h1>Notes</h1><table><tr><td>7</td><td>" + title + "</td><td>" + hits + "</td></tr><tr><td>6</td><td>Oars for hire</td><td>9</td></tr></table>"
	}
	o := Options{IgnoreBlocks: []string{firstChange(t, at("Road shut at the pier", "12"), at("Road shut at the pier", "40")).Rule}}
	if d := mustCompare(t, at("Road shut at the pier", "40"), at("Road shut at the pier", "71"), o); d.Significant {
		t.Error("another number is reported")
	}
	if d := mustCompare(t, at("Road shut at the pier", "40"), at("Road open at the pier", "71"), o); !d.Significant {
		t.Error("another title is not reported")
	}
}

func firstChange(t *testing.T, a, b string) Row {
	t.Helper()
	d := mustCompare(t, a, b, Options{})
	for _, h := range d.Hunks {
		for _, r := range h.Rows {
			if r.Kind == Changed || r.Kind == Inserted {
				return r
			}
		}
	}
	t.Fatalf("no change between %q and %q", a, b)
	return Row{}
}
