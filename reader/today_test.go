package reader

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	_ "time/tzdata"

	"pgregory.net/rapid"

	"diurna/reader/model"
	"diurna/reader/poll"
	"diurna/reader/wording"
	"diurna/store"
	"diurna/store/storetest"
)

func zone(t interface{ Fatal(...any) }, name string) *time.Location {
	loc, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return loc
}

// in plays that the reader is somewhere; the zone of the process is put back.
func in(t *testing.T, name string) {
	t.Helper()
	was := time.Local
	time.Local = zone(t, name)
	t.Cleanup(func() { time.Local = was })
}

// Days touch each other and hold every moment, where clocks change at midnight as well.
func TestDaysOfTheReader(t *testing.T) {
	zones := []string{"UTC", "Europe/Berlin", "America/Havana", "America/Sao_Paulo", "Asia/Beirut", "Australia/Lord_Howe", "Pacific/Apia", "America/Los_Angeles", "Asia/Kathmandu"}
	rapid.Check(t, func(t *rapid.T) {
		loc := zone(t, rapid.SampledFrom(zones).Draw(t, "zone"))
		now := time.Unix(rapid.Int64Range(1.2e9, 2e9).Draw(t, "now"), 0).In(loc)
		begin, end := model.DayBegins(now), model.DayEnds(now)
		if begin.After(now) || !end.After(now) || end.Sub(begin) < 22*time.Hour || end.Sub(begin) > 26*time.Hour {
			t.Fatalf("%v lies in %v to %v", now, begin, end)
		}
		if d := end.Add(-time.Second); !model.DayBegins(d).Equal(begin) || !model.DayBegins(end).Equal(end) {
			t.Fatalf("%v: the day of %v begins %v, that of %v %v", now, d, model.DayBegins(d), end, model.DayBegins(end))
		}
	})
	for _, c := range []struct{ zone, now, begin, end string }{
		{"America/Havana", "2026-11-01T00:30:00-05:00", "2026-11-01T00:00:00-04:00", "2026-11-02T00:00:00-05:00"},
		{"America/Sao_Paulo", "2018-11-04T01:10:00-02:00", "2018-11-04T01:00:00-02:00", "2018-11-05T00:00:00-02:00"},
		{"America/Sao_Paulo", "2018-11-03T23:50:00-03:00", "2018-11-03T00:00:00-03:00", "2018-11-04T01:00:00-02:00"},
	} {
		now, err := time.Parse(time.RFC3339, c.now)
		if err != nil {
			t.Fatal(err)
		}
		now = now.In(zone(t, c.zone))
		if b, e := model.DayBegins(now).Format(time.RFC3339), model.DayEnds(now).Format(time.RFC3339); b != c.begin || e != c.end {
			t.Errorf("%s in %s: %s to %s, want %s to %s", c.now, c.zone, b, e, c.begin, c.end)
		}
	}
}

// What is written of fetches is read again, and rubbish is passed over.
func TestFetchMarks(t *testing.T) {
	now := time.Date(2026, 3, 4, 9, 0, 0, 0, time.UTC)
	var p store.Poll
	for _, h := range []int{30, -40, -10, -9, -2, 3} {
		poll.NoteFetch(&p, now.Add(time.Duration(h)*time.Hour), 1)
	}
	poll.NoteFetch(&p, now, 3)
	poll.NoteFetch(&p, now, 2)
	poll.NoteOpened(&p, now)
	if fetched, opened := poll.FetchedToday(&p, now); fetched != 1+1+1+5 || opened != 1 { // 0:00, 7:00, what lies three hours ahead, and now
		t.Errorf("%d fetched, %d opened of %v", fetched, opened, p.Fetches)
	}
	if n := len(p.Fetches); n != 5 {
		t.Errorf("%d marks in %v", n, p.Fetches)
	}
}

// A redirect is part of the fetch it belongs to: two requests, one of the budget.
func TestRedirectIsOneFetch(t *testing.T) {
	web := newFakeWeb()
	from, to := "https://h.example/f", "https://mirror.example/f"
	web.serve(to, "text/xml", rssOf("H", "1|T|"+ago(time.Hour)+"|x"))
	web.handle(from, func(req *http.Request) *http.Response {
		res := answer(req, 302, "", "")
		res.Header.Set("Location", to)
		return res
	})
	r := newLibrary(t, web)
	add(t, r, from, SubscribeOptions{})
	p, err := r.Planner().Plan(t.Context(), r.now())
	if err != nil || p.Used != 1 || len(web.requests()) != 2 {
		t.Errorf("%d fetches used, %d requests, %v", p.Used, len(web.requests()), err)
	}
	st, err := r.Stats().Stats(t.Context(), r.now())
	if err != nil || st.Requests != 2 {
		t.Errorf("stats counts %d requests, %v", st.Requests, err)
	}
}

