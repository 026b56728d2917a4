package store

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"diurna/store/record"
	"diurna/store/storetest"

	"pgregory.net/rapid"
)

// seen is all that can be seen of a library but how many facts it has.
type seen struct {
	Feeds  []Feed
	Rows   []Row
	Saved  []Row
	Totals Totals
}

func look(tb testing.TB, s *Store) seen {
	tb.Helper()
	ctx := tb.Context()
	if !s.Exists() {
		return seen{}
	}
	v := seen{must(s.Feeds(ctx))(tb), must(s.Rows(ctx, RowQuery{Which: All}))(tb), must(s.Rows(ctx, RowQuery{Which: SavedRows}))(tb), must(s.Totals(ctx))(tb)}
	v.Totals.Facts, v.Totals.Tx = 0, 0
	return v
}

// walker does random things to a library and remembers what can be named.
type walker struct {
	tb    testing.TB
	s     *Store
	now   time.Time
	pick  func(n int) int
	feeds []FeedID
	items []ItemID
	next  map[FeedID]uint32
	keys  map[feedKey]uint32
	kept  *keep
	gone  map[ItemID]bool // whose rows were removed
	steps int
}

func (w *walker) act(c ...Change) {
	w.tb.Helper()
	d, err := w.s.Act(w.tb.Context(), w.now, "River", c...)
	if err != nil && !errors.Is(err, ErrUnknown) && !errors.Is(err, ErrTaken) && !errors.Is(err, ErrNone) {
		w.tb.Fatal(err)
	}
	w.steps += record.Bit(d.Step != 0)
	for _, f := range d.Feeds {
		if w.next[f] == 0 {
			w.next[f] = 1
			w.feeds = append(w.feeds, f)
		}
	}
	w.now = w.now.Add(time.Duration(w.pick(100000)) * time.Millisecond)
	if w.pick(30) == 0 { // somebody sets the clock, wrong or right
		w.now = day.AddDate(w.pick(3)*9-9, 0, w.pick(40))
	}
}

func (w *walker) some() []ItemID {
	var out []ItemID
	for range 1 + w.pick(6) {
		if len(w.items) > 0 {
			out = append(out, w.items[w.pick(len(w.items))])
		}
	}
	return out
}

func (w *walker) feed() FeedID {
	if len(w.feeds) == 0 {
		return 1
	}
	return w.feeds[w.pick(len(w.feeds))]
}

// deliberate does one random act.
func (w *walker) deliberate() {
	w.tb.Helper()
	tag := words[w.pick(4)]
	kinds := []Kind{MarkedRead, MarkedUnread, Saved, Unsaved, Tagged, Untagged}
	url := fmt.Sprintf("https://%d.example/", w.pick(8))
	if w.pick(3) == 0 {
		url = secretly(w.s, url[len("https://"):len(url)-1], words[w.pick(4)])
	}
	switch w.pick(10) {
	case 0:
		w.act(Change{Kind: Subscribed, Sub: &Subscription{URL: url, Title: words[w.pick(3)], Attrs: map[string]string{"interval": "30"}}})
	case 1:
		w.act(Change{Kind: Unsubscribed, Feed: w.feed()})
	case 2:
		fields := []string{"title", "folder", "tags", "hidden", "allow_private", "interval", "url"}
		field := fields[w.pick(len(fields))]
		value := []string{"", "yes", "a\nb", url}[w.pick(4)]
		if field == "url" {
			value = url
		}
		feed := w.feed()
		if w.pick(5) == 0 {
			feed, field = 0, "budget" // of the library itself
		}
		w.act(Change{Kind: Adjusted, Feed: feed, Field: field, Value: value})
	case 3:
		w.act(Change{Kind: MarkedRead, Items: w.some()}, Change{Kind: Saved, Items: w.some()}, Change{Kind: Tagged, Items: w.some(), Value: tag}, Change{Kind: Unsubscribed, Feed: w.feed()})
	case 4:
		w.rule()
	default:
		w.act(Change{Kind: kinds[w.pick(len(kinds))], Items: w.some(), Value: tag})
	}
}

