package store

import (
	"errors"
	"maps"
	"slices"
	"testing"

	"diurna/store/record"
)

// rule makes, changes or removes a random rule, and applies it to some items.
func (w *walker) rule() {
	w.tb.Helper()
	rules, err := w.s.RuleBook().Rules(w.tb.Context(), 0)
	if err != nil && !errors.Is(err, ErrNone) {
		w.tb.Fatal(err)
	}
	no := max(1, rules.Next-w.pick(3))
	a := RuleAct{No: no}
	if no == rules.Next {
		a.Text = "a rule"
		for range w.pick(3) {
			a.Changes = append(a.Changes, w.ruleChange(no))
		}
	}
	d, err := w.s.RuleBook().ActRule(w.tb.Context(), w.now, a)
	if err != nil && !errors.Is(err, ErrNone) && !errors.Is(err, ErrUnknown) {
		w.tb.Fatal(err)
	}
	w.steps += record.Bit(d.Step != 0)
}

func (w *walker) ruleChange(no int) Change {
	switch w.pick(4) {
	case 0:
		return Change{Kind: Saved, Items: w.some()}
	case 1:
		return Change{Kind: Tagged, Value: words[w.pick(3)] + "t", Items: w.some()}
	case 2:
		return Change{Kind: Tagged, Value: MutedTag(no), Items: w.some()}
	}
	return Change{Kind: MarkedRead, Items: w.some()}
}

// ruled has random rules mark new items.
func (w *walker) ruled(g *Filing) {
	rules, err := w.s.RuleBook().Rules(w.tb.Context(), 0)
	if err != nil {
		w.tb.Fatal(err)
	}
	g.Rules = &Ruling{At: rules.At}
	there := slices.Sorted(maps.Keys(rules.Text))
	if len(there) == 0 {
		return
	}
	for i := range g.New {
		if w.pick(2) == 0 {
			no := there[w.pick(len(there))]
			c := w.ruleChange(no)
			g.Rules.Marks = append(g.Rules.Marks, RuleMark{Rule: no, Kind: c.Kind, Value: c.Value, New: []int{i}})
		}
	}
}

// What a rule muted comes back when it is taken back or removed, but for what
// somebody opened or marked since, and goes again when that is taken back.
func TestRuleTurned(t *testing.T) {
	s, ctx := newStore(t), t.Context()
	f := fill(t, s, 1, 6, 100)[0]
	id := func(n uint32) ItemID { return MakeItemID(f, n) }
	ids := []ItemID{id(1), id(2), id(3), id(4)}
	unread := func(want int, muted ...ItemID) {
		t.Helper()
		var got []ItemID
		for _, r := range must(s.Rows(ctx, RowQuery{Which: All}))(t) {
			if r.Muted != 0 {
				got = append(got, r.ID)
			}
			if len(r.Tags) != 0 {
				t.Errorf("%s has tags %q", r.ID, r.Tags)
			}
		}
		slices.Sort(got)
		if n := must(s.Totals(ctx))(t).Unread; n != want || !slices.Equal(got, muted) {
			t.Fatalf("%d are unread and %v muted, want %d and %v", n, got, want, muted)
		}
		sound(t, s, true)
	}
	unread(6)
	mute := func(no int, ids []ItemID) []Change {
		return []Change{{Kind: MarkedRead, Items: ids}, {Kind: Tagged, Value: MutedTag(no), Items: ids}}
	}
	seen := must(s.RuleBook().Rules(ctx, 0))(t)
	add := must(s.RuleBook().ActRule(ctx, day, RuleAct{No: 1, Text: "a", Seen: seen.Fact, Changes: mute(1, ids)}))(t)
	if add.Changed != 4 {
		t.Fatalf("it touched %d items", add.Changed)
	}
	unread(2, ids...)
	if _, err := s.RuleBook().ActRule(ctx, day, RuleAct{No: 2, Text: "b", Seen: seen.Fact}); !errors.Is(err, ErrStale) {
		t.Fatalf("an act on what was read before another: %v", err)
	}
	if d := must(s.File(ctx, day, []Filing{{Feed: f, Next: 7, New: make([]NewItem, 1), Rules: &Ruling{At: seen.At}}}))(t); !errors.Is(d[0].Err, ErrStale) {
		t.Fatalf("a filing that did not ask the new rule: %v", d[0].Err)
	}
	if err := s.Note(ctx, day, Fact{Kind: Opened, Items: ids[:1]}); err != nil {
		t.Fatal(err)
	}
	must(s.Act(ctx, day, "", Change{Kind: MarkedUnread, Items: ids[1:2]}))(t)
	unread(3, id(1), id(3), id(4))

	rm := must(s.RuleBook().ActRule(ctx, day, RuleAct{No: 1}))(t)
	unread(5)
	if _, err := s.Undo(ctx, day, 0, 0); err != nil {
		t.Fatal(err)
	}
	unread(3, id(1), id(3), id(4))
	if rm.Step == 0 {
		t.Fatal("removing is no step")
	}
	if _, err := s.Undo(ctx, day, add.Step, 0); err != nil {
		t.Fatal(err)
	}
	unread(5) // the opened one is read, the one that was marked stays unread
	if _, err := s.Redo(ctx, day); err != nil {
		t.Fatal(err)
	}
	unread(3, id(1), id(3), id(4))
}

