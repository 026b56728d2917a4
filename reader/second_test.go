package reader

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"diurna/reader/fetch"
)

// Two feeds of the same name are two answers to it.
func TestSameTitleIsAmbiguous(t *testing.T) {
	web := newFakeWeb()
	r := newLibrary(t, web)
	for _, h := range []string{"a", "b"} {
		u := "https://" + h + ".example/rss"
		web.serve(u, "text/xml", rssOf("Blog", h+"|T|"+ago(time.Hour)+"|x"))
		add(t, r, u, SubscribeOptions{})
	}
	var amb *AmbiguousError
	if f, err := r.FindFeed(t.Context(), "blog"); !errors.As(err, &amb) || len(amb.Feeds) != 2 {
		t.Errorf("blog finds %q, %v", f.URL, err)
	}
}

// A comic that is posted every day under one link is a new item every day.
func TestOneLinkManyDays(t *testing.T) {
	web := newFakeWeb()
	day := func(n int) string {
		s := rssOf("Comic", fmt.Sprintf("id%d|Strip %d|%s|picture %d", n, n, ago(time.Hour), n))
		return strings.ReplaceAll(s, fmt.Sprintf("https://x.example/id%d", n), "https://comic.example/today")
	}
	web.serve(harbour, "text/xml", day(1))
	r := newLibrary(t, web)
	add(t, r, harbour, SubscribeOptions{})
	for n := 2; n < 5; n++ {
		web.serve(harbour, "text/xml", day(n))
		rep, err := later(r, time.Duration(n)*24*time.Hour).Fetch(t.Context(), FetchRequest{All: true}, nil)
		if err != nil || rep.New != 1 {
			t.Fatalf("day %d: %+v, %v", n, rep, err)
		}
	}
}

// The documents of two feeds, swapped by their host: nothing of one is filed
// under the other.
func TestForeignDocumentIsNotFiled(t *testing.T) {
	web := newFakeWeb()
	with := func(self, body string) string {
		return strings.Replace(body, "<channel>", `<channel><atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="`+self+`"/>`, 1)
	}
	a, b := "https://h.example/a.xml", "https://h.example/b.xml"
	docA, docB := with(a, rssOf("A", "1|One|"+ago(time.Hour)+"|x")), with(b, rssOf("B", "2|Two|"+ago(time.Hour)+"|y"))
	web.serve(a, "text/xml", docA)
	web.serve(b, "text/xml", docB)
	r := newLibrary(t, web)
	add(t, r, a, SubscribeOptions{})
	add(t, r, b, SubscribeOptions{})
	web.serve(a, "text/xml", docB)
	web.serve(b, "text/xml", docA)
	rep, err := later(r, 5*time.Hour).Fetch(t.Context(), FetchRequest{All: true}, nil)
	if err != nil || rep.New != 0 || rep.Failed != 2 {
		t.Fatalf("swapped documents: %+v, %v", rep, err)
	}
	web.serve(a, "text/xml", docA)
	web.serve(b, "text/xml", docB)
	if rep, err = later(r, 50*time.Hour).Fetch(t.Context(), FetchRequest{All: true}, nil); err != nil || rep.Failed != 0 || rep.New != 0 {
		t.Fatalf("put right again: %+v, %v", rep, err)
	}
}

