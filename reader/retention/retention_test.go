package retention

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"diurna/reader/model"
	"diurna/store"
)

var began = time.Date(2026, 1, 5, 8, 0, 0, 0, time.UTC)

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// library has one feed of n items, which the document has from first on, and something
// done every other day until the end.
func library(t *testing.T, n int, present string, end time.Time) (*store.Store, []store.ItemID) {
	t.Helper()
	s, err := store.Open(store.Options{Dir: t.TempDir() + "/lib"})
	check(t, err)
	t.Cleanup(func() { s.Close() })
	ctx := t.Context()
	d, err := s.Act(ctx, began, "", store.Change{Kind: store.Subscribed, Sub: &store.Subscription{URL: "https://a.example/"}})
	check(t, err)
	f := store.Filing{Feed: d.Feeds[0], Next: 1, Poll: &store.Poll{Present: present}}
	for i := range n {
		f.New = append(f.New, store.NewItem{Item: store.Item{Title: fmt.Sprint("item ", i), Published: began.Add(time.Duration(i) * time.Second), Hash: uint64(i)},
			Body: store.Body{HTML: "<p>" + strings.Repeat(fmt.Sprint("word", i, " "), 400)}, Keys: []uint64{uint64(i) + 1}, Unread: i%10 == 9})
	}
	out, err := s.File(ctx, began, []store.Filing{f})
	check(t, err)
	for at := began; at.Before(end); at = at.Add(48 * time.Hour) {
		check(t, s.Note(ctx, at, store.Fact{Kind: store.Looked}))
	}
	return s, out[0].Items
}

// newest is how many items keep their texts here.
const newest = 40

// Only what was read, is not saved, not tagged, not in its feed and was left alone for
// 30 days loses its text; what was done in these days can be taken back.
func TestWhatGoes(t *testing.T) {
	end := began.AddDate(1, 1, 0)
	n := newest + 200
	s, ids := library(t, n, "3-5", end)
	ctx := t.Context()
	act := func(at time.Time, kind store.Kind, i int, value string) store.Done {
		d, err := s.Act(ctx, at, "", store.Change{Kind: kind, Items: []store.ItemID{ids[i]}, Value: value})
		check(t, err)
		return d
	}
	recent := end.AddDate(0, 0, -20)
	act(began, store.Saved, 10, "")
	act(began, store.Tagged, 11, "x")
	steps := []store.Done{act(recent, store.MarkedUnread, 12, ""), act(recent, store.MarkedRead, 12, ""), act(recent, store.Saved, 13, ""), act(recent, store.Unsaved, 13, "")}
	old := act(began, store.Saved, 15, "")
	_, err := s.Undo(ctx, recent, old.Step, 0)
	check(t, err)
	check(t, s.Note(ctx, recent, store.Fact{Kind: store.Opened, Items: ids[14:15]}))
	stays := map[int]bool{2: true, 3: true, 4: true, 10: true, 11: true, 12: true, 13: true, 14: true, 15: true}
	before, err := s.Rows(ctx, store.RowQuery{Which: store.All})
	check(t, err)
	var touched []store.ItemID
	r := New(s, Ages{}, func(_ context.Context, ids []store.ItemID) { touched = append(touched, ids...) })
	r.keep = newest
	if age, err := r.Age(ctx); err != nil || age != 365*24*time.Hour {
		t.Fatalf("the age of a new library: %v, %v", age, err)
	}
	if n, err := New(s, Ages{Text: -1}, nil).Run(ctx, end); n != 0 || err != nil {
		t.Fatalf("off: %d, %v", n, err)
	}
	gone, err := r.Run(ctx, end)
	check(t, err)
	items, err := s.Items(ctx, ids)
	check(t, err)
	want := 0
	for i := range items {
		removed := i < n-newest && i%10 != 9 && !stays[i]
		want += map[bool]int{true: 1}[removed]
		b, err := s.Body(ctx, ids[i])
		check(t, err)
		if items[i].TextRemoved.IsZero() == removed || removed && (b.HTML != "" || b.Summary != "" || b.Words == "") || !removed && len(b.HTML) < 2000 {
			t.Errorf("item %d: removed %v, %+v", i, items[i].TextRemoved, b)
		}
	}
	if gone != want || len(touched) != want || want < 100 {
		t.Errorf("%d removed, %d reported, want %d", gone, len(touched), want)
	}
	if after, err := s.Rows(ctx, store.RowQuery{Which: store.All}); err != nil || fmt.Sprint(after) != fmt.Sprint(before) {
		t.Error("the rows changed", err)
	}
	if n, err := r.Run(ctx, end.Add(time.Hour)); n != 0 || err != nil {
		t.Errorf("again on that day: %d, %v", n, err)
	}
	if _, _, err := s.Compact(ctx); err != nil {
		t.Fatal(err)
	}
	for i := range steps {
		_, err := s.Undo(ctx, end, steps[len(steps)-1-i].Step, 0)
		check(t, err)
	}
	m, err := s.Match(ctx, ids[0].Feed(), []uint64{1, 2, uint64(n)})
	if err != nil || len(m.ByKey) != 3 || m.ByKey[1].Hash != 0 || m.ByKey[2].Hash != 1 {
		t.Errorf("removed items are not known any more: %+v, %v", m, err)
	}
	rep, err := s.Check(ctx, true, nil)
	if err != nil || len(rep.Findings) > 0 {
		t.Errorf("%+v, %v", rep.Findings, err)
	}
}

