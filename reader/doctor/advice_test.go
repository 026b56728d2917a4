package doctor

import (
	"context"
	"diurna/reader/model"
	"diurna/reader/wording"
	"diurna/store"
	"errors"
	"strings"
	"testing"
	"time"
)

// Doctor says of each kind of trouble what helps, with commands that work.
func TestDoctorSaysWhatToDo(t *testing.T) {
	since := noon.Add(-8 * 24 * time.Hour)
	for _, c := range []struct {
		f        model.Feed
		what, do string
	}{
		{model.Feed{State: model.FeedMoved, MovedTo: "https://b.example/n.xml", MovedSeen: 9, MovedSince: since}, "moved to https://b.example/n.xml, seen 9 times in 8 days", "diurna mv ID https://b.example/n.xml"},
		{model.Feed{State: model.FeedMoved, MovedTo: "https://b.example/n?token=s3cretword", MovedSeen: 9, MovedSince: since}, "moved to https://b.example/n?token=…, seen 9 times in 8 days", "diurna mv ID"},
		{model.Feed{State: model.FeedGone, Error: "410 gone", Since: since, Items: 212}, "410 gone since 12 Nov; no longer fetched, 212 items kept", "diurna rm ID"},
		{model.Feed{URL: "http://192.168.1.9/rss", State: model.FeedFailing, Trouble: store.TroublePrivate, Error: "192.168.1.9 is a private address", Since: since}, "192.168.1.9 is a private address since 12 Nov", "diurna add --allow-private http://192.168.1.9/rss"},
		{model.Feed{URL: "http://me:pw@nas.example/rss", State: model.FeedFailing, Trouble: store.TroublePrivate, Error: "nas.example leads to 192.168.1.9, a private address", Since: since}, "a private address since 12 Nov", "diurna add --allow-private ID"},
		{model.Feed{URL: "https://a.example/rss", State: model.FeedFailing, Trouble: store.TroubleLedPrivate, Error: "10.0.0.1 is a private address", Since: since}, "10.0.0.1 is a private address since 12 Nov", "diurna rm ID    (its server redirects to a private network)"},
		{model.Feed{URL: "https://a.example/rss", Site: "https://a.example/", State: model.FeedFailing, Trouble: store.TroubleNotFound, Error: "404 not found", Since: since, Tries: 8}, "404 not found since 12 Nov, 8 tries", "diurna preview https://a.example/    (perhaps its page names a new feed)"},
		{model.Feed{URL: "https://a.example/rss", State: model.FeedFailing, Trouble: store.TroubleRefused, Error: "401 needs a password", Since: since}, "401 needs a password since 12 Nov", "look at https://a.example/rss in a browser"},
		{model.Feed{URL: "https://a.example/rss", State: model.FeedFailing, Error: "429 asked too often", Since: noon.Add(-time.Hour), NotBefore: noon.Add(3 * time.Hour), NextFetch: noon.Add(200 * time.Minute)}, "429 asked too often since today 11:00", "nothing    (it is tried again today 15:20, automatically)"},
		{model.Feed{URL: "https://a.example/rss", Watched: true, State: model.FeedFailing, Error: "503 not now", Since: noon.Add(-time.Hour), NotBefore: noon.Add(3 * time.Hour)}, "since today 11:00", "nothing    (it is tried again today 15:00, automatically)"},
		{model.Feed{URL: "https://a.example/rss", State: model.FeedFailing, Trouble: store.TroubleRedirect, Error: "redirect loop at https://b.example/", Since: since}, "at https://b.example/ since 12 Nov", "diurna mv ID ADDRESS    (the feed's new address), or: diurna rm ID"},
		{model.Feed{URL: "https://a.example/rss", State: model.FeedFailing, Trouble: store.TroubleRedirect, Error: "the server redirects to ftp://a.example/x, and only http and https are fetched", Since: since}, "ftp", "diurna mv ID ADDRESS"},
		{model.Feed{URL: "https://a.example/rss", State: model.FeedFailing, Trouble: store.TroubleWebPage, Error: "the server sent a web page, not a feed (perhaps a login page)", Since: since}, "web page", "diurna preview https://a.example/rss    (perhaps its page names a new feed)"},
		// What is copied into a shell is one word there.
		{model.Feed{State: model.FeedMoved, MovedTo: "https://b.example/n?a=1&b=$(id)", MovedSeen: 9, MovedSince: since}, "moved to https://b.example/n?a=1&b=$(id)", "diurna mv ID 'https://b.example/n?a=1&b=$(id)'"},
		{model.Feed{URL: "https://a.example/rss", Site: "https://a.example/;id", State: model.FeedFailing, Trouble: store.TroubleNotFound, Error: "404 not found", Since: since}, "404", "diurna preview 'https://a.example/;id'    (perhaps"},
		{model.Feed{URL: "https://a.example/r?x=`id`", State: model.FeedFailing, Trouble: store.TroubleWebPage, Error: "the server sent a web page", Since: since}, "web page", "diurna preview 'https://a.example/r?x=`id`'    (perhaps"},
		{model.Feed{URL: "http://10.0.0.1/a?b&c", State: model.FeedFailing, Trouble: store.TroublePrivate, Error: "10.0.0.1 is a private address", Since: since}, "private", "diurna add --allow-private 'http://10.0.0.1/a?b&c'"},
		{model.Feed{URL: "https://a.example/r;id", Watched: true, State: model.FeedFailing, Trouble: store.TroubleFewWords, Error: "12 words instead of 900", Since: since}, "words", "diurna fetch ID    (tries again now); if that is the page now: diurna rm ID, then diurna watch 'https://a.example/r;id'"},
		{model.Feed{URL: "https://a.example/rss", State: model.FeedFailing, Error: "500 server error", Since: since}, "500 server error since 12 Nov", "diurna fetch ID    (tries again now), or: diurna rm ID"},
		{model.Feed{URL: "https://a.example/rss", State: model.FeedFailing, Error: "no such host: a.example", Since: noon.AddDate(0, 0, -43)}, "no such host: a.example since", "diurna rm ID    (it has failed for 43 days"},
	} {
		c.f.Key = 7
		want := strings.ReplaceAll(c.do, "ID", c.f.Key.String())
		if what, do := troubleOf(&c.f, wording.Clock{Now: noon}), adviceFor(&c.f, wording.Clock{Now: noon}); !strings.Contains(what, c.what) || !strings.HasPrefix(do, want) {
			t.Errorf("%s\n     do: %s\nwant %s\n     do: %s", what, do, c.what, want)
		}
	}
}

