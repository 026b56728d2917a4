package store

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"diurna/store/library"
	"diurna/store/record"
)

// item is one to be filed, an hour old on day.
func item(title string, keys ...uint64) NewItem {
	return NewItem{Item: Item{Title: title, IDRaw: "raw " + title, Link: "https://a.example/" + title, Hash: uint64(len(title)), Words: 7, Published: day.Add(-time.Hour),
		Categories: []string{"c"}, Enclosures: []Enclosure{{URL: "https://a.example/x.mp3", Type: "audio/mpeg", Title: "x", Length: 99}}}, Body: Body{HTML: "<p>" + title, Summary: "sum"}, Keys: keys, Unread: true}
}

// twoItems files two items into the first of two feeds.
func twoItems(t *testing.T) (s *Store, f []FeedID, one, two ItemID) {
	t.Helper()
	s = newStore(t)
	f = subscribe(t, s, 2)
	d := must(s.File(t.Context(), day, []Filing{{Feed: f[0], Next: 1, New: []NewItem{item("one", 1, 2), item("two", 2, 3)}, FeedTitle: "Theirs", Site: "https://a.example", Format: "atom",
		Outcome: &Outcome{Kind: AnswerNew, Status: 200, Bytes: 5, Took: 7 * time.Millisecond}, Poll: &Poll{ETag: "e", Checks: []int64{day.Unix() - 60}}}}))(t)
	return s, f, d[0].Items[0], d[0].Items[1]
}

func TestFileAndMatch(t *testing.T) {
	s, f, one, _ := twoItems(t)
	ctx := t.Context()
	m := must(s.Match(ctx, f[0], []uint64{1, 2, 3, 4}))(t)
	if m.Next != 3 || len(m.ByKey) != 3 || m.ByKey[2].N != 1 || m.ByKey[3].N != 2 || m.ByKey[3].Title != "two" || m.ByKey[3].Link != "https://a.example/two" || !m.ByKey[3].Published.Equal(day.Add(-time.Hour)) {
		t.Fatalf("%+v", m)
	}
	if m := must(s.Match(ctx, f[1], []uint64{1, 2, 3}))(t); len(m.ByKey) != 0 || m.Next != 1 {
		t.Fatalf("keys are a feed's own: %+v", m)
	}
	got := must(s.Item(ctx, one))(t)
	want := item("one").Item
	want.ID, want.FirstSeen, want.BodySize, want.Published = one, day.UTC(), len("<p>one")+3, want.Published.UTC()
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("item came back as\n%+v, was\n%+v", got, want)
	}
	feed := must(s.Feeds(ctx))(t)[0]
	if feed.Title != "Theirs" || feed.Site != "https://a.example" || feed.Format != "atom" || feed.Poll.ETag != "e" || feed.Poll.Checks != nil || !feed.LastPost.Equal(day.Add(-time.Hour)) {
		t.Fatalf("%+v", feed)
	}
	// Two at the same time: the second learns that it must match again.
	d := must(s.File(ctx, day, []Filing{{Feed: f[0], Next: 1, New: []NewItem{item("x", 9)}, Poll: &Poll{ETag: "bad"}}, {Feed: f[1], Next: 1, New: []NewItem{item("y", 9)}}}))(t)
	if !errors.Is(d[0].Err, ErrStale) || d[1].Err != nil || d[1].New != 1 {
		t.Fatalf("%+v", d)
	}
	if p := must(s.Feeds(ctx))(t)[0].Poll; p.ETag != "e" {
		t.Error("a stale filing changed the poll")
	}
	sound(t, s, true)
}