// A clock that is ten years ahead makes nothing old, and no feed of which it is not
// known what it has loses a text.
func TestWhatStays(t *testing.T) {
	end := began.AddDate(0, 2, 0)
	s, _ := library(t, newest+20, "1", end)
	r := New(s, Ages{Text: 365 * 24 * time.Hour}, nil)
	r.keep = newest
	for _, now := range []time.Time{end, end.AddDate(10, 0, 0)} {
		if n, err := r.Due(t.Context(), now, 365*24*time.Hour); n != 0 || err != nil {
			t.Errorf("at %v: %d, %v", now, n, err)
		}
	}
	check(t, s.Note(t.Context(), end.AddDate(10, 0, 0), store.Fact{Kind: store.Looked}))
	if n, err := r.Due(t.Context(), end.AddDate(10, 0, 1), 365*24*time.Hour); n != 0 || err != nil {
		t.Errorf("ten years ahead: %d, %v", n, err)
	}
	end = began.AddDate(2, 0, 0)
	unknown, _ := library(t, newest+20, "", end)
	r = New(unknown, Ages{}, nil)
	r.keep = newest
	if n, err := r.Due(t.Context(), end, 365*24*time.Hour); n != 0 || err != nil {
		t.Errorf("unknown feed: %d, %v", n, err)
	}
}

