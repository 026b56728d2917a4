package store

import (
	"context"
	"testing"
	"time"
)

// TestCountOfStep: a step is called by its first change and counts those of its kind
// alone; what a rule does to items goes with the rule.
func TestCountOfStep(t *testing.T) {
	s, ctx, now := newStore(t), context.Background(), time.Unix(1_790_000_000, 0)
	f := subscribe(t, s, 1)[0]
	filing := Filing{Feed: f, Next: 1, New: []NewItem{{Item: Item{Title: "a"}, Unread: true}, {Item: Item{Title: "b"}, Unread: true}, {Item: Item{Title: "c"}, Unread: true}}}
	if _, err := s.File(ctx, now, []Filing{filing}); err != nil {
		t.Fatal(err)
	}
	item := func(n uint32) []ItemID { return []ItemID{MakeItemID(f, n)} }
	done, err := s.Act(ctx, now, "import", Change{Kind: Subscribed, Sub: &Subscription{URL: "https://new.example/"}},
		Change{Kind: Adjusted, Field: RuleField(1), Value: "{}"}, Change{Kind: MarkedRead, Items: item(1)},
		Change{Kind: MarkedRead, Field: RuleField(1), Items: item(2)}, Change{Kind: Tagged, Value: MutedTag(1), Field: RuleField(1), Items: item(2)})
	if err != nil {
		t.Fatal(err)
	}
	steps, err := s.Steps(ctx, 1)
	if err != nil || steps[0].Kind != Subscribed || steps[0].Count != 1 {
		t.Errorf("%+v, %v", steps, err)
	}
	unread := func(want int) {
		t.Helper()
		if all, err := s.Totals(ctx); err != nil || all.Unread != want {
			t.Errorf("%d unread, not %d; %v", all.Unread, want, err)
		}
		if check, err := s.Check(ctx, true, nil); err != nil || len(check.Findings) > 0 {
			t.Errorf("%+v, %v", check, err)
		}
	}
	unread(1)
	if _, err := s.Undo(ctx, now, done.Step, 0); err != nil {
		t.Fatal(err)
	}
	unread(3)
	if _, err := s.Redo(ctx, now); err != nil {
		t.Fatal(err)
	}
	unread(1)
}
