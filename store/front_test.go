package store

import (
	"context"
	"fmt"
	"testing"
	"time"

	"diurna/store/library"
)

// TestFront holds the front against all feeds and all rows while feeds are hidden,
// shown, unsubscribed and taken back, and in a library from before schema 5.
func TestFront(t *testing.T) {
	s, err := Open(Options{Dir: t.TempDir(), NoSync: true, Wait: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx, now := context.Background(), time.Unix(1_700_000_000, 0)
	act := func(c ...Change) Done {
		t.Helper()
		done, err := s.Act(ctx, now, "", c...)
		if err != nil {
			t.Fatal(err)
		}
		return done
	}
	var subs []Change
	for i := range 6 {
		subs = append(subs, Change{Kind: Subscribed, Sub: &Subscription{URL: fmt.Sprintf("https://f%d.example/", i), Hidden: i == 1}})
	}
	feeds := act(subs...).Feeds
	for i, id := range feeds {
		f := Filing{Feed: id, Next: 1, Outcome: &Outcome{Kind: AnswerNew}}
		for j := range 40 {
			f.New = append(f.New, NewItem{Unread: true, Keys: []uint64{uint64(j + 1)}, Item: Item{Title: "x", Published: now.Add(-time.Duration(10*j+i) * time.Second)}})
		}
		if filed, err := s.File(ctx, now, []Filing{f}); err != nil || filed[0].Err != nil {
			t.Fatal(err, filed)
		}
	}
	same := func(when string) {
		t.Helper()
		all, err := s.Feeds(ctx)
		if err != nil {
			t.Fatal(err)
		}
		hidden, unread := map[FeedID]bool{}, 0
		for _, f := range all {
			if f.Hidden {
				hidden[f.ID] = true
				unread += f.Unread
			}
		}
		rows, err := s.Rows(ctx, RowQuery{Which: Unread})
		if err != nil {
			t.Fatal(err)
		}
		var want []ItemID
		for _, r := range rows {
			if !hidden[r.ID.Feed()] && len(want) < 50 {
				want = append(want, r.ID)
			}
		}
		got, err := s.Front(ctx, 50)
		if err != nil {
			t.Fatal(when, err)
		}
		known := map[FeedID]bool{}
		for _, f := range got.Feeds {
			known[f.ID] = f.Items == 40
		}
		for i, r := range got.Rows {
			if i >= len(want) || r.ID != want[i] || !known[r.ID.Feed()] {
				t.Fatalf("%s: row %d is %s", when, i, r.ID)
			}
		}
		totals, err := s.Totals(ctx)
		if err != nil || len(got.Rows) != len(want) || got.Totals.Hidden != unread || totals != got.Totals {
			t.Fatalf("%s: %d rows of %d, %d hidden of %d, totals %+v, %v", when, len(got.Rows), len(want), got.Totals.Hidden, unread, totals, err)
		}
		if rep, err := s.Check(ctx, true, nil); err != nil || len(rep.Findings) > 0 {
			t.Fatalf("%s: %v %v", when, rep.Findings, err)
		}
	}
	same("at first")
	hide := func(i int, to string) Done {
		return act(Change{Kind: Adjusted, Feed: feeds[i], Field: "hidden", Value: to})
	}
	step := hide(4, "yes").Step
	hide(0, "yes")
	same("two more hidden")
	hide(1, "")
	same("one shown")
	if _, err := s.Undo(ctx, now, step, 0); err != nil {
		t.Fatal(err)
	}
	same("taken back")
	act(Change{Kind: Unsubscribed, Feed: feeds[0]})
	same("a hidden one unsubscribed")
	act(subs[0])
	same("and subscribed to again")
	aged(t, s.Path(), 4)
	same("in a library of schema 4")
	hide(5, "yes")
	same("which was brought up")
	if err := s.lib.Do(ctx, &library.Job{Write: true, Fn: func(x *library.Txn) error { return x.PutHidden([]FeedID{feeds[2]}) }}); err != nil {
		t.Fatal(err)
	}
	if rep, err := s.Check(ctx, true, nil); err != nil || len(rep.Findings) == 0 {
		t.Fatal("nobody noticed a wrong list of hidden feeds", err)
	}
}
