package reader

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
	"diurna/store"
)

// shelfOf makes a library of feeds with items whose titles are of a few words.
func shelfOf(t *testing.T, feeds, items int) (*Reader, []ItemID) {
	t.Helper()
	r := newLibrary(t, newFakeWeb())
	ctx := t.Context()
	now := time.Now().Add(-30 * 24 * time.Hour).Truncate(time.Second)
	words := strings.Fields("lantern slate copper meadow signal ferry ledger orchard kettle compass gravel window thread engine river market")
	var ids []ItemID
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
func whys(t *testing.T, r *Reader, ids ...ItemID) string {
	t.Helper()
	r.dropKept() // what is in the cache counts here
	var out strings.Builder
	for _, id := range ids {
		w, err := r.WhyItem(t.Context(), id, 0)
		if err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(w)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "%s\n", b)
	}
	return out.String()
}

func forgetCache(t *testing.T, r *Reader) {
	t.Helper()
	r.dropKept() // what is in the cache counts here
	if err := r.store.Cache().Delete(t.Context(), interestBucket); err != nil {
		t.Fatal(err)
	}
}

// learn brings the cache up to date whatever has happened since.
func learn(t *testing.T, r *Reader) {
	t.Helper()
	totals, err := r.store.Totals(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := r.learnAnyway(t.Context(), totals); err != nil {
		t.Fatal(err)
	}
}

// liveOn lets a reader do something random.
func liveOn(t *testing.T, rng *rand.Rand, r *Reader, now time.Time, ids []ItemID) {
	t.Helper()
	ctx := t.Context()
	at := r.At(now)
	id := ids[rng.IntN(len(ids))]
	var err error
	switch rng.IntN(12) {
	case 0, 1:
		err = at.Looked(ctx)
	case 2, 3, 4:
		var s []Sight
		for i := range 1 + rng.IntN(8) {
			s = append(s, Sight{ids[rng.IntN(len(ids))], i + 1})
		}
		err = at.Saw(ctx, now, s)
	case 5, 6:
		_, err = at.Open(ctx, id)
	case 7:
		_, err = at.Mark(ctx, []Act{Save, MarkUnread, MarkRead, Tag}[rng.IntN(4)], "River", []ItemID{id, ids[rng.IntN(len(ids))]}, "x")
	case 8:
		if _, err = at.Undo(ctx, 0, 0); err != nil {
			err = nil
		}
	case 9:
		if _, err = at.Redo(ctx); err != nil {
			err = nil
		}
	case 10:
		_, _, err = at.Teach(ctx, Lesson{Less: rng.IntN(2) == 0, Item: id})
	default:
		_, err = at.Adjust(ctx, id.Feed(), []string{learningField, byTitlesField, "folder"}[rng.IntN(3)], []string{"", pinned, leftOut}[rng.IntN(3)])
		if err != nil {
			err = nil // not every value is one of every field
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestFoldFromCheckpoint: whenever a checkpoint was written, and whatever was
// folded on top of it, every score is to the last bit that of the whole log.
func TestFoldFromCheckpoint(t *testing.T) {
	for seed := range uint64(4) {
		rng := rand.New(rand.NewPCG(seed, 5))
		r, ids := shelfOf(t, 5, 60) // enough items for topics
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
		probe := []ItemID{ids[0], ids[7], ids[len(ids)-1], ids[int(seed)], ids[100]}
		quick := whys(t, r, probe...)
		in := r.readInterest(t.Context(), owned)
		if in.head.Last == 0 {
			learn(t, r)
			in = r.readInterest(t.Context(), owned)
		}
		// The topics are data of the cache: a fold from the start keeps them.
		fresh, err := r.foldInterest(t.Context(), in.anew(in.model, in.head.Fit, in.head.FitItems))
		if err != nil {
			t.Fatal(err)
		}
		if err := r.saveInterest(t.Context(), fresh, nil); err != nil {
			t.Fatal(err)
		}
		if whole := whys(t, r, probe...); whole != quick {
			t.Fatalf("seed %d: fold(checkpoint, tail)\n%s\nfold(all)\n%s", seed, quick, whole)
		}
	}
}

func editTitle(t *testing.T, r *Reader, id ItemID) {
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
func wellRead(t *testing.T, feeds, items, from int) (*Reader, []ItemID) {
	t.Helper()
	r, ids := shelfOf(t, feeds, items)
	now := time.Now().Add(-10 * 24 * time.Hour)
	for i := range 36 {
		at := r.At(now.Add(time.Duration(i) * 5 * time.Hour))
		if err := at.Looked(t.Context()); err != nil {
			t.Fatal(err)
		}
		id := ids[from*items+i%(items-4)]
		if err := at.Saw(t.Context(), at.now(), []Sight{{id, 1}, {ids[(from+1)%feeds*items+i%items], 2}, {ids[(from+2)%feeds*items+i%items], 3}}); err != nil {
			t.Fatal(err)
		}
		if _, err := at.Open(t.Context(), id); err != nil {
			t.Fatal(err)
		}
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
		items, err := r.items(t.Context(), []ItemID{id})
		if err != nil {
			t.Fatal(err)
		}
		_, said, err := r.Teach(t.Context(), Lesson{Item: id})
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range strings.Split(said, ", ") {
			if word, ok := strings.CutPrefix(part, "word "); ok {
				seen++
				if !strings.Contains(items[0].Title+" ", word+" ") {
					t.Errorf("%q of %q", part, items[0].Title)
				}
			}
		}
	}
	if seen == 0 {
		t.Error("no word was taught: the test proves nothing")
	}
	if _, said, err := r.Teach(t.Context(), Lesson{Subject: "word", Name: "Ferries"}); err != nil || said != "more like word ferries" {
		t.Errorf("%q, %v", said, err)
	}
}

// TestTakenBackLeavesNoTrace: an opening taken back by marking unread, a step
// undone and a mark of everything leave the explanation byte for byte.
func TestTakenBackLeavesNoTrace(t *testing.T) {
	r, ids := wellRead(t, 4, 40, 0)
	ctx := t.Context()
	learn(t, r)
	probe := []ItemID{ids[39], ids[79], ids[159]}
	before := whys(t, r, probe...)
	check := func(what string) {
		t.Helper()
		if got := whys(t, r, probe...); got != before {
			t.Fatalf("after %s:\n%s\nbefore:\n%s", what, got, before)
		}
	}
	if _, err := r.Open(ctx, ids[79]); err != nil {
		t.Fatal(err)
	}
	if got := whys(t, r, probe...); got == before {
		t.Fatal("an opening taught nothing: the test proves nothing")
	}
	if _, err := r.Mark(ctx, MarkUnread, "River", []ItemID{ids[79]}, ""); err != nil {
		t.Fatal(err)
	}
	check("an opening and marking unread")
	if _, err := r.Mark(ctx, MarkRead, "River", ids, ""); err != nil {
		t.Fatal(err)
	}
	check("marking everything read")
	for i, do := range []func() error{
		func() error { _, err := r.Mark(ctx, Save, "River", ids[79:80], ""); return err },
		func() error { _, _, err := r.Teach(ctx, Lesson{Item: ids[79]}); return err },
		func() error { _, _, err := r.Teach(ctx, Lesson{Subject: "category", Name: "slate"}); return err },
		func() error { _, err := r.Adjust(ctx, ids[79].Feed(), learningField, pinned); return err },
		func() error { _, err := r.Adjust(ctx, ids[79].Feed(), learningField, leftOut); return err },
		func() error { _, err := r.Freeze(ctx, true); return err },
		func() error { // what another program's reader starred and read
			_, err := r.store.Act(ctx, r.now(), "import newsboat", store.Change{Kind: store.Saved, Items: ids[79:80]}, store.Change{Kind: store.MarkedRead, Items: ids[79:80]})
			return err
		},
		func() error { _, err := r.ResetEvidence(ctx); return err },
	} {
		if err := do(); err != nil {
			t.Fatal(err)
		}
		if whys(t, r, probe...) == before {
			t.Fatalf("lesson %d changed nothing", i)
		}
		if _, err := r.Undo(ctx, 0, 0); err != nil {
			t.Fatal(err)
		}
		check("a step that was undone")
	}
	if _, err := r.OpenFound(ctx, ids[159]); err != nil {
		t.Fatal(err)
	}
	check("opening what was searched for")
	forgetCache(t, r)
	r.taste.facts = 0
	if quick := whys(t, r, probe...); quick == "" {
		t.Fatal("nothing without a cache")
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
			q, _ := ParseQuery("unread", time.Now())
			rows, err := r.Rows(t.Context(), q, 0)
			if err != nil {
				t.Fatal(err)
			}
			a, err := r.Arrange(t.Context(), Ranked, Spots(rows), 20, nil)
			if err != nil || a.Early() {
				t.Fatal(a.Opens, err)
			}
			if got := rows[a.Index[0]].ID.Feed(); got != ids[from*40].Feed() {
				t.Errorf("cached %v: feed %s leads, opened was %s", cached, got, ids[from*40].Feed())
			}
			paper, err := r.Arrange(t.Context(), Paper, Spots(rows), 20, nil)
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

// TestRecompute: the score follows from the printed terms alone.
func TestRecompute(t *testing.T) {
	r, ids := wellRead(t, 6, 50, 1)
	learn(t, r)
	for _, id := range ids[:200] {
		w, err := r.WhyItem(t.Context(), id, 0)
		if err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(w)
		if err != nil {
			t.Fatal(err)
		}
		var read ItemWhy
		if err := json.Unmarshal(b, &read); err != nil {
			t.Fatal(err)
		}
		if s, c, bonus := read.Recompute(); s != w.Score || c != w.Chance || bonus != w.Bonus || len(read.Terms) == 0 {
			t.Fatalf("%s: %v %v %v, said %v %v %v", id, s, c, bonus, w.Score, w.Chance, w.Bonus)
		}
	}
}

// TestLessonsAreNamed: what is taken back says the feed by its title, and how a
// feed stands to Ranked in words.
func TestLessonsAreNamed(t *testing.T) {
	feeds := map[FeedID]*Feed{7: {Key: 7, Title: "Bread and Salt"}}
	teach := &ranking.Lesson{Act: ranking.More, Subject: ranking.Feed, Name: FeedID(7).String()}
	for want, s := range map[string]*store.Step{
		"more like feed Bread and Salt":               {Kind: store.Taught, Field: lessonField, New: lessonWord(teach), Count: 1},
		"Bread and Salt: pinned in Ranked":            {Kind: store.Adjusted, Feed: 7, Field: learningField, New: pinned, Count: 1},
		"Bread and Salt: left out of learning":        {Kind: store.Adjusted, Feed: 7, Field: learningField, New: leftOut, Count: 1},
		"Bread and Salt: neither pinned nor left out": {Kind: store.Adjusted, Feed: 7, Field: learningField, Count: 1},
	} {
		if got := describe(s, feeds).What; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestRankingKeepsWhatItDescribed: a ranking says how far it is; one that is left
// in the middle goes on from there, and the next has nothing to wait for.
func TestRankingKeepsWhatItDescribed(t *testing.T) {
	r, _ := wellRead(t, 4, 400, 0)
	r.dropKept()
	q, _ := ParseQuery("unread", time.Now())
	rows, err := r.Rows(t.Context(), q, 0)
	if err != nil {
		t.Fatal(err)
	}
	left, leave := context.WithCancel(t.Context())
	var of int
	_, err = r.Arrange(left, Ranked, Spots(rows), 20, func(done, all int) {
		if of = all; done > 0 {
			leave()
		}
	})
	if !errors.Is(err, context.Canceled) || of <= 1024 || of > len(rows) {
		t.Fatalf("%v; %d of %d rows to describe", err, of, len(rows))
	}
	was, most := -1, 0
	a, err := r.Arrange(t.Context(), Ranked, Spots(rows), 20, func(done, all int) {
		if done <= was {
			t.Errorf("%d described after %d", done, was)
		}
		was, most = done, all
	})
	if err != nil || most == 0 || most > of-512 {
		t.Fatalf("%v; %d rows to describe, before %d", err, most, of)
	}
	again, err := r.Arrange(t.Context(), Ranked, Spots(rows), 20, func(done, all int) { t.Errorf("described again: %d of %d", done, all) })
	if err != nil || !slices.Equal(a.Index, again.Index) {
		t.Errorf("another order: %v", err)
	}
	r.dropKept()
	if fresh, err := r.Arrange(t.Context(), Ranked, Spots(rows), 20, nil); err != nil || !slices.Equal(a.Index, fresh.Index) {
		t.Errorf("another order than without what was kept: %v", err)
	}
}
