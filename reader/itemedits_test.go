package reader

import (
	"context"
	"errors"
	"testing"
	"time"
)

// TestEditsOfItems: the newest text is shown, what was read before is kept, a
// typo stays read, a real edit comes again, and what nobody can see is no edit.
func TestEditsOfItems(t *testing.T) {
	const feed = "https://harbour.example/feed.xml"
	ctx := context.Background()
	item := func(title, text string) string { return "1|" + title + "|" + ago(time.Hour) + "|" + text }
	first := item("Ferry 3 is late", "The ferry is out of servce untill Monday. Buses run instead of it.")
	for _, c := range []struct {
		name, next           string
		read                 bool
		changed, unread, bak bool // afterwards; bak: the former text is kept
	}{
		{"typo", item("Ferry 3 is late", "The ferry is out of service until Monday. Buses run instead of it."), true, true, false, true},
		{"markup", item("Ferry 3 is late", "The &lt;b&gt;ferry&lt;/b&gt; is out of servce untill Monday. Buses run instead of it."), true, false, false, false},
		{"news", item("Ferry 3 runs again", "The ferry is out of servce untill Monday. Update: it sails again since noon, and the buses have stopped."), true, true, true, true},
		{"a number", item("Ferry 3 is late", "The ferry is out of servce untill 17:00. Buses run instead of it."), true, true, true, true},
		{"not read yet", item("Ferry 4 is late", "All is different now, in every word of the text."), false, false, true, false},
	} {
		web := newFakeWeb()
		web.serve(feed, "application/rss+xml", rssOf("Harbour", first))
		r := newLibrary(t, web)
		found, err := r.Finder().Look(ctx, feed, false)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Subscribe(ctx, found.Candidates[0], SubscribeOptions{}); err != nil {
			t.Fatal(err)
		}
		rows, _ := r.Rows(ctx, Query{}, 0)
		id := rows[0].ID
		if c.read {
			if _, err := r.Open(ctx, id); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := r.ItemChange(ctx, id, 0); !errors.Is(err, ErrNotFound) {
			t.Errorf("%s: before the edit: %v", c.name, err)
		}
		web.serve(feed, "application/rss+xml", rssOf("Harbour", c.next))
		if _, err := r.At(time.Now().Add(25*time.Hour)).Fetch(ctx, FetchRequest{All: true}, nil); err != nil {
			t.Fatal(err)
		}
		items, err := r.Items(ctx, []ItemID{id})
		if err != nil || len(items) != 1 {
			t.Fatal(err)
		}
		it := items[0]
		e, err := r.ItemChange(ctx, id, 0)
		if it.Changed != c.changed || it.Unread != c.unread || (err == nil) != c.bak || it.Edits != 1 {
			t.Errorf("%s: changed %t, unread %t, edits %d, former text: %v", c.name, it.Changed, it.Unread, it.Edits, err)
		}
		if err == nil && (e.Old != "Ferry 3 is late" || e.Of != 1 || e.Words.Added == 0 || e.Minor == c.unread) {
			t.Errorf("%s: %+v", c.name, e)
		}
		if a, err := r.Article(ctx, id); err != nil || a.Kept != e.Of {
			t.Errorf("%s: an article with %d former texts, %v, want %d", c.name, a.Kept, err, e.Of)
		}
		was := map[bool]string{true: "Ferry 3 is late"}[c.name == "news"] // the only one whose title a reader knows otherwise
		if rows, err := r.Rows(ctx, Query{}, 0); err != nil || len(rows) != 1 || rows[0].Was != was {
			t.Errorf("%s: its row: %+v, %v", c.name, rows, err)
		}
		if _, err := r.ItemChange(ctx, id, 1); err == nil {
			t.Errorf("%s: a second edit is reported", c.name)
		}
		if d, err := r.Maintenance().Doctor(ctx, nil); err != nil || d.Damaged() {
			t.Errorf("%s: %v %v", c.name, err, d.Findings)
		}
	}
}
