package reader

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// Results are filed in groups: what is new waits a tenth of a second for others, and
// what is not two seconds; a group that is large waits for nothing.
func TestGroupsOfResults(t *testing.T) {
	type answered struct {
		after time.Duration
		items int // 0: not changed
		bytes int // of each item
	}
	const ms = time.Millisecond
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		web := newFakeWeb()
		r, done := bubbleLibrary(t, dir, web)
		defer done()
		ids := plainFeeds(t, r, web, 3)
		no := 0
		for _, c := range []struct {
			what string
			is   []answered
			want []time.Duration // when each is in the library
		}{
			{"two with news", []answered{{10 * ms, 1, 9}, {60 * ms, 1, 9}, {time.Second, 1, 9}}, []time.Duration{110 * ms, 110 * ms, time.Second}},
			{"a third, too late", []answered{{10 * ms, 1, 9}, {111 * ms, 1, 9}, {5 * time.Second, 1, 9}}, []time.Duration{110 * ms, 211 * ms, 5 * time.Second}},
			{"199 items", []answered{{10 * ms, 199, 9}, {5 * time.Second, 1, 9}}, []time.Duration{110 * ms, 5 * time.Second}},
			{"200 items", []answered{{10 * ms, 200, 9}, {5 * time.Second, 1, 9}}, []time.Duration{10 * ms, 5 * time.Second}},
			{"200 items of two", []answered{{10 * ms, 150, 9}, {20 * ms, 50, 9}, {5 * time.Second, 1, 9}}, []time.Duration{20 * ms, 20 * ms, 5 * time.Second}},
			{"half a megabyte less a little", []answered{{10 * ms, 4, 128<<10 - 300}, {5 * time.Second, 1, 9}}, []time.Duration{110 * ms, 5 * time.Second}},
			{"half a megabyte", []answered{{10 * ms, 4, 128<<10 - 250}, {5 * time.Second, 1, 9}}, []time.Duration{10 * ms, 5 * time.Second}},
			{"not changed", []answered{{10 * ms, 0, 0}, {1900 * ms, 0, 0}, {5 * time.Second, 0, 0}}, []time.Duration{2010 * ms, 2010 * ms, 5 * time.Second}},
			{"not changed, then news", []answered{{10 * ms, 0, 0}, {60 * ms, 1, 9}, {5 * time.Second, 0, 0}}, []time.Duration{160 * ms, 160 * ms, 5 * time.Second}},
			{"news, then not changed", []answered{{10 * ms, 1, 9}, {60 * ms, 0, 0}, {5 * time.Second, 0, 0}}, []time.Duration{110 * ms, 110 * ms, 5 * time.Second}},
		} {
			time.Sleep(48 * time.Hour)
			for i, a := range c.is {
				var items []string
				for range a.items {
					no++
					items = append(items, fmt.Sprintf("k%d|Title %d|%s|%s", no, no, ago(time.Hour), strings.Repeat("x", a.bytes)))
				}
				body := rssOf(fmt.Sprintf("Feed %d", i), items...)
				web.handle(fmt.Sprintf("https://h%d.example/f", i), func(req *http.Request) *http.Response {
					time.Sleep(a.after)
					if a.items == 0 {
						return answer(req, 304, "", "")
					}
					return answer(req, 200, "", body)
				})
			}
			begin, settled := time.Now(), map[FeedID]time.Duration{}
			if _, err := r.Fetch(t.Context(), FetchRequest{Feeds: ids[:len(c.is)]}, func(p Progress) {
				if p.Result != nil {
					settled[p.Result.Feed] = time.Since(begin)
				}
			}); err != nil {
				t.Fatal(err)
			}
			for i, want := range c.want {
				if got := settled[ids[i]]; got != want {
					t.Errorf("%s: answer %d is filed after %v, want %v", c.what, i+1, got, want)
				}
			}
		}
	})
}
