package reader

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"diurna/reader/watch"
	"diurna/store"
)

// TestOneNextTime: what a fetch says of the next one is what `why` says, in
// another process at that moment, of feeds and pages, however they fared.
func TestOneNextTime(t *testing.T) {
	web, dir := newFakeWeb(), t.TempDir()
	r := openLibrary(t, dir, web)
	now := time.Now()
	web.serve(harbour, "text/xml", harbourFeed())
	ids := []FeedID{add(t, r, harbour, SubscribeOptions{}).Feed.Key}
	for address, o := range map[string]watch.Options{
		pier: {}, "https://pier.example/often": {Every: 30 * time.Minute}, "https://pier.example/seldom": {Every: 72 * time.Hour}, "https://pier.example/gone": {},
	} {
		web.serve(address, "text/html", timetable(summer, "3"))
		w, err := r.Pages().Watch(t.Context(), address, o)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, w.Page.Key)
	}
	for step, at := range []time.Time{now.Add(time.Minute), now.Add(5 * time.Hour), now.Add(5*time.Hour + 20*time.Minute), now.Add(50 * time.Hour)} {
		web.serve(pier, "text/html", timetable([]string{summer, winter}[step%2], "3"))
		if step > 1 {
			web.handle("https://pier.example/gone", func(req *http.Request) *http.Response { return answer(req, 500, "text/plain", "no") })
		}
		rep, err := openLibrary(t, dir, web).At(at).Fetch(t.Context(), FetchRequest{Feeds: ids}, nil)
		if err != nil || len(rep.Results) != len(ids) {
			t.Fatal(rep, err)
		}
		other := openLibrary(t, dir, web).At(at)
		for _, res := range rep.Results {
			p, err := other.Planner().WhyFeed(t.Context(), res.Feed, other.now())
			if err != nil {
				t.Fatal(err)
			}
			var next time.Time
			switch {
			case len(p.Fetches) > 0:
				next = p.Fetches[0].At
			case p.Barred():
				next = p.Earliest
			}
			if res.Outcome != OutcomeEarly && !res.Next.Equal(next) {
				t.Errorf("step %d: %s, %s: fetch says %v, why %v", step, res.Title, res.Outcome, res.Next, next)
			}
		}
	}
}

// TestPlanShowsWhatIsToCome: a plan that is being carried out shows no slot that
// is done, and a clock that was wrong once hides none.
func TestPlanShowsWhatIsToCome(t *testing.T) {
	web := newFakeWeb()
	r := newLibrary(t, web)
	now := time.Now()
	web.serve(pier, "text/html", timetable(summer, "3"))
	w, err := r.Pages().Watch(t.Context(), pier, watch.Options{Every: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	first := func(at time.Time) time.Time {
		t.Helper()
		p, err := r.At(at).Planner().WhyFeed(t.Context(), w.Page.Key, r.At(at).now())
		if err != nil || len(p.Fetches) == 0 {
			t.Fatal(len(p.Fetches), err)
		}
		return p.Fetches[0].At
	}
	r.plan.Replan = 24 * time.Hour // one plan for all of this test
	next := first(now.Add(time.Minute))
	feeds, err := r.store.Feeds(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	keep := func(last time.Time) {
		t.Helper()
		feeds[0].Poll.LastFetch = last
		if _, err := r.store.File(t.Context(), last, []store.Filing{{Feed: w.Page.Key, Poll: &feeds[0].Poll}}); err != nil {
			t.Fatal(err)
		}
	}
	keep(next)
	if after := first(next.Add(time.Minute)); !after.After(next) {
		t.Errorf("fetched at %v, next at %v", next, after)
	}
	keep(now.Add(1000 * time.Hour))
	if after := first(now.Add(2 * time.Minute)); after.After(now.Add(24 * time.Hour)) {
		t.Errorf("next at %v after a wrong clock", after)
	}
}

// TestIntervalWithoutAPlan: an interval set by hand says when the next fetch is
// where no plan was made yet, whether it came before the last fetch or after it.
func TestIntervalWithoutAPlan(t *testing.T) {
	web := newFakeWeb()
	r := newLibrary(t, web)
	web.serve(harbour, "text/xml", harbourFeed())
	web.serve(pier, "text/html", timetable(summer, "3"))
	id := add(t, r, harbour, SubscribeOptions{}).Feed.Key
	w, err := r.Pages().Watch(t.Context(), pier, watch.Options{Every: 30 * time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Adjust(t.Context(), id, "interval", "2h"); err != nil {
		t.Fatal(err)
	}
	feeds, err := r.Feeds(t.Context())
	if err != nil || len(feeds) != 2 {
		t.Fatal(feeds, err)
	}
	for i, want := range map[FeedID]time.Duration{id: 2 * time.Hour, w.Page.Key: 30 * time.Minute} {
		f := feeds[slices.IndexFunc(feeds, func(f Feed) bool { return f.Key == i })]
		if got := f.NextFetch.Sub(f.LastFetch); got != want || f.NextReason != store.SlotAsked {
			t.Errorf("%s: next after %v (%s), want %v", f.Title, got, f.NextReason, want)
		}
	}
	if !w.Page.NextFetch.Equal(w.Page.LastFetch.Add(30 * time.Minute)) {
		t.Errorf("watching says %v after %v", w.Page.NextFetch, w.Page.LastFetch)
	}
}
