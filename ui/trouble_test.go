package ui

import (
	"strings"
	"testing"

	"diurna/reader"
	"diurna/ui/view"
)

// withFailing adds a feed that never worked.
func withFailing(f *fake) *fake {
	f.feeds = append(f.feeds, reader.Feed{Key: 7, Title: "boats.example/feed/crew.xml", Folder: "sea", URL: "https://me:s3cr3t@boats.example/feed/crew.xml", Untitled: true,
		State: reader.FeedFailing, Error: "no such host: boats.example", Since: noon.AddDate(0, 0, -2), LastFetch: noon.AddDate(0, 0, -1), Tries: 3, Subscribed: noon.AddDate(0, 0, -2)})
	return f
}

// Enter on a feed that never worked says why, w on any feed in trouble; the keys that
// mend it are there, and u takes each back.
func TestTroubleJourney(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {40, 12}, {200, 60}} {
		d := newDesk(t, withFailing(newFake()), size[0], size[1])
		d.press("2", "!", "!") // behind Tide Tables
		d.says("boats.example/feed/crew")
		d.press("enter")
		if d.m.context() != view.CtxTrouble {
			t.Fatalf("%v: Enter does not say why:\n%s", size, d.screen())
		}
		d.press("g")
		d.shows("no such host")
		d.press("G")
		d.shows("D      unsubscribe")
		d.lacks("s3cr3t")
		d.press("a")
		d.says("Its server has announced no other address. e edits it.")
		d.press("r")
		if len(d.lib.fetched) != 1 || len(d.lib.fetched[0].Feeds) != 1 || d.lib.fetched[0].Feeds[0] != 7 {
			t.Errorf("r fetched %v", d.lib.fetched)
		}
		d.press("e", "ctrl+u")
		d.typeIn("https://crew.example/")
		d.press("enter")
		if got := d.lib.feed(7).URL; got != "https://crew.example/" {
			t.Errorf("the address is %q", got)
		}
		d.press("u")
		if got := d.lib.feed(7).URL; got != "https://me:s3cr3t@boats.example/feed/crew.xml" {
			t.Errorf("after undo the address is %q", got)
		}
		d.press("D")
		if d.lib.feed(7) != nil || d.m.context() != view.CtxFeeds {
			t.Errorf("D does not unsubscribe and lead back:\n%s", d.screen())
		}
		d.press("u")
		if d.lib.feed(7) == nil {
			t.Error("u does not bring the feed back")
		}
		d.press("?")
		d.lacks("adopt its new address") // that is of the trouble alone
	}
}

// The list of a feed in trouble says so above its rows; w says more.
func TestListOfAFeedInTrouble(t *testing.T) {
	d := newDesk(t, newFake(), 80, 24)
	d.press("2", "!", "enter")
	d.shows("! 404 not found since 12 Nov (8 tries). w says more.", "12 Nov")
	d.press("w")
	d.shows("answer       404 Not Found", "since        12 Nov, 8 tries", "advice       Try again.")
	if d.press("y"); len(d.sent) != 1 || !strings.Contains(d.sent[0], "https://example5.org/feed") {
		t.Errorf("y copied %q", d.sent)
	}
	d.press("?")
	d.shows("adopt its new address")
	d.press("q", "w") // when it is fetched stands below
	d.shows("learned from")
	d.press("q", "enter")
	d.shows("! 404 not found")
}
