package reader

import (
	"context"
	"errors"
	"strings"
	"testing"

	"diurna/reader/pagestate"
	"diurna/reader/watch"
)

// A picture that a server calls HTML is a state; and what was known long before
// comes back as the page, however long what stood in its place was.
func TestNoTextIsNoRevision(t *testing.T) {
	s := newShore(t)
	s.web.serve(pier, "text/html", timetable(summer, "8 €"))
	s.watch(pier, watch.Options{})
	s.web.serve(pier, "text/html", strings.Repeat("\x89PNG\r\n\x1a\x00\x00\x01\xff ", 300))
	s.later(day)
	if p := s.page(); p.State != pagestate.ErrorPage || p.Revisions != 1 || !strings.Contains(p.Error, "the answer is not text") {
		t.Errorf("a picture: %+v", p)
	}
	s.web.serve(pier, "text/html", timetable(winter, "8 €"))
	s.later(day)
	if p := s.page(); p.State != pagestate.Good || p.Revisions != 2 {
		t.Errorf("the page again: %+v", p)
	}
}

func TestKnownPageComesBackAfterALongerOne(t *testing.T) {
	s := newShore(t)
	short := "<title>Pier</title><h1>Pier</h1>" + strings.Repeat("<p>The boat leaves on the hour.</p>", 5)
	s.web.serve(pier, "text/html", short)
	s.watch(pier, watch.Options{})
	s.web.serve(pier, "text/html", timetable(summer, "8 €"))
	s.later(day)
	s.web.serve(pier, "text/html", short)
	s.later(day)
	s.later(day) // a shrunk page is asked for twice
	if p := s.page(); p.State != pagestate.Good {
		t.Errorf("what was known is taken for %s: %s", p.State, p.Error)
	}
}

// Who stops watching and begins again is believed over what was kept.
func TestWatchedAnewIsBelieved(t *testing.T) {
	s := newShore(t)
	s.web.serve(pier, "text/html", timetable(summer, "8 €"))
	s.watch(pier, watch.Options{})
	s.web.serve(pier, "text/html", "<h1>Closed</h1><p>The pier is closed for good.</p>")
	s.later(day)
	if p := s.page(); p.State != pagestate.Maintenance {
		t.Fatalf("a notice: %+v", p)
	}
	if d, err := s.r.Maintenance().Doctor(context.Background(), nil); err != nil || len(d.Trouble) != 1 || !strings.Contains(d.Trouble[0].Do, "then diurna watch "+pier) {
		t.Errorf("doctor: %+v %v", d.Trouble, err)
	}
	if _, err := s.r.Unsubscribe(context.Background(), []FeedID{s.id}); err != nil {
		t.Fatal(err)
	}
	if p := s.watch(pier, watch.Options{}); p.State != pagestate.Good || p.Error != "" || p.Revisions != 2 {
		t.Errorf("watched again: %+v", p)
	}
	s.web.serve(pier, "text/html", "<h1>Closed</h1><p>The pier is closed until May.</p>")
	s.later(day)
	if p := s.page(); p.State != pagestate.Good || p.Revisions != 3 {
		t.Errorf("and changed: %+v", p)
	}
	s.sound()
}

func TestWatchedAddressIsNoFeedToo(t *testing.T) {
	s := newShore(t)
	const news = "https://pier.example/feed"
	s.web.serve(news, "application/rss+xml", `<rss version="2.0"><channel><title>News</title><item><title>One</title><guid>1</guid></item></channel></rss>`)
	p := s.watch(news, watch.Options{})
	found, err := s.r.Finder().Look(context.Background(), news, false)
	if err != nil || len(found.Candidates) != 1 {
		t.Fatalf("look: %+v %v", found, err)
	}
	if _, err := s.r.Subscribe(context.Background(), found.Candidates[0], SubscribeOptions{}); !errors.Is(err, ErrKnown) || !strings.Contains(err.Error(), p.Title) {
		t.Errorf("subscribed to a watched page: %v", err)
	}
}

// A list may name an address as a feed that is watched as a page: it says so.
// In one list both may stand, in any order.
func TestListOfFeedAndPage(t *testing.T) {
	s := newShore(t)
	const news = "https://pier.example/feed"
	s.web.serve(news, "application/rss+xml", `<rss version="2.0"><channel><title>News</title><item><title>One</title><guid>1</guid></item></channel></rss>`)
	const pageLine, feedLine = `<outline type="link" text="P" url="` + news + `" diurna:watch="yes"/>`, `<outline text="F" xmlUrl="` + news + `"/>`
	load := func(lines string) ImportReport {
		rep, err := s.r.Import(context.Background(), []byte(`<opml version="2.0" xmlns:diurna="urn:diurna:opml"><body>`+lines+`</body></opml>`), ImportOptions{NoFetch: true}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return rep
	}
	if rep := load(pageLine); len(rep.Added) != 1 {
		t.Fatalf("the page: %+v", rep)
	}
	if rep := load(feedLine); len(rep.Added) != 0 || len(rep.Refused) != 1 || !strings.Contains(rep.Refused[0], "is watched as a page") {
		t.Errorf("the feed of a watched address: %+v", rep)
	}
	s = newShore(t)
	if rep := load(pageLine + feedLine); len(rep.Added) != 2 || len(rep.Refused) != 0 {
		t.Errorf("both: %+v", rep)
	}
	s.sound()
}