// What the reader marked while a rule muted it is marked so again when that is undone and
// redone after the rule was removed.
func TestMarkOfMutedRedone(t *testing.T) {
	for _, c := range []struct {
		kind          Kind
		unread, after int // with the rule gone, and once the mark is undone
	}{{MarkedRead, 0, 1}, {MarkedUnread, 1, 1}} {
		s, ctx := newStore(t), t.Context()
		ids := []ItemID{MakeItemID(fill(t, s, 1, 1, 100)[0], 1)}
		must(s.RuleBook().ActRule(ctx, day, RuleAct{No: 1, Text: "a", Changes: []Change{{Kind: MarkedRead, Items: ids}, {Kind: Tagged, Value: MutedTag(1), Items: ids}}}))(t)
		mark := must(s.Act(ctx, day, "", Change{Kind: c.kind, Items: ids}))(t)
		must(s.RuleBook().ActRule(ctx, day, RuleAct{No: 1}))(t)
		unread := func(when string, want int) {
			t.Helper()
			if got := must(s.Totals(ctx))(t).Unread; got != want {
				t.Errorf("%s, %s: %d are unread, want %d", c.kind, when, got, want)
			}
			sound(t, s, true)
		}
		unread("without the rule", c.unread)
		must(s.Undo(ctx, day, mark.Step, 0))(t)
		unread("undone", c.after)
		must(s.Redo(ctx, day))(t)
		unread("redone", c.unread)
	}
}

// Two rules mute an item: it comes back when both are gone.
func TestTwoRulesOneItem(t *testing.T) {
	s, ctx := newStore(t), t.Context()
	f := fill(t, s, 1, 1, 100)[0]
	var steps []uint64
	for no := 1; no <= 2; no++ {
		steps = append(steps, must(s.RuleBook().ActRule(ctx, day, RuleAct{No: no, Text: "x"}))(t).Step)
	}
	item := NewItem{Item: Item{Title: "both"}, Unread: true}
	g := Filing{Feed: f, Next: 2, New: []NewItem{item}, Rules: &Ruling{At: must(s.RuleBook().Rules(ctx, 0))(t).At}}
	for no := 1; no <= 2; no++ {
		g.Rules.Marks = append(g.Rules.Marks, RuleMark{Rule: no, Kind: MarkedRead, New: []int{0}}, RuleMark{Rule: no, Kind: Tagged, Value: MutedTag(no), New: []int{0}})
	}
	if d := must(s.File(ctx, day, []Filing{g}))(t); d[0].Err != nil {
		t.Fatal(d[0].Err)
	}
	for i, want := range []int{1, 2} {
		if n := must(s.Totals(ctx))(t).Unread; n != 1 {
			t.Fatalf("%d are unread while a rule mutes one of two", n)
		}
		if _, err := s.Undo(ctx, day, steps[i], 0); err != nil {
			t.Fatal(err)
		}
		if n := must(s.Totals(ctx))(t).Unread; n != want {
			t.Fatalf("%d are unread, want %d", n, want)
		}
		sound(t, s, true)
	}
}
