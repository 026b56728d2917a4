package page

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"diurna/reader/kind"
)

// toldOf runs numbers that change with every fetch through a memory and says, a
// letter each, which were reported.
func toldOf(t *testing.T, page func(n int) string, numbers ...int) string {
	t.Helper()
	var revs []string
	for _, n := range numbers {
		revs = append(revs, page(n))
	}
	reported, _ := watch(t, Options{}, revs...)
	out := ""
	for _, v := range reported {
		out += map[bool]string{true: "T", false: "."}[v]
	}
	return out
}

// TestPricesOfAList: each price of a list is reported whenever it changes, however
// often others do.
func TestPricesOfAList(t *testing.T) {
	names := strings.Fields("Rope Anchor Lamp Oar Sail Buoy Knife Tar Brush Net")
	for _, form := range []string{"<h3>%s</h3><p>%d €</p>", "<tr><td>%s</td><td>%d</td></tr>", "<li>%s: %d €</li>", "<div>%s</div><div>%d.00</div>"} {
		page := func(n int) string {
			b := "<h1>Shop of the harbour</h1><p>All that a boat needs is here.</p>"
			for i, name := range names {
				// At each n one price rises.
				b += fmt.Sprintf(form, name, 10+3*i+(n+len(names)-7*i%10)/10)
			}
			return b
		}
		var numbers []int
		for n := range 15 {
			numbers = append(numbers, n)
		}
		if got := toldOf(t, page, numbers...); got != strings.Repeat("T", 14) {
			t.Errorf("%s: reported %s", form, got)
		}
	}
}

// TestRestlessNumbers: a price is reported when it changes, with a sign of money or alone
// in its block, until it was another at most fetches; what only grows is a counter, and
// what goes up and down among words says how many are here.
func TestRestlessNumbers(t *testing.T) {
	around := func(block string) func(int) string {
		return func(n int) string {
			return "<h1>Boats</h1><p>A small boat for two, with oars.</p>" + strings.ReplaceAll(block, "#", fmt.Sprint(n)) + "<p>It lies at the quay.</p>"
		}
	}
	alone, money, words := around("<div>#</div>"), around("<p>Costs # €</p>"), around("<p>Guests here now: #</p>")
	offers := func(n int) string {
		return around(fmt.Sprintf("<div>%d €</div><div>%d €</div>", 10+n%3, 20+n%3))(0)
	}
	list := func(n int) string { return around(fmt.Sprintf("<div>90 €</div><div>%d €</div>", n))(0) }
	for _, c := range []struct {
		name    string
		page    func(int) string
		numbers []int
		want    string
	}{
		{"alone, 5 6 5", alone, []int{5, 6, 5}, "TT"},
		{"alone, at each fetch", alone, []int{3, 4, 5, 6, 5, 6, 5, 7, 6, 9}, "TTTT....."},
		{"alone, growing", alone, []int{12, 13, 15, 16, 20, 21, 29}, "TTT..."},
		{"alone, large and growing a little", alone, []int{123456, 123470, 123499, 123600}, "..."},
		{"an amount at each fetch", money, []int{5, 6, 5, 6, 5, 7, 8, 9, 10}, "TTTTT..."},
		{"an amount at every second fetch", money, []int{5, 5, 6, 6, 5, 5, 7, 7, 8, 8, 9, 9, 8, 8, 7}, ".T.T.T.T.T.T.T"},
		{"guests", words, []int{12, 9, 15, 11, 17, 3, 8, 12, 6}, "TT......"},
		{"asked for", words, []int{12, 13, 14, 15, 16, 17}, "TT..."},
		{"offers by turns", offers, []int{0, 1, 2, 0, 1, 2, 0, 1}, "TTT...."},
		{"one amount of a list", list, []int{5, 6, 7, 8, 9, 10}, "TTTTT"},
	} {
		if got := toldOf(t, c.page, c.numbers...); got != c.want {
			t.Errorf("%s: reported %s, want %s", c.name, got, c.want)
		}
	}
	// A number that stood still is news beside one that never does.
	fare := func(n int) string {
		return around(fmt.Sprintf("<p>A ride costs %dp. Seen %d times.</p>", 15+n/9*5, 1000+17*n))(0)
	}
	if got := toldOf(t, fare, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9); got != "........T" {
		t.Errorf("a fare beside a counter: reported %s", got)
	}
	// What a price is worth is read whatever its decimals.
	for w, want := range map[string]int64{"5": 500, "9.50 €": 950, "$1,299": 129900, "1.299,5": 129950, "0.05": 5, "x": -1, "7:30": -1} {
		if got := kind.Hundredths(w); got != want {
			t.Errorf("amount of %q is %d, want %d", w, got, want)
		}
	}
}

