package reader

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"diurna/reader/query"
)

const harbour = "https://harbour.example/news.xml"

func harbourFeed(extra ...string) string {
	day := 24 * time.Hour
	return rssOf("Harbour Gazette", append(extra,
		"a|Ferry 3 out of service until Monday|"+ago(2*time.Hour)+"|The ferry rests.",
		"b|Council votes|"+ago(3*day)+"|They voted.",
		"c|An old story|"+ago(30*day)+"|Long ago.")...)
}

func TestSubscribeReadMarkUndo(t *testing.T) {
	web := newFakeWeb()
	web.serve(harbour, "application/rss+xml", harbourFeed())
	r := newLibrary(t, web)
	if s, err := r.Snapshot(t.Context(), 10); err != nil || !s.Empty || r.Exists() {
		t.Fatalf("before anything: %+v, %v, exists %v", s, err, r.Exists())
	}
	s := add(t, r, harbour, SubscribeOptions{Folder: "sea", Tags: []string{"local"}})
	if s.Items != 3 || s.Unread != 2 {
		t.Fatalf("3 items of which 2 are young came as %d, %d unread", s.Items, s.Unread)
	}
	if n := len(web.requests()); n != 1 {
		t.Errorf("subscribing cost %d requests: %v", n, web.requests())
	}
	snapshot, err := r.Snapshot(t.Context(), 10)
	if err != nil || len(snapshot.Rows) != 2 || snapshot.Rows[0].Title != "Ferry 3 out of service until Monday" {
		t.Fatalf("River: %+v, %v", snapshot.Rows, err)
	}
	ferry := snapshot.Rows[0].ID
	art, err := r.Open(t.Context(), ferry)
	if err != nil || art.Unread || !strings.Contains(art.HTML, "The ferry rests.") || art.Feed != "Harbour Gazette" {
		t.Fatalf("open: %+v, %v", art, err)
	}
	done, err := r.Mark(t.Context(), MarkRead, "River", []ItemID{ferry, snapshot.Rows[1].ID}, "")
	if err != nil || done.Changed != 1 {
		t.Fatalf("marking two of which one was read already changed %d, %v", done.Changed, err)
	}
	wantUnread(t, r, 0)
	step, err := r.Undo(t.Context(), 0, 0)
	if err != nil || step.What != "1 marked read in River" {
		t.Fatalf("undo took back %q, %v", step.What, err)
	}
	wantUnread(t, r, 1) // opening is no step: it stays read
	if _, err := r.Undo(t.Context(), 0, 0); err != nil {
		t.Fatal(err)
	}
	if feeds, _ := r.Feeds(t.Context()); len(feeds) != 0 {
		t.Fatalf("undoing the subscription left %d feeds", len(feeds))
	}
	if _, err := r.Undo(t.Context(), 0, 0); !errors.Is(err, ErrNothing) {
		t.Fatalf("undo of nothing: %v", err)
	}
	if _, err := r.Redo(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantUnread(t, r, 1)
}

func wantUnread(t *testing.T, r *Reader, want int) {
	t.Helper()
	tot, err := r.Totals(t.Context())
	if err != nil || tot.Unread != want {
		t.Fatalf("%d unread, want %d (%v)", tot.Unread, want, err)
	}
	rows, err := r.Rows(t.Context(), mustQuery(t, "unread"), 0)
	if err != nil || len(rows) != want {
		t.Fatalf("%d unread rows, want %d (%v)", len(rows), want, err)
	}
}

func mustQuery(t *testing.T, s string) Query {
	t.Helper()
	q, err := query.Parse(s, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// later is the same library some time on.
func later(r *Reader, d time.Duration) *Reader { return r.At(time.Now().Add(d)) }

func TestFetchAgainIsConditionalAndKeepsState(t *testing.T) {
	r, web := harbourLibrary(t)
	rep, err := later(r, 30*time.Minute).Fetch(t.Context(), FetchRequest{All: true}, nil)
	if err != nil || rep.Early != 1 || len(web.requests()) != 1 {
		t.Fatalf("within the hour: %+v, %v, %v", rep, err, web.requests())
	}
	rep, err = later(r, 2*time.Hour).Fetch(t.Context(), FetchRequest{All: true}, nil)
	if err != nil || rep.Fetched != 1 || rep.Results[0].Outcome != OutcomeNotChanged {
		t.Fatalf("two hours later: %+v, %v", rep, err)
	}
	if last := web.requests()[1]; !strings.Contains(last, `If-None-Match=W/"`) {
		t.Errorf("the second request carries no validator: %s", last)
	}
	web.serve(harbour, "application/rss+xml", harbourFeed("d|Lamp out|"+ago(time.Hour)+"|Dark."))
	rep, err = later(r, 4*time.Hour).Fetch(t.Context(), FetchRequest{All: true}, nil)
	if err != nil || rep.New != 1 {
		t.Fatalf("with one new item: %+v, %v", rep, err)
	}
	wantUnread(t, r, 3)
}

// A publisher who renames every item at once adds nothing unread and reverts
// no read state.
func TestGuidStorm(t *testing.T) {
	web := newFakeWeb()
	web.serve(harbour, "application/rss+xml", harbourFeed())
	r := newLibrary(t, web)
	add(t, r, harbour, SubscribeOptions{AllUnread: true})
	rows, _ := r.Rows(t.Context(), mustQuery(t, "unread"), 0)
	if _, err := r.Mark(t.Context(), MarkRead, "River", []ItemID{rows[0].ID, rows[1].ID}, ""); err != nil {
		t.Fatal(err)
	}
	renamed := strings.ReplaceAll(harbourFeed(), `isPermaLink="false">`, `isPermaLink="false">https://new.example/`)
	web.serve(harbour, "application/rss+xml", renamed)
	rep, err := later(r, 4*time.Hour).Fetch(t.Context(), FetchRequest{All: true}, nil)
	if err != nil || rep.New != 0 {
		t.Fatalf("renaming all items brought %d new items, %v", rep.New, err)
	}
	wantUnread(t, r, 1)
	web.serve(harbour, "application/rss+xml", harbourFeed()) // and back again
	if rep, err = later(r, 8*time.Hour).Fetch(t.Context(), FetchRequest{All: true}, nil); err != nil || rep.New != 0 {
		t.Fatalf("the renamed's end brought %d new items, %v", rep.New, err)
	}
	wantUnread(t, r, 1)
}

// A publisher that links every item to its front page still has many items.
func TestSameLinkIsNotTheSameItem(t *testing.T) {
	web := newFakeWeb()
	front := func(items ...string) string {
		s := rssOf("Front", items...)
		for _, id := range []string{"a", "b", "c"} {
			s = strings.ReplaceAll(s, "https://x.example/"+id, "https://x.example/")
		}
		return s
	}
	web.serve(harbour, "text/xml", front("a|One|"+ago(3*time.Hour)+"|1"))
	r := newLibrary(t, web)
	add(t, r, harbour, SubscribeOptions{})
	web.serve(harbour, "text/xml", front("b|Two|"+ago(time.Hour)+"|2", "a|One|"+ago(3*time.Hour)+"|1"))
	rep, err := later(r, 4*time.Hour).Fetch(t.Context(), FetchRequest{All: true}, nil)
	if err != nil || rep.New != 1 {
		t.Fatalf("a second post with the same link: %d new, %v", rep.New, err)
	}
}

func TestFailingFeedIsDataAndLosesNothing(t *testing.T) {
	web := newFakeWeb()
	web.serve(harbour, "text/xml", harbourFeed())
	r := newLibrary(t, web)
	add(t, r, harbour, SubscribeOptions{})
	for i, c := range []struct{ contentType, body, sentence string }{
		{"text/html", "<!DOCTYPE html><html><body>Please log in</body></html>", "the server sent a web page, not a feed (perhaps a login page)"},
		{"text/xml", "", "the answer is empty"},
	} {
		web.serve(harbour, c.contentType, c.body)
		rep, err := later(r, time.Duration(i+1)*48*time.Hour).Fetch(t.Context(), FetchRequest{All: true}, nil)
		if err != nil || rep.Failed != 1 || rep.Results[0].Err != c.sentence {
			t.Fatalf("%s: %+v, %v", c.sentence, rep, err)
		}
		feeds, _ := r.Feeds(t.Context())
		if f := feeds[0]; f.State != FeedFailing || f.Error != c.sentence || f.Items != 3 || f.URL != harbour {
			t.Fatalf("%s: the feed is %+v", c.sentence, f)
		}
	}
	web.serve(harbour, "text/xml", harbourFeed())
	rep, err := later(r, 200*time.Hour).Fetch(t.Context(), FetchRequest{All: true}, nil)
	if err != nil || rep.Failed != 0 || rep.New != 0 {
		t.Fatalf("after the trouble: %+v, %v", rep, err)
	}
	if feeds, _ := r.Feeds(t.Context()); feeds[0].State != FeedOK || feeds[0].Error != "" {
		t.Fatalf("the trouble is over, but: %+v", feeds[0])
	}
}

func TestFindFeed(t *testing.T) {
	web := newFakeWeb()
	web.serve(harbour, "text/xml", harbourFeed())
	web.serve("https://old.example/rss", "text/xml", rssOf("Old Harbour Blog", "x|X|"+ago(time.Hour)+"|x"))
	r := newLibrary(t, web)
	first := add(t, r, harbour, SubscribeOptions{}).Feed
	add(t, r, "old.example/rss", SubscribeOptions{})
	for _, name := range []string{first.Key.String(), harbour, "gazette", "Harbour Gazette"} {
		if f, err := r.FindFeed(t.Context(), name); err != nil || f.Key != first.Key {
			t.Errorf("%q finds %q, %v", name, f.Title, err)
		}
	}
	var amb *AmbiguousError
	if _, err := r.FindFeed(t.Context(), "harbour"); !errors.As(err, &amb) || len(amb.Feeds) != 2 {
		t.Errorf("a name that fits two: %v", err)
	}
	if _, err := r.FindFeed(t.Context(), "kernel"); !errors.Is(err, ErrNotFound) {
		t.Errorf("a name that fits none: %v", err)
	}
	var known *KnownError
	found, err := r.Finder().Look(t.Context(), "https://harbour.example/news.xml/", false)
	if err != nil || found.Candidates[0].Known != first.Key {
		t.Fatalf("looking at a known address: %+v, %v", found, err)
	}
	if _, err := r.Subscribe(t.Context(), found.Candidates[0], SubscribeOptions{}); !errors.As(err, &known) {
		t.Errorf("subscribing twice: %v", err)
	}
}

// A host that answers 429 is left alone with all its feeds, those of the same
// round included.
func TestBusyHostIsLeftAlone(t *testing.T) {
	web := newFakeWeb()
	r := newLibrary(t, web)
	busy := func(req *http.Request) *http.Response {
		res := answer(req, 429, "", "")
		res.Header.Set("Retry-After", "7200")
		return res
	}
	for i := range 4 {
		u := fmt.Sprintf("https://busy.example/%d", i)
		web.serve(u, "text/xml", rssOf("B", fmt.Sprintf("%d|T|%s|x", i, ago(time.Hour))))
		add(t, r, u, SubscribeOptions{})
		web.handle(u, busy)
	}
	before := len(web.requests())
	rep, err := later(r, 5*time.Hour).Fetch(t.Context(), FetchRequest{All: true}, nil)
	if err != nil || rep.Fetched+rep.Early != 4 || rep.Failed != 1 {
		t.Fatalf("first round: %+v, %v", rep, err)
	}
	rep, err = later(r, 6*time.Hour+30*time.Minute).Fetch(t.Context(), FetchRequest{All: true}, nil)
	if err != nil || rep.Early != 4 {
		t.Fatalf("within the two hours: %+v, %v", rep, err)
	}
	if n := len(web.requests()) - before; n != 1 {
		t.Errorf("the busy host saw %d requests", n)
	}
	rep, err = later(r, 8*time.Hour).Fetch(t.Context(), FetchRequest{All: true}, nil)
	if err != nil || rep.Fetched == 0 {
		t.Errorf("after the two hours: %+v, %v", rep, err)
	}
}

// What a host without Retry-After is skipped doubles with each busy answer in a
// row, whichever of its feeds gets it, and is short again after a good one.
func TestBusyHostIsSparedLonger(t *testing.T) {
	web := newFakeWeb()
	r := newLibrary(t, web)
	trouble := true
	for i := range 2 {
		u := fmt.Sprintf("https://busy.example/%d", i)
		body := rssOf("B", fmt.Sprintf("%d|T|%s|x", i, ago(time.Hour)))
		web.serve(u, "text/xml", body)
		add(t, r, u, SubscribeOptions{})
		web.handle(u, func(req *http.Request) *http.Response {
			if trouble {
				return answer(req, 503, "", "")
			}
			return answer(req, 200, "text/xml", body)
		})
	}
	at := 5 * time.Hour
	for round, c := range []struct {
		busy bool
		wait time.Duration
	}{{true, 4 * time.Hour}, {true, 8 * time.Hour}, {true, 16 * time.Hour}, {false, 0}, {true, 4 * time.Hour}} {
		trouble = c.busy
		if _, err := later(r, at).Fetch(t.Context(), FetchRequest{All: true}, nil); err != nil {
			t.Fatal(err)
		}
		feeds, err := r.store.Feeds(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range feeds {
			if wait := f.Poll.NotBefore.Sub(later(r, at).now()); c.busy && (wait < c.wait-time.Minute || wait > c.wait) {
				t.Errorf("round %d: %s is left alone for %v, want %v", round, f.URL, wait, c.wait)
			}
		}
		at += c.wait + 25*time.Hour
	}
}

// A feed that posts but has been "not changed" for two weeks is asked once
// without validators.
func TestEndlessNotModifiedIsDoubted(t *testing.T) {
	web := newFakeWeb()
	web.serve(harbour, "text/xml", harbourFeed())
	r := newLibrary(t, web)
	add(t, r, harbour, SubscribeOptions{})
	whole := 0
	for day := 1; day <= 40; day++ {
		n := len(web.requests())
		if _, err := later(r, time.Duration(day)*24*time.Hour).Fetch(t.Context(), FetchRequest{All: true}, nil); err != nil {
			t.Fatal(err)
		}
		for _, line := range web.requests()[n:] {
			if !strings.Contains(line, "If-None-Match") {
				whole++
			}
		}
	}
	if whole != 2 {
		t.Errorf("%d requests without validators in 40 days of 304, want 2", whole)
	}
}
