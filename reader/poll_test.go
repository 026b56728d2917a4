package reader

import (
	"errors"
	"testing"
	"time"

	"diurna/reader/feed"
	"diurna/reader/fetch"
	"diurna/store"
)

// quietReader asks its library nothing.
func quietReader() *Reader {
	s, err := store.Open(store.Options{Dir: "nowhere", Hide: Hide})
	if err != nil {
		panic(err)
	}
	return New(s, Options{})
}

func TestPollAfterSuccess(t *testing.T) {
	r := quietReader()
	old := store.Poll{ETag: `"a"`, LastModified: "Mon", Err: "404 not found", Tries: 3, Since: noon.Add(-time.Hour), Gone: true}
	h := harvest{at: noon, hash: 7, asked: "https://x.example/f",
		res: fetch.Result{Status: 200, URL: "https://x.example/f", ETag: `W/"b"`},
		doc: feed.Document{Items: make([]feed.Item, 12), TTL: 2 * time.Hour}}
	p := r.nextPoll(old, &h, 1)
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
	r := quietReader()
	old := store.Poll{ETag: `"a"`, LastModified: "Mon", Window: 9, BodyHash: 3}
	h := harvest{at: noon, same: true, res: fetch.Result{Status: 304, NotModified: true, ETag: `"b"`, URL: "u"}}
	p := r.nextPoll(old, &h, 1)
	if p.ETag != `"b"` || p.LastModified != "Mon" || p.Window != 9 || p.BodyHash != 3 {
		t.Errorf("after a 304: %+v", p)
	}
	if len(p.Checks) != 1 || p.Checks[0] != noon.Unix() {
		t.Errorf("the check is not remembered: %v", p.Checks)
	}
}

