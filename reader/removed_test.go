package reader

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"strings"
	"testing"
	"time"

	"diurna/reader/plain"
	"diurna/reader/query"
	"diurna/store"
)

// TestRemovedTexts: an item whose text was removed is found by what is left of it to be read, and
// by nothing that went; all that lists, shows, counts and exports items goes on. What is left for
// Ranked is not found or shown.
func TestRemovedTexts(t *testing.T) {
	ctx := context.Background()
	web := newFakeWeb()
	const feed = "https://harbour.example/feed.xml"
	long := "The pilot boat is first. " + strings.Repeat("Tides come and go. ", 60) + "An old buoy. An albatross closes the page."
	web.serve(feed, "application/rss+xml", rssOf("Harbour", "1|Ferry 1|"+ago(time.Hour)+"|"+long, "2|Ferry 2|"+ago(2*time.Hour)+"|Another albatross."))
	r := newLibrary(t, web)
	add(t, r, feed, SubscribeOptions{})
	rows, err := r.Rows(ctx, Query{}, 0)
	if err != nil || len(rows) != 2 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	id := rows[0].ID
	if _, err := r.Open(ctx, id); err != nil {
		t.Fatal(err)
	}
	counts := func(when string, want map[string]int) {
		t.Helper()
		if err := r.Searcher().Update(ctx, nil); err != nil {
			t.Fatal(err)
		}
		for text, n := range want {
			q, err := query.Parse(text, r.now())
			if err != nil {
				t.Fatal(err)
			}
			got, err := r.Searcher().Search(ctx, q, r.now(), 0)
			if err != nil || got.Count != n {
				t.Errorf("%s: search %s: %d, %v; want %d", when, text, got.Count, err, n)
			}
			if !strings.Contains(text, "text:") {
				continue
			}
			if list, err := r.Rows(ctx, q, 0); err != nil || len(list) != n {
				t.Errorf("%s: items %s: %d, %v; want %d", when, text, len(list), err, n)
			}
		}
	}
	counts("before", map[string]int{"albatross": 2, "text:albatross": 2, "text:pilot": 1, "text:buoy": 1, "buoy": 1, "text:/albatr[o]ss/": 2})
	gone, err := r.store.Remove(ctx, r.now(), store.TextRemoved, []ItemID{id}, func(_ ItemID, _ string, b store.Body) (store.Body, bool) {
		return store.Body{Summary: html.EscapeString(plain.LeadText(b.HTML, b.Summary, 100)), Words: "albatross buoy closes page"}, true
	})
	if err != nil || fmt.Sprint(gone) != fmt.Sprint([]ItemID{id}) {
		t.Fatalf("removed %v, %v", gone, err)
	}
	counts("after", map[string]int{"albatross": 1, "text:albatross": 1, "text:pilot": 1, "text:buoy": 0, "buoy": 0, "text:/albatr[o]ss/": 1, "ferry -text:albatross": 1, "title:ferry": 2})
	a, err := r.OpenFound(ctx, id)
	if err != nil || !strings.Contains(fmt.Sprint(a), "pilot boat") || !strings.Contains(a.HTML, "text was removed on") || strings.Contains(fmt.Sprint(a), "buoy") {
		t.Errorf("shown: %v, %v", a, err)
	}
	if _, err := r.store.Act(ctx, r.now(), "", store.Change{Kind: store.MarkedUnread, Items: []ItemID{id}}); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"text:albatross", "text:pilot"} {
		if _, err := r.Queries().Add(ctx, text[5:], text); err != nil {
			t.Fatal(err)
		}
	}
	saved, err := r.Queries().Counts(ctx)
	if err != nil || len(saved) != 2 || saved[0].Unread != 1 || saved[1].Unread != 1 {
		t.Errorf("saved queries: %+v, %v", saved, err)
	}
	var out bytes.Buffer
	if rep, err := r.ExportAtom(ctx, &out, AtomExport{}); err != nil || strings.Count(out.String(), "<entry") != 2 || strings.Contains(out.String(), "albatross closes") || strings.Contains(out.String(), "buoy") {
		t.Errorf("exported: %+v, %v\n%s", rep, err, out.String())
	}
}