func TestEditKeepsWhatHasNoLine(t *testing.T) {
	r := newLibrary(t, listWeb())
	if _, err := r.Take(t.Context(), "Cameras", []byte(rssOf("C", "1|T|"+ago(time.Hour)+"|x"))); err != nil {
		t.Fatal(err)
	}
	add(t, r, harbour, SubscribeOptions{Folder: "Long reads"})
	text, err := r.Subscriptions().EditText(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if rep, err := r.Subscriptions().ApplyEdit(t.Context(), text, r.now()); err != nil || rep.Step != 0 {
		t.Errorf("the unchanged text changed something: %+v, %v\n%s", rep, err, text)
	}
	// Another feed in the place of one that is taken away is not its new address.
	other := bytes.Replace(text, []byte(harbour), []byte("https://other.example/feed"), 1)
	if rep, err := r.Subscriptions().ApplyEdit(t.Context(), other, r.now()); err != nil || rep.Moved != 0 || rep.Added != 1 || rep.Removed != 1 {
		t.Errorf("one line for another: %+v, %v", rep, err)
	}
}

func TestUndoGivesNoAddressToTwoFeeds(t *testing.T) {
	web := listWeb()
	r := newLibrary(t, web)
	f := add(t, r, harbour, SubscribeOptions{}).Feed
	move, err := r.Adjust(t.Context(), f.Key, "url", "https://kernel.example/other")
	if err != nil {
		t.Fatal(err)
	}
	add(t, r, harbour, SubscribeOptions{})
	if _, err := r.Undo(t.Context(), move.Step, 0); !errors.Is(err, ErrDepends) {
		t.Errorf("undo of the move: %v", err)
	}
	feeds, _ := r.Feeds(t.Context())
	if len(feeds) != 2 || feeds[0].URL == feeds[1].URL {
		t.Errorf("two feeds at one address: %+v", feeds)
	}
}

func TestAdjustChecksWhatIsSet(t *testing.T) {
	r := newLibrary(t, listWeb())
	f := add(t, r, harbour, SubscribeOptions{}).Feed
	for field, bad := range map[string]string{"url": "file:///etc/passwd", "interval": "5m", "colour": "red"} {
		if _, err := r.Adjust(t.Context(), f.Key, field, bad); err == nil {
			t.Errorf("%s was set to %q", field, bad)
		}
	}
	if _, err := r.Adjust(t.Context(), f.Key, "interval", "12h"); err != nil {
		t.Fatal(err)
	}
	rep, err := later(r, 2*time.Hour).Fetch(t.Context(), FetchRequest{All: true}, nil)
	if err != nil || rep.Early != 1 || rep.Results[0].Why != "its interval is set to 12 hours" {
		t.Errorf("with an interval of 12 h after 2 h: %+v, %v", rep, err)
	}
}

// A feed that was gone is fetched again at its new address.
func TestMovedByHandStartsAnew(t *testing.T) {
	web := listWeb()
	r := newLibrary(t, web)
	f := add(t, r, harbour, SubscribeOptions{}).Feed
	web.handle(harbour, func(req *http.Request) *http.Response { return answer(req, 410, "", "") })
	if _, err := later(r, 5*time.Hour).Fetch(t.Context(), FetchRequest{All: true}, nil); err != nil {
		t.Fatal(err)
	}
	if feeds, _ := r.Feeds(t.Context()); feeds[0].State != FeedGone {
		t.Fatalf("after 410: %+v", feeds[0])
	}
	web.serve("https://harbour.example/new.xml", "text/xml", harbourFeed("n|New here|"+ago(time.Hour)+"|x"))
	if _, err := r.Adjust(t.Context(), f.Key, "url", "https://harbour.example/new.xml"); err != nil {
		t.Fatal(err)
	}
	rep, err := later(r, 6*time.Hour).Fetch(t.Context(), FetchRequest{All: true}, nil)
	if err != nil || rep.New != 1 {
		t.Errorf("at the new address: %+v, %v", rep, err)
	}
}

// A clock that was ten years ahead once does not stop the feeds.
func TestWrongClockDoesNotBindForEver(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		web := newFakeWeb()
		r, done := bubbleLibrary(t, dir, web)
		defer done()
		web.serve(harbour, "text/xml", harbourFeed())
		add(t, r, harbour, SubscribeOptions{})
		if _, err := later(r, 10*365*24*time.Hour).Fetch(t.Context(), FetchRequest{All: true}, nil); err != nil {
			t.Fatal(err)
		}
		before := len(web.requests())
		serveFor(t, r, 48*time.Hour)
		if n := len(web.requests()) - before; n < 3 || n > 14 {
			t.Errorf("%d requests in two days after the clock was put right", n)
		}
	})
}

