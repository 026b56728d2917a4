package store

import (
	"testing"
	"time"
)

func TestSmoke(t *testing.T) {
	ctx := t.Context()
	s, err := Open(Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 20, 9, 0, 0, 0, time.FixedZone("", 3600))
	d, err := s.Act(ctx, now, "add", Change{Kind: Subscribed, Sub: &Subscription{URL: "https://a.example/feed", Title: "A", Tags: []string{"x", "y"}}})
	if err != nil {
		t.Fatal(err)
	}
	f := d.Feeds[0]
	var ns []NewItem
	for i := range 20 {
		ns = append(ns, NewItem{Item: Item{Title: "t", Link: "l", Published: now.Add(-time.Duration(i) * time.Hour), Hash: uint64(i)}, Body: Body{HTML: "hello"}, Keys: []uint64{uint64(i)}, Unread: i < 10})
	}
	fd, err := s.File(ctx, now, []Filing{{Feed: f, Next: 1, New: ns, Poll: &Poll{ETag: "e"}, Outcome: &Outcome{Kind: "new", Status: 200}, FeedTitle: "AA"}})
	if err != nil || fd[0].Err != nil {
		t.Fatal(err, fd)
	}
	rows, err := s.Rows(ctx, RowQuery{Which: All})
	if err != nil || len(rows) != 20 {
		t.Fatal(err, len(rows))
	}
	if _, err := s.Act(ctx, now, "River", Change{Kind: MarkedRead, Items: fd[0].Items}, Change{Kind: Tagged, Items: fd[0].Items[:3], Value: "z"}, Change{Kind: Saved, Items: fd[0].Items[2:5]}); err != nil {
		t.Fatal(err)
	}
	if b, err := s.Body(ctx, fd[0].Items[7]); err != nil || b.HTML != "hello" {
		t.Fatal(b, err)
	}
	if _, err := s.Act(ctx, now, "", Change{Kind: Unsubscribed, Feed: f}); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if st, err := s.Undo(ctx, now, 0, 0); err != nil {
			t.Fatal(err, st)
		}
	}
	for range 3 {
		if _, err := s.Redo(ctx, now); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Undo(ctx, now, 0, 0); err != nil {
		t.Fatal(err)
	}
	sh, err := s.Shelf(ctx, All, 5)
	t.Logf("%+v %v", sh, err)
	rep, err := s.Check(ctx, true, nil)
	if err != nil || len(rep.Findings) > 0 {
		t.Fatalf("%+v %v", rep, err)
	}
	if err := s.Backup(ctx, t.TempDir()+"/b"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Compact(ctx); err != nil {
		t.Fatal(err)
	}
	if rep, err := s.Check(ctx, true, nil); err != nil || len(rep.Findings) > 0 {
		t.Fatalf("%+v %v", rep, err)
	}
}
