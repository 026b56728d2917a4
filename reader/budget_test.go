package reader

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"diurna/reader/plan"
	"diurna/reader/poll"
	"diurna/reader/wording"
	"diurna/store"
)

// plainFeeds subscribes to n feeds on hosts of their own.
func plainFeeds(t *testing.T, r *Reader, web *fakeWeb, n int) []FeedID {
	t.Helper()
	var ids []FeedID
	for i := range n {
		u := fmt.Sprintf("https://h%d.example/f", i)
		web.serve(u, "text/xml", rssOf(fmt.Sprintf("Feed %d", i), "a|A|"+ago(480*time.Hour)+"|text", "b|B|"+ago(600*time.Hour)+"|text"))
		ids = append(ids, add(t, r, u, SubscribeOptions{}).Feed.Key)
	}
	return ids
}

// daysOf counts requests by UTC day from the first whole one on.
func daysOf(web *fakeWeb, from time.Time) map[string]int {
	days := map[string]int{}
	for _, at := range web.at {
		if !at.Before(from) {
			days[at.UTC().Format("2006-01-02")]++
		}
	}
	return days
}

// Days begin where the machine stands; most tests count them in UTC, and those of
// another zone say which.
func init() { time.Local = time.UTC }

func nextMidnight() time.Time { return time.Now().UTC().Truncate(24 * time.Hour).Add(24 * time.Hour) }

// A restart every twenty minutes, a look after each: neither the day's budget
// nor its tokens begin again.
func TestRestartsKeepTheBudget(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		web := newFakeWeb()
		r, done := bubbleLibrary(t, dir, web)
		plainFeeds(t, r, web, 10)
		done()
		time.Sleep(time.Until(nextMidnight()))
		day := time.Now()
		for range 71 { // to 23:40
			r, done = bubbleLibrary(t, dir, web)
			if err := r.Looked(t.Context()); err != nil {
				t.Fatal(err)
			}
			serveFor(t, r, 16*time.Minute)
			done()
			time.Sleep(4 * time.Minute)
		}
		r, done = bubbleLibrary(t, dir, web)
		defer done()
		feeds, err := r.store.Feeds(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		b, err := r.plan.Budget(t.Context(), feeds, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		if b.PerDay != 60 || b.Used > b.PerDay {
			t.Errorf("budget: %+v", b)
		}
		if n := daysOf(web, day)[day.UTC().Format("2006-01-02")]; n != b.Used || n > b.PerDay || n < 40 {
			t.Errorf("%d requests that day, %+v", n, b)
		}
		if p, err := r.Planner().Plan(t.Context(), r.now()); err != nil || p.Used != b.Used || p.Kept > b.PerDay-b.Used {
			t.Errorf("the plan says %+v, %v", p, err)
		}
	})
}

// A budget below one fetch a feed and day is kept all the same: every feed has
// its turn, and the plan names the budget that would do.
func TestBudgetBelowTheFloors(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		web := newFakeWeb()
		r, done := bubbleLibrary(t, dir, web)
		plainFeeds(t, r, web, 8)
		got, err := r.Planner().SetBudget(t.Context(), 5, r.now())
		if err != nil || got.PerDay != 5 || got.Before != 48 || got.Needed != 8 || !got.Own {
			t.Fatalf("%+v, %v", got, err)
		}
		time.Sleep(time.Until(nextMidnight()))
		from := time.Now()
		serveFor(t, r, 2*24*time.Hour)
		done()
		r, done = bubbleLibrary(t, dir, web) // kept over a restart
		defer done()
		if err := r.Looked(t.Context()); err != nil {
			t.Fatal(err)
		}
		serveFor(t, r, 2*24*time.Hour)
		seen := map[string]bool{}
		for i, line := range web.asked {
			if !web.at[i].Before(from) {
				seen[line] = true
			}
		}
		for day, n := range daysOf(web, from) {
			if n > 5 {
				t.Errorf("%s: %d requests, the budget is 5", day, n)
			}
		}
		if len(seen) != 8 {
			t.Errorf("%d of 8 feeds had their turn in four days", len(seen))
		}
		if got, err = r.Planner().SetBudget(t.Context(), 0, r.now()); err != nil || got.PerDay != 48 || got.Own || got.Needed != 0 {
			t.Errorf("back to the default: %+v, %v", got, err)
		}
		for _, wrong := range []int{-1, plan.MaxPerDay + 1} {
			if _, err := r.Planner().SetBudget(t.Context(), wrong, r.now()); err == nil {
				t.Errorf("%d was taken", wrong)
			}
		}
	})
}

