package page

import (
	"fmt"
	"testing"
)

// TestTwice: what differs between two fetches seconds apart is volatile from
// then on, but for states, amounts, dates and rows of lists.
func TestTwice(t *testing.T) {
	at := func(advert, viewers, price, state, date, row, token string) string {
		return fmt.Sprintf(`<h1>Boats</h1><div class="x1"><a href="/y">%s</a></div><p>A small boat for two, with oars.</p>
<p>Blorp frell %s zint.</p><p class="p">Price: %s</p><p class="s">%s</p><p>The sale is on %s at the quay.</p>
<ul><li>Oar</li>%s<li>Sail</li></ul><div class="f">Zark %s</div>`, advert, viewers, price, state, date, row, token)
	}
	first := at("Wonder wax for hulls", "12", "5 €", "In stock", "3 May 2027", "", "a1xq")
	second := at("Sleep well tonight", "15", "6 €", "Sold out", "4 May 2027", "<li>Buoy</li>", "k3zz")
	m, places := twice(t, first, second)
	if places != 7 {
		t.Errorf("%d places, want 7", places)
	}
	o := Options{Memory: &m}
	now := [...]string{"Wonder wax for hulls", "12", "5 €", "In stock", "3 May 2027", "", "a1xq"}
	for i, c := range []struct {
		text     string
		reported bool
	}{
		{"New: three kinds of rope", false}, {"31", false}, {"6 €", true}, {"Sold out", true}, {"4 May 2027", true}, {"<li>Buoy</li>", true}, {"q9pw", false},
	} {
		next := now
		next[i] = c.text
		third := at(next[0], next[1], next[2], next[3], next[4], next[5], next[6])
		if d := mustCompare(t, first, third, o); d.Significant != c.reported {
			t.Errorf("%q to %q: reported %v, %s %.2f", now[i], c.text, d.Significant, d.Class, d.Score)
		}
	}
}

// TestUnsteadyState: a word for a state in one of the texts of a place that is another
// at each fetch makes that none; a state alone is one.
func TestUnsteadyState(t *testing.T) {
	at := func(s string) string { return "<h1>Quay</h1><div class=a>" + s + "</div><p>Some text.</p>" }
	m, _ := twice(t, at("Wonder wax for hulls"), at("Sleep well tonight"))
	for text, told := range map[string]bool{"The cafe is open before the concert": false, "Sold out": true, "All boats are now only 5 €": true} {
		if d := mustCompare(t, at("Wonder wax for hulls"), at(text), Options{Memory: &m}); d.Significant != told {
			t.Errorf("%q: told %t", text, d.Significant)
		}
	}
}

// TestUnsteadyNumbers: numbers that share a digit are held against each other by their
// places all the same.
func TestUnsteadyNumbers(t *testing.T) {
	at := func(s string) string { return "<h1>Quay</h1><p>Blorp " + s + " mip</p><p>Some text.</p>" }
	m, _ := twice(t, at("3 zag, 11 frell, 52"), at("2 zag, 9 frell, 41"))
	for text, told := range map[string]bool{"5 zag, 3 frell, 34": false, "11 zag, 8 frell, 7": false, "3 zag, 11 wom, 52": true} {
		if d := mustCompare(t, at("3 zag, 11 frell, 52"), at(text), Options{Memory: &m}); d.Significant != told {
			t.Errorf("%q: told %t, %s", text, d.Significant, d.Class)
		}
	}
}

// TestUnsteadyPlaceSettles: a place that stood still for long is as any other.
func TestUnsteadyPlaceSettles(t *testing.T) {
	at := func(s string) []byte { return []byte("<h1>Quay</h1><div class=a>" + s + "</div><p>Some text.</p>") }
	m, _ := twice(t, string(at("Wonder wax for hulls")), string(at("Sleep well tonight")))
	next := at("The ferry has a new captain")
	for _, c := range []struct {
		still    int
		reported bool
	}{{0, false}, {4, false}, {20, true}} {
		later := m.Again(c.still)
		later, err := later.After(at("Wonder wax for hulls"), Options{})
		if err != nil {
			t.Fatal(err)
		}
		d := mustCompare(t, string(at("Wonder wax for hulls")), string(next), Options{Memory: &later})
		if d.Significant != c.reported {
			t.Errorf("after %d fetches without a change: reported %v", c.still, d.Significant)
		}
	}
}

// twice is the memory after two fetches seconds apart.
func twice(t *testing.T, first, second string) (Memory, int) {
	t.Helper()
	m, err := Memory{}.After([]byte(first), Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, places, err := m.Twice([]byte(first), []byte(second), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m, places
}

// TestTurnedState: a line that says by turns whether it is open and for how long still is
// no news once it was another in two fetches and the two after; a state that turns is.
func TestTurnedState(t *testing.T) {
	page := func(line string) string {
		return "<h1>Quay</h1><p>Some text.</p><p class=now>" + line + "</p><p>More of it.</p>"
	}
	for _, steady := range []bool{false, true} {
		lines := []string{"Oduya gulls remain", "Terns remain", "Oduya wrens remain", "Open again"}
		if steady {
			lines = []string{"Open again", "Open again", "Open again", "Open again"}
		}
		m, err := Memory{}.After([]byte(page(lines[0])), Options{})
		if err == nil {
			m, _, err = m.Twice([]byte(page(lines[0])), []byte(page(lines[1])), Options{})
		}
		for _, line := range lines[2:] {
			if err == nil {
				m, err = m.After([]byte(page(line)), Options{})
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		if d := mustCompare(t, page("Open again"), page("Terns until Friday"), Options{Memory: &m}); d.Significant != steady {
			t.Errorf("steady %t: reported %t, class %s", steady, d.Significant, d.Class)
		}
	}
}