// file takes in items and edits of a feed.
func (w *walker) file() {
	w.tb.Helper()
	if len(w.feeds) == 0 {
		return
	}
	f := w.feed()
	r := rand.New(rand.NewPCG(uint64(w.pick(1000)), uint64(len(w.items))))
	g := Filing{Feed: f, Next: w.next[f], New: arrivals(r, w.pick(4), 300, w.pick(2) == 0), FeedTitle: words[w.pick(4)],
		Outcome: &Outcome{Kind: AnswerNew, Status: 200}, Poll: &Poll{Checks: []int64{w.now.Unix() - 7200}}}
	for i := range g.New {
		g.New[i].Keys = w.someKeys()
	}
	for range w.pick(3) {
		if n := w.next[f] - 1; n > 0 {
			it := arrivals(r, 1, 200, false)[0]
			it.Keys = w.someKeys()
			g.Rekey = append(g.Rekey, Rekey{N: 1 + uint32(w.pick(int(n))), Keys: w.someKeys()})
			g.Edited = append(g.Edited, EditedItem{N: 1 + uint32(w.pick(int(n))), NewItem: it, MakeUnread: w.pick(2) == 0, KeepRevision: w.pick(2) == 0, Quiet: w.pick(3) == 0})
		}
	}
	w.ruled(&g)
	for i, d := range must(w.s.File(w.tb.Context(), w.now, []Filing{g}))(w.tb) {
		stale := errors.Is(d.Err, ErrStale) && slices.ContainsFunc(g.Edited, func(e EditedItem) bool { return w.gone[MakeItemID(f, e.N)] })
		if d.Err != nil && !errors.Is(d.Err, ErrUnknown) && !stale {
			w.tb.Fatal(i, d.Err)
		}
		if d.Err == nil {
			w.owners(&g)
		}
		w.next[f] += uint32(d.New)
		w.items = append(w.items, d.Items...)
	}
}

func (w *walker) back() {
	w.tb.Helper()
	ctx := w.tb.Context()
	var err error
	switch w.pick(4) {
	case 0:
		_, err = w.s.Redo(ctx, w.now)
	case 1:
		steps, serr := w.s.Steps(ctx, 0)
		if serr != nil || len(steps) == 0 {
			return
		}
		_, err = w.s.Undo(ctx, w.now, steps[w.pick(len(steps))].No, 0)
	default:
		_, err = w.s.Undo(ctx, w.now, 0, 0)
	}
	if err != nil && !errors.Is(err, ErrNothing) && !errors.Is(err, ErrDepends) && !errors.Is(err, ErrNone) {
		w.tb.Fatal(err)
	}
}

func (w *walker) open() {
	w.tb.Helper()
	if ids := w.some(); len(ids) > 0 {
		if err := w.s.Note(w.tb.Context(), w.now, Fact{Kind: Opened, Items: ids[:1]}, Fact{Kind: Shown, Items: ids, Nums: make([]int64, len(ids))}); err != nil {
			w.tb.Fatal(err)
		}
	}
}

// removeTexts has texts removed, which changes nothing that can be seen in a list.
func (w *walker) removeTexts() {
	w.tb.Helper()
	if !w.s.Exists() {
		return
	}
	ctx, before := w.tb.Context(), look(w.tb, w.s)
	gone, err := w.s.Remove(ctx, w.now, TextRemoved, w.some(), lead10)
	if err != nil {
		w.tb.Fatal(err)
	}
	for _, id := range gone {
		it, b := must(w.s.Item(ctx, id))(w.tb), must(w.s.Body(ctx, id))(w.tb)
		if it.TextRemoved.IsZero() || it.Flags&(FlagRead|FlagSaved) != FlagRead || len(it.Tags) > 0 || b.HTML != "" || len(b.Summary) > 10 {
			w.tb.Fatalf("%s: flags %d, tags %q, removed %v, text %q %q", id, it.Flags, it.Tags, it.TextRemoved, b.HTML, b.Summary)
		}
		if revs := must(w.s.Revisions(ctx, id))(w.tb); len(revs) > 0 {
			w.tb.Fatalf("%s has %d former texts", id, len(revs))
		}
	}
	if got := look(w.tb, w.s); !reflect.DeepEqual(got, before) {
		w.tb.Fatal("removing texts changed what lists show")
	}
}

