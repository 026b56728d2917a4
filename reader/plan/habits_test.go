package plan

import (
	"math"
	"testing"
	"time"

	"diurna/scheduler"
	"diurna/store"
)

// A feed with two posts a day is known as such however long it was subscribed to: what is
// kept of its posts reaches as far back as what the rate is learned from.
func TestRateOfAnOldFeed(t *testing.T) {
	const id = store.FeedID(7)
	begin := time.Unix(1_704_672_000, 0)
	b := newHabits()
	for d := range 200 {
		at := begin.AddDate(0, 0, d)
		b.arrived(&store.Fact{At: at, Feed: id, Kind: store.Arrived, Nums: []int64{0, -12 * 3600}}, at)
		if got := b.of(id, at.Add(time.Hour)).PerDay(); d > 20 && math.Abs(got-2) > 0.15 {
			t.Fatalf("%.2f posts a day after %d days", got, d)
		}
	}
	if n := len(b.posts[id].times); n > 2*(scheduler.WindowDays+1) {
		t.Errorf("%d posts kept", n)
	}
}
