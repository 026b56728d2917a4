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
