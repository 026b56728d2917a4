package reader

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"diurna/reader/pagestate"
	"diurna/reader/watch"
)

// twicePage is a page of which the n-th answer differs in a count of people, and
// whose price is as said.
func twicePage(people, price string) string {
	return timetable(summer, price) + "<p>People aboard the island now: " + people + "</p>"
}

// begin watches the pier in a bubble, whose web gives each answer in turn; more
// changes an answer's headers.
func begin(t *testing.T, more func(n int, h http.Header), bodies ...string) (*Reader, *fakeWeb, watch.Watched) {
	t.Helper()
	web := newFakeWeb()
	n := 0
	web.handle(pier, func(req *http.Request) *http.Response {
		res := answer(req, 200, "text/html", bodies[min(n, len(bodies)-1)])
		res.Header.Set("ETag", `"one"`)
		if more != nil {
			more(n, res.Header)
		}
		n++
		return res
	})
	r, done := bubbleLibrary(t, t.TempDir(), web)
	t.Cleanup(done)
	w, err := r.Pages().Watch(t.Context(), pier, watch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r, web, w
}

// fetchNext fetches the watched page some hours later and says what came of it.
func fetchNext(t *testing.T, r *Reader) FetchResult {
	t.Helper()
	time.Sleep(day)
	rep, err := r.Fetch(t.Context(), FetchRequest{All: true}, nil)
	if err != nil || len(rep.Results) != 1 {
		t.Fatalf("%+v, %v", rep, err)
	}
	return rep.Results[0]
}

// TestSecondFetch: what differs within seconds is not reported from then on, but
// for a price; the request names no validators and comes no sooner than 3 s later.
func TestSecondFetch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, web, w := begin(t, nil, twicePage("12", "8 €"), twicePage("31", "8 €"), twicePage("17", "8 €"), twicePage("90", "9 €"))
		if w.Second < 3*time.Second || w.NoSecond != "" {
			t.Fatalf("waits %s, %q", w.Second, w.NoSecond)
		}
		got, err := r.Pages().SecondFetch(t.Context(), w)
		if err != nil || got != (watch.Second{Outcome: watch.SecondDiffers, Places: 1}) {
			t.Fatalf("%+v, %v", got, err)
		}
		if asked := web.requests(); len(asked) != 2 || strings.Contains(asked[1], "If-None-Match") || web.at[1].Sub(web.at[0]) < 3*time.Second {
			t.Errorf("asked %q, %s apart", asked, web.at[1].Sub(web.at[0]))
		}
		if res := fetchNext(t, r); res.Outcome != OutcomeNotChanged {
			t.Errorf("people only: %+v", res)
		}
		if asked := web.requests(); !strings.Contains(asked[2], `If-None-Match="one"`) {
			t.Errorf("the baseline's validators are lost: %q", asked[2])
		}
		if res := fetchNext(t, r); res.New != 1 || !strings.Contains(res.Reported[0].What, `"9 €" for "8 €"`) {
			t.Errorf("a price: %+v", res)
		}
	})
}

// TestSecondFetchTeachesNoFact: what differed between the two fetches and is a
// price, a state, a date or a row is reported by the next fetch and ever after.
func TestSecondFetchTeachesNoFact(t *testing.T) {
	for name, pair := range map[string][2]string{
		"price":   {"<p>A mug costs 12 € today.</p>", "<p>A mug costs 11 € today.</p>"},
		"bare":    {"<div><span>Mug</span><span>12.90 €</span></div>", "<div><span>Mug</span><span>11.90 €</span></div>"},
		"state":   {"<p>Mug: sold out</p>", "<p>Mug: in stock</p>"},
		"date":    {"<p>The concert is on 3 March 2027 in the hall.</p>", "<p>The concert is on 9 March 2027 in the hall.</p>"},
		"version": {"<p>Current version: v2.3.1</p>", "<p>Current version: v2.4.0</p>"},
		"row":     {"<ul><li>Ferry to Skerry</li></ul>", "<ul><li>Ferry to Skerry</li><li>Ferry to Holm</li></ul>"},
		"cell":    {"<table><tr><td>Skerry</td><td>Pier 3</td></tr></table>", "<table><tr><td>Skerry</td><td>Pier 4</td></tr></table>"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a, b := timetable(summer, "8 €")+pair[0], timetable(summer, "8 €")+pair[1]
				r, _, w := begin(t, nil, a, b, b, a, b)
				if got, err := r.Pages().SecondFetch(t.Context(), w); err != nil || got != (watch.Second{Outcome: watch.SecondDiffers, Places: 1}) {
					t.Fatalf("%+v, %v", got, err)
				}
				for i := range 3 {
					if res := fetchNext(t, r); res.New != 1 {
						t.Errorf("fetch %d after the second one: %+v", i+1, res)
					}
				}
			})
		})
	}
}