// TestExplainHelpsPages: what is said of a watched page in trouble is about pages.
func TestExplainHelpsPages(t *testing.T) {
	for _, c := range []struct {
		f    model.Feed
		want string
	}{
		{model.Feed{Trouble: store.TroublePrivate}, "Allow its private address"},
		{model.Feed{Trouble: store.TroubleSelector}, "it was rebuilt"},
		{model.Feed{Trouble: store.TroubleCaptcha}, "Look at it in a browser"},
		{model.Feed{NotBefore: noon.Add(time.Hour)}, "Nothing: it is tried again"},
		{model.Feed{Trouble: store.TroubleFewWords}, "unwatch it and watch it once more"},
		{model.Feed{}, "Try again."},
	} {
		c.f.Watched, c.f.State = true, model.FeedFailing
		lines := Explain(&c.f, noon)
		if got := lines[len(lines)-1]; got.Label != "advice" || !strings.Contains(got.Text, c.want) {
			t.Errorf("%+v: %q, want %q", c.f.Trouble, got, c.want)
		}
	}
}

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// clockOf is a library whose clock was wrong.
type clockOf struct {
	Library
	clock store.Clock
}

func (l clockOf) Clock(context.Context, time.Time) (store.Clock, error) { return l.clock, nil }

// TestClockTimes: what is said of a wrong clock has days for people, stamps for programs.
func TestClockTimes(t *testing.T) {
	now, known := time.Date(2026, 11, 24, 3, 0, 0, 0, time.Local), time.Date(2027, 2, 3, 4, 5, 6, 0, time.Local)
	for _, exact := range []bool{false, true} {
		was, is := "2027-02-03", "2026-11-24"
		if exact {
			was, is = wording.Stamp(known), wording.Stamp(now)
		}
		var behind, ahead Diagnosis
		c := wording.Clock{Now: now, Exact: exact}
		if err := errors.Join(behind.checkClock(t.Context(), clockOf{clock: store.Clock{Behind: true, Known: known}}, c),
			ahead.checkClock(t.Context(), clockOf{clock: store.Clock{Facts: 2, Latest: known}}, c)); err != nil {
			t.Fatal(err)
		}
		if got, want := behind.Problems[0].What, "reads "+is+", but the library knows of "+was; got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if got, want := ahead.Clock, "right now, but was ahead (2 facts, dated up to "+was+")"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
