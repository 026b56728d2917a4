package interest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"diurna/ranking"
	"diurna/reader/model"
	"diurna/store"
)

// testLibrary is a library with a ranker, and the changes that a reader makes in it.
type testLibrary struct {
	*Ranker
	store *store.Store
	at    time.Time // when everything happens; zero: now
}

func (l *testLibrary) now() time.Time {
	if l.at.IsZero() {
		return time.Now()
	}
	return l.at
}

func (l *testLibrary) note(t *testing.T, f store.Fact) {
	t.Helper()
	if err := l.store.Note(t.Context(), l.now(), f); err != nil {
		t.Fatal(err)
	}
}

func (l *testLibrary) open(t *testing.T, id store.ItemID, how string) {
	t.Helper()
	l.note(t, store.Fact{Kind: store.Opened, Feed: id.Feed(), Items: []store.ItemID{id}, Field: how})
}

func (l *testLibrary) act(t *testing.T, scope string, changes ...store.Change) {
	t.Helper()
	if _, err := l.store.Act(t.Context(), l.now(), scope, changes...); err != nil {
		t.Fatal(err)
	}
}

func (l *testLibrary) adjust(t *testing.T, feed store.FeedID, field, value string) {
	t.Helper()
	l.act(t, "", store.Change{Kind: store.Adjusted, Feed: feed, Field: field, Value: value})
}

// train gives feedback and returns what was trained, in words.
func (l *testLibrary) train(t *testing.T, f Feedback) string {
	t.Helper()
	_, words, err := l.Train(t.Context(), l.now(), f)
	if err != nil {
		t.Fatal(err)
	}
	return words
}

// titled are the feeds of a store under the titles they came with.
type titled struct{ store *store.Store }

func (f titled) Feeds(ctx context.Context) ([]model.Feed, error) {
	all, err := f.store.FeedsAll(ctx)
	feeds := make([]model.Feed, len(all))
	for i := range all {
		feeds[i] = model.Feed{Key: all[i].ID, Title: all[i].Title, Subscribed: all[i].Subscribed}
	}
	return feeds, err
}