// A feed's own setting goes before that of all, either way.
func TestOfAFeed(t *testing.T) {
	end := began.AddDate(0, 6, 0)
	s, ids := library(t, newest+20, "1", end)
	ctx, feed := t.Context(), ids[0].Feed()
	set := func(value string) {
		_, err := s.Act(ctx, end, "", store.Change{Kind: store.Adjusted, Feed: feed, Field: model.SettingRetention, Value: value})
		check(t, err)
	}
	run := func(age time.Duration) int {
		check(t, s.Cache().Delete(ctx, bucket))
		r := New(s, Ages{Text: age}, func(context.Context, []store.ItemID) {})
		r.keep = newest
		n, err := r.Run(ctx, end)
		check(t, err)
		return n
	}
	const day = 24 * time.Hour
	if n := run(-1); n != 0 {
		t.Errorf("%d without a setting", n)
	}
	set("off")
	if n := run(40 * day); n != 0 {
		t.Errorf("%d of a feed that keeps its texts", n)
	}
	set("5y")
	if n := run(40 * day); n != 0 {
		t.Errorf("%d too early", n)
	}
	rows := func() int {
		check(t, s.Cache().Delete(ctx, bucket))
		r := New(s, Ages{Text: -1, Rows: 40 * day}, func(context.Context, []store.ItemID) {})
		r.keep = newest
		n, err := r.Run(ctx, end)
		check(t, err)
		return n
	}
	if n := rows(); n != 0 {
		t.Errorf("%d rows of a feed that keeps its texts longer", n)
	}
	set("off")
	if n := rows(); n != 0 {
		t.Errorf("%d rows of a feed that keeps its texts", n)
	}
	set("nonsense")
	if n := run(-1); n != 0 {
		t.Errorf("%d by a setting that is not understood", n)
	}
	// With it goes what was fetched of the pages of the items.
	note := func(id store.ItemID) (has bool) {
		check(t, s.NotesAt(ctx, []store.NotePlace{{Feed: feed, Key: store.NoteOfText(id)}}, func(int, []byte) { has = true }))
		return has
	}
	notes := map[uint64][]byte{store.NoteOfText(ids[1]): []byte("old"), store.NoteOfText(ids[len(ids)-1]): []byte("new")}
	if out, err := s.File(ctx, end, []store.Filing{{Feed: feed, Page: &store.PageFiling{Notes: notes}}}); err != nil || out[0].Err != nil {
		t.Fatal(out, err)
	}
	set("60d")
	if n := run(-1); n < 15 || n > 20 {
		t.Errorf("%d removed", n)
	}
	if note(ids[1]) || !note(ids[len(ids)-1]) {
		t.Errorf("the whole text of a removed one is kept (%v), of one that stays not", note(ids[1]))
	}
	if rep, err := s.Check(ctx, true, nil); err != nil || len(rep.Findings) > 0 {
		t.Errorf("%v, %v", rep.Findings, err)
	}
}

// What stays of a text are the words that Ranked knows of it; of an item without a title also the
// first ones as they stood there, which lists show in place of a title.
func TestLead(t *testing.T) {
	body := store.Body{HTML: "<p>The pilot <b>boat</b> &amp; the ferry, one after the other past the long breakwater at the end of the harbour wall.</p>"}
	titled, _ := lead(0, "Harbour", body)
	if titled.HTML != "" || titled.Summary != "" || titled.Words != "boat breakwater end ferry harbour long past pilot wall" {
		t.Errorf("%+v", titled)
	}
	untitled, _ := lead(0, "", body)
	if got, want := model.LeadOf(untitled.Summary), model.LeadOf(body.HTML); got != want || untitled.Words != titled.Words {
		t.Errorf("%+v begins with %q, want %q", untitled, got, want)
	}
	again, _ := lead(0, "", untitled)
	if again != untitled {
		t.Errorf("%+v is kept as %+v", untitled, again)
	}
}

// A library that an older version made says once, when its first texts are old enough, how
// large it is and what to write; a new one and one with a setting never.
func TestOffer(t *testing.T) {
	end := began.AddDate(1, 1, 0)
	young, _ := library(t, newest+20, "1", began.AddDate(0, 11, 0))
	check(t, young.SetMeta(t.Context(), store.RetentionKey, nil))
	if say, err := New(young, Ages{}, nil).Offer(t.Context(), began.AddDate(0, 11, 0)); say != "" || err != nil {
		t.Errorf("too early: %s, %v", say, err)
	}
	s, _ := library(t, newest+20, "1", end)
	offer := func(age time.Duration, now time.Time) string {
		t.Helper()
		r := New(s, Ages{Text: age}, nil)
		r.keep = newest
		say, err := r.Offer(t.Context(), now)
		check(t, err)
		return say
	}
	if say := offer(0, end); say != "" {
		t.Errorf("a new library: %s", say)
	}
	check(t, s.SetMeta(t.Context(), store.RetentionKey, nil))
	for _, age := range []time.Duration{-1, offerAge} {
		if say := offer(age, end); say != "" {
			t.Errorf("with a setting: %s", say)
		}
	}
	say := offer(0, end.AddDate(0, 0, 3))
	if !regexp.MustCompile(`^The library has [0-9.]+ .B: .*text = "12mo" .* Up to 19 items `).MatchString(say) {
		t.Errorf("said: %q", say)
	}
	if say := offer(0, end.AddDate(0, 0, 9)); say != "" {
		t.Errorf("a second time: %s", say)
	}
}
