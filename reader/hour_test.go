package reader

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"diurna/reader/poll"
)

// TestTurnThatComesInASkippedHour: a feed that was due before an hour in which it
// asks not to be fetched, and waited for its host until then, is not asked. Who
// asks by hand is served.
func TestTurnThatComesInASkippedHour(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		web := newFakeWeb()
		skips := func(req *http.Request) *http.Response {
			res := answer(req, 200, "text/xml", strings.Replace(rssOf("F "+req.URL.Path, "a|A|"+ago(time.Hour)+"|text"), "<channel>",
				"<channel><skipHours><hour>2</hour><hour>5</hour></skipHours>", 1))
			res.Header.Set("ETag", `"x"`)
			return res
		}
		r, done := bubbleLibrary(t, dir, web)
		defer done()
		var ids []FeedID
		for i := range 3 {
			u := fmt.Sprintf("https://pier.example/%d", i)
			web.handle(u, skips)
			add(t, r, u, SubscribeOptions{})
		}
		feeds, err := r.store.Feeds(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for i := range feeds {
			ids = append(ids, feeds[i].ID)
		}
		midnight := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
		for _, c := range []struct {
			at   time.Duration
			q    FetchRequest
			sent int
		}{
			{2*time.Hour - 6*time.Second, FetchRequest{All: true}, 2}, // the third would go 4 s past two
			{2*time.Hour + time.Minute, FetchRequest{All: true}, 0},
			{3*time.Hour + time.Minute, FetchRequest{All: true}, 3},
			{5*time.Hour - 6*time.Second, FetchRequest{Feeds: ids}, 3},
		} {
			time.Sleep(time.Until(midnight.Add(c.at)))
			before := len(web.requests())
			rep, err := r.Fetch(t.Context(), c.q, nil)
			if sent := len(web.requests()) - before; err != nil || sent != c.sent || rep.Failed != 0 {
				t.Errorf("at %v: %d requests, %d expected: %+v, %v", c.at, sent, c.sent, rep, err)
			}
			if c.sent == 2 {
				if last := rep.Results[len(rep.Results)-1]; rep.Early != 1 || last.Outcome != OutcomeEarly || last.Rule != poll.HourRule.Kind {
					t.Errorf("the one that was skipped is reported as %+v", last)
				}
			}
		}
	})
}
