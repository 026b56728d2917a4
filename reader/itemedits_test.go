package reader

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

// TestEditsOfItems: the newest text is shown, what was read before is kept, a
// typo stays read, a real edit comes again, and what nobody can see is no edit.
func TestEditsOfItems(t *testing.T) {
	const feed = "https://harbour.example/feed.xml"
	ctx := context.Background()
	item := func(title, text string) string { return "1|" + title + "|" + ago(time.Hour) + "|" + text }
	const said = "The ferry is out of servce untill Monday. Buses run instead of it."
	first := item("Ferry 3 is late", said)
	for _, c := range []struct {
		name, next           string
		read                 bool
		changed, unread, bak bool // afterwards; bak: the former text is kept
		before               string
	}{
		{"typo", item("Ferry 3 is late", "The ferry is out of service until Monday. Buses run instead of it."), true, true, false, true, first},
		{"markup", item("Ferry 3 is late", "The &lt;b&gt;ferry&lt;/b&gt; is out of servce untill Monday. Buses run instead of it."), true, false, false, false, first},
		{"news", item("Ferry 3 runs again", "The ferry is out of servce untill Monday. Update: it sails again since noon, and the buses have stopped."), true, true, true, true, first},
		{"a number", item("Ferry 3 is late", "The ferry is out of servce untill 17:00. Buses run instead of it."), true, true, true, true, first},
		{"a pixel", item("Ferry 3 is late", said+`&lt;img src="https://count.example/p.gif?n=2" width="1" height="1"&gt;`), true, false, false, false, item("Ferry 3 is late", said+`&lt;img src="https://count.example/p.gif?n=1" width="1" height="1"&gt;`)},
		{"comments", item("Ferry 3 is late", said+`&lt;p&gt;&lt;a href="/talk"&gt;12 comments&lt;/a&gt;&lt;/p&gt;`), true, false, false, false, item("Ferry 3 is late", said+`&lt;p&gt;&lt;a href="/talk"&gt;9 comments&lt;/a&gt;&lt;/p&gt;`)},
		{"another title", item("Storm warning lifted", said), true, true, true, true, item("Storm is coming", said)},
		{"not read yet", item("Ferry 4 is late", "All is different now, in every word of the text."), false, false, true, false, first},
	} {
		web := newFakeWeb()
		web.serve(feed, "application/rss+xml", rssOf("Harbour", c.before))
		r := newLibrary(t, web)
		found, err := r.Look(ctx, feed, false)
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
		title := strings.Split(c.before, "|")[1]
		if it.Changed != c.changed || it.Unread != c.unread || (err == nil) != c.bak || it.Edits != 1 {
			t.Errorf("%s: changed %t, unread %t, edits %d, former text: %v", c.name, it.Changed, it.Unread, it.Edits, err)
		}
		if err == nil && (e.Old != title || e.Of != 1 || e.Words.Added == 0 || e.Minor == c.unread) {
			t.Errorf("%s: %+v", c.name, e)
		}
		if a, err := r.Article(ctx, id); err != nil || a.Kept != e.Of {
			t.Errorf("%s: an article with %d former texts, %v, want %d", c.name, a.Kept, err, e.Of)
		}
		was := map[bool]string{true: title}[c.read && !strings.HasPrefix(c.next, "1|"+title+"|")] // the title as its reader knows it
		if rows, err := r.Rows(ctx, Query{}, 0); err != nil || len(rows) != 1 || rows[0].Was != was {
			t.Errorf("%s: its row: %+v, %v", c.name, rows, err)
		}
		if _, err := r.ItemChange(ctx, id, 1); err == nil {
			t.Errorf("%s: a second edit is told of", c.name)
		}
		if d, err := r.Doctor(ctx, nil); err != nil || d.Damaged() {
			t.Errorf("%s: %v %v", c.name, err, d.Findings)
		}
	}
}
