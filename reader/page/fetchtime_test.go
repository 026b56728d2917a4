package page

import (
	"fmt"
	"testing"
	"time"
)

// TestStillClock: a time of day that stood for three fetches is no clock, although it now
// changes from the time of one fetch to that of the next.
func TestStillClock(t *testing.T) {
	page := func(at string) string {
		return "<h1>Quay</h1><p>Some text.</p><p>Gulls are fed on oduya from " + at + " by Rita.</p>"
	}
	fetched := time.Date(2026, 11, 12, 19, 0, 0, 0, time.UTC)
	for _, still := range []bool{true, false} {
		var m Memory
		for i := range 4 {
			at := "19:00"
			if !still {
				at = fmt.Sprintf("%d:00", 16+i)
			}
			var err error
			if m, err = m.After([]byte(page(at)), Options{}); err != nil {
				t.Fatal(err)
			}
		}
		d := mustCompare(t, page("19:00"), page("20:00"), Options{Memory: &m, Fetched: [2]time.Time{fetched, fetched.Add(time.Hour)}})
		if d.Significant != still {
			t.Errorf("stood still %t: reported %t, class %s", still, d.Significant, d.Class)
		}
	}
}

// TestShownAt: what gives the day and the time of its fetch is the clock of a page,
// whatever stands beside it.
func TestShownAt(t *testing.T) {
	was := time.Date(2026, 11, 3, 9, 0, 20, 0, time.UTC)
	fetched := [2]time.Time{was, was.Add(25 * time.Hour)}
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"03.11.2026, oduya 09:00, 9 °C, fog", "04.11.2026, oduya 10:00, 3 °C, light rain", false},
		{"2026-11-03 14:30 oduya gulls", "2026-11-04 15:30 many terns", false}, // another zone
		{"03.11.2026, oduya 09:14, 9 °C, fog", "04.11.2026, oduya 10:44, 3 °C, light rain", true},
		{"07.11.2026, oduya 09:00, hall 9, fog", "08.11.2026, oduya 10:00, hall 3, light rain", true},
	} {
		around := func(text string) string {
			return "<h1>Quay</h1><p>Some text about gulls and boats.</p><div class=x>" + text + "</div><p>More of it, about ropes.</p>"
		}
		d := mustCompare(t, around(c.a), around(c.b), Options{Fetched: fetched})
		if d.Significant != c.want {
			t.Errorf("%s -> %s: reported %t, class %s", c.a, c.b, d.Significant, d.Class)
		}
	}
}
