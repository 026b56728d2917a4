package reader

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
)

// Where filing is slow, requests wait: no more documents are in memory than are in
// hand, and one for each host that is being asked. Each feed is asked for once.
func TestDocumentsInHand(t *testing.T) {
	for _, perHost := range []int{1, 5} { // one feed at each host; several
		synctest.Test(t, func(t *testing.T) {
			web := newFakeWeb()
			r := newLibrary(t, web)
			const feeds = 200
			var list strings.Builder
			var asked atomic.Int64
			for i := range feeds {
				address := fmt.Sprintf("https://host%d.example/%d.xml", i/perHost, i)
				fmt.Fprintln(&list, address)
				web.handle(address, func(req *http.Request) *http.Response {
					asked.Add(1)
					return answer(req, 200, "text/xml", rssOf("Feed", "1|one||text"))
				})
			}
			if _, err := r.Import(t.Context(), []byte(list.String()), ImportOptions{NoFetch: true}, nil); err != nil {
				t.Fatal(err)
			}
			known, err := r.refresh.readFeeds(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			jobs, _ := r.refresh.choose(known.feeds, FetchRequest{All: true}, r.now())
			answers := make(chan pendingResult)
			go func() {
				r.refresh.askHosts(t.Context(), byHost(jobs), answers)
				close(answers)
			}()
			synctest.Wait()
			most := int64(documentsAtOnce + r.opts.Net.HostsAtOnce*r.opts.Net.PerHost)
			got := 0
			if n := asked.Load(); n < documentsAtOnce || n > most {
				t.Errorf("%d requests before anything was filed, want %d to %d", n, documentsAtOnce, most)
			}
			for g := range answers {
				if g.h.Err != nil || g.skipped.Forbids() || len(g.arrivals) != 1 {
					t.Fatalf("%s: %v %q, %d items", g.job.feed.URL, g.h.Err, g.skipped, len(g.arrivals))
				}
				got++
				synctest.Wait()
				if n := asked.Load(); n > most+int64(got) {
					t.Fatalf("%d requests after %d feeds were taken, want at most %d", n, got, most+int64(got))
				}
			}
			if got != feeds || asked.Load() != feeds {
				t.Errorf("%d answers to %d requests for %d feeds", got, asked.Load(), feeds)
			}
		})
	}
}
