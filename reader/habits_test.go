package reader

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// What Rhythm shows of a day is what happened on it: looks by local hour, the
// fetches the log tells of, those that brought nothing among them, and the
// plan's next ones.
func TestRhythmTellsTheDay(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		web := newFakeWeb()
		r, done := bubbleLibrary(t, dir, web)
		defer done()
		ids := plainFeeds(t, r, web, 4)
		time.Sleep(time.Until(nextMidnight()))
		for range 3 {
			for h := range 24 {
				if h == 8 || h == 20 {
					if err := r.Looked(t.Context()); err != nil {
						t.Fatal(err)
					}
				}
				if h == 12 {
					web.serve("https://h1.example/f", "text/xml", rssOf("Feed 1", fmt.Sprintf("n%d|N|%s|x", time.Now().Unix(), ago(time.Hour)), "a|A|"+ago(480*time.Hour)+"|x"))
				}
				serveFor(t, r, time.Hour)
			}
		}
		at := time.Now().Add(-time.Hour) // within the third day
		got, err := r.Stats().Rhythm(t.Context(), ids[1], at.UTC(), r.now())
		if err != nil || got.Feed.Key != ids[1] || got.Looks != 6 || got.Feeds != 4 || got.Hourly != 96 || got.Own {
			t.Fatalf("%+v, %v", got, err)
		}
		looks := 0
		for _, day := range got.ByHour {
			looks += day[time.Now().Truncate(24*time.Hour).Add(8*time.Hour).Local().Hour()]
		}
		if looks != 3 {
			t.Errorf("%d looks at 8: %v", looks, got.ByHour)
		}
		var want []time.Time
		for i, line := range web.asked {
			if day := web.at[i]; strings.HasPrefix(line, "GET https://h1.example/f") && !day.Before(got.Day) && day.Before(got.Day.AddDate(0, 0, 1)) {
				want = append(want, day)
			}
		}
		if len(want) < 3 || len(got.Fetched) != len(want) {
			t.Fatalf("%d fetches shown, %d made: %v %v", len(got.Fetched), len(want), got.Fetched, want)
		}
		for i := range want {
			if d := got.Fetched[i].Sub(want[i]); d < 0 || d > time.Minute {
				t.Errorf("fetch %d at %v, was at %v", i, got.Fetched[i], want[i])
			}
		}
		if got.Freshness.New != 3 || got.Budget.PerDay != 24 || len(got.Planned) == 0 || got.Posts == 0 || got.PerWeek <= 0 {
			t.Errorf("%+v", got)
		}
		if none, err := r.Stats().Rhythm(t.Context(), 0, at, r.now()); err != nil || none.Feed.Key == 0 {
			t.Errorf("no feed was chosen: %+v, %v", none.Feed, err)
		}
	})
}