// Read, then edited: the old text is kept, the item is marked as changed.
func TestEdited(t *testing.T) {
	s, f, one, two := twoItems(t)
	ctx := t.Context()
	if err := s.Note(ctx, day, Fact{Kind: Opened, Items: []ItemID{one}, Feed: f[0]}); err != nil {
		t.Fatal(err)
	}
	later := day.Add(time.Hour)
	must(s.File(ctx, later, []Filing{{Feed: f[0], Next: 3, Rekey: []Rekey{{N: 2, Keys: []uint64{1}}}, Edited: []EditedItem{
		{N: 1, NewItem: item("one, corrected", 5), KeepRevision: true}, {N: 2, NewItem: item("two, corrected")}}, Outcome: &Outcome{Kind: AnswerNew}}}))(t)
	got := must(s.Item(ctx, one))(t)
	if got.Flags != FlagRead|FlagChanged || got.Edits != 1 || got.Title != "one, corrected" || !got.FirstSeen.Equal(day) {
		t.Fatalf("edited: %+v", got)
	}
	if got := must(s.Item(ctx, two))(t); got.Flags != 0 || got.Edits != 1 {
		t.Fatalf("edited while unread: %+v", got)
	}
	rev := must(s.Revisions(ctx, one))(t)
	if len(rev) != 1 || rev[0].Title != "one" || rev[0].Body != (Body{HTML: "<p>one", Summary: "sum"}) || !rev[0].Until.Equal(later) {
		t.Fatalf("%+v", rev)
	}
	if b := must(s.Body(ctx, one))(t); b.HTML != "<p>one, corrected" {
		t.Fatalf("%+v", b)
	}
	if b := must(s.Body(ctx, two))(t); b.HTML != "<p>two, corrected" {
		t.Fatalf("%+v", b)
	}
	if m := must(s.Match(ctx, f[0], []uint64{1, 5}))(t); m.ByKey[1].N != 2 || m.ByKey[5].N != 1 {
		t.Fatalf("after rekeying: %+v", m)
	}
	must(s.File(ctx, later, []Filing{{Feed: f[0], Next: 3, Edited: []EditedItem{{N: 1, NewItem: item("again"), MakeUnread: true}}}}))(t)
	rows := must(s.Rows(ctx, RowQuery{Feed: f[0]}))(t)
	if rows[0].Was != "" || rows[1].Was != "one" {
		t.Errorf("the titles as their reader knows them: %q, %q", rows[0].Was, rows[1].Was)
	}
	if len(rows) != 2 || rows[1].Title != "again" || rows[1].Flags != FlagChanged || rows[1].Words != 7 {
		t.Fatalf("made unread again: %+v", rows)
	}
	if err := s.Note(ctx, later, Fact{Kind: Opened, Items: []ItemID{one}}); err != nil {
		t.Fatal(err)
	}
	if got := must(s.Item(ctx, one))(t); got.Flags != FlagRead {
		t.Fatalf("opened: %+v", got.Flags)
	}
	// Opened, the new title is the known one, and so is one that comes back.
	for _, x := range []struct{ title, was string }{{"third", "again"}, {"fourth", "again"}, {"again", ""}, {"fifth", "again"}} {
		if got := must(s.Rows(ctx, RowQuery{Feed: f[0], Which: All}))(t); got[1].Was != "" && got[1].Was != "again" {
			t.Fatalf("before %s: %q", x.title, got[1].Was)
		}
		must(s.File(ctx, later, []Filing{{Feed: f[0], Next: 3, Edited: []EditedItem{{N: 1, NewItem: item(x.title)}}}}))(t)
		if got := must(s.Rows(ctx, RowQuery{Feed: f[0], Which: All}))(t); got[1].Title != x.title || got[1].Was != x.was {
			t.Errorf("after %s: %q was %q, not %q", x.title, got[1].Title, got[1].Was, x.was)
		}
	}
	var fetched []Fetch
	must(s.Facts(ctx, 0, func(f *Fact) error {
		if f.Kind == Fetched {
			fetched = append(fetched, f.Fetch())
		}
		return nil
	}))(t)
	if !reflect.DeepEqual(fetched[0], Fetch{Answer: AnswerNew, Status: 200, Bytes: 5, Millis: 7, New: 2, Checks: []int64{day.Unix() - 60}}) || fetched[1].Changed != 2 {
		t.Fatalf("%+v", fetched)
	}
	sound(t, s, true)
}

