package poll

import (
	"errors"
	"testing"
	"time"

	"diurna/reader/feed"
	"diurna/reader/fetch"
	"diurna/reader/model"
	"diurna/store"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// usual are the settings nobody changed.
var usual = Rules{MinPoll: time.Hour, MinManual: 10 * time.Minute, MinRetry: time.Hour, PerDay: 6}

func TestPollAfterSuccess(t *testing.T) {
	r := usual
	old := store.Poll{ETag: `"a"`, LastModified: "Mon", Err: "404 not found", Tries: 3, Since: noon.Add(-time.Hour), Gone: true}
	h := Answer{At: noon, Hash: 7, Asked: "https://x.example/f",
		Result: &fetch.Result{Status: 200, URL: "https://x.example/f", ETag: `W/"b"`},
		Doc:    &feed.Document{Items: make([]feed.Entry, 12), TTL: 2 * time.Hour}}
	p := Next(old, &h, 1, r)
	if p.ETag != `W/"b"` || p.LastModified != "" || p.ValidatorsFor != "https://x.example/f" {
		t.Errorf("validators of another answer stayed: %+v", p)
	}
	if p.Err != "" || p.Tries != 0 || !p.Since.IsZero() || p.Gone {
		t.Errorf("the trouble outlived its end: %+v", p)
	}
	if p.Window != 12 || p.BodyHash != 7 || !p.LastOK.Equal(noon) {
		t.Errorf("what was read is not remembered: %+v", p)
	}
	if !p.NotBefore.Equal(noon.Add(2*time.Hour)) || p.NotBeforeBy.String() != "ttl 120" {
		t.Errorf("ttl is not honoured: %v by %s", p.NotBefore, p.NotBeforeBy)
	}
	if d := p.NextFetch.Sub(noon); d < 3*time.Hour || d > 4*time.Hour {
		t.Errorf("next fetch after %v, want about 4 h", d)
	}
}

func TestPollAfterNotModifiedKeepsAndRenewsValidators(t *testing.T) {
	r := usual
	old := store.Poll{ETag: `"a"`, LastModified: "Mon", Window: 9, BodyHash: 3}
	h := Answer{At: noon, Same: true, Doc: &feed.Document{}, Result: &fetch.Result{Status: 304, NotModified: true, ETag: `"b"`, URL: "u"}}
	p := Next(old, &h, 1, r)
	if p.ETag != `"b"` || p.LastModified != "Mon" || p.Window != 9 || p.BodyHash != 3 {
		t.Errorf("after a 304: %+v", p)
	}
	if len(p.Checks) != 1 || p.Checks[0] != noon.Unix() {
		t.Errorf("the check is not remembered: %v", p.Checks)
	}
}

func TestPollAfterTrouble(t *testing.T) {
	busy := Answer{At: noon, Err: &StatusError{Status: 503}, Result: &fetch.Result{Status: 503, NotBefore: noon.Add(3 * time.Hour), NotBeforeBy: "Retry-After 10800"}}
	for _, c := range []struct {
		name     string
		tries    int
		h        Answer
		min, max time.Duration
		sentence string
	}{
		{"first error", 0, Answer{At: noon, Err: errors.New("no answer within 30 s"), Result: &fetch.Result{}}, time.Hour, 66 * time.Minute, "no answer within 30 s"},
		{"third error", 2, Answer{At: noon, Err: &StatusError{Status: 500}, Result: &fetch.Result{}}, 4 * time.Hour, 264 * time.Minute, "500 server error"},
		{"many errors", 40, Answer{At: noon, Err: &StatusError{Status: 500}, Result: &fetch.Result{}}, 24 * time.Hour, 27 * time.Hour, "500 server error"},
		{"404 at first", 0, Answer{At: noon, Err: &StatusError{Status: 404}, Result: &fetch.Result{}}, time.Hour, 66 * time.Minute, "404 not found"},
		{"404 for the third time", 2, Answer{At: noon, Err: &StatusError{Status: 404}, Result: &fetch.Result{}}, 24 * time.Hour, 27 * time.Hour, "404 not found"},
		{"403", 0, Answer{At: noon, Err: &StatusError{Status: 403}, Result: &fetch.Result{}}, 24 * time.Hour, 27 * time.Hour, "403 forbidden"},
		{"429 without a word", 0, Answer{At: noon, Err: &StatusError{Status: 429}, Result: &fetch.Result{Status: 429}}, 4 * time.Hour, 5 * time.Hour, "429 too many requests"},
		{"429 without a word, again", 1, Answer{At: noon, Err: &StatusError{Status: 429}, Result: &fetch.Result{Status: 429}}, 8 * time.Hour, 9 * time.Hour, "429 too many requests"},
		{"503 with Retry-After", 0, busy, 3 * time.Hour, 4 * time.Hour, "503 unavailable"},
	} {
		old := store.Poll{Tries: c.tries, ETag: `"keep"`, BusyRun: c.tries}
		p := Next(old, &c.h, 5, usual)
		if d := p.NextFetch.Sub(noon); d < c.min || d > c.max {
			t.Errorf("%s: again after %v, want %v to %v", c.name, d, c.min, c.max)
		}
		if p.Err != c.sentence || p.Tries != c.tries+1 || !p.Since.Equal(noon) {
			t.Errorf("%s: %q, try %d since %v", c.name, p.Err, p.Tries, p.Since)
		}
		if p.ETag != `"keep"` {
			t.Errorf("%s: an error took the validators along", c.name)
		}
	}
}

// A try without a network says nothing about the publisher: what an earlier
// failure asks for stands.
func TestNoNetworkIsNoPardon(t *testing.T) {
	offline := Answer{At: noon, Err: &fetch.Error{Kind: fetch.KindUnreachable}, Result: &fetch.Result{}}
	for _, c := range []struct {
		old  store.Poll
		want time.Time
	}{
		{store.Poll{Tries: 2, NextFetch: noon.Add(20 * time.Hour)}, noon.Add(20 * time.Hour)},
		{store.Poll{NextFetch: noon.Add(20 * time.Hour)}, noon.Add(waitNetwork)},
		{store.Poll{Tries: 1, NextFetch: noon.Add(-time.Hour)}, noon.Add(waitNetwork)},
	} {
		p := Next(c.old, &offline, 5, usual)
		if p.NextFetch.Before(c.want) || p.NextFetch.After(c.want.Add(waitNetwork)) {
			t.Errorf("after %d failures and %v: next %v, want %v", c.old.Tries, c.old.NextFetch, p.NextFetch, c.want)
		}
	}
}

func TestMoveIsTrustedAfterFiveSightingsInSevenDays(t *testing.T) {
	r := usual
	p := store.Poll{}
	for day := range 8 {
		h := Answer{At: noon.AddDate(0, 0, day), Same: true, Doc: &feed.Document{}, Asked: "https://old.example/f",
			Result: &fetch.Result{Status: 304, NotModified: true, Permanent: "https://new.example/f"}}
		p = Next(p, &h, 1, r)
		if got, want := Trusted(&p, h.At), day == 7; got != want {
			t.Errorf("after %d days and %d sightings: trusted %v", day, p.MovedSeen, got)
		}
	}
	h := Answer{At: noon.AddDate(0, 0, 9), Same: true, Doc: &feed.Document{}, Asked: "https://old.example/f", Result: &fetch.Result{Status: 200}}
	if p = Next(p, &h, 1, r); p.MovedSeen != 0 || p.MovedTo != "" {
		t.Error("a direct answer does not end the sightings: a captive portal would be believed later")
	}
}

func TestEarly(t *testing.T) {
	r := usual
	for _, c := range []struct {
		name   string
		p      store.Poll
		byHand bool
		why    string
	}{
		{"never fetched", store.Poll{}, false, ""},
		{"half an hour ago", store.Poll{LastFetch: noon.Add(-30 * time.Minute)}, false, "a feed is fetched once an hour at most"},
		{"half an hour ago, by hand", store.Poll{LastFetch: noon.Add(-30 * time.Minute)}, true, ""},
		{"4 minutes ago, by hand", store.Poll{LastFetch: noon.Add(-4 * time.Minute)}, true, "by hand every 10 minutes at most"},
		{"the server's wish holds by hand too", store.Poll{LastFetch: noon.Add(-4 * time.Minute), NotBefore: noon.Add(56 * time.Minute)}, true, "the server asks for an hour"},
		{"no wish, only a status", store.Poll{LastFetch: noon.Add(-4 * time.Minute), NotBefore: noon.Add(56 * time.Minute), NotBeforeBy: store.ParseWait("status 503")}, true, "after status 503 it is left alone for an hour"},
		{"another feed of the host was busy", store.Poll{LastFetch: noon.Add(-4 * time.Minute), Status: 200, NotBefore: noon.Add(56 * time.Minute), NotBeforeBy: store.ParseWait("status 429"), BusyRun: 1}, true, "its host is left alone after status 429 of another of its feeds"},
		{"another feed, and this one was never fetched", store.Poll{NotBefore: noon.Add(56 * time.Minute), NotBeforeBy: store.ParseWait("Retry-After 3600"), BusyRun: 1}, true, "its host asked to wait, at another of its feeds"},
		{"refused by diurna itself", store.Poll{LastFetch: noon.Add(-4 * time.Minute), Trouble: store.TroublePrivate, Tries: 1, NextFetch: noon.Add(time.Hour)}, false, ""},
		{"its server led to a private address", store.Poll{LastFetch: noon.Add(-4 * time.Minute), Trouble: store.TroubleLedPrivate}, true, "by hand every 10 minutes at most"},
		{"a wish from a clock gone wrong", store.Poll{LastFetch: noon.Add(-2 * time.Hour), NotBefore: noon.AddDate(10, 0, 0)}, false, ""},
		{"a last fetch in the future", store.Poll{LastFetch: noon.AddDate(1, 0, 0)}, false, ""},
	} {
		if rule, _ := r.Early(&store.Feed{Poll: c.p}, noon, c.byHand); rule.Why != c.why || rule.Forbids() != (c.why != "") {
			t.Errorf("%s: %q, want %q", c.name, rule.Why, c.why)
		}
	}
	// Without validators a feed is asked once a day, also by hand; a watched page by hand sooner.
	bare := store.Poll{LastFetch: noon.Add(-30 * time.Minute), LastOK: noon.Add(-30 * time.Minute)}
	page := map[string]string{model.SettingPage: "yes"}
	for _, c := range []struct {
		attrs  map[string]string
		byHand bool
		why    string
	}{{nil, true, BareRule.Why}, {page, false, BareRule.Why}, {page, true, ""}} {
		if rule, _ := r.Early(&store.Feed{Attrs: c.attrs, Poll: bare}, noon, c.byHand); rule.Why != c.why {
			t.Errorf("without validators, %v, by hand %t: %q, want %q", c.attrs, c.byHand, rule.Why, c.why)
		}
	}
	// The words have the numbers of the config.
	r.MinPoll, r.MinManual = 2*time.Hour, time.Hour
	f := &store.Feed{Poll: store.Poll{LastFetch: noon.Add(-4 * time.Minute), ETag: "x"}}
	for byHand, want := range map[bool]string{false: "a feed is fetched once in 2 hours at most", true: "by hand every hour at most"} {
		if rule, _ := r.Early(f, noon, byHand); rule.Why != want {
			t.Errorf("%q, want %q", rule.Why, want)
		}
	}
}

func TestDayCountersStartAnewEachDay(t *testing.T) {
	var p store.Poll
	for i := range 30 {
		h := Answer{At: noon.AddDate(0, 0, i), Same: true, Doc: &feed.Document{}, Result: &fetch.Result{NotModified: true, WireBytes: 100}}
		CountDay(&p, &h)
		CountDay(&p, &h)
	}
	sum := 0
	for _, d := range p.Days {
		sum += int(d.Requests)
	}
	if sum != 56 {
		t.Errorf("28 days of two requests count %d", sum)
	}
}
