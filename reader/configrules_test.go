package reader

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"diurna/reader/rules"
	"diurna/store"
)

// A rule of config.toml marks, rings and calls for what comes, once and not at a feed's
// first fetch; the library never has its command; another config leaves it alone.
func TestRulesOfConfig(t *testing.T) {
	web := newFakeWeb()
	web.serve(harbour, "application/rss+xml", harbourFeed())
	dir := t.TempDir()
	s, err := store.Open(store.Options{Dir: dir, CacheDir: dir, NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	list := []Rule{{Query: "ferry", Mute: true, Tags: []string{"two words"}, Run: []string{"true"}}, {Query: "bridge", Notify: true}}
	if err := rules.CheckAll(list, time.Now()); err != nil || list[0].Tags[0] != "two-words" {
		t.Fatal(err, list)
	}
	o := Options{Version: "test", Role: "test", Transport: web, Net: Net{MinHostInterval: -1}, Rules: list}
	r := New(s, o)
	t.Cleanup(func() { r.Close() })
	add(t, r, harbour, SubscribeOptions{})
	wantUnread(t, r, 1) // the ferry is muted, but nothing in a new feed is news

	web.serve(harbour, "application/rss+xml", harbourFeed("e|A ferry comes|"+ago(0)+"|At last.", "f|A bridge is planned|"+ago(0)+"|Soon."))
	rep, err := later(r, 2*time.Hour).Fetch(t.Context(), FetchRequest{All: true}, nil)
	if err != nil || rep.New != 2 || len(rep.Results) != 1 {
		t.Fatalf("%+v, %v", rep, err)
	}
	res := rep.Results[0]
	if len(res.Called) != 1 || res.Called[0].Rule.Run[0] != "true" || len(res.Reported) != 1 || res.Reported[0].What != "A bridge is planned" || !res.Reported[0].Rule {
		t.Fatalf("called %+v, reported %+v", res.Called, res.Reported)
	}
	if a, err := r.Article(t.Context(), res.Called[0].Item); err != nil || a.Title != "A ferry comes" || a.Muted != 1 || !slices.Equal(a.Tags, []string{"two-words"}) {
		t.Fatalf("%+v, %v", a, err)
	}
	wantUnread(t, r, 2)
	replayed(t, r)
	book := s.RuleBook()
	kept, err := book.Rules(t.Context(), 0)
	if err != nil || len(kept.Text) != 1 || strings.Contains(kept.Text[1], "true\"") || strings.Contains(kept.Text[1], "run") {
		t.Fatalf("%+v, %v", kept, err)
	}

	// Undo of its step takes back all it did, and it goes on.
	if step, err := r.Undo(t.Context(), 0, 0); err != nil || !strings.HasPrefix(step.What, "subscribed") {
		t.Fatalf("%q, %v", step.What, err)
	}
	if _, err := r.Redo(t.Context()); err != nil {
		t.Fatal(err)
	}
	steps, err := r.Steps(t.Context(), 0)
	if err != nil || len(steps) != 2 || steps[0].What != "rule 1 of config.toml marked its first item (mute, run, tag two-words: ferry)" {
		t.Fatalf("%+v, %v", steps, err)
	}
	if _, err := r.Undo(t.Context(), steps[0].No, 0); err != nil {
		t.Fatal(err)
	}
	wantTitles(t, r, "muted")
	replayed(t, r)
	web.serve(harbour, "application/rss+xml", harbourFeed("g|The ferry is late|"+ago(0)+"|Again."))
	if rep, err = later(r, 4*time.Hour).Fetch(t.Context(), FetchRequest{All: true}, nil); err != nil || rep.New != 1 {
		t.Fatalf("%+v, %v", rep, err)
	}
	wantTitles(t, r, "muted", "The ferry is late")

	// Another config: the entry holds no more, and what it muted stays until it is removed.
	o.Rules = nil
	other := New(s, o)
	t.Cleanup(func() { other.Close() })
	web.serve(harbour, "application/rss+xml", harbourFeed("h|One more ferry|"+ago(0)+"|Again."))
	if rep, err = later(other, 6*time.Hour).Fetch(t.Context(), FetchRequest{All: true}, nil); err != nil || rep.New != 1 || len(rep.Results[0].Called) != 0 {
		t.Fatalf("%+v, %v", rep, err)
	}
	wantTitles(t, other, "muted", "The ferry is late")
	if l, err := other.Rules().List(t.Context()); err != nil || len(l) != 1 || !l[0].Gone || l[0].No != 2 {
		t.Fatalf("%+v, %v", l, err)
	}
	if _, _, err := other.Rules().Remove(t.Context(), 2, time.Now()); err != nil {
		t.Fatal(err)
	}
	wantTitles(t, other, "muted")
	replayed(t, r)
}

// A command that fails is said once and listed until it works again.
func TestRuleFailures(t *testing.T) {
	r := newLibrary(t, newFakeWeb())
	rule := Rule{Query: "x", Run: []string{"a", "b"}, Config: true}
	k := rules.NewKeeper(r.store.RuleBook(), r.store, r, []Rule{rule}, false)
	now := time.Now()
	ran := func(failed error, want bool) {
		t.Helper()
		if said, err := k.Ran(t.Context(), &rule, failed, now); err != nil || said != want {
			t.Fatalf("said %v, %v", said, err)
		}
	}
	ran(nil, false)
	ran(errors.New("no\x1b space"), true)
	ran(errors.New("no space left"), false)
	if f, err := k.Failures(t.Context()); err != nil || len(f) != 1 || f[0].Times != 2 || f[0].Why != "no space left" || f[0].Since.Unix() != now.Unix() {
		t.Fatalf("%+v, %v", f, err)
	}
	ran(nil, false)
	if f, err := k.Failures(t.Context()); err != nil || len(f) != 0 {
		t.Fatalf("%+v, %v", f, err)
	}
	ran(errors.New("again"), true)
	if n, err := k.Counts(t.Context(), []Rule{rule}); err != nil || n[0] != 5 {
		t.Errorf("ran %v times, %v", n, err)
	}
}
