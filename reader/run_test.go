package reader

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"diurna/store"
	"diurna/store/storetest"
)

// serveFor runs the fetcher's loop for a stretch of virtual time.
func serveFor(t *testing.T, r *Reader, d time.Duration) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	r.refresh.serve(ctx, nil, func(e Event) {
		if e.Err != nil {
			t.Errorf("%s: %v", e.At, e.Err)
		}
	})
}

// bubbleLibrary is a library that is closed before the bubble ends.
func bubbleLibrary(t *testing.T, dir string, web http.RoundTripper) (*Reader, func()) {
	t.Helper()
	s, err := store.Open(store.Options{Dir: dir, CacheDir: dir, NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	r := New(s, Options{Version: "test", Role: "test", Transport: web})
	r.refresh.sweep = 1000 * time.Hour // months of a bubble would be spent on collecting garbage
	return r, func() {
		r.Close()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// In a week of running, restarts every 7 minutes for a day among it, no feed
// is asked more often than the plan allows, every repeated request is
// conditional, and nothing comes in bursts.
func TestAWeekOfRunningIsPolite(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		web := newFakeWeb()
		r, done := bubbleLibrary(t, dir, web)
		for i := range 6 {
			u := fmt.Sprintf("https://h%d.example/f%d", i/2, i)
			web.serve(u, "text/xml", rssOf(fmt.Sprintf("Feed %d", i), "a|A|"+ago(time.Hour)+"|text"))
			add(t, r, u, SubscribeOptions{})
		}
		days := storetest.Size(3, 5)
		serveFor(t, r, time.Duration(days)*24*time.Hour)
		done()
		restarts := storetest.Size(20, 24*60/7)
		for range restarts {
			r, done = bubbleLibrary(t, dir, web)
			serveFor(t, r, 7*time.Minute)
			done()
		}
		last, perDay, lastOfHost := map[string]time.Time{}, map[string]int{}, map[string]time.Time{}
		for i, line := range web.asked {
			u := strings.Fields(line)[1]
			host, _, _ := strings.Cut(strings.TrimPrefix(u, "https://"), "/")
			at := web.at[i]
			if prev, ok := last[u]; ok {
				if at.Sub(prev) < time.Hour {
					t.Errorf("%s was asked %v after the time before", u, at.Sub(prev))
				}
				if !strings.Contains(line, "If-None-Match") {
					t.Errorf("%s was asked again without a validator", u)
				}
			}
			if prev, ok := lastOfHost[host]; ok && at.Sub(prev) < 5*time.Second {
				t.Errorf("%s was asked %v after the request before", host, at.Sub(prev))
			}
			last[u], lastOfHost[host] = at, at
			perDay[u+at.UTC().Format(" 2006-01-02")]++
		}
		for k, n := range perDay {
			if n > 7 { // six by the plan, and the first one when subscribing
				t.Errorf("%s: %d requests", k, n)
			}
		}
		if n := len(web.asked); n < 6*days*4 || n > 6*(days+1)*7 {
			t.Errorf("%d requests in %d days for 6 feeds at 6 a day", n, days+1)
		}
	})
}

// addTwenty subscribes to 20 feeds of a host each.
func addTwenty(t *testing.T, r *Reader, web *fakeWeb) {
	t.Helper()
	for i := range 20 {
		u := fmt.Sprintf("https://h%d.example/f", i)
		web.serve(u, "text/xml", rssOf(fmt.Sprintf("Feed %d", i), "a|A|"+ago(time.Hour)+"|text"))
		add(t, r, u, SubscribeOptions{})
	}
}

// After three days of sleep the feeds are not asked all at once.
func TestNoBurstAfterSleep(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		web := newFakeWeb()
		r, done := bubbleLibrary(t, dir, web)
		defer done()
		addTwenty(t, r, web)
		serveFor(t, r, 24*time.Hour)
		time.Sleep(72 * time.Hour)
		before := len(web.requests())
		serveFor(t, r, time.Minute)
		if n := len(web.requests()) - before; n > 5 {
			t.Errorf("%d of 20 feeds were asked within a minute of waking", n)
		}
		serveFor(t, r, time.Hour)
		if n := len(web.requests()) - before; n < 20 {
			t.Errorf("only %d of 20 feeds were asked within an hour of waking", n)
		}
	})
}

// Opening the screen fetches some feeds at once, out of tokens, and never more
// in a day than the budget keeps for it.
func TestLookingSpendsTokens(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		web := newFakeWeb()
		r, done := bubbleLibrary(t, dir, web)
		defer done()
		addTwenty(t, r, web)
		serveFor(t, r, 26*time.Hour) // 20 feeds at 6 a day: 120 fetches, 40 of them tokens
		before := len(web.requests())
		for range 10 {
			if err := r.Looked(t.Context()); err != nil {
				t.Fatal(err)
			}
			serveFor(t, r, time.Minute)
		}
		if n := len(web.requests()) - before; n < 3 || n > 20 { // δ: no feed twice
			t.Errorf("ten looks within ten minutes cost %d requests", n)
		}
		serveFor(t, r, 24*time.Hour)
		days := map[string]int{}
		for _, at := range web.at {
			days[at.UTC().Format("2006-01-02")]++
		}
		for day, n := range days {
			if n > 20*6+20 { // the first day has the 20 first fetches besides
				t.Errorf("%s: %d requests, the budget is 120", day, n)
			}
		}
	})
}

