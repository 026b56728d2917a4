package reader

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"diurna/reader/feed"
	"diurna/reader/web"
	"diurna/store"
)

// TestDefencesLifted takes away what keeps feeds and addresses apart, one by one:
// what it keeps out comes in then. Rows N3, N12 and N13; reader/match has those of
// items.
func TestDefencesLifted(t *testing.T) {
	t.Run("N12", liftedN12)
	t.Run("N13", liftedN13)
	t.Run("N3", liftedN3)
}

// liftedN12 is TestEndlessNotModifiedIsDoubted without the memory of when the feed
// was last read whole: "not changed" is believed for ever.
func liftedN12(t *testing.T) {
	web := newFakeWeb()
	web.serve(harbour, "text/xml", harbourFeed())
	r := newLibrary(t, web)
	add(t, r, harbour, SubscribeOptions{})
	n := len(web.requests())
	for day := 1; day <= 40; day++ {
		at := later(r, time.Duration(day)*24*time.Hour)
		feeds, err := r.store.Feeds(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		p := feeds[0].Poll
		p.ReadAt = at.now().Unix()
		if _, err := r.store.File(t.Context(), at.now(), []store.Filing{{Feed: feeds[0].ID, Poll: &p}}); err != nil {
			t.Fatal(err)
		}
		if _, err := at.Fetch(t.Context(), FetchRequest{All: true}, nil); err != nil {
			t.Fatal(err)
		}
	}
	lines := web.requests()[n:]
	for _, line := range lines {
		if !strings.Contains(line, "If-None-Match") {
			t.Errorf("doubted all the same: %s", line)
		}
	}
	if len(lines) < 30 {
		t.Errorf("%d requests", len(lines))
	}
}

// liftedN13 takes in another feed's document without the look at whose it is.
func liftedN13(t *testing.T) {
	pub := newFakeWeb()
	pub.serve(harbour, "text/xml", harbourFeed())
	r := newLibrary(t, pub)
	add(t, r, harbour, SubscribeOptions{})
	feeds, err := r.store.Feeds(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	doc, err := feed.Parse(feed.Input{Body: []byte(rssOf("Other", "1|One|"+ago(time.Hour)+"|x")), Now: time.Now()})
	if err != nil {
		t.Fatal(err)
	}
	doc.Self = "https://other.example/feed"
	g := pendingResult{job: job{feed: &feeds[0]}, h: web.Answer{Doc: doc, At: r.now()}}
	out := store.Filing{Feed: feeds[0].ID}
	if err := r.refresh.fillFiling(context.Background(), &out, &g, true); err != nil || len(out.New) != 1 || !g.looksForeign() {
		t.Errorf("%d items, %v; foreign: %v", len(out.New), err, g.looksForeign())
	}
}

// liftedN3 asks for what is refused in a scheme that is not: it is asked for.
func liftedN3(t *testing.T) {
	for _, name := range []string{"add", "redirect"} {
		web := newFakeWeb()
		r := readerWithWaits(t, web, Net{MinHostInterval: -1, MinPoll: -1, MinManual: -1})
		address := "https://good.example/etc/passwd"
		web.handle(address, func(req *http.Request) *http.Response { return answer(req, 500, "", "") })
		sources[name](t, r, web, address)
		if seen := strings.Join(web.requests(), "\n"); !strings.Contains(seen, "GET "+address) {
			t.Errorf("%s: an https address was not asked for: %s", name, seen)
		}
	}
}