// Setting the budget is one step like every deliberate act: listed, taken back
// and done again, also by a program that was started after it.
func TestBudgetIsAStep(t *testing.T) {
	dir, web := t.TempDir(), listWeb()
	r := openLibrary(t, dir, web)
	add(t, r, harbour, SubscribeOptions{})
	perDay := func(r *Reader) int {
		p, err := r.Planner().Plan(t.Context(), r.now())
		if err != nil {
			t.Fatal(err)
		}
		return p.PerDay
	}
	for _, m := range []int{40, 4000, 4000, 0} {
		if _, err := r.Planner().SetBudget(t.Context(), m, r.now()); err != nil {
			t.Fatal(err)
		}
	}
	steps, err := r.Steps(t.Context(), 0)
	if err != nil || len(steps) != 4 || steps[0].What != "budget set back to the default" || steps[1].What != "budget set to 4,000 fetches a day" {
		t.Fatalf("%+v, %v", steps, err)
	}
	for i, want := range []int{4000, 40, 6, 40, 4000, 6} {
		fresh := openLibrary(t, dir, web)
		if i < 3 {
			_, err = fresh.Undo(t.Context(), 0, 0)
		} else {
			_, err = fresh.Redo(t.Context())
		}
		if got := perDay(fresh); err != nil || got != want {
			t.Errorf("turn %d: %d a day, want %d; %v", i, got, want, err)
		}
		if d, err := fresh.Maintenance().Doctor(t.Context(), nil); err != nil || d.Damaged() {
			t.Fatalf("doctor: %v, %v", d.Findings, err)
		}
	}
	// The first of them alone, while later ones hold: those build on it.
	if _, err := r.Undo(t.Context(), steps[2].No, 0); err == nil {
		t.Error("the first budget was taken back below a later one")
	}
}

// An interval set by hand is obeyed down to 15 minutes, beside other feeds and
// for a single one, and never before the server's not-before.
func TestIntervalByHand(t *testing.T) {
	for _, c := range []struct {
		feeds         int
		interval, age string
		gap           time.Duration
		perDay        int
	}{
		{4, "15m", "", 15 * time.Minute, 96}, {3, "2h", "", 2 * time.Hour, 12},
		{2, "15m", "max-age=1800", 30 * time.Minute, 48},
	} {
		dir := t.TempDir()
		synctest.Test(t, func(t *testing.T) {
			web := newFakeWeb()
			r, done := bubbleLibrary(t, dir, web)
			defer done()
			ids := plainFeeds(t, r, web, c.feeds)
			if c.age != "" {
				old := web.pages["https://h0.example/f"]
				web.handle("https://h0.example/f", func(req *http.Request) *http.Response {
					res := old(req)
					res.Header.Set("Cache-Control", c.age)
					return res
				})
			}
			if _, err := r.Adjust(t.Context(), ids[0], "interval", c.interval); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Until(nextMidnight()) + time.Hour)
			serveFor(t, r, 12*time.Hour)
			var last time.Time
			n := 0
			for i, line := range web.asked {
				if !strings.Contains(line, "h0.example") {
					continue
				}
				if at := web.at[i]; !last.IsZero() && at.Sub(last) < c.gap {
					t.Errorf("%+v: asked %v after the time before", c, at.Sub(last))
				}
				last = web.at[i]
				n++
			}
			if n < c.perDay/2*9/10 || n > c.perDay/2+3 {
				t.Errorf("%+v: %d requests in half a day", c, n)
			}
		})
	}
}

