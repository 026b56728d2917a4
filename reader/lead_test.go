package reader

import (
	"context"
	"testing"
	"time"
)

// TestLead: an item without a title has the first words of its text, one with a title
// has none.
func TestLead(t *testing.T) {
	const feed = "https://harbour.example/feed.xml"
	ctx := context.Background()
	web := newFakeWeb()
	web.serve(feed, "application/rss+xml", rssOf("Harbour",
		"1||"+ago(time.Hour)+"|The &lt;b&gt;ferry&lt;/b&gt; is late today.", "2|Buses|"+ago(2*time.Hour)+"|They run instead."))
	r := newLibrary(t, web)
	found, err := r.Finder().Look(ctx, feed, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Subscribe(ctx, found.Candidates[0], SubscribeOptions{}); err != nil {
		t.Fatal(err)
	}
	rows, err := r.Rows(ctx, Query{}, 0)
	if err != nil || len(rows) != 2 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for i, want := range []string{"The ferry is late today.", ""} {
		a, err := r.Article(ctx, rows[i].ID)
		if err != nil || a.Lead != want || (a.Title == "") != (want != "") {
			t.Errorf("%q begins with %q, want %q; %v", a.Title, a.Lead, want, err)
		}
	}
}