func TestPollAfterTrouble(t *testing.T) {
	busy := harvest{at: noon, err: &statusError{503}, res: fetch.Result{Status: 503, NotBefore: noon.Add(3 * time.Hour), NotBeforeBy: "Retry-After 10800"}}
	for _, c := range []struct {
		name     string
		tries    int
		h        harvest
		min, max time.Duration
		sentence string
	}{
		{"first error", 0, harvest{at: noon, err: errors.New("no answer within 30 s")}, time.Hour, 66 * time.Minute, "no answer within 30 s"},
		{"third error", 2, harvest{at: noon, err: &statusError{500}}, 4 * time.Hour, 264 * time.Minute, "500 server error"},
		{"many errors", 40, harvest{at: noon, err: &statusError{500}}, 24 * time.Hour, 27 * time.Hour, "500 server error"},
		{"404 at first", 0, harvest{at: noon, err: &statusError{404}}, time.Hour, 66 * time.Minute, "404 not found"},
		{"404 for the third time", 2, harvest{at: noon, err: &statusError{404}}, 24 * time.Hour, 27 * time.Hour, "404 not found"},
		{"403", 0, harvest{at: noon, err: &statusError{403}}, 24 * time.Hour, 27 * time.Hour, "403 forbidden"},
		{"429 without a word", 0, harvest{at: noon, err: &statusError{429}, res: fetch.Result{Status: 429}}, 4 * time.Hour, 5 * time.Hour, "429 too many requests"},
		{"429 without a word, again", 1, harvest{at: noon, err: &statusError{429}, res: fetch.Result{Status: 429}}, 8 * time.Hour, 9 * time.Hour, "429 too many requests"},
		{"503 with Retry-After", 0, busy, 3 * time.Hour, 4 * time.Hour, "503 unavailable"},
	} {
		old := store.Poll{Tries: c.tries, ETag: `"keep"`, BusyRun: c.tries}
		p := quietReader().nextPoll(old, &c.h, 5)
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
	offline := harvest{at: noon, err: &fetch.Error{Kind: fetch.KindUnreachable}}
	for _, c := range []struct {
		old  store.Poll
		want time.Time
	}{
		{store.Poll{Tries: 2, NextFetch: noon.Add(20 * time.Hour)}, noon.Add(20 * time.Hour)},
		{store.Poll{NextFetch: noon.Add(20 * time.Hour)}, noon.Add(waitNetwork)},
		{store.Poll{Tries: 1, NextFetch: noon.Add(-time.Hour)}, noon.Add(waitNetwork)},
	} {
		p := quietReader().nextPoll(c.old, &offline, 5)
		if p.NextFetch.Before(c.want) || p.NextFetch.After(c.want.Add(waitNetwork)) {
			t.Errorf("after %d failures and %v: next %v, want %v", c.old.Tries, c.old.NextFetch, p.NextFetch, c.want)
		}
	}
}

func TestGoneIsNotAskedAgain(t *testing.T) {
	h := harvest{at: noon, err: &statusError{410}, res: fetch.Result{Status: 410}}
	p := quietReader().nextPoll(store.Poll{}, &h, 1)
	if !p.Gone {
		t.Fatal("410 is not taken as gone")
	}
	feeds := []store.Feed{{ID: 1, URL: "https://x.example/f", Poll: p}}
	later := noon.Add(30 * 24 * time.Hour)
	if jobs, _ := quietReader().choose(feeds, FetchRequest{All: true}, later); len(jobs) != 0 {
		t.Error("a feed that is gone is fetched with all")
	}
	if jobs, _ := quietReader().choose(feeds, FetchRequest{Feeds: []FeedID{1}}, later); len(jobs) != 1 {
		t.Error("a feed that is gone is not fetched when asked for by name")
	}
}

func TestMoveIsTrustedAfterFiveSightingsInSevenDays(t *testing.T) {
	r := quietReader()
	p := store.Poll{}
	for day := range 8 {
		h := harvest{at: noon.AddDate(0, 0, day), same: true, asked: "https://old.example/f",
			res: fetch.Result{Status: 304, NotModified: true, Permanent: "https://new.example/f"}}
		p = r.nextPoll(p, &h, 1)
		if got, want := trusted(&p, h.at), day == 7; got != want {
			t.Errorf("after %d days and %d sightings: trusted %v", day, p.MovedSeen, got)
		}
	}
	h := harvest{at: noon.AddDate(0, 0, 9), same: true, asked: "https://old.example/f", res: fetch.Result{Status: 200}}
	if p = r.nextPoll(p, &h, 1); p.MovedSeen != 0 || p.MovedTo != "" {
		t.Error("a direct answer does not end the sightings: a captive portal would be believed later")
	}
}

func TestEarly(t *testing.T) {
	r := quietReader()
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
		{"another feed, and this one was never fetched", store.Poll{NotBefore: noon.Add(56 * time.Minute), NotBeforeBy: store.ParseWait("Retry-After 3600"), BusyRun: 1}, true, "its host asked for patience at another of its feeds"},
		{"a wish from a clock gone wrong", store.Poll{LastFetch: noon.Add(-2 * time.Hour), NotBefore: noon.AddDate(10, 0, 0)}, false, ""},
		{"a last fetch in the future", store.Poll{LastFetch: noon.AddDate(1, 0, 0)}, false, ""},
	} {
		if why, _ := r.early(&store.Feed{Poll: c.p}, noon, c.byHand); why != c.why {
			t.Errorf("%s: %q, want %q", c.name, why, c.why)
		}
	}
	// The words have the numbers of the config.
	r.opts.Net.MinPoll, r.opts.Net.MinManual = 2*time.Hour, time.Hour
	f := &store.Feed{Poll: store.Poll{LastFetch: noon.Add(-4 * time.Minute), ETag: "x"}}
	for byHand, want := range map[bool]string{false: "a feed is fetched once in 2 hours at most", true: "by hand every hour at most"} {
		if why, _ := r.early(f, noon, byHand); why != want {
			t.Errorf("%q, want %q", why, want)
		}
	}
}

func TestDayCountersStartAnewEachDay(t *testing.T) {
	var p store.Poll
	for i := range 30 {
		h := harvest{at: noon.AddDate(0, 0, i), same: true, res: fetch.Result{NotModified: true, WireBytes: 100}}
		countDay(&p, &h)
		countDay(&p, &h)
	}
	sum := 0
	for _, d := range p.Days {
		sum += int(d.Requests)
	}
	if sum != 56 {
		t.Errorf("28 days of two requests count %d", sum)
	}
}