// Lists are newest first, in pages of any size, whatever the dates.
func TestRowsInPages(t *testing.T) {
	s, ctx := newStore(t), t.Context()
	f := subscribe(t, s, 3)
	r := rand.New(rand.NewPCG(4, 4))
	for _, id := range f {
		n := arrivals(r, 30, 50, true)
		n[0].Published = day.AddDate(20, 0, 0) // the future gains nothing
		n[1].Published = time.Date(1969, 1, 1, 0, 0, 0, 0, time.UTC)
		n[2].Published = n[3].Published
		must(s.File(ctx, day, []Filing{{Feed: id, Next: 1, New: n}}))(t)
	}
	var some []ItemID
	for n := range uint32(30) {
		some = append(some, MakeItemID(f[n%3], n+1))
	}
	must(s.Act(ctx, day, "", Change{Kind: MarkedRead, Items: some[:20]}, Change{Kind: Saved, Items: some[10:]}, Change{Kind: Tagged, Items: some[5:15], Value: "später"}))(t)
	for w, want := range map[Which]int{Unread: 70, All: 90, SavedRows: 20, ReadRows: 20} {
		all := must(s.Rows(ctx, RowQuery{Which: w}))(t)
		if len(all) != want || !slices.IsSortedFunc(all, func(a, b Row) int { return record.CompareRows(b.At, b.ID, a.At, a.ID) }) {
			t.Fatalf("list %d: %d rows", w, len(all))
		}
		var paged []Row
		for q := (RowQuery{Which: w, Limit: 7}); ; q.Before = After(paged[len(paged)-1]) {
			page := must(s.Rows(ctx, q))(t)
			paged = append(paged, page...)
			if len(page) < 7 {
				break
			}
		}
		if !reflect.DeepEqual(all, paged) {
			t.Errorf("list %d differs in pages", w)
		}
		sum := 0
		for _, id := range f {
			sum += len(must(s.Rows(ctx, RowQuery{Which: w, Feed: id}))(t))
		}
		if sum != want {
			t.Errorf("list %d: the feeds' lists have %d rows", w, sum)
		}
	}
	all := must(s.Rows(ctx, RowQuery{Which: All}))(t)
	if all[0].At != day.Unix() || all[89].At >= 0 {
		t.Errorf("first at %d, last at %d", all[0].At, all[89].At)
	}
	tagged := 0
	for _, r := range all {
		tagged += record.Bit(slices.Equal(r.Tags, []string{"später"}))
	}
	if tagged != 10 {
		t.Errorf("%d rows are tagged", tagged)
	}
}