// A publisher who posts more between two fetches than its document holds: the
// loss is said, the feed is fetched more often from then on, and a restart
// forgets neither.
func TestLostItemsAreSaid(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		web := newFakeWeb()
		r, done := bubbleLibrary(t, dir, web)
		plainFeeds(t, r, web, 6)
		burst := func(n int) {
			var items []string
			for k := range 10 {
				items = append(items, fmt.Sprintf("n%d-%d|N %d-%d|%s|text", n, k, n, k, ago(time.Duration(k)*time.Minute)))
			}
			web.serve("https://burst.example/f", "text/xml", rssOf("Bursts", items...))
		}
		burst(0)
		add(t, r, "https://burst.example/f", SubscribeOptions{})
		time.Sleep(time.Until(nextMidnight()))
		serveFor(t, r, 2*24*time.Hour)
		// From 10 known to 10 others: none of the known ones was left.
		share := func() int {
			p, err := r.Planner().Plan(t.Context(), r.now())
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range p.Fetches {
				if f.Feed == "Bursts" {
					return f.Of
				}
			}
			return 0
		}
		before := share()
		burst(1)
		said := ""
		ctx, cancel := context.WithTimeout(t.Context(), 24*time.Hour)
		defer cancel()
		r.refresh.serve(ctx, nil, func(e Event) {
			if res := e.Progress.Result; res != nil && res.Lost != "" {
				said = res.Lost
			}
		})
		if !strings.HasPrefix(said, "Bursts: none of the items known at ") || !strings.HasSuffix(said, "; some were lost in between. It is fetched more often now.") {
			t.Errorf("said %q", said)
		}
		done()
		r, done = bubbleLibrary(t, dir, web)
		defer done()
		if after := share(); after <= before {
			t.Errorf("%d fetches a day before the loss, %d after", before, after)
		}
		f, err := r.FindFeed(t.Context(), "Bursts")
		if err != nil || len(f.Losses) != 1 || !f.Losses[0].At.After(f.Losses[0].Known) {
			t.Errorf("%+v, %v", f.Losses, err)
		}
		d, err := r.Maintenance().Doctor(t.Context(), nil)
		if err != nil || len(d.Lost) != 1 || len(d.Trouble) != 0 {
			t.Errorf("doctor: %v, %v", d.Lost, err)
		}
		w, err := r.Planner().WhyFeed(t.Context(), f.Key, r.now())
		if err != nil {
			t.Fatal(err)
		}
		c := wording.Clock{Now: r.now()}
		found := false
		for _, l := range w.Lines(c) {
			found = found || l.Label == "lost items" && strings.HasPrefix(l.Text, "none of the items known at ")
		}
		if !found {
			t.Errorf("why says nothing of it: %+v", w.Lines(c))
		}
		// What is 28 days old is forgotten.
		stored := r.storedPoll(t, f.Key)
		if old := poll.Losses(&stored.Poll, time.Now().AddDate(0, 0, 29)); len(old) != 0 {
			t.Errorf("after four weeks: %+v", old)
		}
		// At another address there is nothing known to be lost.
		web.serve("https://burst.example/new", "text/xml", rssOf("Bursts", "o1|O 1|"+ago(0)+"|text", "o2|O 2|"+ago(time.Minute)+"|text"))
		if _, err := r.Adjust(t.Context(), f.Key, "url", "https://burst.example/new"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		if rep, err := r.Fetch(t.Context(), FetchRequest{Feeds: []FeedID{f.Key}}, nil); err != nil || len(rep.Results) != 1 || rep.Results[0].New != 2 || rep.Results[0].Lost != "" {
			t.Errorf("at another address: %+v, %v", rep, err)
		}
	})
}

func (r *Reader) storedPoll(t *testing.T, id FeedID) store.Feed {
	t.Helper()
	feeds, err := r.store.Feeds(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range feeds {
		if f.ID == id {
			return f
		}
	}
	t.Fatal("no such feed")
	return store.Feed{}
}
