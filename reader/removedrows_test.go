package reader

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"diurna/reader/interest"
	"diurna/reader/retention"
	"diurna/store"
)

// Items that retention removed are in no list and nothing finds them; their feed may say
// them again, or in other words, and they do not come as new. Ranked's order, also folded
// again, and Rhythm stay as they were, every step of the last 30 days can be taken back,
// and the facts still give the state.
func TestRemovedRows(t *testing.T) {
	const address, long = "https://old.example/feed.xml", 40 * 24 * time.Hour
	ctx, web, now := t.Context(), newFakeWeb(), time.Now()
	began := now.AddDate(-2, 0, 0)
	r := newLibrary(t, web)
	subjects := []string{"ferry timetable harbour", "parliament budget vote", "albatross colony island", "chess opening endgame"}
	old := func(text string) string {
		var items []string
		for i := range 200 {
			items = append(items, fmt.Sprintf("o%d|Old %s %d|%s|%s about %s number %d", i, subjects[i%4], i, began.Add(-time.Duration(i)*time.Minute).UTC().Format(time.RFC1123Z), text, subjects[i%4], i))
		}
		return rssOf("Old", items...)
	}
	web.serve(address, "application/rss+xml", old("All"))
	past := r.At(began)
	s := add(t, past, address, SubscribeOptions{AllUnread: true})
	rows, err := r.Rows(ctx, Query{}, 0)
	if err != nil || len(rows) != 200 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	ids := make([]ItemID, len(rows))
	for i := range rows {
		ids[i] = rows[i].ID
	}
	for i, id := range ids[:80] { // harbour and chess are opened, the others only seen
		if i%4 == 0 || i%4 == 3 {
			if _, err := past.Open(ctx, id); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.Ranker().Shown(ctx, began, began, []interest.Impression{{ID: id, Row: 1 + i%20}}); err != nil {
			t.Fatal(err)
		}
	}
	mark := func(at time.Time, act Act, tag string, ids ...ItemID) {
		t.Helper()
		if _, err := r.At(at).Mark(ctx, act, "", ids, tag); err != nil {
			t.Fatal(err)
		}
	}
	mark(began, MarkRead, "", ids[:190]...) // ten stay unread
	mark(began, Save, "", ids[1])
	mark(began, Tag, "kept", ids[2])
	for at := began; at.Before(now); at = at.Add(4 * 24 * time.Hour) {
		if err := r.At(at).Looked(ctx); err != nil {
			t.Fatal(err)
		}
	}
	web.serve(address, "application/rss+xml", rssOf("Old", "n|New ferry harbour|"+now.Add(-long).UTC().Format(time.RFC1123Z)+"|It sails."))
	if _, err := r.At(now.Add(-long)).Fetch(ctx, FetchRequest{Feeds: []FeedID{s.Feed.Key}}, nil); err != nil {
		t.Fatal(err)
	}
	filler := store.Filing{Next: 1, Poll: &store.Poll{Present: "1"}}
	done, err := r.store.Act(ctx, now.Add(-long), "", store.Change{Kind: store.Subscribed, Sub: &store.Subscription{URL: "https://filler.example/"}})
	if err != nil {
		t.Fatal(err)
	}
	filler.Feed = done.Feeds[0]
	for i := range retention.KeepNewest {
		filler.New = append(filler.New, store.NewItem{Item: store.Item{Title: fmt.Sprintf("%s %d", subjects[i%4], i), Published: now.Add(-long), Hash: uint64(i)},
			Body: store.Body{HTML: "A line."}, Keys: []uint64{uint64(i) + 1}, Unread: i%30 == 0})
	}
	if _, err := r.store.File(ctx, now.Add(-long), []store.Filing{filler}); err != nil {
		t.Fatal(err)
	}
	lately, first := now.AddDate(0, 0, -20), uint64(0)
	if steps, err := r.Steps(ctx, 1); err == nil {
		first = steps[0].No
	}
	mark(lately, Save, "", ids[4], ids[5])
	mark(lately, Unsave, "", ids[4], ids[5])
	mark(lately, MarkUnread, "", ids[6])
	mark(lately, MarkRead, "", ids[6])
	order := func() []ItemID {
		t.Helper()
		if err := r.store.Cache().Delete(ctx, "interest"); err != nil {
			t.Fatal(err)
		}
		unread, err := r.Rows(ctx, mustQuery(t, "unread"), 0)
		if err != nil {
			t.Fatal(err)
		}
		fresh := New(r.store, r.opts) // one that has nothing in memory
		a, err := fresh.Ranker().Arrange(ctx, now, interest.Ranked, interest.Spots(unread, func(FeedID) string { return "" }), 20, nil)
		if err != nil || a.Early() {
			t.Fatalf("ranked: %+v, %v", a.Opens, err)
		}
		var out []ItemID
		for _, i := range a.Index {
			out = append(out, unread[i].ID)
		}
		return out
	}
	rhythm := func() any {
		t.Helper()
		got, err := r.Stats().Rhythm(ctx, s.Feed.Key, began.Add(time.Hour), now)
		if err != nil {
			t.Fatal(err)
		}
		got.Feed = Feed{} // which counts its items
		return got
	}
	ranked, day := order(), rhythm()
	if newest, _ := r.Rows(ctx, mustQuery(t, "unread"), 0); slices.EqualFunc(ranked, newest, func(a ItemID, b Row) bool { return a == b.ID }) {
		t.Fatal("Ranked is newest first: its order proves nothing")
	}
	if n, err := retention.New(r.store, retention.Ages{Text: -1}, r.texts.Touched).Run(ctx, now); n != 0 || err != nil {
		t.Fatalf("rows went unasked: %d, %v", n, err)
	}
	if err := r.Searcher().Update(ctx, nil); err != nil {
		t.Fatal(err)
	}
	n, err := retention.New(r.store, retention.Ages{Text: -1, Rows: 365 * 24 * time.Hour}, r.texts.Touched).Run(ctx, now)
	const want = 190 - 5 // those that are saved, tagged or were touched of late stay
	if n != want || err != nil {
		t.Fatalf("%d rows went, want %d; %v", n, want, err)
	}
	left, err := r.Rows(ctx, mustQuery(t, "title:old"), 0)
	if err != nil || len(left) != 200-want {
		t.Errorf("%d old items are listed, want %d; %v", len(left), 200-want, err)
	}
	if tot, err := r.Totals(ctx); err != nil || tot.Items != 200-want+1+retention.KeepNewest {
		t.Errorf("%d items, %v", tot.Items, err)
	}
	if err := r.Searcher().Update(ctx, nil); err != nil {
		t.Fatal(err)
	}
	if found, err := r.Searcher().Search(ctx, mustQuery(t, "albatross about"), now, 0); err != nil || found.Count != 5 { // 2, 6, 190, 194 and 198
		t.Errorf("search finds %d, %v", found.Count, err)
	}
	if _, err := r.Article(ctx, ids[0]); !errors.Is(err, ErrNotFound) {
		t.Errorf("an item that is gone is shown: %v", err)
	}
	if !slices.Equal(order(), ranked) {
		t.Error("Ranked has another order now")
	}
	if got := rhythm(); !reflect.DeepEqual(got, day) {
		t.Errorf("Rhythm shows\n%+v\nand showed\n%+v", got, day)
	}
	for i, doc := range []string{old("All"), old("Rewritten, all")} {
		web.serve(address, "application/rss+xml", doc)
		rep, err := r.At(now.Add(time.Duration(i+1)*2*time.Hour)).Fetch(ctx, FetchRequest{Feeds: []FeedID{s.Feed.Key}}, nil)
		if err != nil || rep.Fetched != 1 || rep.New != 0 {
			t.Errorf("said again: %+v, %v", rep, err)
		}
	}
	if _, _, err := r.store.Compact(ctx); err != nil {
		t.Fatal(err)
	}
	for taken := 0; ; taken++ {
		if step, err := r.Undo(ctx, 0, first); errors.Is(err, ErrNothing) {
			if taken != 4 {
				t.Errorf("%d steps of 4 were taken back", taken)
			}
			break
		} else if err != nil {
			t.Fatalf("%+v: %v", step, err)
		}
	}
	if _, err := r.Undo(ctx, 0, 0); err != nil { // an old one, half of whose items are gone
		t.Error(err)
	}
	rep, err := r.store.Check(ctx, true, nil)
	if err != nil || len(rep.Findings) > 0 {
		t.Errorf("%v, %+v", err, rep.Findings[:min(len(rep.Findings), 3)])
	}
}
