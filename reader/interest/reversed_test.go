package interest

import (
	"slices"
	"testing"

	"diurna/store"
)

// TestReversed: an order from the end has the same rows the other way round, and a name
// of its own.
func TestReversed(t *testing.T) {
	var rows []Spot
	for i, title := range []string{"pear", "", "Apple", "pear", "fig"} {
		rows = append(rows, Spot{ID: store.MakeItemID(store.FeedID(i%2+1), uint32(i+1)), At: int64(i), Title: title, Feed: []string{"b", "a"}[i%2]})
	}
	for _, o := range []Order{TitleBack, FeedBack} {
		want := Sort(o.Forward(), rows, nil).Index
		slices.Reverse(want)
		if got := Sort(o, rows, nil); got.Order != o || !slices.Equal(got.Index, want) {
			t.Errorf("%v gives %v, want %v", o, got, want)
		}
		if back, ok := ParseOrder(o.String()); !ok || back != o || o.Forward() == o {
			t.Errorf("%v is read as %v", o, back)
		}
	}
}
