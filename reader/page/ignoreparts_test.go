package page

import (
	"fmt"
	"strings"
	"testing"
)

// numberRows are rows with several numbers, each with the form it takes when a word is
// added, and one in which its last number, or the one before it, is gone. @ stands for the text.
var numberRows = []struct {
	name, around string
	row, longer  string
	less         string // without the last number
	numbers      [][3]string
}{
	{"a list item", "<ul><li>@</li><li>Kettle: 31 viewing · 20 EUR · 8 left</li></ul>", "Lantern: %s viewing · %s EUR · %s left", "Lantern: now %s viewing · only %s EUR · %s left today", "Lantern: %s viewing · %s EUR", numbers3},
	{"without a name", "<ul><li>@</li></ul>", "%s viewing · %s EUR · %s left", "%s people viewing · just %s EUR · %s left now", "%s viewing · %s EUR", numbers3},
	{"a paragraph", "<p>@</p>", "At the quay %s boats and %s barges wait for %s sailors", "At the old quay %s boats and %s barges wait for %s sailors today", "At the quay %s boats and %s barges wait", numbers3},
	{"a heading", "<h2>@</h2>", "Deck chairs (%s) from %s EUR", "Blue deck chairs (%s) from %s EUR", "Deck chairs (%s)", numbers3[:2]},
	{"names before numbers", "<p>@</p>", "Views %s, likes %s, price %s", "All views %s, all likes %s, our price %s", "Views %s, likes %s", numbers3},
	{"names and colons", "<ul><li>@<li>Views: 3 | Price: 9</ul>", "Lantern | Views: %s | Price: %s | Rooms: %s | Beds: %s", "Lantern lamp | Views: %s | Price: %s | Rooms: %s | Beds: %s", "Lantern | Views: %s | Price: %s | Rooms: %s", append(numbers3[:3:3], [3]string{"6", "5", "9"})},
	{"elements alone", "<ul><li>@</li></ul>", "<b>%s</b> <i>viewing</i> <b>%s</b> <i>EUR</i> <b>%s</b> <i>left</i>", "<b>%s</b> <i>now viewing</i> <b>%s</b> <i>EUR</i> <b>%s</b> <i>left</i>", "<b>%s</b> <i>viewing</i> <b>%s</b> <i>EUR</i>", numbers3},
	{"classes", "<ul><li>@</li></ul>", "Lantern <b class=v>%s</b> · <b class=p>%s</b> · <b class=s>%s</b>", "Lantern lamp <b class=v>%s</b> · <b class=p>%s</b> · <b class=s>%s</b>", "Lantern <b class=v>%s</b> · <b class=p>%s</b>", numbers3},
	{"a table", "<table><tr><th>Ware<th>Seen<th>Cost<th>Stock<tr><td>@<tr><td>Kettle<td>31<td>20<td>8</table>", "Lantern<td>%s<td>%s<td>%s", "Lantern lamp<td>%s<td>%s<td>%s", "Lantern<td>%s<td>%s", numbers3},
	{"a table without heads", "<table><tr><td>@<tr><td>Kettle<td>31<td>20<td>8</table>", "Lantern<td>%s<td>%s<td>%s", "Lantern lamp<td>%s<td>%s<td>%s", "", numbers3},
	{"Japanese", "<ul><li>@</li><li>やかん・閲覧31人・20円・残り8点</li></ul>", "ランタン・閲覧%s人・%s円・残り%s点", "青いランタン・閲覧%s人・%s円・残り%s点", "ランタン・閲覧%s人・%s円", numbers3},
	{"Japanese without signs", "<p>@</p>", "現在%s人が閲覧中で価格は%s円で残り%s点", "ただ今現在%s人が閲覧中で価格は%s円で残り%s点", "現在%s人が閲覧中で価格は%s円です", numbers3},
	{"invented words", "<ul><li>@</li><li>Vorlik: 31 zarkum · 20 frell · 8 mollup</li></ul>", "Brindle: %s zarkum · %s frell · %s mollup", "Brindle osk: %s zarkum · %s frell · %s mollup", "Brindle: %s zarkum · %s frell", numbers3},
	{"plural forms", "<p>@</p>", "Ревю: %s просмотра · %s отзыва · %s дня", "Ревю: %s просмотров · %s отзывов · %s дня", "Ревю: %s просмотра · %s отзыва", numbers3},
}

// numbers3 are numbers: as they are, as they become, and later.
var numbers3 = [][3]string{{"12", "14", "19"}, {"44", "41", "39"}, {"3", "2", "1"}}

