package reader

import (
	"errors"
	"slices"
	"testing"
	"time"

	"diurna/reader/model"
	"diurna/store"
)

// titles are the titles of the items that a query fits, sorted.
func titles(t *testing.T, r *Reader, q string) []string {
	t.Helper()
	rows, err := r.Rows(t.Context(), mustQuery(t, q), 0)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]string, 0, len(rows))
	for i := range rows {
		out = append(out, rows[i].Title)
	}
	slices.Sort(out)
	return out
}

func wantTitles(t *testing.T, r *Reader, q string, want ...string) {
	t.Helper()
	if got := titles(t, r, q); !slices.Equal(got, want) {
		t.Fatalf("%q fits %q, want %q", q, got, want)
	}
}

func replayed(t *testing.T, r *Reader) {
	t.Helper()
	rep, err := r.store.Check(t.Context(), true, nil)
	if err != nil || len(rep.Findings) > 0 {
		t.Fatalf("%v, %v", rep.Findings, err)
	}
}

// A mute takes what is there and what comes out of the unread items, until it ends by
// itself; undo brings back all but what was opened; an edit of a muted item is none.
func TestMute(t *testing.T) {
	web := newFakeWeb()
	web.serve(harbour, "application/rss+xml", harbourFeed("d|A ferry for sale|"+ago(time.Hour)+"|Cheap."))
	r := newLibrary(t, web)
	add(t, r, harbour, SubscribeOptions{})
	wantUnread(t, r, 3)
	now := time.Now()
	p, err := r.Rules().Try(t.Context(), "ferry", now)
	if err != nil || len(p.Month) != 2 || len(p.Unread) != 2 {
		t.Fatalf("%+v, %v", p, err)
	}
	rule, done, err := r.Rules().Add(t.Context(), Rule{Query: "ferry", Mute: true, Until: now.Add(5 * time.Hour)}, false, now)
	if err != nil || rule.No != 1 || done.Changed != 2 {
		t.Fatalf("%+v %+v %v", rule, done, err)
	}
	wantUnread(t, r, 1)
	wantTitles(t, r, "muted", "A ferry for sale", "Ferry 3 out of service until Monday")
	wantTitles(t, r, "read", "An old story")
	replayed(t, r)

	// One comes, and a muted one is edited.
	web.serve(harbour, "application/rss+xml", rssOf("Harbour Gazette",
		"e|The ferry sails again|"+ago(0)+"|At last.", "f|A bridge is planned|"+ago(0)+"|Soon.",
		"d|A ferry for sale|"+ago(time.Hour)+"|Cheap, and now with an engine that was made new last year, at the yard beside the pier."))
	rep, err := later(r, 2*time.Hour).Fetch(t.Context(), FetchRequest{All: true}, nil)
	if err != nil || rep.New != 2 {
		t.Fatalf("%+v, %v", rep, err)
	}
	wantUnread(t, r, 2)
	wantTitles(t, r, "muted", "A ferry for sale", "Ferry 3 out of service until Monday", "The ferry sails again")
	wantTitles(t, r, "changed")

	// The rule has ended by itself.
	web.serve(harbour, "application/rss+xml", rssOf("Harbour Gazette", "g|One more ferry|"+ago(0)+"|Really."))
	if rep, err := later(r, 8*time.Hour).Fetch(t.Context(), FetchRequest{All: true}, nil); err != nil || rep.New != 1 {
		t.Fatalf("%+v, %v", rep, err)
	}
	wantUnread(t, r, 3)
	touched, err := r.Rules().Counts(t.Context(), []Rule{{No: 1}})
	if err != nil || touched[0] != 3 {
		t.Fatalf("%v, %v", touched, err)
	}

	sale, err := r.Rows(t.Context(), mustQuery(t, "sale"), 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Open(t.Context(), sale[0].ID); err != nil {
		t.Fatal(err)
	}
	step, err := r.Undo(t.Context(), 0, 0)
	if err != nil || step.What != "rule 1 made (mute: ferry), 2 items marked by it" {
		t.Fatalf("%q, %v", step.What, err)
	}
	wantUnread(t, r, 5)
	wantTitles(t, r, "muted")
	wantTitles(t, r, "read", "A ferry for sale", "An old story")
	replayed(t, r)
	if _, err := r.Redo(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantUnread(t, r, 3)
	if _, _, err := r.Rules().Remove(t.Context(), 1, now); err != nil {
		t.Fatal(err)
	}
	wantUnread(t, r, 5)
	replayed(t, r)
}

// The same mute again is one rule, which holds for longer and marks what fits by now; one
// that would hold for no longer is refused. Each step can be taken back.
func TestMuteAgain(t *testing.T) {
	r, _ := harbourLibrary(t)
	now := time.Now()
	mute := func(text string, until time.Time) error {
		t.Helper()
		rule, _, err := r.Rules().Add(t.Context(), Rule{Query: text, Mute: true, Until: until}, false, now)
		if err == nil && rule.No != 1 {
			t.Errorf("%s is rule %d", text, rule.No)
		}
		return err
	}
	holds := func(want time.Time) {
		t.Helper()
		list, err := r.Rules().List(t.Context())
		if err != nil || len(list) != 1 || list[0].Query != "ferry" || !list[0].Until.Equal(want) {
			t.Fatalf("%+v, %v; want it until %v", list, err, want)
		}
		replayed(t, r)
	}
	month, year := now.AddDate(0, 1, 0).Truncate(time.Second), now.AddDate(1, 0, 0).Truncate(time.Second)
	if err := mute("ferry", month); err != nil {
		t.Fatal(err)
	}
	holds(month)
	wantUnread(t, r, 1)
	if rows, err := r.Rows(t.Context(), mustQuery(t, "muted"), 0); err != nil || len(rows) != 1 {
		t.Fatal(rows, err)
	} else if _, err := r.Mark(t.Context(), MarkUnread, "", []ItemID{rows[0].ID}, ""); err != nil {
		t.Fatal(err)
	}
	if err := mute("Ferry", year); err != nil {
		t.Fatal(err)
	}
	holds(year)
	wantUnread(t, r, 1)
	for _, until := range []time.Time{month, year} {
		if err := mute("FERRY", until); !errors.Is(err, ErrKnown) {
			t.Errorf("for no longer: %v", err)
		}
	}
	if err := mute("ferry", time.Time{}); err != nil {
		t.Fatal(err)
	}
	holds(time.Time{})
	for _, want := range []struct {
		until  time.Time
		unread int
	}{{year, 1}, {month, 2}} {
		if _, err := r.Undo(t.Context(), 0, 0); err != nil {
			t.Fatal(err)
		}
		holds(want.until)
		wantUnread(t, r, want.unread)
	}
	if _, err := r.Redo(t.Context()); err != nil {
		t.Fatal(err)
	}
	holds(year)
	wantUnread(t, r, 1)
}

// Where config.toml is not understood and may have rules, nothing comes in that they
// would miss, and they are not said to be gone.
func TestRulesLost(t *testing.T) {
	web := newFakeWeb()
	web.serve(harbour, "application/rss+xml", harbourFeed())
	dir := t.TempDir()
	s, err := store.Open(store.Options{Dir: dir, CacheDir: dir, NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	o := Options{Version: "test", Role: "test", Transport: web, Net: Net{MinHostInterval: -1}, Rules: []Rule{{Query: "ferry", Mute: true, Config: true}}}
	r := New(s, o)
	t.Cleanup(func() { r.Close() })
	add(t, r, harbour, SubscribeOptions{})
	o.Rules, o.RulesLost = nil, true
	lost := New(s, o)
	t.Cleanup(func() { lost.Close() })
	asked := len(web.requests())
	web.serve(harbour, "application/rss+xml", harbourFeed("e|A ferry comes|"+ago(0)+"|At last."))
	if _, err := later(lost, 2*time.Hour).Fetch(t.Context(), FetchRequest{All: true}, nil); err == nil || len(web.requests()) != asked {
		t.Errorf("fetched: %v, %d requests", err, len(web.requests())-asked)
	}
	if err := lost.Run(t.Context(), nil); err == nil {
		t.Error("run goes on")
	}
	if list, err := lost.Rules().List(t.Context()); err != nil || len(list) != 1 || !list[0].Lost {
		t.Errorf("%+v, %v", list, err)
	}
	if rep, err := later(r, 2*time.Hour).Fetch(t.Context(), FetchRequest{All: true}, nil); err != nil || rep.New != 1 {
		t.Errorf("mended: %+v, %v", rep, err)
	}
	wantTitles(t, r, "muted", "A ferry comes", "Ferry 3 out of service until Monday")
}

// What rules do teaches the ranking nothing.
func TestRulesTeachNothing(t *testing.T) {
	r, _ := harbourLibrary(t)
	now := time.Now()
	if _, done, err := r.Rules().Add(t.Context(), Rule{Query: "ferry or council", Read: true, Save: true, Tags: []string{"later"}}, false, now); err != nil || done.Changed != 2 {
		t.Fatalf("%+v, %v", done, err)
	}
	wantTitles(t, r, "saved tag:later read", "Council votes", "Ferry 3 out of service until Monday")
	n := 0
	if _, err := r.store.Facts(t.Context(), 0, func(f *store.Fact) error {
		if f.Kind == store.Saved && f.ByRule() == 1 {
			n++
		}
		return nil
	}); err != nil || n != 1 {
		t.Fatalf("%d facts of saving by the rule, %v", n, err)
	}
	e, err := r.Ranker().Evidence(t.Context())
	if err != nil || e.Features != 0 || e.Opened != 0 || !e.Since.IsZero() {
		t.Fatalf("%+v, %v", e, err)
	}
}

// A mute in one feed alone is a rule of that feed, and of no other.
func TestMuteInAFeed(t *testing.T) {
	web := newFakeWeb()
	web.serve(harbour, "application/rss+xml", harbourFeed("d|A ferry for sale|"+ago(time.Hour)+"|Cheap."))
	r := newLibrary(t, web)
	f := add(t, r, harbour, SubscribeOptions{}).Feed
	now := time.Now()
	for _, text := range []string{"", "title:", "(ferry", "nofield:x"} {
		if r.Rules().CheckMute(f.Key, text, now) == nil {
			t.Errorf("%q may be muted", text)
		}
	}
	if _, _, err := r.Rules().Add(t.Context(), Rule{Query: "storm or feed:harbour", Mute: true}, true, now); err != nil {
		t.Fatal(err)
	}
	rule, done, err := r.Rules().MuteIn(t.Context(), f.Key, "ferry", now)
	if err != nil || done.Changed != 2 {
		t.Fatalf("%+v %+v %v", rule, done, err)
	}
	wantUnread(t, r, 1)
	list, err := r.Rules().OfFeed(t.Context(), &f, now)
	if err != nil || len(list) != 1 || list[0].No != rule.No {
		t.Errorf("the rules of the feed are %+v, %v", list, err)
	}
	other := f
	other.Key, other.Title, other.URL, other.Site = f.Key+1, "Other", "https://other.example/", ""
	if list, err := r.Rules().OfFeed(t.Context(), &other, now); err != nil || len(list) != 0 {
		t.Errorf("the rules of another feed are %+v, %v", list, err)
	}
	if _, err := r.Undo(t.Context(), 0, 0); err != nil {
		t.Fatal(err)
	}
	wantUnread(t, r, 3)
	replayed(t, r)
}

// A rule that fits all that comes, or that already exists, is not made.
func TestRulesRefused(t *testing.T) {
	r, _ := harbourLibrary(t)
	now := time.Now()
	for _, q := range []string{"unread", "muted", "-saved", "newer:2d", "ferry (read or today)"} {
		if _, _, err := r.Rules().Add(t.Context(), Rule{Query: q, Mute: true}, false, now); !errors.Is(err, model.ErrSetting) {
			t.Errorf("%s: %v", q, err)
		}
		if err := r.Rules().CheckMute(1, q, now); !errors.Is(err, model.ErrSetting) {
			t.Errorf("%s in a feed: %v", q, err)
		}
	}
	try := func(rule Rule) error {
		_, _, err := r.Rules().Add(t.Context(), rule, false, now)
		return err
	}
	for _, c := range []struct {
		rule Rule
		want error
	}{
		{Rule{Query: "ferry", Mute: true, Until: now.Add(time.Hour)}, nil},
		{Rule{Query: "ferry", Mute: true, Until: now.Add(time.Minute)}, model.ErrKnown},
		{Rule{Query: "ferry", Mute: true}, nil},
		{Rule{Query: " ferry ", Mute: true}, model.ErrKnown},
		{Rule{Query: "ferry", Save: true}, nil},
		{Rule{Query: "title:ferry", Mute: true}, nil},
	} {
		if err := try(c.rule); !errors.Is(err, c.want) {
			t.Errorf("%+v: %v", c.rule, err)
		}
	}
	if list, err := r.Rules().List(t.Context()); err != nil || len(list) != 3 { // the second mute of ferry extends the first
		t.Fatalf("%+v, %v", list, err)
	}
}

// Marking a muted item read makes it the reader's: it stays read when the rule goes, or
// is taken back. Undo of the mark mutes it again.
func TestMutedMarkedRead(t *testing.T) {
	web := newFakeWeb()
	web.serve(harbour, "application/rss+xml", harbourFeed("d|A ferry for sale|"+ago(time.Hour)+"|Cheap."))
	r := newLibrary(t, web)
	add(t, r, harbour, SubscribeOptions{})
	now := time.Now()
	rule, _, err := r.Rules().Add(t.Context(), Rule{Query: "ferry", Mute: true}, false, now)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := r.Rows(t.Context(), mustQuery(t, "sale"), 0)
	if err != nil || len(rows) != 1 {
		t.Fatal(rows, err)
	}
	mark := func() Done {
		t.Helper()
		done, err := r.Mark(t.Context(), MarkRead, "sale", []ItemID{rows[0].ID}, "")
		if err != nil {
			t.Fatal(err)
		}
		return done
	}
	if done := mark(); done.Changed != 1 {
		t.Fatalf("%+v", done)
	}
	if done := mark(); done.Changed != 0 || done.Step != 0 {
		t.Fatalf("marked twice: %+v", done)
	}
	wantTitles(t, r, "muted", "Ferry 3 out of service until Monday")
	replayed(t, r)
	step, err := r.Undo(t.Context(), 0, 0)
	if err != nil || step.What != "1 marked read in sale, muted before" {
		t.Fatalf("%q, %v", step.What, err)
	}
	wantTitles(t, r, "muted", "A ferry for sale", "Ferry 3 out of service until Monday")
	replayed(t, r)
	mark()
	if _, done, err := r.Rules().Remove(t.Context(), rule.No, now); err != nil || done.Changed != 1 {
		t.Fatalf("%+v, %v", done, err)
	}
	wantTitles(t, r, "read", "A ferry for sale", "An old story")
	replayed(t, r)
	if _, err := r.Undo(t.Context(), 0, 0); err != nil { // of the removal
		t.Fatal(err)
	}
	steps, err := r.Steps(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(steps, func(s Step) bool { return s.What == "rule 1 made (mute: ferry), 2 items marked by it" })
	if at < 0 {
		t.Fatalf("%+v", steps)
	}
	if _, err := r.Undo(t.Context(), steps[at].No, 0); err != nil {
		t.Fatal(err)
	}
	wantTitles(t, r, "read", "A ferry for sale", "An old story")
	wantTitles(t, r, "muted")
	replayed(t, r)
}
