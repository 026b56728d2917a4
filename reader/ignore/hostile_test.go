package ignore

import (
	"strings"
	"testing"
	"time"

	"diurna/reader/align"
)

// TestRulesThatNobodyMade: a rule by hand or from another program hides nothing it does not
// name, and none takes long on a large page.
func TestRulesThatNobodyMade(t *testing.T) {
	d := align.Parse([]byte("<ul><li>Lantern: 12 frell · 44 EUR<li>Kettle: 9 frell · 20 EUR</ul>"))
	for rule, want := range map[string]int{
		"…": 0, "… …": 0, "… # …": 0, "… * …": 0, "… #1/9 …": 0, "… #9/1 frell …": 0, "… #-1/2 frell …": 0, "… #1/99999999999999999999 frell …": 0,
		"… # frell": 0, "… # frell … of": 2, "… # frell … of Lantern": 1, "… # frell … of Nobody": 0, "… # frell … @ ul li": 2, "… # frell … @ p": 0,
		"… # frell … after Lantern frell EUR": 1, "… # zark …": 0, "… # frell … # EUR …": 4,
	} {
		rules, got := Read([]string{rule}), 0
		for _, list := range rules.Parts(d) {
			got += len(list)
		}
		if got != want {
			t.Errorf("%q hides %d parts, want %d", rule, got, want)
		}
	}
	rules := Read([]string{"… # frell … of Lantern", "… #1/3 … of Lantern"})
	for name, page := range map[string]string{
		"one block": "<p>" + strings.Repeat("Lantern 12 frell · ", 20_000),
		"rows":      "<table>" + strings.Repeat("<tr><td>Lantern<td>12<td>44<td>3", 4_000),
		"a row":     "<table><tr>" + strings.Repeat("<td>12", 1900),
	} {
		d, start := align.Parse([]byte(page)), time.Now()
		rules.Parts(d)
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%s: took %v", name, took)
		} else {
			t.Logf("%s: %v", name, took)
		}
	}
}
