package ui

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"diurna/reader"
	"diurna/reader/query"
)

func (f *fake) rules() Rules { return f.keeper }

// fakeRules are the rules of a fake library.
type fakeRules struct {
	lib  *fake
	list []reader.Rule
}

func (r *fakeRules) OfFeed(context.Context, *reader.Feed, time.Time) ([]reader.Rule, error) {
	r.lib.mu.Lock()
	defer r.lib.mu.Unlock()
	return slices.Clone(r.list), nil
}

func (r *fakeRules) CheckMute(_ reader.FeedID, text string, now time.Time) error {
	_, err := query.Parse(text, now)
	return err
}

func (r *fakeRules) change(id reader.FeedID, what string, list []reader.Rule) reader.Done {
	no, was := r.lib.step(what, nil, []reader.FeedID{id}, nil), r.list
	r.list = list
	r.lib.takeBack(no, func() { r.list = was })
	return reader.Done{Step: no, Changed: 1}
}

func (r *fakeRules) MuteIn(_ context.Context, id reader.FeedID, text string, _ time.Time) (reader.Rule, reader.Done, error) {
	r.lib.mu.Lock()
	defer r.lib.mu.Unlock()
	rule := reader.Rule{No: len(r.list) + 1, Query: text, Mute: true}
	return rule, r.change(id, "mute: "+text, append(slices.Clone(r.list), rule)), nil
}

func (r *fakeRules) Remove(_ context.Context, no int, _ time.Time) (reader.Rule, reader.Done, error) {
	r.lib.mu.Lock()
	defer r.lib.mu.Unlock()
	i := slices.IndexFunc(r.list, func(rule reader.Rule) bool { return rule.No == no })
	if i < 0 {
		return reader.Rule{}, reader.Done{}, fmt.Errorf("there is no rule %d", no)
	}
	rule := r.list[i]
	return rule, r.change(1, "rule removed", slices.Delete(slices.Clone(r.list), i, i+1)), nil
}

// TestInfoMutesInAFeed: the rules of a feed stand among its settings; one is made
// there and removed, and u takes either back.
func TestInfoMutesInAFeed(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {40, 12}, {200, 60}} {
		lib := newFake()
		rules := &fakeRules{lib: lib}
		lib.keeper = rules
		d := newDesk(t, lib, size[0], size[1])
		d.press("2", "j", "j", "i")
		d.setting("mute in it")
		d.press("enter")
		d.typeIn("title:")
		d.press("enter")
		d.shows("mute in it: title:", "^")
		if len(rules.list) != 0 {
			t.Fatal("a query that is not understood was kept")
		}
		d.press("ctrl+u")
		d.typeIn("ferry")
		d.press("enter")
		d.shows("Muted ferry in Kernel Notes. u undoes.")
		if got := d.setting("rule 1"); got != "mute: ferry" {
			t.Errorf("%v: the rule says %q", size, got)
		}
		d.press("u")
		d.lacks("rule 1")
		d.setting("mute in it")
		d.press("enter")
		d.typeIn("storm")
		d.press("enter")
		d.setting("rule 1")
		d.press("enter")
		d.shows("Removed rule 1. u undoes.")
		if len(rules.list) != 0 {
			t.Errorf("%v: the rule is still there", size)
		}
		d.press("u")
		if got := d.setting("rule 1"); got != "mute: storm" {
			t.Errorf("%v: after u the rule says %q", size, got)
		}
	}
}