func TestRefused(t *testing.T) {
	s, ctx := newStore(t), t.Context()
	f := fill(t, s, 2, 3, 50)
	before := must(s.Totals(ctx))(t)
	item := []ItemID{MakeItemID(f[0], 1)}
	for name, c := range map[string]struct {
		change Change
		want   error
	}{
		"no address":      {Change{Kind: Subscribed, Sub: &Subscription{}}, ErrInvalid},
		"no subscription": {Change{Kind: Subscribed}, ErrInvalid},
		"empty tag":       {Change{Kind: Tagged, Items: item}, ErrInvalid},
		"no field":        {Change{Kind: Adjusted, Feed: f[0], Value: "x"}, ErrInvalid},
		"address removed": {Change{Kind: Adjusted, Feed: f[0], Field: "url"}, ErrInvalid},
		"address taken":   {Change{Kind: Adjusted, Feed: f[0], Field: "url", Value: "https://site1.example/feed.xml"}, ErrTaken},
		"no act":          {Change{Kind: Fetched}, ErrInvalid},
		"no such item":    {Change{Kind: MarkedRead, Items: []ItemID{MakeItemID(f[0], 99)}}, ErrUnknown},
		"item of no feed": {Change{Kind: MarkedRead, Items: []ItemID{MakeItemID(99, 1)}}, ErrUnknown},
		"no such feed":    {Change{Kind: Unsubscribed, Feed: 99}, ErrUnknown},
	} {
		// The good change before must go with the bad one.
		_, err := s.Act(ctx, day, "", Change{Kind: Saved, Items: item}, c.change)
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := s.Item(ctx, MakeItemID(f[0], 99)); !errors.Is(err, ErrUnknown) {
		t.Errorf("item: %v", err)
	}
	if err := s.Note(ctx, day, Fact{Kind: MarkedRead}); !errors.Is(err, ErrInvalid) {
		t.Errorf("note: %v", err)
	}
	if _, err := s.File(ctx, day, []Filing{{Feed: f[0], New: make([]NewItem, 1)}}); !errors.Is(err, ErrInvalid) {
		t.Errorf("items without Next: %v", err)
	}
	if now := must(s.Totals(ctx))(t); now != before {
		t.Errorf("something was changed: %+v, was %+v", now, before)
	}
	done := must(s.Act(ctx, day, "", Change{Kind: MarkedUnread, Items: item}, Change{Kind: Adjusted, Feed: f[0], Field: "folder", Value: words[0]}))(t)
	if done.Step != 0 || done.Changed != 0 {
		t.Errorf("nothing to change made a step: %+v", done)
	}
	s.Close()
	if _, err := s.Totals(ctx); !errors.Is(err, ErrClosed) {
		t.Errorf("closed: %v", err)
	}
}

// What queues up while a transaction runs shares the next one, and a bad act
// among them fails alone.
func TestSharedTransaction(t *testing.T) {
	s, ctx := newStore(t), t.Context()
	f := fill(t, s, 1, 40, 50)
	tx := s.Tx(ctx)
	held, let := make(chan bool), make(chan bool)
	var wg sync.WaitGroup
	wg.Go(func() {
		s.lib.Do(ctx, &library.Job{Write: true, Fn: func(*library.Txn) error { held <- true; <-let; return nil }})
	})
	<-held
	errs := make([]error, 20)
	for i := range errs {
		wg.Go(func() {
			changes := []Change{{Kind: MarkedRead, Items: []ItemID{MakeItemID(f[0], uint32(i+1))}}}
			if i == 7 {
				changes = append(changes, Change{Kind: MarkedRead, Items: []ItemID{MakeItemID(f[0], 999)}})
			}
			_, errs[i] = s.Act(ctx, day, "", changes...)
		})
	}
	cancelled, cancel := context.WithCancel(ctx)
	gone := make(chan bool)
	wg.Go(func() {
		defer close(gone)
		_, err := s.Act(cancelled, day, "", Change{Kind: Saved, Items: []ItemID{MakeItemID(f[0], 1)}})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled while waiting: %v", err)
		}
	})
	cancel()
	<-gone
	let <- true
	wg.Wait()
	for i, err := range errs {
		if i == 7 && !errors.Is(err, ErrUnknown) || i != 7 && err != nil {
			t.Errorf("act %d: %v", i, err)
		}
	}
	if got := must(s.Totals(ctx))(t); got.Unread != 21 || got.Saved != 0 {
		t.Errorf("%+v", got)
	}
	t.Logf("%d transactions", s.Tx(ctx)-tx)
	sound(t, s, true)
}

// A panic of our own is not damage, reaches the caller, and leaves the store
// usable.
func TestBugIsNoDamage(t *testing.T) {
	s, ctx := newStore(t), t.Context()
	fill(t, s, 1, 2, 50)
	for _, write := range []bool{false, true} {
		func() {
			defer func() {
				if p := recover(); p == nil || !strings.Contains(fmt.Sprint(p), "index out of range") {
					t.Errorf("write %t: recovered %v", write, p)
				}
			}()
			s.lib.Do(ctx, &library.Job{Write: write, Fn: func(tx *library.Txn) error {
				var none []int
				none[len(tx.Feeds)]++
				return nil
			}})
		}()
	}
	must(s.Act(ctx, day, "", Change{Kind: MarkedRead, Items: []ItemID{MakeItemID(1, 1)}}))(t)
	sound(t, s, true)
}

