package reader

import (
	"testing"
	"testing/synctest"
	"time"
)

// What the plan fetched before a usual look is reported at that look, until
// somebody looked; a fetch by hand never is.
func TestOpeningTellsOfTheFetchBeforeIt(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		web := newFakeWeb()
		r, done := bubbleLibrary(t, dir, web)
		defer done()
		plainFeeds(t, r, web, 2)
		if o, err := r.Opening(t.Context()); err != nil || !o.Fetched.IsZero() {
			t.Fatalf("reported the first fetch: %+v, %v", o, err)
		}
		time.Sleep(time.Until(nextMidnight()))
		reported := 0
		for day := range 6 {
			for h := range 24 {
				if h == 8 {
					o, err := r.Opening(t.Context())
					if err != nil {
						t.Fatal(err)
					}
					if !o.Fetched.IsZero() {
						reported++
						made := false
						for _, at := range web.at {
							d := o.Fetched.Sub(at)
							made = made || d >= 0 && d < 2*time.Minute
						}
						if !made || !o.Look.After(o.Fetched) {
							t.Errorf("day %d: %+v was not fetched then", day, o)
						}
					}
					if err := r.Looked(t.Context()); err != nil {
						t.Fatal(err)
					}
					if o, err := r.Opening(t.Context()); err != nil || !o.Fetched.IsZero() {
						t.Errorf("reported again after the look: %+v, %v", o, err)
					}
				}
				serveFor(t, r, time.Hour)
			}
		}
		if reported == 0 {
			t.Error("never reported")
		}
		time.Sleep(12 * time.Hour)
		if _, err := r.Fetch(t.Context(), FetchRequest{All: true}, func(Progress) {}); err != nil {
			t.Fatal(err)
		}
		if o, err := r.Opening(t.Context()); err != nil || !o.Fetched.IsZero() {
			t.Errorf("reported a fetch by hand: %+v, %v", o, err)
		}
		t.Logf("reported on %d of 6 days", reported)
	})
}
