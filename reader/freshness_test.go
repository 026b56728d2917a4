package reader

import (
	"fmt"
	"net/http"
	"testing"
	"time"
)

// since is a library with the reader and the date of any hour after one that lies so
// many hours back.
func since(t *testing.T, back time.Duration) (web *fakeWeb, r *Reader, at func(float64) *Reader, date func(float64) string) {
	web = newFakeWeb()
	r = newLibrary(t, web)
	start := time.Now().Add(-back * time.Hour)
	when := func(h float64) time.Time { return start.Add(time.Duration(h * float64(time.Hour))) }
	return web, r, func(h float64) *Reader { return r.At(when(h)) },
		func(h float64) string { return when(h).UTC().Format(time.RFC1123Z) }
}

// The figures of stats come from the facts: three items, of which one was
// published before a look and came after it.
func TestFreshnessCountsTheLog(t *testing.T) {
	web, r, at, date := since(t, 48)
	old := "o|Old|" + date(-5) + "|x"
	web.serve(harbour, "text/xml", rssOf("H", old))
	add(t, at(0), harbour, SubscribeOptions{})
	look := func(h float64) {
		if err := at(h).Looked(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	fetch := func(h float64, items ...string) {
		web.serve(harbour, "text/xml", rssOf("H", append(items, old)...))
		if rep, err := at(h).Fetch(t.Context(), FetchRequest{All: true}, nil); err != nil || rep.New != 1 {
			t.Fatalf("at %v h: %+v, %v", h, rep, err)
		}
	}
	a, b, c := "a|A|"+date(9)+"|x", "b|B|"+date(12)+"|x", "c|C|"+date(20)+"|x"
	look(10)
	fetch(11, a) // published at 9, looked at 10, here at 11: missed
	fetch(12.5+1, b, a)
	look(14) // b was here
	fetch(22, c, b, a)
	f, err := r.Stats().Freshness(t.Context(), r.now())
	if err != nil || f.New != 3 || f.Missed != 1 {
		t.Fatalf("%+v, %v", f, err)
	}
	// Hourly, a is here by 10 in every phase but the one that fetches at 10 sharp,
	// which is not before the look; b and c have no look close behind them.
	if f.Hourly > 1.0/12 || f.Evenly <= f.Hourly {
		t.Errorf("hourly %v, evenly %v", f.Hourly, f.Evenly)
	}
	if len(web.requests()) != 4 {
		t.Errorf("%d requests", len(web.requests()))
	}
}

// An item dated before a fetch that did not bring it was not there yet: no other
// way of fetching would have brought it, and nobody missed it before. One that
// no fetch came between was there since its date.
func TestFreshnessOfBackdatedItems(t *testing.T) {
	web, r, at, date := since(t, 72)
	old := "o|Old|" + date(-5) + "|x"
	web.serve(harbour, "text/xml", rssOf("H", old))
	s := add(t, at(0), harbour, SubscribeOptions{})
	fetch := func(h float64, items ...string) {
		t.Helper()
		web.serve(harbour, "text/xml", rssOf("H", append(items, old)...))
		if _, err := at(h).Fetch(t.Context(), FetchRequest{All: true}, nil); err != nil {
			t.Fatal(err)
		}
	}
	look := func(h float64) {
		t.Helper()
		if err := at(h).Looked(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	look(10)
	a := "a|A|" + date(8) + "|x" // dated at 8, not in the document at 20
	fetch(20)
	fetch(29, a)
	look(30)
	f, err := r.Stats().Freshness(t.Context(), r.now())
	if err != nil || f.New != 1 || f.Missed != 0 || f.Evenly > 1 || f.Hourly != 0 {
		t.Errorf("dated before it was shown: %+v, %v", f, err)
	}
	fetch(40, "b|B|"+date(29.5)+"|x", a) // there at the look at 30, for all we know
	f, err = r.Stats().Freshness(t.Context(), r.now())
	if err != nil || f.New != 2 || f.Missed != 1 || f.HourlyRequests != 72 || f.Requests != 4 {
		t.Errorf("there and not here: %+v, %v", f, err)
	}
	st, err := r.Stats().Stats(t.Context(), r.now())
	if err != nil || len(st.PerFeed) != 1 || st.PerFeed[0].Feed.Key != s.Feed.Key || st.PerFeed[0].Missed != 1 {
		t.Errorf("%+v, %v", st.PerFeed, err)
	}
}

// A fetch that failed says nothing of what was out: what was dated before it and
// came after it was missed at a look in between.
func TestFailedFetchHidesNoMiss(t *testing.T) {
	web, r, at, date := since(t, 72)
	old := "o|Old|" + date(-5) + "|x"
	web.serve(harbour, "text/xml", rssOf("H", old))
	add(t, at(0), harbour, SubscribeOptions{})
	fetch := func(h float64) {
		t.Helper()
		if _, err := at(h).Fetch(t.Context(), FetchRequest{All: true}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := at(10).Looked(t.Context()); err != nil {
		t.Fatal(err)
	}
	web.handle(harbour, func(req *http.Request) *http.Response { return answer(req, 500, "", "") })
	fetch(12) // with an item of 9 in the document that it did not give
	web.serve(harbour, "text/xml", rssOf("H", "a|A|"+date(9)+"|x", old))
	fetch(30)
	if f, err := r.Stats().Freshness(t.Context(), r.now()); err != nil || f.New != 1 || f.Missed != 1 || f.MissedAfter != 1 {
		t.Errorf("%+v, %v", f, err)
	}
}

// Looks are told apart to the millisecond, and what came while the clock was ahead
// was here at a look after it was put right.
func TestFreshnessToTheMillisecond(t *testing.T) {
	web := newFakeWeb()
	r := newLibrary(t, web)
	start := time.Now().Add(-72 * time.Hour).Truncate(time.Second)
	at := func(ms int) *Reader { return r.At(start.Add(time.Duration(ms) * time.Millisecond)) }
	const hour = 3600_000
	document := func(ms ...int) {
		text := `<feed xmlns="http://www.w3.org/2005/Atom"><title>H</title><id>urn:h</id>`
		for _, ms := range append(ms, -5*hour) {
			text += fmt.Sprintf(`<entry><title>E%d</title><id>urn:%d</id><published>%s</published><content>x</content></entry>`,
				ms, ms, start.Add(time.Duration(ms)*time.Millisecond).UTC().Format("2006-01-02T15:04:05.000Z"))
		}
		web.serve(harbour, "application/atom+xml", text+"</feed>")
	}
	step := func(ms int, look bool) {
		t.Helper()
		var err error
		if look {
			err = at(ms).Looked(t.Context())
		} else {
			_, err = at(ms).Fetch(t.Context(), FetchRequest{All: true}, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	document()
	add(t, at(0), harbour, SubscribeOptions{})
	step(10*hour+500, true)
	document(10*hour+400, 10*hour+600) // before the look and after it, in its second
	step(12*hour, false)
	if f, err := r.Stats().Freshness(t.Context(), r.now()); err != nil || f.New != 2 || f.Missed != 1 {
		t.Errorf("in the second of a look: %+v, %v", f, err)
	}
	document(10*hour+400, 10*hour+600, 14*hour)
	step(18*hour, false) // by a clock that is three hours ahead
	step(15*hour+1000, true)
	if f, err := r.Stats().Freshness(t.Context(), r.now()); err != nil || f.New != 3 || f.Missed != 1 {
		t.Errorf("after a clock that was ahead: %+v, %v", f, err)
	}
}

func TestPlanSaysWhy(t *testing.T) {
	web := listWeb()
	r := newLibrary(t, web)
	s := add(t, r, harbour, SubscribeOptions{})
	p, err := later(r, time.Hour).Planner().Plan(t.Context(), later(r, time.Hour).now())
	if err != nil || len(p.Fetches) == 0 || p.PerDay != 6 {
		t.Fatalf("%+v, %v", p, err)
	}
	for i, f := range p.Fetches {
		if f.Why == "" || f.Reason == "" || f.Key != s.Feed.Key || i > 0 && f.At.Before(p.Fetches[i-1].At) {
			t.Errorf("slot %d: %+v", i, f)
		}
	}
	w, err := later(r, time.Hour).Planner().WhyFeed(t.Context(), s.Feed.Key, later(r, time.Hour).now())
	if err != nil || w.Share == 0 || w.Posts == 0 || w.PerWeek <= 0 {
		t.Errorf("why: %+v, %v", w, err)
	}
}
