package store

import (
	"math/rand/v2"
	"testing"
	"time"
)

// busy is a library in which everything has happened.
func busy(t *testing.T, seed uint64) *walker {
	r := rand.New(rand.NewPCG(seed, 3))
	w := &walker{tb: t, s: newStore(t), now: day, next: map[FeedID]uint32{}, pick: r.IntN}
	w.act(Change{Kind: Subscribed, Sub: &Subscription{URL: "https://one.example/"}})
	for len(w.items) == 0 {
		w.file()
	}
	for range 60 {
		[]func(){w.deliberate, w.file, w.back, w.open}[r.IntN(4)]()
	}
	return w
}

// TestForget: after forgetting no fact since then tells about interest, the state
// is still what the facts add up to, undo and what is done later work.
func TestForget(t *testing.T) {
	for seed := range uint64(6) {
		w := busy(t, seed)
		ctx := t.Context()
		since := w.now.Add(-time.Duration(seed) * 20 * time.Minute)
		must(w.s.Act(ctx, w.now, "", Change{Kind: Trained, Items: w.items[:1], Field: "lesson", Value: "more"}))(t)
		counts := func() (since1, before int) {
			if _, err := w.s.Facts(ctx, 0, func(f *Fact) error {
				if f.Kind == Opened || (f.Kind == Shown || f.Kind == Trained) && (len(f.Items) > 0 || f.New != "") {
					if f.At.Before(since) {
						before++
					} else {
						since1++
					}
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			return since1, before
		}
		late, early := counts()
		if late == 0 {
			t.Fatal("nothing to forget: the test proves nothing")
		}
		before := look(t, w.s)
		if n := must(w.s.Forget(ctx, since))(t); n != late {
			t.Fatalf("%d facts forgotten, want %d", n, late)
		}
		if l, e := counts(); l != 0 || e != early {
			t.Fatalf("%d facts since then still tell, %d before (want %d)", l, e, early)
		}
		if after := look(t, w.s); len(after.Rows) != len(before.Rows) || after.Totals != before.Totals {
			t.Fatalf("forgetting changed the shelf: %+v, was %+v", after.Totals, before.Totals)
		}
		if n := must(w.s.Forget(ctx, since))(t); n != 0 {
			t.Fatalf("%d facts were forgotten twice", n)
		}
		sound(t, w.s, true)
		w.back()
		w.open()
		w.deliberate()
		sound(t, w.s, true)
	}
}

// TestManyBodies: many texts at once are the texts one by one.
func TestManyBodies(t *testing.T) {
	w := busy(t, 1)
	w.act(Change{Kind: Subscribed, Sub: &Subscription{URL: "https://many.example/"}})
	for len(w.items) < 300 {
		w.file()
	}
	at := 0
	if err := w.s.Bodies(t.Context(), w.items, func(id ItemID, b Body) {
		if want := must(w.s.Body(t.Context(), w.items[at]))(t); id != w.items[at] || b != want {
			t.Errorf("%s: another text", id)
		}
		at++
	}); err != nil || at != len(w.items) || at < 300 {
		t.Fatalf("%d of %d, %v", at, len(w.items), err)
	}
	if err := w.s.Bodies(t.Context(), []ItemID{MakeItemID(1, 1<<20)}, func(ItemID, Body) {}); err == nil {
		t.Fatal("the text of an item that never was")
	}
}