// TestSecondFetchThatIsNone: a 304 and a cache's copy teach nothing, and a server
// that asks to be left alone is.
func TestSecondFetchThatIsNone(t *testing.T) {
	first, second := twicePage("12", "8 €"), twicePage("31", "8 €")
	for _, c := range []struct {
		name    string
		more    func(n int, h http.Header)
		outcome watch.SecondOutcome
		asked   int
	}{
		{"a copy by its age and date", func(n int, h http.Header) {
			h.Set("Date", "Mon, 02 Nov 2026 08:00:00 GMT")
			h.Set("Age", []string{"100", "105", "3"}[min(n, 2)])
		}, watch.SecondCopy, 2},
		{"a copy older than the first fetch", func(n int, h http.Header) {
			if n == 1 {
				h.Set("Age", "60")
			}
		}, watch.SecondCopy, 2},
		{"made between the two", func(n int, h http.Header) {
			if n == 1 {
				h.Set("Age", "2")
			}
		}, watch.SecondDiffers, 2},
		{"Retry-After", func(n int, h http.Header) { h.Set("Retry-After", "120") }, watch.SecondSkipped, 1},
		{"max-age is no wish to be left alone", func(n int, h http.Header) { h.Set("Cache-Control", "max-age=600") }, watch.SecondDiffers, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r, web, w := begin(t, c.more, first, second)
				got, err := r.Pages().SecondFetch(t.Context(), w)
				if err != nil || got.Outcome != c.outcome || len(web.requests()) != c.asked {
					t.Errorf("%+v, %v, %d requests", got, err, len(web.requests()))
				}
				if (got.Outcome == watch.SecondSkipped) != (got.Why != "") {
					t.Errorf("why: %q", got.Why)
				}
			})
		})
	}
	t.Run("304", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r, web, w := begin(t, nil, first)
			web.handle(pier, func(req *http.Request) *http.Response { return answer(req, 304, "", "") })
			got, err := r.Pages().SecondFetch(t.Context(), w)
			p, perr := r.Pages().Find(t.Context(), w.Page.Key.String())
			if err != nil || perr != nil || got.Outcome != watch.SecondCopy || p.State != pagestate.Good || p.Revisions != 1 {
				t.Errorf("%+v, %v; %q %v", got, err, p.State, perr)
			}
		})
	})
}

// TestSecondFetchFails: an answer in the page's place is a state of it, and what
// the host asks for then holds.
func TestSecondFetchFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, web, w := begin(t, nil, twicePage("12", "8 €"))
		web.handle(pier, func(req *http.Request) *http.Response {
			res := answer(req, 429, "text/plain", "slow down")
			res.Header.Set("Retry-After", "7200")
			return res
		})
		got, err := r.Pages().SecondFetch(t.Context(), w)
		p, perr := r.Pages().Find(t.Context(), w.Page.Key.String())
		if err != nil || perr != nil || got.Outcome != watch.SecondFailed || !strings.Contains(got.Why, "429") || p.State != pagestate.ErrorPage || p.Revisions != 1 {
			t.Fatalf("%+v, %v; %q", got, err, p.State)
		}
		if rep, err := r.Fetch(t.Context(), FetchRequest{Feeds: []FeedID{w.Page.Key}}, nil); err != nil || rep.Results[0].Outcome != OutcomeEarly || len(web.requests()) != 2 {
			t.Errorf("%+v, %v", rep, err)
		}
	})
}

// TestSecondFetchGivesWay: stopped, unwatched or fetched meanwhile, nothing is
// asked for and the page stays as it is.
func TestSecondFetchGivesWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, web, w := begin(t, nil, twicePage("12", "8 €"), twicePage("31", "8 €"))
		ctx, stop := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, stop)
		if _, err := r.Pages().SecondFetch(ctx, w); !errors.Is(err, context.Canceled) {
			t.Errorf("stopped: %v", err)
		}
		p, err := r.Pages().Find(t.Context(), w.Page.Key.String())
		if err != nil || p.State != pagestate.Good || p.Revisions != 1 || len(web.requests()) != 1 {
			t.Errorf("after a stop: %+v, %v", p, err)
		}
		if _, err := r.Undo(t.Context(), w.Step, 0); err != nil {
			t.Fatal(err)
		}
		if got, err := r.Pages().SecondFetch(t.Context(), w); err != nil || got.Outcome != watch.SecondSkipped || len(web.requests()) != 1 {
			t.Errorf("unwatched: %+v, %v", got, err)
		}
	})
}