// why explains an item; its place counts where it is unread.
func (l *testLibrary) why(t *testing.T, id store.ItemID) ItemWhy {
	t.Helper()
	w, err := l.WhyItem(t.Context(), id, 0)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func (l *testLibrary) unread(t *testing.T) []store.Row {
	t.Helper()
	rows, err := l.store.Rows(t.Context(), store.RowQuery{Which: store.Unread})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// libraryOf makes a library of feeds with items whose titles are of a few words.
func libraryOf(t *testing.T, feeds, items int) (*testLibrary, []store.ItemID) {
	t.Helper()
	dir := t.TempDir()
	s, err := store.Open(store.Options{Dir: dir, CacheDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	r := &testLibrary{Ranker: New(s, titled{s}, nil), store: s}
	ctx := t.Context()
	now := time.Now().Add(-30 * 24 * time.Hour).Truncate(time.Second)
	words := strings.Fields("lantern slate copper meadow signal ferry ledger orchard kettle compass gravel window thread engine river market")
	var ids []store.ItemID
	for f := range feeds {
		d, err := r.store.Act(ctx, now, "", store.Change{Kind: store.Subscribed, Sub: &store.Subscription{
			URL: fmt.Sprintf("https://%d.example/feed", f), Title: fmt.Sprintf("Feed %d", f), Folder: []string{"", "sea", "land"}[f%3]}})
		if err != nil {
			t.Fatal(err)
		}
		g := store.Filing{Feed: d.Feeds[0], Next: 1, Outcome: &store.Outcome{Kind: store.AnswerNew, Status: 200}, Poll: &store.Poll{LastFetch: now, LastOK: now}}
		for i := range items {
			it := store.NewItem{Unread: true, Keys: []uint64{uint64(i + 1)}}
			k := f*7 + i*3
			it.Title = words[k%16] + " " + words[(k*5+1)%16] + " " + words[(k*k+f)%16]
			it.Published = now.Add(-time.Duration(f*31+i*17) * time.Minute)
			it.Categories = []string{words[f%16], words[i%5]}
			it.Body = store.Body{HTML: "<p>" + strings.Repeat(words[(k+2)%16]+" "+words[f%16]+" ", 6) + "</p>"}
			g.New = append(g.New, it)
		}
		filed, err := r.store.File(ctx, now, []store.Filing{g})
		if err != nil || filed[0].Err != nil {
			t.Fatal(err, filed)
		}
		ids = append(ids, filed[0].Items...)
	}
	return r, ids
}

// whys are the explanations of items, as JSON.
func whys(t *testing.T, r *testLibrary, ids ...store.ItemID) string {
	t.Helper()
	r.dropKept() // what is in the cache counts here
	var out strings.Builder
	for _, id := range ids {
		w := r.why(t, id)
		b, err := json.Marshal(w)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "%s\n", b)
	}
	return out.String()
}

func forgetCache(t *testing.T, r *testLibrary) {
	t.Helper()
	r.dropKept() // what is in the cache counts here
	if err := r.store.Cache().Delete(t.Context(), interestBucket); err != nil {
		t.Fatal(err)
	}
}

// learn brings the cache up to date whatever has happened since.
func learn(t *testing.T, r *testLibrary) {
	t.Helper()
	totals, err := r.store.Totals(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := r.learnAnyway(t.Context(), totals, r.now()); err != nil {
		t.Fatal(err)
	}
}

// liveOn lets a reader do something random.
func liveOn(t *testing.T, rng *rand.Rand, r *testLibrary, now time.Time, ids []store.ItemID) {
	t.Helper()
	ctx := t.Context()
	at := &testLibrary{r.Ranker, r.store, now}
	id := ids[rng.IntN(len(ids))]
	switch rng.IntN(12) {
	case 0, 1:
		at.note(t, store.Fact{Kind: store.Looked})
	case 2, 3, 4:
		var s []Impression
		for i := range 1 + rng.IntN(8) {
			s = append(s, Impression{ids[rng.IntN(len(ids))], i + 1})
		}
		if err := at.Shown(ctx, now, now, s); err != nil {
			t.Fatal(err)
		}
	case 5, 6:
		at.open(t, id, "")
	case 7:
		c := store.Change{Kind: []store.Kind{store.Saved, store.MarkedUnread, store.MarkedRead, store.Tagged}[rng.IntN(4)], Items: []store.ItemID{id, ids[rng.IntN(len(ids))]}}
		if c.Kind == store.Tagged {
			c.Value = "x"
		}
		at.act(t, "River", c)
	case 8:
		at.store.Undo(ctx, now, 0, 0) // there may be none
	case 9:
		at.store.Redo(ctx, now)
	case 10:
		at.train(t, Feedback{Less: rng.IntN(2) == 0, Item: id})
	default:
		switch field := []string{LearningField, ByTitlesField, "folder"}[rng.IntN(3)]; field {
		case LearningField:
			at.adjust(t, id.Feed(), field, []string{"", model.Pinned.String(), model.Excluded.String()}[rng.IntN(3)])
		case ByTitlesField:
			at.adjust(t, id.Feed(), field, []string{"", "true"}[rng.IntN(2)])
		default:
			at.adjust(t, id.Feed(), field, []string{"", "hill", "sea"}[rng.IntN(3)])
		}
	}
}

// TestFoldFromCheckpoint: whenever a checkpoint was written, and whatever was
// folded on top of it, every score is to the last bit that of the whole log.
func TestFoldFromCheckpoint(t *testing.T) {
	for seed := range uint64(4) {
		rng := rand.New(rand.NewPCG(seed, 5))
		r, ids := libraryOf(t, 5, 60) // enough items for topics
		now := time.Now().Add(-20 * 24 * time.Hour)
		for i := range 120 {
			now = now.Add(time.Duration(rng.IntN(40)) * time.Minute)
			liveOn(t, rng, r, now, ids)
			if rng.IntN(25) == 0 {
				learn(t, r)
			}
			if i == 60 {
				editTitle(t, r, ids[int(seed)])
			}
		}
		probe := []store.ItemID{ids[0], ids[7], ids[len(ids)-1], ids[int(seed)], ids[100]}
		quick := whys(t, r, probe...)
		in := r.read(t.Context(), owned)
		if in.head.Last == 0 {
			learn(t, r)
			in = r.read(t.Context(), owned)
		}
		// The topics are data of the cache: a fold from the start keeps them.
		fresh, err := r.fold(t.Context(), in.unfolded(in.model, in.head.Fit, in.head.FitItems))
		if err != nil {
			t.Fatal(err)
		}
		if err := r.save(t.Context(), fresh, nil, r.now()); err != nil {
			t.Fatal(err)
		}
		if whole := whys(t, r, probe...); whole != quick {
			t.Fatalf("seed %d: fold(checkpoint, tail)\n%s\nfold(all)\n%s", seed, quick, whole)
		}
	}
}

func editTitle(t *testing.T, r *testLibrary, id store.ItemID) {
	t.Helper()
	it, err := r.store.Item(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	it.Title = "another title altogether"
	edit := store.EditedItem{N: id.N(), NewItem: store.NewItem{Item: it}}
	if _, err := r.store.File(t.Context(), r.now(), []store.Filing{{Feed: id.Feed(), Next: 61, Edited: []store.EditedItem{edit}, Outcome: &store.Outcome{Kind: store.AnswerNew}}}); err != nil {
		t.Fatal(err)
	}
}

// wellRead gives a library with more than enough opens: everything of the first
// feed, nothing of the others.
func wellRead(t *testing.T, feeds, items, from int) (*testLibrary, []store.ItemID) {
	t.Helper()
	r, ids := libraryOf(t, feeds, items)
	now := time.Now().Add(-10 * 24 * time.Hour)
	for i := range 36 {
		at := &testLibrary{r.Ranker, r.store, now.Add(time.Duration(i) * 5 * time.Hour)}
		at.note(t, store.Fact{Kind: store.Looked})
		id := ids[from*items+i%(items-4)]
		if err := at.Shown(t.Context(), at.now(), at.now(), []Impression{{id, 1}, {ids[(from+1)%feeds*items+i%items], 2}, {ids[(from+2)%feeds*items+i%items], 3}}); err != nil {
			t.Fatal(err)
		}
		at.open(t, id, "")
	}
	return r, ids
}

// TestTaughtInWords: what was taught is said in the words of the title, not in
// their stems.
func TestTaughtInWords(t *testing.T) {
	r, ids := wellRead(t, 4, 40, 0)
	learn(t, r)
	seen := 0
	for _, id := range ids[:20] {
		it, err := r.store.Item(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		said := r.train(t, Feedback{Item: id})
		for _, part := range strings.Split(said, ", ") {
			if word, ok := strings.CutPrefix(part, "word "); ok {
				seen++
				if !strings.Contains(it.Title+" ", word+" ") {
					t.Errorf("%q of %q", part, it.Title)
				}
			}
		}
	}
	if seen == 0 {
		t.Error("no word was taught: the test proves nothing")
	}
	if said := r.train(t, Feedback{Subject: "word", Name: "Ferries"}); said != "more like word ferries" {
		t.Errorf("%q", said)
	}
}

// TestTakenBackLeavesNoTrace: an opening taken back by marking unread, a step
// undone and a mark of everything leave the explanation byte for byte.
func TestTakenBackLeavesNoTrace(t *testing.T) {
	r, ids := wellRead(t, 4, 40, 0)
	ctx := t.Context()
	learn(t, r)
	probe := []store.ItemID{ids[39], ids[79], ids[159]}
	before := whys(t, r, probe...)
	check := func(what string) {
		t.Helper()
		if got := whys(t, r, probe...); got != before {
			t.Fatalf("after %s:\n%s\nbefore:\n%s", what, got, before)
		}
	}
	r.open(t, ids[79], "")
	if got := whys(t, r, probe...); got == before {
		t.Fatal("an opening taught nothing: the test proves nothing")
	}
	r.act(t, "River", store.Change{Kind: store.MarkedUnread, Items: ids[79:80]})
	check("an opening and marking unread")
	r.act(t, "River", store.Change{Kind: store.MarkedRead, Items: ids})
	check("marking everything read")
	for i, do := range []func(){
		func() { r.act(t, "River", store.Change{Kind: store.Saved, Items: ids[79:80]}) },
		func() { r.train(t, Feedback{Item: ids[79]}) },
		func() { r.train(t, Feedback{Subject: "category", Name: "slate"}) },
		func() { r.adjust(t, ids[79].Feed(), LearningField, model.Pinned.String()) },
		func() { r.adjust(t, ids[79].Feed(), LearningField, model.Excluded.String()) },
		func() {
			if _, err := r.Freeze(ctx, r.now(), true); err != nil {
				t.Fatal(err)
			}
		},
		func() { // what another program's reader starred and read
			r.act(t, "import newsboat", store.Change{Kind: store.Saved, Items: ids[79:80]}, store.Change{Kind: store.MarkedRead, Items: ids[79:80]})
		},
		func() {
			if _, err := r.Reset(ctx, r.now()); err != nil {
				t.Fatal(err)
			}
		},
	} {
		do()
		if whys(t, r, probe...) == before {
			t.Fatalf("lesson %d changed nothing", i)
		}
		if _, err := r.store.Undo(ctx, r.now(), 0, 0); err != nil {
			t.Fatal(err)
		}
		check("a step that was undone")
	}
	r.open(t, ids[159], FromSearch)
	check("opening what was searched for")
	forgetCache(t, r)
	r.facts = 0
	if quick := whys(t, r, probe...); quick == "" {
		t.Fatal("nothing without a cache")
	}
}

// A page that was saved by its address stood in no list, and says nothing of what is opened.
func TestSavedPagesTeachNothing(t *testing.T) {
	r, ids := wellRead(t, 4, 40, 0)
	r.act(t, "", store.Change{Kind: store.Subscribed, Sub: &store.Subscription{URL: model.PipedScheme + model.SavedPages}})
	feeds, err := r.store.Feeds(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	it, err := r.store.Item(t.Context(), ids[79])
	if err != nil {
		t.Fatal(err)
	}
	filing := store.Filing{Feed: feeds[len(feeds)-1].ID, Next: 1, New: []store.NewItem{{Item: store.Item{Title: it.Title, Categories: it.Categories}, Keys: []uint64{1}}}}
	filed, err := r.store.File(t.Context(), r.now(), []store.Filing{filing})
	if err != nil || filed[0].Err != nil {
		t.Fatal(err, filed)
	}
	before := whys(t, r, ids[39], ids[79], ids[159])
	r.act(t, "", store.Change{Kind: store.Saved, Items: filed[0].Items})
	if got := whys(t, r, ids[39], ids[79], ids[159]); got != before {
		t.Fatalf("%s\nbefore:\n%s", got, before)
	}
}

// TestSwap: what is opened leads; swapping which of two feeds is opened swaps
// which leads. Ranked has exactly the rows it was given.
func TestSwap(t *testing.T) {
	for from := range 2 {
		r, ids := wellRead(t, 4, 40, from)
		for _, cached := range []bool{false, true} {
			if cached {
				learn(t, r)
			}
			rows := r.unread(t)
			a, err := r.Arrange(t.Context(), r.now(), Ranked, Spots(rows, noTitles), 20, nil)
			if err != nil || a.Early() {
				t.Fatal(a.Opens, err)
			}
			if got := rows[a.Index[0]].ID.Feed(); got != ids[from*40].Feed() {
				t.Errorf("cached %v: feed %s leads, opened was %s", cached, got, ids[from*40].Feed())
			}
			paper, err := r.Arrange(t.Context(), r.now(), Paper, Spots(rows, noTitles), 20, nil)
			if err != nil || len(paper.Index) != len(rows) || rows[paper.Index[0]].ID.Feed() != ids[from*40].Feed() {
				t.Errorf("the paper's model leads with feed %s (%v)", rows[paper.Index[0]].ID.Feed(), err)
			}
			seen := slices.Clone(a.Index)
			slices.Sort(seen)
			for i, k := range seen {
				if int(k) != i || len(seen) != len(rows) {
					t.Fatal("Ranked is no permutation of River")
				}
			}
		}
	}
}

// recompute is the score from the terms alone.
func recompute(w *ItemWhy) (score, chance, bonus float64) {
	e := ranking.Explanation{Start: w.Start, Explore: w.Explore, Keep: w.Keep, Slope: w.Slope, Offset: w.Offset, Passed: w.Passed, Naive: w.Naive, Blend: w.Blend, Excluded: w.Excluded}
	for _, t := range w.Terms {
		e.Terms = append(e.Terms, ranking.Term{Kind: t.Kind, Weight: t.Weight, Alpha: t.Alpha, Beta: t.Beta})
	}
	return e.Recompute()
}

// TestRecompute: the score follows from the printed terms alone, bit for bit.
func TestRecompute(t *testing.T) {
	r, ids := wellRead(t, 6, 50, 1)
	learn(t, r)
	for _, id := range ids[:200] {
		w := r.why(t, id)
		b, err := json.Marshal(w)
		if err != nil {
			t.Fatal(err)
		}
		var read ItemWhy
		if err := json.Unmarshal(b, &read); err != nil {
			t.Fatal(err)
		}
		if s, c, bonus := recompute(&read); s != w.Score || c != w.Chance || bonus != w.Bonus || len(read.Terms) == 0 {
			t.Fatalf("%s: %v %v %v, said %v %v %v", id, s, c, bonus, w.Score, w.Chance, w.Bonus)
		}
	}
}

// TestRankingKeepsWhatItDescribed: a ranking says how far it is; one that is left
// in the middle goes on from there, and the next has nothing to wait for.
func TestRankingKeepsWhatItDescribed(t *testing.T) {
	r, _ := wellRead(t, 4, 400, 0)
	r.dropKept()
	rows := r.unread(t)
	left, leave := context.WithCancel(t.Context())
	var of int
	_, err := r.Arrange(left, r.now(), Ranked, Spots(rows, noTitles), 20, func(done, all int) {
		if of = all; done > 0 {
			leave()
		}
	})
	if !errors.Is(err, context.Canceled) || of <= 1024 || of > len(rows) {
		t.Fatalf("%v; %d of %d rows to describe", err, of, len(rows))
	}
	was, most := -1, 0
	a, err := r.Arrange(t.Context(), r.now(), Ranked, Spots(rows, noTitles), 20, func(done, all int) {
		if done <= was {
			t.Errorf("%d described after %d", done, was)
		}
		was, most = done, all
	})
	if err != nil || most == 0 || most > of-512 {
		t.Fatalf("%v; %d rows to describe, before %d", err, most, of)
	}
	again, err := r.Arrange(t.Context(), r.now(), Ranked, Spots(rows, noTitles), 20, func(done, all int) { t.Errorf("described again: %d of %d", done, all) })
	if err != nil || !slices.Equal(a.Index, again.Index) {
		t.Errorf("another order: %v", err)
	}
	r.dropKept()
	if fresh, err := r.Arrange(t.Context(), r.now(), Ranked, Spots(rows, noTitles), 20, nil); err != nil || !slices.Equal(a.Index, fresh.Index) {
		t.Errorf("another order than without what was kept: %v", err)
	}
}

func noTitles(store.FeedID) string { return "" }

// oneStep is a library whose log holds the facts of a test.
type oneStep struct {
	Library
	facts []store.Fact
}

func (l oneStep) Facts(_ context.Context, after uint64, visit func(*store.Fact) error) (uint64, error) {
	for i := range l.facts {
		if l.facts[i].No > after {
			if err := visit(&l.facts[i]); err != nil {
				return 0, err
			}
		}
	}
	return 0, nil
}

// Of the steps before the checkpoint those say something that saved, taught or set what
// is learned from, or brought feeds; what stands after a step is not of it.
func TestStepSays(t *testing.T) {
	for _, c := range []struct {
		what  string
		facts []store.Fact
		want  bool
	}{
		{"read", []store.Fact{{No: 5, Step: 5, Kind: store.MarkedRead}}, false},
		{"saved", []store.Fact{{No: 5, Step: 5, Kind: store.Saved}}, true},
		{"taught", []store.Fact{{No: 5, Step: 5, Kind: store.MarkedRead}, {No: 6, Step: 5, Kind: store.Trained}}, true},
		{"another setting", []store.Fact{{No: 5, Step: 5, Kind: store.Adjusted, Field: "folder"}}, false},
		{"learning", []store.Fact{{No: 5, Step: 5, Kind: store.Adjusted, Field: LearningField}, {No: 6, Step: 5, Kind: store.MarkedRead}}, true},
		{"an import", []store.Fact{{No: 5, Step: 5, Kind: store.Adjusted, Scope: "import list.opml"}, {No: 6, Step: 5, Kind: store.MarkedRead}}, true},
		{"subscribed", []store.Fact{{No: 5, Step: 5, Kind: store.Subscribed}}, true},
		{"the next step", []store.Fact{{No: 5, Step: 5, Kind: store.MarkedRead}, {No: 6, Step: 6, Kind: store.Saved}}, false},
	} {
		if got, err := stepSays(t.Context(), oneStep{facts: c.facts}, 5); got != c.want || err != nil {
			t.Errorf("%s: %v, %v", c.what, got, err)
		}
	}
}
