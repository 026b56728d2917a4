package reader

import (
	"context"
	"testing"
	"time"

	"diurna/reader/watch"
)

// TestWatchesShareRequests: what several watches want is asked for once.
func TestWatchesShareRequests(t *testing.T) {
	s := newShore(t)
	s.web.serve(pier, "text/html", timetable(summer, "8 €"))
	whole := s.watch(pier, watch.Options{Every: 20 * time.Hour})
	notices := s.watch(pier, watch.Options{Select: []string{"p"}, Threshold: 1.5, Every: 1000 * time.Hour})
	if whole.Key == notices.Key || notices.URL != pier || notices.Title != "Pier timetable (p)" {
		t.Fatalf("%s and %s at %s", whole.Key, notices.Key, notices.URL)
	}
	asked := len(s.web.requests())
	for i, body := range []string{timetable(summer, "8 €"), timetable(winter, "8 €"), timetable(winter, "9 €")} {
		s.web.serve(pier, "text/html", body)
		s.later(day)
		if n := len(s.web.requests()) - asked; n != i+1 {
			t.Fatalf("after round %d: %d requests for two watches", i, n)
		}
	}
	pages, err := s.r.Pages().List(context.Background())
	if err != nil || len(pages) != 2 {
		t.Fatal(err, len(pages))
	}
	for _, p := range pages {
		if p.Revisions < 2 || !p.LastFetch.Equal(s.at) {
			t.Errorf("%s: %d revisions, last fetch %v", p.Key, p.Revisions, p.LastFetch)
		}
	}
	st, err := s.r.Stats().Stats(context.Background(), s.r.now())
	if err != nil || st.Pages != 2 || st.Feeds != 0 || st.Watches != 2 || st.Addresses != 1 || st.Utilisation != 1 {
		t.Errorf("stats: %+v %v", st, err)
	}
	if st.Requests != asked+3 {
		t.Errorf("%d requests are counted, %d were made", st.Requests, asked+3)
	}
	s.sound()
}
