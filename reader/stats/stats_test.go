package stats

import (
	"testing"

	"diurna/store"
)

// TestShownOncePerSession: an item counts as shown once in a session and as opened each
// time; what is not recent counts for the feed alone.
func TestShownOncePerSession(t *testing.T) {
	item := store.MakeItemID(1, 1)
	rows, s := map[store.FeedID]*FeedStats{1: {}}, &Stats{}
	count := func(kind store.Kind, recent bool, shown map[store.ItemID]bool) {
		countItems(&store.Fact{Kind: kind, Items: []store.ItemID{item, store.MakeItemID(2, 1)}}, s, rows, recent, shown)
	}
	first, second := map[store.ItemID]bool{}, map[store.ItemID]bool{}
	count(store.Shown, false, first)
	count(store.Shown, false, first) // on a better row
	count(store.Shown, true, second)
	count(store.Opened, true, second)
	count(store.Opened, true, second)
	if f := rows[1]; f.Shown != 2 || f.Opened != 2 || s.Shown != 2 || s.Opened != 4 {
		t.Errorf("the feed was shown %d and opened %d times, all of them %d and %d; want 2, 2, 2, 4", f.Shown, f.Opened, s.Shown, s.Opened)
	}
}