// manners holds what was asked of the web to the rules, from a moment on: a day's
// budget by the days of the reader, an hour between two requests of a feed, no
// burst, and no day of 24 hours in which a feed was not fetched.
type manners struct {
	from   time.Time
	feeds  int
	budget int
	looks  map[int64]bool // minutes in which the reader came: what that sets off is no burst
}

// look is the reader coming to the screen.
func (m *manners) look(t *testing.T, r *Reader) {
	t.Helper()
	if m.looks == nil {
		m.looks = map[int64]bool{}
	}
	m.looks[time.Now().Unix()/60] = true
	if err := r.Looked(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func (m *manners) hold(t *testing.T, web *fakeWeb, places map[time.Time]*time.Location) {
	t.Helper()
	last, minute := map[string]time.Time{}, map[int64]int{}
	days := map[string]int{}
	for i, line := range web.asked {
		at, u := web.at[i], strings.Fields(line)[1]
		if at.Before(m.from) {
			continue
		}
		where := time.UTC
		since := time.Time{}
		for from, loc := range places {
			if !at.Before(from) && !from.Before(since) {
				where, since = loc, from
			}
		}
		if prev, ok := last[u]; ok && at.Sub(prev) < time.Hour {
			t.Errorf("%s asked at %v, %v after the time before", u, at, at.Sub(prev))
		}
		if prev, ok := last[u]; ok && at.Sub(prev) > 30*time.Hour {
			t.Errorf("%s asked at %v, %v after the time before", u, at, at.Sub(prev))
		}
		last[u] = at
		if minute[at.Unix()/60]++; minute[at.Unix()/60] > 2*m.feeds/3 && !m.looks[at.Unix()/60] {
			t.Errorf("%d requests in the minute of %v", minute[at.Unix()/60], at)
		}
		days[model.DayBegins(at.In(where)).UTC().Format("2006-01-02T15:04")]++
	}
	for day, n := range days {
		if n > m.budget {
			t.Errorf("%d requests in the day from %s UTC, the budget is %d", n, day, m.budget)
		}
	}
	if len(last) != m.feeds {
		t.Errorf("%d of %d feeds were fetched at all", len(last), m.feeds)
	}
}

// The day of the budget begins at the reader's midnight, also over a change of
// summer time in both directions.
func TestTheDayIsTheReaders(t *testing.T) {
	for _, c := range []struct {
		zone string
		to   time.Time // a day before something happens there
	}{
		{"Asia/Tokyo", time.Date(2000, 1, 3, 0, 0, 0, 0, time.UTC)},
		{"Europe/Berlin", time.Date(2000, 3, 25, 0, 0, 0, 0, time.UTC)},
		{"America/Los_Angeles", time.Date(2000, 10, 28, 0, 0, 0, 0, time.UTC)},
	} {
		t.Run(c.zone, func(t *testing.T) {
			in(t, c.zone)
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				web := newFakeWeb()
				time.Sleep(time.Until(c.to))
				r, done := bubbleLibrary(t, dir, web)
				defer done()
				plainFeeds(t, r, web, 6)
				time.Sleep(time.Until(model.DayEnds(time.Now())))
				from := time.Now()
				m := manners{from: from, feeds: 6, budget: 36}
				for range 24 {
					m.look(t, r)
					serveFor(t, r, 2*time.Hour)
				}
				m.hold(t, web, map[time.Time]*time.Location{from: time.Local})
				p, err := r.Planner().Plan(t.Context(), r.now())
				if err != nil || p.Used+p.Kept > p.PerDay || time.Since(model.DayBegins(time.Now())) > 4*time.Hour && p.Used == 0 {
					t.Errorf("at %v: %+v, %v", time.Now(), p, err)
				}
			})
		})
	}
}