// A server that answers "not changed" even to a request without validators is
// forceFull once in two weeks, not at every fetch, and its feed is not failing.
func TestDoubtIsNotRepeated(t *testing.T) {
	web := newFakeWeb()
	web.serve(harbour, "text/xml", harbourFeed())
	r := newLibrary(t, web)
	add(t, r, harbour, SubscribeOptions{})
	bare := 0
	web.handle(harbour, func(req *http.Request) *http.Response {
		if req.Header.Get("If-None-Match") == "" {
			bare++
		}
		return answer(req, 304, "", "")
	})
	for day := 1; day <= 30; day++ {
		if _, err := later(r, time.Duration(day)*24*time.Hour).Fetch(t.Context(), FetchRequest{All: true}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if feeds, _ := r.Feeds(t.Context()); bare != 2 || feeds[0].State != FeedOK {
		t.Errorf("%d requests without validators in 30 days, state %s: %s", bare, feeds[0].State, feeds[0].Error)
	}
}

// Plain undo takes back what the user did, not where a publisher moved to;
// that is undone by number, and then stays undone.
func TestPublishersMoveIsNotThePersonsStep(t *testing.T) {
	web := newFakeWeb()
	from, to := "http://h.example/f", "https://h.example/f"
	web.serve(from, "text/xml", rssOf("H", "1|T|"+ago(time.Hour)+"|x"))
	r := newLibrary(t, web)
	add(t, r, from, SubscribeOptions{})
	rows, _ := r.Rows(t.Context(), Query{}, 0)
	if _, err := r.Mark(t.Context(), Save, "River", []ItemID{rows[0].ID}, ""); err != nil {
		t.Fatal(err)
	}
	web.serve(to, "text/xml", rssOf("H", "1|T|"+ago(time.Hour)+"|x"))
	web.handle(from, func(req *http.Request) *http.Response {
		res := answer(req, 301, "", "")
		res.Header.Set("Location", to)
		return res
	})
	if _, err := later(r, 5*time.Hour).Fetch(t.Context(), FetchRequest{All: true}, nil); err != nil {
		t.Fatal(err)
	}
	steps, _ := r.Steps(t.Context(), 1)
	if feeds, _ := r.Feeds(t.Context()); feeds[0].URL != to {
		t.Fatalf("the move to https was not followed: %s", feeds[0].URL)
	}
	if step, err := r.Undo(context.Background(), 0, 0); err != nil || !strings.Contains(step.What, "saved") {
		t.Errorf("undo took back %q, %v", step.What, err)
	}
	if _, err := r.Undo(t.Context(), steps[0].No, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := later(r, 10*time.Hour).Fetch(t.Context(), FetchRequest{All: true}, nil); err != nil {
		t.Fatal(err)
	}
	if feeds, _ := r.Feeds(t.Context()); feeds[0].URL != from {
		t.Errorf("the move was made again after it was undone: %s", feeds[0].URL)
	}
}

// Six programs that add and preview at once, before there is a library, and one
// that asks for what is not there, are one visitor of their host.
func TestHostIsAskedInTurnByAll(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		web := newFakeWeb()
		var mu sync.Mutex
		var starts []time.Time
		for i := range 6 {
			doc := rssOf("Feed", fmt.Sprintf("%d|T|%s|x", i, ago(time.Hour)))
			web.handle(fmt.Sprintf("https://one.example/%d", i), func(req *http.Request) *http.Response {
				mu.Lock()
				defer mu.Unlock()
				starts = append(starts, time.Now())
				if i == 5 {
					return answer(req, 404, "", "")
				}
				return answer(req, 200, "text/xml", doc)
			})
		}
		var wg sync.WaitGroup
		for i := range 6 {
			r, done := bubbleLibrary(t, dir, web)
			defer done()
			wg.Go(func() {
				address := fmt.Sprintf("https://one.example/%d", i)
				if i%2 == 0 {
					add(t, r, address, SubscribeOptions{})
				} else if _, err := r.Finder().Preview(t.Context(), address, false); (err != nil) != (i == 5) {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		slices.SortFunc(starts, time.Time.Compare)
		for i := range starts {
			if i > 0 && starts[i].Sub(starts[i-1]) < fetch.DefaultEvery {
				t.Errorf("asked %v after the last time", starts[i].Sub(starts[i-1]))
			}
		}
		if len(starts) < 6 {
			t.Errorf("%d requests", len(starts))
		}
	})
}