// TestOldMemory: one written before slots knew their numbers is read, and only
// that is unknown.
func TestOldMemory(t *testing.T) {
	_, m := watch(t, Options{}, shop("5"), shop("6"))
	old := []byte{1, byte(m.Revisions), 0, 1}
	for h, s := range m.slots {
		old = binary.LittleEndian.AppendUint64(old, h)
		old = binary.LittleEndian.AppendUint64(old, s.value)
		old = append(old, byte(m.Revisions-s.first), byte(m.Revisions-s.last), byte(s.changes))
	}
	var back Memory
	if err := back.UnmarshalBinary(old); err != nil || len(back.slots) != 1 {
		t.Fatal(err, back)
	}
	for h, s := range back.slots {
		if want := m.slots[h]; s.num != -1 || s.changes != 1 || s.value != want.value || s.last != want.last {
			t.Errorf("%+v, want %+v without its number", s, want)
		}
	}
}

// TestPriceOfNewRow: what a row costs that came is as much content as the rest of it; a
// number that stands alone is none.
func TestPriceOfNewRow(t *testing.T) {
	row := func(name, number string) string {
		return "<li><h2>" + name + "</h2><p class=oduya>" + number + "</p></li>"
	}
	list := "<ul>" + row("Tarp Combi", "€ 12.450") + row("Zand Hatch", "€ 9.200")
	for number, want := range map[string]Class{"€ 14.950": Content, "14.950 €": Content, "<b>$</b> 14,950": Content, "14.950": Volatile} {
		d := mustCompare(t, list+"</ul>", list+row("Vloed Wagon", number)+"</ul>", Options{})
		found := false
		for _, h := range d.Hunks {
			for i := range h.Rows {
				if r := &h.Rows[i]; r.Kind == Inserted && strings.Contains(r.New(), "950") {
					found = true
					if r.Class != want {
						t.Errorf("%s: class %s, want %s", number, r.Class, want)
					}
				}
			}
		}
		if !found {
			t.Errorf("%s: no row", number)
		}
	}
}

// TestAmountOfEveryFetch: an amount that was another at most fetches is a meter; one that
// changed at times is news, and so is one that stands beside a meter.
func TestAmountOfEveryFetch(t *testing.T) {
	page := func(meter, price int) string {
		return fmt.Sprintf("<h1>Quay</h1><p>Some text about gulls and boats.</p><p>Oduya : %d € of 4000 €</p><p>The ferry costs %d €</p><p>More of it, about ropes.</p>", meter, price)
	}
	for _, c := range []struct {
		every        int // so many fetches stand between two changes of the meter
		meter, price int // what the last fetch brings
		fetches      int
		want         bool
	}{
		{1, 900, 8, 7, false},
		{1, 900, 8, 3, true},
		{3, 900, 8, 12, true},
		{1, 900, 9, 12, true},
	} {
		var m Memory
		last := ""
		for i := range c.fetches {
			last = page(100+35*(i/c.every), 8)
			var err error
			if m, err = m.After([]byte(last), Options{}); err != nil {
				t.Fatal(err)
			}
		}
		if d := mustCompare(t, last, page(c.meter, c.price), Options{Memory: &m}); d.Significant != c.want {
			t.Errorf("%+v: reported %t, class %s, score %.2f", c, d.Significant, d.Class, d.Score)
		}
	}
}
