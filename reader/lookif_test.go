package reader

import (
	"testing"
	"testing/synctest"
	"time"

	"diurna/store"
)

// A look outside the screen follows the screen's rule: only ten minutes after
// the last sign of a user, however many facts a refresh put in between.
func TestLookOutsideTheScreen(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		web := newFakeWeb()
		r, done := bubbleLibrary(t, dir, web)
		defer done()
		ids := plainFeeds(t, r, web, 1)
		rows, err := r.store.Rows(t.Context(), store.RowQuery{Which: store.All})
		if err != nil || len(rows) == 0 {
			t.Fatal(rows, err)
		}
		noise := make([]store.Fact, 500)
		for i := range noise {
			noise[i] = store.Fact{Kind: store.Asked, Feed: ids[0]}
		}
		for _, step := range []struct {
			wait time.Duration
			fact store.Fact // noted before the look
			want int        // looks by then
		}{
			{want: 1},
			{wait: 9 * time.Minute, want: 1},
			{wait: time.Minute, want: 2},
			{wait: 9 * time.Minute, fact: store.Fact{Kind: store.Shown, Feed: ids[0], Items: []ItemID{rows[0].ID}}, want: 2},
			{wait: 9 * time.Minute, fact: store.Fact{Kind: store.Opened, Feed: ids[0], Items: []ItemID{rows[0].ID}}, want: 2},
			{wait: 9 * time.Minute, want: 2},
			{wait: 2 * time.Minute, want: 3},
			{wait: 5 * time.Minute, fact: store.Fact{Kind: store.Looked, At: time.Now().AddDate(10, 0, 0)}, want: 4},
			{wait: 6 * time.Minute, want: 5}, // a look of a clock gone wrong is nobody's
		} {
			time.Sleep(step.wait)
			if step.fact.Kind != 0 {
				if err := r.store.Note(t.Context(), time.Now(), step.fact); err != nil {
					t.Fatal(err)
				}
			}
			if err := r.store.Note(t.Context(), time.Now(), noise...); err != nil {
				t.Fatal(err)
			}
			if err := r.LookedIfAway(t.Context()); err != nil {
				t.Fatal(err)
			}
			st, err := r.Stats().Stats(t.Context(), r.now())
			if err != nil || st.Looks != step.want {
				t.Fatalf("after %v: %d looks, want %d; %v", step.wait, st.Looks, step.want, err)
			}
		}
	})
}