// removeRows has rows removed: they are in no list any more, and nothing else changes.
func (w *walker) removeRows() {
	w.tb.Helper()
	if !w.s.Exists() {
		return
	}
	ctx, before := w.tb.Context(), look(w.tb, w.s)
	gone, err := w.s.Remove(ctx, w.now, RowRemoved, w.some(), func(id ItemID, title string, b Body) (Body, bool) {
		b, _ = lead10(id, title, b)
		return b, id%2 == 0
	})
	if err != nil {
		w.tb.Fatal(err)
	}
	for _, id := range gone {
		if w.gone == nil {
			w.gone = map[ItemID]bool{}
		}
		w.gone[id] = true
		it := must(w.s.Item(ctx, id))(w.tb)
		if it.Flags&(FlagGone|FlagRead|FlagSaved) != FlagGone|FlagRead || len(it.Tags) > 0 || id%2 == 1 && it.Title != "" {
			w.tb.Fatalf("%s: flags %d, tags %q, title %q", id, it.Flags, it.Tags, it.Title)
		}
		if _, err := w.s.Body(ctx, id); !errors.Is(err, ErrUnknown) {
			w.tb.Fatalf("the text of %s: %v", id, err)
		}
	}
	before.Rows = slices.DeleteFunc(before.Rows, func(r Row) bool { return slices.Contains(gone, r.ID) })
	before.Totals.Items -= len(gone)
	for i := range before.Feeds {
		f := &before.Feeds[i]
		for _, id := range gone {
			f.Items -= record.Bit(id.Feed() == f.ID)
		}
	}
	if got := look(w.tb, w.s); !reflect.DeepEqual(got, before) {
		w.tb.Fatalf("removing %d rows changed more than that:\n%+v\nwant\n%+v", len(gone), got, before)
	}
}

// lead10 is the first ten bytes of a text.
func lead10(_ ItemID, _ string, b Body) (Body, bool) {
	return Body{Summary: b.HTML[:min(10, len(b.HTML))]}, true
}

// rapidTB gives rapid's T what it lacks of testing.TB.
type rapidTB struct {
	testing.TB
	rt *rapid.T
}

func (r rapidTB) Helper()                   { r.rt.Helper() }
func (r rapidTB) Fatal(a ...any)            { r.rt.Fatal(a...) }
func (r rapidTB) Fatalf(f string, a ...any) { r.rt.Fatalf(f, a...) }

// Whatever happens in whatever order, the state is what the facts add up to.
func TestStateIsFold(t *testing.T) {
	t.Parallel()
	// Each is a library with some 30 checked states; -rapid.checks may ask for more.
	if f := flag.Lookup("rapid.checks"); f.Value.String() == f.DefValue {
		flag.Set("rapid.checks", "25")
	}
	rapid.Check(t, func(rt *rapid.T) {
		tb := rapidTB{t, rt}
		s := newStore(tb)
		defer s.Close()
		s.packAfter = 1 // most of what is gone lies in blocks
		w := &walker{tb: tb, s: s, now: day, next: map[FeedID]uint32{}, pick: func(n int) int { return rapid.IntRange(0, n-1).Draw(rt, "n") }}
		rt.Repeat(map[string]func(*rapid.T){
			"act":   func(*rapid.T) { w.deliberate() },
			"file":  func(*rapid.T) { w.file() },
			"back":  func(*rapid.T) { w.back() },
			"open":  func(*rapid.T) { w.open() },
			"care":  func(*rapid.T) { w.care() },
			"teach": func(*rapid.T) { w.trained() },
			"texts": func(*rapid.T) { w.removeTexts() },
			"rows":  func(*rapid.T) { w.removeRows() },
			"": func(*rapid.T) {
				if s.Exists() {
					sound(tb, s, false)
					w.matches()
				}
			},
		})
	})
}

// Each of 500 acts that is taken back gives the library that was before it, and done again
// the one after it.
func TestUndoAll(t *testing.T) {
	t.Parallel()
	acts := storetest.Size(80, 500)
	for seed := range uint64(storetest.Size(1, 2)) {
		r := rand.New(rand.NewPCG(seed, 7))
		s := newStore(t)
		w := &walker{tb: t, s: s, now: day, next: map[FeedID]uint32{}, pick: r.IntN}
		for i := range 6 {
			w.act(Change{Kind: Subscribed, Sub: &Subscription{URL: fmt.Sprintf("https://%d.example/", i)}})
			w.rule()
			for range 4 {
				w.file()
			}
		}
		after := must(s.Totals(t.Context()))(t).Facts
		states := []seen{look(t, s)} // after so many of the acts
		for w.steps = 0; w.steps < acts; {
			if w.deliberate(); w.steps == len(states) {
				states = append(states, look(t, s))
			}
		}
		if reflect.DeepEqual(states[0], states[acts]) {
			t.Fatalf("%d acts changed nothing: the test proves nothing", acts)
		}
		same := func(how string, n int) {
			t.Helper()
			if got := look(t, s); !reflect.DeepEqual(states[n], got) {
				t.Fatalf("seed %d: %s act %d gave\n%+v\nwant\n%+v", seed, how, n, got.Totals, states[n].Totals)
			}
		}
		for n := acts - 1; n >= 0; n-- {
			must(s.Undo(t.Context(), w.now, 0, after))(t)
			same("undoing all after", n)
		}
		if _, err := s.Undo(t.Context(), w.now, 0, after); !errors.Is(err, ErrNothing) {
			t.Fatalf("more than %d steps could be taken back: %v", acts, err)
		}
		for n := 1; n <= acts; n++ {
			must(s.Redo(t.Context(), w.now))(t)
			same("redoing up to", n)
		}
		sound(t, s, true)
	}
}