// TestIgnoreOneNumber: ignoring one number of a row hides that place for good, and every
// other number of the row goes on being reported.
func TestIgnoreOneNumber(t *testing.T) {
	all, reported := 0, 0 // without a rule
	const top, end = "<h1>Harbour shop</h1><p>The office is in the old tower behind the wall.</p>", "<p>Write to us if you have a question.</p>"
	for _, c := range numberRows {
		fill := func(row string, at ...int) string {
			var values []any
			for k, v := range c.numbers {
				n := 0
				if k < len(at) {
					n = at[k]
				}
				values = append(values, v[n])
			}
			return fmt.Sprintf(row, values[:strings.Count(row, "%s")]...)
		}
		in := func(text string) string { return top + strings.Replace(c.around, "@", text, 1) + end }
		moved := func(text string) string {
			return "<div class=all><p>Open all week.</p>" + strings.Replace(c.around, "@", text, 1) + "<section>" + top + "</section></div>" + end
		}
		for k := range c.numbers {
			now, gone := make([]int, len(c.numbers)), make([]int, len(c.numbers))
			now[k] = 1
			rule := firstChange(t, in(fill(c.row)), in(fill(c.row, now...))).Rule
			o := Options{IgnoreBlocks: []string{rule}}
			step := func(j int) []int {
				next := append([]int(nil), now...)
				next[j] = 2
				return next
			}
			gone[k] = 2
			for name, page := range map[string]func(row string, at ...int) string{
				"in place":    func(row string, at ...int) string { return in(fill(row, at...)) },
				"moved":       func(row string, at ...int) string { return moved(fill(row, at...)) },
				"with a word": func(_ string, at ...int) string { return in(fill(c.longer, at...)) },
			} {
				for j := range c.numbers {
					was, next := page(c.row, now...), page(c.row, step(j)...)
					d, reports := mustCompare(t, was, next, o), mustCompare(t, was, next, Options{}).Significant
					if all++; reports {
						reported++
					}
					if d.Significant != (reports && j != k) {
						t.Errorf("%s, %s: number %d under %q: reported %v", c.name, name, j, rule, d.Significant)
					}
					if j == k && d.Blocks.Ignored != 1 {
						t.Errorf("%s, %s: %d changes ignored under %q", c.name, name, d.Blocks.Ignored, rule)
					}
				}
			}
			if c.less == "" || k == strings.Count(c.row, "%s")-1 {
				continue
			}
			for j := range c.numbers[:len(c.numbers)-1] {
				was, next := in(fill(c.less, now...)), in(fill(c.less, step(j)...))
				if d := mustCompare(t, was, next, o); d.Significant != (j != k && mustCompare(t, was, next, Options{}).Significant) {
					t.Errorf("%s without a number: number %d under %q: reported %v", c.name, j, rule, d.Significant)
				}
			}
		}
	}
	if 3*reported < 2*all {
		t.Errorf("%d of %d changes are reported without a rule", reported, all)
	}
}

// TestIgnoreOneNumberForWeeks: a number that is ignored and changes at each fetch does not
// make the others of its row volatile.
func TestIgnoreOneNumberForWeeks(t *testing.T) {
	for _, c := range numberRows {
		for k := range c.numbers {
			for j := range c.numbers {
				if j == k {
					continue
				}
				row := func(n int) string {
					var values []any
					for i, v := range c.numbers {
						switch i {
						case k:
							values = append(values, fmt.Sprint(31+7*n%5))
						case j:
							values = append(values, v[n/5%3])
						default:
							values = append(values, v[0])
						}
					}
					return "<h1>Harbour shop</h1><p>The office is in the old tower.</p>" + strings.Replace(c.around, "@", fmt.Sprintf(c.row, values...), 1)
				}
				rule := firstChange(t, row(0), row(1)).Rule
				var revs []string
				quiet := !mustCompare(t, row(4), row(5), Options{IgnoreBlocks: []string{rule}}).Significant
				for n := range 14 {
					revs = append(revs, row(n))
				}
				got, _ := watch(t, Options{IgnoreBlocks: []string{rule}}, revs...)
				for n, reported := range got {
					if want := !quiet && n%5 == 4; reported != want {
						t.Errorf("%s, number %d under %q, fetch %d: reported %v, want %v", c.name, j, rule, n, reported, want)
					}
				}
			}
		}
	}
}

