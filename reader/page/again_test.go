package page

import (
	"fmt"
	"strings"
	"testing"
)

// learnedPlaces are pages with one place that is quiet: at(i, wrapped) is the page at
// fetch i, rearranged around the place if wrapped; why says why its changes are quiet.
var learnedPlaces = []struct {
	name, text, other, why string
	at                     func(i int) string
}{
	{"a number", "", "", "changes by itself", func(i int) string { return fmt.Sprintf("<p>Berth frell: %d", 31*i%97) }},
	{"a count", "", "", "changes by itself", func(i int) string { return fmt.Sprintf("<p>%d people are viewing this now", 31*i%97) }},
	{"a number of several", "", "", "changes by itself", func(i int) string { return fmt.Sprintf("<p>%d frell · 44 EUR · 3 mollup", 31*i%97) }},
	{"a text", "", "", "changes by itself", func(i int) string {
		return "<div class=slot><p>" + []string{"Tents", "Boots", "Knives", "Ropes", "Oars", "Nets", "Masts"}[i%7] + " at half the usual cost</div>"
	}},
	{"a cell", "", "", "changes by itself", func(i int) string {
		return fmt.Sprintf("<table><tr><th>Quay<th>Frell<tr><td>North<td>%d frell<tr><td>South<td>8 frell</table>", 31*i%97)
	}},
	{"a price", "", "", "changes by itself", func(i int) string { return fmt.Sprintf("<p>A seat costs %d EUR today", 31*i%97+5) }},
}

// around stands around a place; rearranged as the page's next design has it.
func around(place string, rearranged bool) []byte {
	const text = "<h1>Harbour</h1><p>Boats leave from the old pier behind the tower.<p>Write to us if you have a question."
	if rearranged {
		return []byte("<title>Harbour</title><main><section>" + place + "</section></main><div><div>" + text + "</div></div>")
	}
	return []byte("<title>Harbour</title>" + text + place + "<p>We are open all year.")
}

// TestLearnedHasAWayOut: a place whose changes became quiet is listed, a rule of the list
// has them reported, also once the page is rearranged, and the list names it no more.
// What a rule ignores stays ignored.
func TestLearnedHasAWayOut(t *testing.T) {
	for _, c := range learnedPlaces {
		t.Run(c.name, func(t *testing.T) {
			var m Memory
			for i := range 8 {
				var err error
				if m, err = m.After(around(c.at(i), false), Options{}); err != nil {
					t.Fatal(err)
				}
			}
			o := Options{Memory: &m}
			old, next, moved := around(c.at(7), false), around(c.at(8), false), around(c.at(8), true)
			if d := mustCompare(t, string(old), string(next), o); d.Significant {
				t.Fatalf("reported without a rule: %s", d.Why())
			}
			list, err := Quiet(old, m, o)
			if err != nil || len(list) != 1 || list[0].Why != c.why || list[0].Of < 7 || 2*list[0].Changed <= list[0].Of || strings.Join(list[0].Path, ">") != "Harbour" || list[0].Text == "" {
				t.Fatalf("listed %+v, %v", list, err)
			}
			o.ReportBlocks = []string{list[0].Rule}
			for name, page := range map[string][]byte{"same": next, "rearranged": moved} {
				d := mustCompare(t, string(old), string(page), o)
				if !d.Significant || d.Class != Content {
					t.Errorf("%s: %q does not report it: %s", name, list[0].Rule, d.Unified(0, true))
				}
				if name == "same" && !strings.Contains(reasons(&d), "set to be reported") {
					t.Errorf("its reason is %q", reasons(&d))
				}
			}
			if rest, _ := Quiet(old, m, o); len(rest) != 0 {
				t.Errorf("still listed: %+v", rest)
			}
			o.IgnoreBlocks = o.ReportBlocks
			if d := mustCompare(t, string(old), string(next), o); d.Significant || d.Blocks.Ignored != 1 {
				t.Errorf("ignored and reported: %s", d.Why())
			}
		})
	}
}

func reasons(d *Diff) (all string) {
	for _, h := range d.Hunks {
		for _, r := range h.Rows {
			if r.Kind != Same {
				all += r.Reason() + ";"
			}
		}
	}
	return all
}

// TestReportedBeforeAnyHistory: the rule outranks what a place is by its kind, and no
// other place is reported with it.
func TestReportedBeforeAnyHistory(t *testing.T) {
	at := func(views, likes int) string {
		return string(around(fmt.Sprintf("<p>%d people are viewing this now<p>%d likes<p>Posted %d days ago", views, likes, views), false))
	}
	o := Options{ReportBlocks: []string{"# likes"}, Memory: &Memory{}}
	if d := mustCompare(t, at(3, 5), at(9, 5), o); d.Significant {
		t.Errorf("others are reported: %s", d.Why())
	}
	d := mustCompare(t, at(3, 5), at(3, 6), o)
	if !d.Significant {
		t.Errorf("not reported: %s", d.Why())
	}
	if list, err := Quiet([]byte(at(3, 5)), Memory{}, Options{}); err != nil || len(list) != 0 {
		t.Errorf("nothing changed yet, and listed are %+v, %v", list, err)
	}
	var m Memory
	for i := range 3 {
		m, _ = m.After([]byte(at(3, 5+i/2)), Options{})
	}
	list, err := Quiet([]byte(at(3, 6)), m, Options{})
	if err != nil || len(list) != 1 || list[0].Rule != "# likes" || list[0].Why != "a count that changed" || list[0].Changed != 1 || list[0].Of != 2 {
		t.Errorf("listed %+v, %v", list, err)
	}
}