func TestUndoOutOfOrder(t *testing.T) {
	s, ctx := newStore(t), t.Context()
	f := fill(t, s, 2, 4, 100)
	a, b := MakeItemID(f[0], 1), MakeItemID(f[1], 1)
	one := must(s.Act(ctx, day, "", Change{Kind: MarkedRead, Items: []ItemID{a}}))(t)
	two := must(s.Act(ctx, day, "", Change{Kind: MarkedRead, Items: []ItemID{b}}))(t)
	if _, err := s.Undo(ctx, day, one.Step, 0); err != nil {
		t.Fatal("independent steps:", err)
	}
	if st := must(s.Redo(ctx, day))(t); st.No != one.Step || len(st.Items) != 1 || st.Items[0] != a {
		t.Fatalf("redo did %+v", st)
	}
	three := must(s.Act(ctx, day, "", Change{Kind: MarkedUnread, Items: []ItemID{b}}))(t)
	if _, err := s.Undo(ctx, day, two.Step, 0); !errors.Is(err, ErrDepends) {
		t.Fatalf("a later act on the same item: %v", err)
	}
	if _, err := s.Undo(ctx, day, 0, three.Step); !errors.Is(err, ErrNothing) {
		t.Fatalf("nothing after the newest step: %v", err)
	}
	must(s.Act(ctx, day, "", Change{Kind: Unsubscribed, Feed: f[0]}))(t)
	if _, err := s.Undo(ctx, day, one.Step, 0); !errors.Is(err, ErrDepends) {
		t.Fatalf("the feed has gone: %v", err)
	}
	if _, err := s.Redo(ctx, day); !errors.Is(err, ErrNothing) {
		t.Fatalf("an act ends redo: %v", err)
	}
	if _, err := s.Undo(ctx, day, 1<<40, 0); !errors.Is(err, ErrUnknown) {
		t.Fatalf("no such step: %v", err)
	}
	steps := must(s.Steps(ctx, 2))(t)
	if len(steps) != 2 || steps[0].Kind != Unsubscribed || steps[1].No != three.Step {
		t.Fatalf("steps: %+v", steps)
	}
	sound(t, s, true)
}

// Unsubscribing and subscribing again is the same feed with what was read of it.
func TestRevive(t *testing.T) {
	s, ctx := newStore(t), t.Context()
	f := fill(t, s, 3, 5, 100)
	must(s.Act(ctx, day, "", Change{Kind: Saved, Items: []ItemID{MakeItemID(f[1], 2)}}, Change{Kind: MarkedRead, Items: []ItemID{MakeItemID(f[1], 3)}}))(t)
	before := look(t, s)
	must(s.Act(ctx, day, "", Change{Kind: Unsubscribed, Feed: f[1]}))(t)
	gone := look(t, s)
	if len(gone.Rows) != 10 || gone.Totals.Saved != 0 || len(gone.Feeds) != 2 {
		t.Fatalf("after unsubscribing: %+v", gone.Totals)
	}
	if all := must(s.FeedsAll(ctx))(t); len(all) != 3 || !all[1].Removed {
		t.Fatalf("all feeds: %+v", all)
	}
	filed := must(s.File(ctx, day, []Filing{{Feed: f[1], Next: 6, New: make([]NewItem, 1)}}))(t)
	if !errors.Is(filed[0].Err, ErrUnknown) {
		t.Fatalf("filing for a removed feed: %v", filed[0].Err)
	}
	d := must(s.Act(ctx, day, "", Change{Kind: Subscribed, Sub: &Subscription{URL: before.Feeds[1].URL}}))(t)
	if d.Feeds[0] != f[1] || d.Had[0] || !reflect.DeepEqual(look(t, s), before) {
		t.Fatalf("subscribed again: %+v", d)
	}
	d = must(s.Act(ctx, day, "", Change{Kind: Subscribed, Sub: &Subscription{URL: before.Feeds[1].URL}}))(t)
	if d.Step != 0 || !d.Had[0] || d.Feeds[0] != f[1] {
		t.Fatalf("subscribed twice: %+v", d)
	}
	sound(t, s, true)
}
