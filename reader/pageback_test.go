package reader

import (
	"strings"
	"testing"

	"diurna/reader/watch"
)

// TestReturnAfterALoss: a page most of which was reported gone is reported when it
// is back, once; where it goes and comes by turns both are silent from then on.
func TestReturnAfterALoss(t *testing.T) {
	full := timetable(summer, "8 €")
	short := "<title>Pier timetable</title><h1>Timetable</h1><p>A ticket costs 8 € and is sold on board.</p><p>The boats of the winter will be named here in a week.</p>"
	s := newShore(t)
	s.web.serve(pier, "text/html", full)
	s.watch(pier, watch.Options{})
	for i, c := range []struct {
		body     string
		reported int
	}{{short, 0}, {short, 1}, {full, 2}, {full, 2}, {short, 2}, {short, 2}, {full, 2}, {strings.Replace(full, summer, winter, 1), 3}} {
		s.web.serve(pier, "text/html", c.body)
		s.later(day)
		if got := s.titles(); len(got) != c.reported {
			t.Fatalf("fetch %d: reported %q, want %d; %q", i+1, got, c.reported, s.page().Error)
		}
	}
	if got := s.titles(); !strings.HasPrefix(got[1], `changed: + "`) || !strings.Contains(got[2], "Winter") {
		t.Errorf("reported %q", got)
	}
	s.sound()
}
