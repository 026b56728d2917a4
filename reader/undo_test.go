package reader

import (
	"diurna/reader/interest"
	"diurna/reader/model"
	"diurna/store"
	"diurna/store/storetest"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// picture is everything that acts can change, as text.
func picture(t *testing.T, r *Reader) string {
	t.Helper()
	var b strings.Builder
	feeds, err := r.Feeds(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i := range feeds {
		f := &feeds[i]
		fmt.Fprintln(&b, f.Key, f.URL, f.Title, f.Given, f.Folder, f.Tags, f.Unread, f.Saved, f.Items, f.Hidden, f.Settings)
	}
	rows, err := r.Rows(t.Context(), Query{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		fmt.Fprintln(&b, row.ID, row.At, row.Flags, row.Tags, row.Title)
	}
	tot, err := r.Totals(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return b.String() + fmt.Sprint(tot)
}

// oneAct does one random deliberate thing.
func oneAct(t *testing.T, r *Reader, rnd *rand.Rand) {
	t.Helper()
	rows, err := r.Rows(t.Context(), Query{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	feeds, err := r.Feeds(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var some []ItemID
	for _, row := range rows {
		if rnd.IntN(3) == 0 {
			some = append(some, row.ID)
		}
	}
	switch n := rnd.IntN(12); {
	case n < 6 && len(rows) > 0:
		_, err = r.Mark(t.Context(), Act(1+rnd.IntN(6)), "River", some, fmt.Sprintf("tag%d", rnd.IntN(3)))
	case n < 8 && len(feeds) > 0:
		f := feeds[rnd.IntN(len(feeds))]
		field := []string{"title", "folder", "tags", "interval", "hidden"}[rnd.IntN(5)]
		value := map[string]string{"title": "Named", "folder": "a/b", "tags": "x,y", "interval": "2h", "hidden": "true"}[field]
		_, err = r.Adjust(t.Context(), f.Key, field, value)
	case n < 10 && len(feeds) > 0:
		_, err = r.Unsubscribe(t.Context(), []FeedID{feeds[rnd.IntN(len(feeds))].Key})
	case n == 10:
		_, err = r.Import(t.Context(), []byte(someList), ImportOptions{NoFetch: true}, nil)
	default:
		var text []byte
		if text, err = r.Subscriptions().EditText(t.Context()); err == nil {
			_, err = r.Subscriptions().ApplyEdit(t.Context(), append(text, fmt.Sprintf("https://new.example/%d\n", rnd.IntN(5))...), r.now())
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Every step can be taken back by a program that was started after it, and each
// undo restores exactly what was there before the step; redo does the reverse.
func TestUndoStepByStepInFreshPrograms(t *testing.T) {
	for seed := range uint64(storetest.Size(1, 3)) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(seed, 7))
			dir, web := t.TempDir(), listWeb()
			r := openLibrary(t, dir, web)
			if _, err := r.Import(t.Context(), []byte(someList), ImportOptions{}, nil); err != nil {
				t.Fatal(err)
			}
			steps, err := r.Steps(t.Context(), 1)
			if err != nil {
				t.Fatal(err)
			}
			pictures, last := []string{}, steps[0].No
			for len(pictures) < 60 {
				before := picture(t, r)
				oneAct(t, r, rnd)
				if steps, _ := r.Steps(t.Context(), 1); steps[0].No > last {
					last = steps[0].No
					pictures = append(pictures, before)
				}
			}
			end := picture(t, r)
			pictures = append(pictures, end)
			for i := len(pictures) - 2; i >= 0; i-- {
				fresh := openLibrary(t, dir, web)
				if _, err := fresh.Undo(t.Context(), 0, 0); err != nil {
					t.Fatalf("undo to picture %d: %v", i, err)
				}
				if got := picture(t, fresh); got != pictures[i] {
					t.Fatalf("undo to picture %d gives\n%s\nwant\n%s", i, got, pictures[i])
				}
			}
			for i := 1; i < len(pictures); i++ {
				fresh := openLibrary(t, dir, web)
				if _, err := fresh.Redo(t.Context()); err != nil {
					t.Fatalf("redo to picture %d: %v", i, err)
				}
				if got := picture(t, fresh); got != pictures[i] {
					t.Fatalf("redo to picture %d gives\n%s\nwant\n%s", i, got, pictures[i])
				}
			}
			if !strings.Contains(strings.Join(pictures, ""), "[x y]") && seed == 0 {
				t.Error("no feed ever had the two tags")
			}
			d, err := r.Maintenance().Doctor(t.Context(), nil)
			if err != nil || d.Damaged() {
				t.Fatalf("doctor: %v, %v", d.Findings, err)
			}
			if _, err := r.Redo(t.Context()); !errors.Is(err, ErrNothing) {
				t.Errorf("redo at the end: %v", err)
			}
		})
	}
}

// TestLessonsAreNamed: what is taken back says the feed by its title, and how a
// feed stands to Ranked in words.
func TestLessonsAreNamed(t *testing.T) {
	feeds := map[FeedID]*Feed{7: {Key: 7, Title: "Bread and Salt"}}
	word := "1\t1\t" + strconv.Quote(FeedID(7).String()) + "\t0\t0\t0" // as a Trained fact keeps it
	for want, s := range map[string]*store.Step{
		"more like feed Bread and Salt":               {Kind: store.Trained, Field: "lesson", New: word, Count: 1},
		"Bread and Salt: pinned in Ranked":            {Kind: store.Adjusted, Feed: 7, Field: interest.LearningField, New: model.Pinned.String(), Count: 1},
		"Bread and Salt: left out of learning":        {Kind: store.Adjusted, Feed: 7, Field: interest.LearningField, New: model.Excluded.String(), Count: 1},
		"Bread and Salt: neither pinned nor left out": {Kind: store.Adjusted, Feed: 7, Field: interest.LearningField, Count: 1},
	} {
		if got := describe(s, feeds).What; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
