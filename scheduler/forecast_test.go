package scheduler

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// someDay is 00:00 UTC of 8 January 2024.
const someDay = 1_704_672_000

// flatProfile has the same rate at all hours.
func flatProfile(perDay float64) *Profile {
	p := &Profile{}
	for k := range p.Rate {
		p.Rate[k] = perDay / Slots
	}
	return p
}

// before is n posts so many seconds before someDay.
func before(age int64, n int) []int64 {
	out := make([]int64, n)
	for i := range out {
		out[i] = someDay - age
	}
	return out
}

// The values were computed apart, summing slot by slot, for a source of two posts a day.
func TestForecastReferenceValues(t *testing.T) {
	for _, c := range []struct {
		name     string
		posts    []int64
		since    int64 // seconds before someDay
		now      int64
		wantADay float64
	}{
		{"no posts", nil, 40 * day, someDay, 0.666667},
		{"no posts, 12 hours later", nil, 40 * day, someDay + day/2, 0.742677},
		{"ten posts a day ago", before(day, 10), 40 * day, someDay, 2.258961},
		{"ten posts a week ago", before(7*day, 10), 40 * day, someDay, 0.882161},
		{"ten posts a week ago, the day after", before(7*day, 10), 40 * day, someDay + day, 1.012397},
		{"ten posts a day ago, known for 36 hours", before(day, 10), 3 * day / 2, someDay, 3.792450},
		{"ten posts at once, known for a minute", before(30, 10), 60, someDay, 8.011951},
	} {
		p := ForecastPosts(flatProfile(2), c.posts, someDay-c.since, someDay, c.now)
		if got := p.Rate[utcSlot(c.now)] * Slots; math.Abs(got-c.wantADay) > 1e-5 {
			t.Errorf("%s: %.6f posts a day, want %.6f", c.name, got, c.wantADay)
		}
	}
}

// Within the day ahead the level fades as it does when that hour has come.
func TestForecastFadesAhead(t *testing.T) {
	p := ForecastPosts(flatProfile(2), nil, someDay-40*day, someDay, someDay)
	if got := p.Rate[Slots/2] * Slots; math.Abs(got-0.742677) > 1e-5 {
		t.Errorf("%.6f posts a day twelve hours ahead", got)
	}
}

// A source that posts as it typically does keeps its rate; one that posts ten times as
// much since two days is expected to post more than usual, and hardly more two weeks after
// it was seen last.
func TestForecastReturnsToTypical(t *testing.T) {
	var posts []int64
	for at := int64(someDay - 28*day + 3600); at < someDay; at += 7200 {
		posts = append(posts, at)
	}
	perDay := func(posts []int64, now int64) float64 {
		return ForecastPosts(flatProfile(12), posts, someDay-28*day, someDay, now).PerDay()
	}
	if got := perDay(posts, someDay); math.Abs(got-12) > 0.05 {
		t.Errorf("%v a day", got)
	}
	for at := int64(someDay - 2*day); at < someDay; at += 800 {
		posts = append(posts, at)
	}
	if got := perDay(posts, someDay); got < 40 {
		t.Errorf("%v a day in a storm", got)
	}
	if got := perDay(posts, someDay+14*day); got < 12 || got > 20 {
		t.Errorf("%v a day two weeks later", got)
	}
}

// Three hours later everything is three hours later; nothing at or after now is read; no
// rate becomes 0; a source without posts is expected to post no more than usual.
func TestForecastLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := someDay + rapid.Int64Range(0, 7*day).Draw(t, "now")
		seen := now - rapid.Int64Range(0, 2*day).Draw(t, "seen")
		since := now - rapid.Int64Range(1, 40*day).Draw(t, "since")
		posts := rapid.SliceOfN(rapid.Int64Range(min(since, seen-1), seen-1), 0, 60).Draw(t, "posts")
		typical := LearnPosts(posts, since, now)
		p := ForecastPosts(typical, posts, since, seen, now)
		if *p != *ForecastPosts(typical, append([]int64{now, now + day}, posts...), since, seen, now) {
			t.Fatal("knows what comes")
		}
		none := ForecastPosts(typical, nil, since, seen, now)

		const turn = 3 * 3600
		later, turned := make([]int64, len(posts)), *typical
		for i := range posts {
			later[i] = posts[i] + turn
		}
		for k := range turned.Rate {
			turned.Rate[(k+turn*Slots/day)%Slots] = typical.Rate[k]
		}
		q := ForecastPosts(&turned, later, since+turn, seen+turn, now+turn)
		for k, r := range p.Rate {
			if !(r > 0) || math.IsInf(r, 0) {
				t.Fatalf("rate %v in slot %d", r, k)
			}
			if none.Rate[k] > typical.Rate[k]*(1+1e-9) {
				t.Fatalf("slot %d: %v without a post, usually %v", k, none.Rate[k], typical.Rate[k])
			}
			if m := q.Rate[(k+turn*Slots/day)%Slots]; m != r {
				t.Fatalf("slot %d: %v, three hours later %v", k, r, m)
			}
		}
	})
}

// BenchmarkForecastPosts forecasts a source of 60 posts a day.
func BenchmarkForecastPosts(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	var posts []int64
	for range 28 * 60 {
		posts = append(posts, someDay-r.Int64N(28*day))
	}
	typical := LearnPosts(posts, someDay-28*day, someDay)
	for b.Loop() {
		ForecastPosts(typical, posts, someDay-28*day, someDay, someDay)
	}
}
