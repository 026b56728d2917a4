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

// TestShapeOfASlowFeed: with fewer than 120 posts in 28 days the older ones that are kept
// count too, with enough they do not.
func TestShapeOfASlowFeed(t *testing.T) {
	begin := time.Unix(1_704_672_000, 0)
	for _, c := range []struct {
		what           string
		days           int
		before, lately int // hours between the posts of a day; lately: in the last 28 days
		want           string
	}{
		{"two a day", 80, 12, 12, "peaks"},
		{"two a day, not for long", 40, 12, 12, ""},
		{"every hour", 80, 1, 1, "even"},
		{"two a day, every hour lately", 80, 12, 1, "even"},
	} {
		b := newHabits()
		var at time.Time
		for d := range c.days {
			apart := c.before
			if d >= c.days-28 {
				apart = c.lately
			}
			at = begin.AddDate(0, 0, d)
			f := store.Fact{At: at, Feed: 7, Kind: store.Arrived}
			for h := 0; h < 24; h += apart {
				f.Nums = append(f.Nums, -int64(h)*3600)
			}
			b.arrived(&f, at)
		}
		if got := b.shape(7, at.Add(time.Minute)); got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}