// TestIgnoreParts: what of a row is ignored when more of it changed than one number, and
// what goes on being reported.
func TestIgnoreParts(t *testing.T) {
	at := func(row string) string {
		return "<h1>Harbour shop</h1><p>The office is in the old tower.</p><ul><li>" + row + "</li></ul><p>Write to us.</p>"
	}
	for _, c := range []struct{ name, old, next, rule, quiet, news string }{
		{"an age", "Posted 3 days ago · 44 EUR · 3 left", "Posted 1 week ago · 44 EUR · 3 left", "… Posted * ago …", "Posted 2 months ago · 44 EUR · 3 left", "Posted 2 months ago · 39 EUR · 3 left"},
		{"a part that came", "Lantern · 44 EUR", "Lantern · 12 frell · 44 EUR", "… # frell …", "Lantern · 44 EUR", "Lantern · 39 EUR"},
		{"a part that went", "Lantern · 12 frell · 44 EUR", "Lantern · 44 EUR", "… # frell …", "Lantern · 9 frell · 44 EUR", "Lantern · 9 frell · 39 EUR"},
		{"a price beside it", "12 frell · 44 EUR · 3 oaks", "14 frell · 41 EUR · 3 oaks", "… # frell …", "19 frell · 41 EUR · 3 oaks", "19 frell · 39 EUR · 3 oaks"},
		{"a state beside it", "Lantern · 12 frell · in stock", "Lantern · 14 frell · sold out", "… # frell …", "Lantern · 9 frell · sold out", "Lantern · 9 frell · in stock"},
		{"two numbers", "12 frell · 7 zark · 44 EUR", "14 frell · 9 zark · 44 EUR", "… # frell … # zark …", "19 frell · 3 zark · 44 EUR", "19 frell · 3 zark · 39 EUR"},
		{"all numbers", "Served in 0.31 s by host 7", "Served in 0.52 s by host 9", "Served in # s by host #", "Served in 0.44 s by host 3", "Served in 0.44 s by nobody"},
		{"thousands", "Lantern · 999 frell · 44 EUR", "Lantern · 1 000 frell · 44 EUR", "… # frell …", "Lantern · 990 frell · 44 EUR", "Lantern · 990 frell · 39 EUR"},
		{"the row is gone", "Lantern · 12 frell · 44 EUR", "Lantern · 14 frell · 44 EUR", "… # frell …", "Lantern · 19 frell · 44 EUR", "Sold for good"},
	} {
		row := firstChange(t, at(c.old), at(c.next))
		if row.Rule != c.rule {
			t.Errorf("%s: rule %q, want %q", c.name, row.Rule, c.rule)
		}
		o := Options{IgnoreBlocks: []string{row.Rule}}
		if d := mustCompare(t, at(c.next), at(c.quiet), o); d.Significant || d.Words != (Words{}) || d.Blocks.Ignored != 1 {
			t.Errorf("%s: %q is reported under %q: %+v %+v", c.name, c.quiet, row.Rule, d.Terms, d.Blocks)
		}
		if d := mustCompare(t, at(c.next), at(c.news), o); !d.Significant {
			t.Errorf("%s: %q is not reported under %q", c.name, c.news, row.Rule)
		}
	}
}

// TestIgnoreTheNextNumber: in a row of which one number is ignored, the next one can be
// ignored by itself, and of the first nothing is shown.
func TestIgnoreTheNextNumber(t *testing.T) {
	at := func(a, b, c int) string {
		return fmt.Sprintf("<h1>Harbour shop</h1><ul><li>Lantern · %d frell · %d zark · %d mollup</li></ul>", a, b, c)
	}
	o := Options{IgnoreBlocks: []string{firstChange(t, at(12, 7, 3), at(13, 7, 3)).Rule}}
	d := mustCompare(t, at(13, 7, 3), at(15, 9, 3), o)
	row := d.Hunks[len(d.Hunks)-1].Rows[0]
	if row.Kind != Changed || row.Mono() != "Lantern · 15 frell · [-7-] {+9+} zark · 3 mollup" || row.Rule != "… # zark …" {
		t.Errorf("%q, rule %q", row.Mono(), row.Rule)
	}
	o.IgnoreBlocks = append(o.IgnoreBlocks, row.Rule)
	if d := mustCompare(t, at(15, 9, 3), at(16, 8, 3), o); d.Significant || d.Ignored[0].Mono() != "Lantern · [-15-] {+16+} frell · [-9-] {+8+} zark · 3 mollup" {
		t.Errorf("reported: %+v", d.Ignored)
	}
	if d := mustCompare(t, at(15, 9, 3), at(16, 8, 4), o); !d.Significant {
		t.Error("the last number is not reported")
	}
	hits, err := Hits([]byte(at(16, 8, 4)), o.IgnoreBlocks, o)
	if err != nil || fmt.Sprint(hits) != "[{1 [Harbour shop] 16 frell} {1 [Harbour shop] 8 zark}]" {
		t.Errorf("hits %+v, %v", hits, err)
	}
}