// A reader who flies from Tokyo to Los Angeles and back lives days of 41 and of
// 7 hours: no day in either place exceeds the budget, and none is without fetch.
func TestTravelKeepsTheBudget(t *testing.T) {
	in(t, "Asia/Tokyo")
	tokyo, angeles := time.Local, zone(t, "America/Los_Angeles")
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		web := newFakeWeb()
		r, done := bubbleLibrary(t, dir, web)
		plainFeeds(t, r, web, 6)
		time.Sleep(time.Until(model.DayEnds(time.Now())))
		from := time.Now()
		m := manners{from: from, feeds: 6, budget: 36}
		places := map[time.Time]*time.Location{from: tokyo}
		for leg, loc := range []*time.Location{tokyo, angeles, tokyo} {
			done() // the program is started again where it is opened
			time.Local = loc
			r, done = bubbleLibrary(t, dir, web)
			places[time.Now()] = loc
			for range storetest.Size(26, 50) + leg {
				m.look(t, r)
				serveFor(t, r, time.Hour)
			}
		}
		done()
		m.hold(t, web, places)
	})
}

// The clock is set back by hours or days, or was ahead by so much: the feeds are
// fetched on, without a burst, and never twice within the hour of the clock's own.
func TestClockSetBack(t *testing.T) {
	for _, back := range []time.Duration{20 * time.Minute, 60 * time.Hour, 5 * time.Hour}[:storetest.Size(2, 3)] {
		t.Run(back.String(), func(t *testing.T) {
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				web := newFakeWeb()
				time.Sleep(time.Hour)
				r, done := bubbleLibrary(t, dir, web)
				defer done()
				plainFeeds(t, r, web, 6)
				serveFor(t, r, 30*time.Hour+back)
			})
			synctest.Test(t, func(t *testing.T) { // a bubble's clock begins in the year 2000 again
				web := newFakeWeb()
				for i := range 6 {
					web.serve(fmt.Sprintf("https://h%d.example/f", i), "text/xml", rssOf(fmt.Sprint("Feed ", i), "c|C|"+ago(time.Hour)+"|text"))
				}
				time.Sleep(31 * time.Hour)
				r, done := bubbleLibrary(t, dir, web)
				defer done()
				from := time.Now()
				m := manners{from: from, feeds: 6, budget: 36}
				m.look(t, r)
				serveFor(t, r, 48*time.Hour)
				m.hold(t, web, nil)
				first := map[string]time.Time{}
				for i, line := range web.asked {
					if u := strings.Fields(line)[1]; first[u].IsZero() {
						first[u] = web.at[i]
						if wait := web.at[i].Sub(from); wait > 30*time.Hour {
							t.Errorf("%s: first asked %v after the clock was set back by %v", u, wait, back)
						}
					}
				}
			})
		})
	}
}

// Feeds whose servers give no validators are fetched once a day, no less, and
// what the budget would have dealt out to them goes to the others.
func TestBareFeedsOnceADay(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		web := newFakeWeb()
		r, done := bubbleLibrary(t, dir, web)
		defer done()
		plainFeeds(t, r, web, 3)
		for i := range 3 {
			u, body := fmt.Sprintf("https://bare%d.example/f", i), rssOf(fmt.Sprint("Bare ", i), "a|A|"+ago(300*time.Hour)+"|text")
			web.handle(u, func(req *http.Request) *http.Response { return answer(req, 200, "text/xml", body) })
			add(t, r, u, SubscribeOptions{})
		}
		bare, err := r.FindFeed(t.Context(), "Bare 0")
		if err != nil {
			t.Fatal(err)
		}
		w, err := r.Planner().WhyFeed(t.Context(), bare.Key, r.now())
		lines := fmt.Sprint(w.Lines(wording.Clock{Exact: true}))
		if err != nil || len(w.Fetches) == 0 && !strings.Contains(lines, "not before 2000-01-02T00:00:00Z: its server gives no validators, so once a day") {
			t.Errorf("why says %s, %v", lines, err)
		}
		time.Sleep(time.Until(nextMidnight()))
		from := time.Now()
		serveFor(t, r, 6*24*time.Hour)
		last, n := map[string]time.Time{}, map[string]int{}
		for i, line := range web.asked {
			u, at := strings.Fields(line)[1], web.at[i]
			if prev := last[u]; strings.Contains(u, "bare") && !prev.IsZero() && (at.Sub(prev) < 24*time.Hour || at.Sub(prev) > 31*time.Hour) {
				t.Errorf("%s asked %v after the time before", u, at.Sub(prev))
			}
			last[u] = at
			if !at.Before(from) {
				n[u[:len("https://b")]]++
			}
		}
		// 36 a day, 12 of them tokens that nobody came for: 3 for the bare ones, 21 for the others.
		if n["https://b"] < 14 || n["https://b"] > 18 || n["https://h"] < 6*19 {
			t.Errorf("in six days %v", n)
		}
	})
}