// Large bodies, empty ones and many: each comes back, whatever chunk it is in.
func TestBodies(t *testing.T) {
	s, ctx := newStore(t), t.Context()
	f := subscribe(t, s, 2)
	r := rand.New(rand.NewPCG(6, 6))
	want := make(map[ItemID]Body)
	next := map[FeedID]uint32{f[0]: 1, f[1]: 1}
	for range 60 {
		id := f[r.IntN(2)]
		n := arrivals(r, 1+r.IntN(5), 10, true)
		for i := range n {
			n[i].Body = Body{HTML: prose(r, []int{0, 10, 3000, 30_000, 200_000}[r.IntN(5)]), Summary: prose(r, 20)}
			if r.IntN(4) == 0 {
				n[i].Body = Body{}
			}
		}
		filed := must(s.File(ctx, day, []Filing{{Feed: id, Next: next[id], New: n}}))(t)
		next[id] += uint32(len(n))
		for i, item := range filed[0].Items {
			want[item] = n[i].Body
		}
	}
	for id, b := range want {
		if got := must(s.Body(ctx, id))(t); got != b {
			t.Fatalf("body of %s: %d bytes, want %d", id, len(got.HTML), len(b.HTML))
		}
	}
	sound(t, s, true)
}

// TestCorrections: what is corrected of an item follows in its record and in all
// its rows; no fact, no revision, no counter and no flag does.
func TestCorrections(t *testing.T) {
	s, f, one, two := twoItems(t)
	ctx := t.Context()
	must(s.Act(ctx, day, "", Change{Kind: MarkedRead, Items: []ItemID{one}}, Change{Kind: Saved, Items: []ItemID{one}}))(t)
	last := must(s.Facts(ctx, 0, func(*Fact) error { return nil }))(t)
	c := item("other").Item
	c.Author = "Bob"
	c.Enclosures, c.Categories = nil, []string{"d"}
	if d := must(s.File(ctx, day.Add(time.Hour), []Filing{{Feed: f[0], Next: 3, Corrected: []Correction{{N: one.N(), Item: c}, {N: two.N(), Item: item("two").Item}}}}))(t); d[0].Err != nil || d[0].Changed != 0 {
		t.Fatalf("%+v", d)
	}
	got := must(s.Item(ctx, one))(t)
	if got.Title != "other" || got.Link != c.Link || got.Author != "Bob" || len(got.Enclosures) != 0 || got.Categories[0] != "d" ||
		got.Edits != 0 || got.Corrected != 1 || !got.CorrectedAt.Equal(day.Add(time.Hour)) || got.Flags != FlagRead|FlagSaved || got.IDRaw != "raw one" || got.BodySize == 0 {
		t.Errorf("%+v", got)
	}
	for _, which := range []Which{All, ReadRows, SavedRows} {
		rows := must(s.Rows(ctx, RowQuery{Which: which}))(t)
		found := false
		for _, r := range rows {
			found = found || r.ID == one && r.Title == "other" && r.Was == "" && r.Flags == FlagRead|FlagSaved
		}
		if !found {
			t.Errorf("list %d: %+v", which, rows)
		}
	}
	if now := must(s.Facts(ctx, 0, func(*Fact) error { return nil }))(t); now != last {
		t.Errorf("%d facts, then %d", last, now)
	}
	// An edit after it keeps the count, a title that goes back to what its reader
	// knows is reported no more, and an item that is not there is refused.
	e := EditedItem{N: one.N(), NewItem: item("three"), SameText: true, KeepRevision: true}
	e.Body = Body{}
	must(s.File(ctx, day, []Filing{{Feed: f[0], Next: 3, Edited: []EditedItem{e}}}))(t)
	if got := must(s.Item(ctx, one))(t); got.Corrected != 1 || got.Title != "three" || must(s.Body(ctx, one))(t).HTML != "<p>one" {
		t.Errorf("%+v", got)
	}
	must(s.File(ctx, day, []Filing{{Feed: f[0], Next: 3, Corrected: []Correction{{N: one.N(), Item: c}}}}))(t)
	if rows := must(s.Rows(ctx, RowQuery{Which: SavedRows}))(t); rows[0].Title != "other" || rows[0].Was != "" {
		t.Errorf("%+v", rows)
	}
	if d := must(s.File(ctx, day, []Filing{{Feed: f[0], Next: 3, Corrected: []Correction{{N: 9}}}}))(t); !errors.Is(d[0].Err, ErrUnknown) {
		t.Errorf("%+v", d)
	}
	sound(t, s, true)
}