// While a feed is fetched by hand from a slow server, the running fetcher that
// wants it too does not spin.
func TestFetcherRestsWhileAFeedIsUnderWay(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		web := newFakeWeb()
		r, done := bubbleLibrary(t, dir, web)
		defer done()
		web.serve(harbour, "text/xml", harbourFeed())
		s := add(t, r, harbour, SubscribeOptions{})
		r.refresh.inFlight.claim([]job{{feed: &store.Feed{ID: s.Feed.Key}}}) // somebody else has it
		rounds := 0
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Hour)
		defer cancel()
		r.refresh.serve(ctx, nil, func(e Event) {
			if rounds++; rounds > 2_000 {
				cancel()
			}
		})
		if rounds > 1_200 {
			t.Errorf("%d rounds in 5 hours", rounds)
		}
	})
}

// Somebody removes fetch.lock under the fetcher, and another process begins: one
// of the two fetches, the other says for whom it waits, and doctor says the same.
func TestFetchLockRemovedUnderTheFetcher(t *testing.T) {
	dir := t.TempDir()
	both := make([]*Reader, 2)
	for i := range both {
		r, done := bubbleLibrary(t, dir, newFakeWeb())
		defer done()
		both[i] = r
	}
	ctx, stop := context.WithCancel(t.Context())
	var waits atomic.Int32
	var all sync.WaitGroup
	defer all.Wait()
	defer stop()
	run := func(r *Reader) {
		all.Go(func() {
			r.Run(ctx, func(e Event) {
				if e.Waiting != "" {
					waits.Add(1)
				}
			})
		})
	}
	until := func(what string, reached func() bool) {
		t.Helper()
		for range 1000 {
			if reached() {
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
		t.Fatal(what)
	}
	if _, err := both[0].Take(ctx, "Harbour", []byte(harbourFeed())); err != nil {
		t.Fatal(err)
	}
	run(both[0])
	until("nobody fetches", func() bool { return both[0].refresh.inFlight.held() != nil })
	if err := os.Remove(filepath.Join(dir, "fetch.lock")); err != nil {
		t.Fatal(err)
	}
	run(both[1])
	until("two fetch", func() bool {
		// A fetcher that sleeps looks at its lock when somebody commits.
		if err := both[1].store.SetMeta(ctx, "view", []byte("x")); err != nil {
			t.Fatal(err)
		}
		return waits.Load() > 0 && (both[0].refresh.inFlight.held() != nil) != (both[1].refresh.inFlight.held() != nil)
	})
	if d, err := both[0].Maintenance().Doctor(ctx, nil); err != nil || !strings.HasPrefix(d.Fetcher, fmt.Sprintf("pid %d (", os.Getpid())) {
		t.Errorf("doctor names %q, %v", d.Fetcher, err)
	}
}

// Somebody removes fetch.lock while feeds are fetched: not one more request goes out
// once another process has the new one; with nobody there the fetch goes on.
func TestFetchLockRemovedInTheMiddle(t *testing.T) {
	for _, taken := range []bool{false, true} {
		web, dir := newFakeWeb(), t.TempDir()
		r, other := openLibrary(t, dir, web), openLibrary(t, dir, web)
		var list strings.Builder
		var lock, theirs *store.FetchLock
		for i := range 5 {
			address := fmt.Sprintf("https://harbour.example/%d.xml", i)
			fmt.Fprintln(&list, address)
			web.serve(address, "text/xml", harbourFeed())
			if i != 2 {
				continue
			}
			web.handle(address, func(req *http.Request) *http.Response {
				if err := os.Remove(filepath.Join(dir, "fetch.lock")); err != nil {
					t.Error(err)
				}
				if taken {
					var err error
					if theirs, err = other.store.FetchLock("other"); err != nil {
						t.Error(err)
					}
				}
				return answer(req, 200, "text/xml", harbourFeed())
			})
		}
		if _, err := r.Import(t.Context(), []byte(list.String()), ImportOptions{NoFetch: true}, nil); err != nil {
			t.Fatal(err)
		}
		if !taken {
			rep, err := r.Fetch(t.Context(), FetchRequest{All: true}, nil)
			if err != nil || rep.Fetched != 5 || len(web.requests()) != 5 {
				t.Errorf("%+v after %q, %v", rep, web.requests(), err)
			}
			continue
		}
		feeds, err := r.store.Feeds(t.Context())
		if err == nil {
			lock, err = r.store.FetchLock("test")
		}
		if err != nil {
			t.Fatal(err)
		}
		jobs, _ := r.refresh.choose(feeds, FetchRequest{All: true}, r.now())
		settled := 0
		err = r.refresh.gather(t.Context(), lock, jobs, feedList{}, func(FetchResult) { settled++ })
		if err != errStoodBack || settled != 3 || len(web.requests()) != 3 || !theirs.Held() {
			t.Errorf("%d feeds settled after %q, %v", settled, web.requests(), err)
		}
	}
}
