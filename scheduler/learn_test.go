package scheduler

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestProfilesAreNeverZeroAndKeepTheRate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := int64(1_800_000_000)
		n := rapid.IntRange(0, 300).Draw(t, "n")
		span := rapid.IntRange(1, 120).Draw(t, "days")
		var posts []int64
		var looks []Event
		for range n {
			at := now - int64(rapid.IntRange(-5000, span*86400).Draw(t, "age"))
			posts = append(posts, at)
			looks = append(looks, Event{Unix: at, Offset: int32(rapid.IntRange(-12, 14).Draw(t, "zone") * 3600)})
		}
		since := now - int64(span)*86400
		for _, p := range []*Profile{LearnPosts(posts, since, now), LearnLooks(looks, since, now)} {
			for k, r := range p.Rate {
				if !(r > 0) || math.IsInf(r, 0) {
					t.Fatalf("rate %v in slot %d", r, k)
				}
			}
		}
		p := LearnPosts(posts, since, now)
		want := float64(p.Events) / p.Days
		if span <= 28 && math.Abs(p.PerDay()-want) > 0.1*want+1 {
			t.Fatalf("%v a day learned from %d events in %v days", p.PerDay(), p.Events, p.Days)
		}
	})
}

// Nothing at or after now may be read, and nothing before since.
func TestLearningDoesNotLookAhead(t *testing.T) {
	now := int64(1_800_000_000)
	posts := []int64{now - 5000, now - 90000, now, now + 5000, now - 40*86400}
	a := LearnPosts(posts, now-20*86400, now)
	b := LearnPosts(posts[:2], now-20*86400, now)
	if *a != *b || a.Events != 2 {
		t.Errorf("%d events", a.Events)
	}
}

// A habit of local time survives travel: the same hours, felt in another zone.
func TestTravel(t *testing.T) {
	now := int64(1_800_000_000) / day * day
	var home, away []Event
	for d := range int64(28) {
		at := now - (d+1)*day + 8*3600
		home = append(home, Event{Unix: at})
		offset := int32(0)
		if d < 14 {
			offset = -9 * 3600
		}
		away = append(away, Event{Unix: at - int64(offset), Offset: offset})
	}
	a, b := LearnLooks(home, now-28*day, now), LearnLooks(away, now-28*day, now)
	for k := range a.Rate {
		if math.Abs(a.Rate[k]-b.Rate[k]) > 0.15*a.Rate[k]+1e-3 {
			t.Fatalf("slot %d: %v at home, %v away", k, a.Rate[k], b.Rate[k])
		}
	}
}

func TestWidths(t *testing.T) {
	now := int64(1_800_000_000) / day * day
	r := rand.New(rand.NewPCG(1, 9))
	var punctual, none, few []Event
	for d := range int64(28) {
		zero := now - (d+1)*day
		for _, h := range []float64{8, 20} {
			punctual = append(punctual, Event{Unix: zero + int64((h+(2*r.Float64()-1)/6)*3600)})
		}
		for range 3 {
			none = append(none, Event{Unix: zero + int64(r.Float64()*day)})
		}
		if d < 4 {
			few = append(few, Event{Unix: zero + 8*3600})
		}
	}
	rule := ruleWidth(56)
	if p := LearnLooks(punctual, now-28*day, now); p.Width > rule/3 {
		t.Errorf("punctual: width %v, rule %v", p.Width, rule)
	}
	if p := LearnLooks(none, now-28*day, now); p.Width != 0 {
		t.Errorf("no rhythm: width %v", p.Width)
	}
	if p := LearnLooks(few, now-28*day, now); p.Width != ruleWidth(4) {
		t.Errorf("too few looks to judge: width %v", p.Width)
	}
}

// With nothing known a reader is taken for one of the population, and their own
// week replaces that.
func TestNewReader(t *testing.T) {
	now := int64(1_800_000_000) / day * day
	p := LearnLooks(nil, now, now)
	if p.Rate[4*12] > p.Rate[20*12]/3 {
		t.Errorf("at 4:00 %v, at 20:00 %v", p.Rate[4*12], p.Rate[20*12])
	}
	var night []Event
	for d := range int64(8) {
		night = append(night, Event{Unix: now - (d+1)*day + 4*3600})
	}
	p = LearnLooks(night, now-8*day, now)
	if p.Rate[4*12] < 2*p.Rate[20*12] {
		t.Errorf("after a week of nights: at 4:00 %v, at 20:00 %v", p.Rate[4*12], p.Rate[20*12])
	}
}

func TestShapes(t *testing.T) {
	var flat, few, peaks, waves [24]float64
	for h := range 24 {
		flat[h], few[h] = 20+float64(h%3), 3
		if h%4 == 0 {
			peaks[h] = 40
		}
		waves[h] = 20 * (1 + math.Sin(float64(h)*math.Pi/12))
	}
	for name, c := range map[string]struct {
		hours [24]float64
		want  Shape
	}{"flat": {flat, ShapeUniform}, "few": {few, ShapeUnknown}, "peaks": {peaks, ShapePeaks}, "waves": {waves, ShapeWaves}} {
		if got := ShapeOf(c.hours); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

func TestSaturated(t *testing.T) {
	for _, c := range []struct {
		shown, fresh, known int
		want                bool
	}{{20, 20, 40, true}, {20, 19, 40, false}, {20, 20, 0, false}, {0, 0, 5, false}} {
		if got := Saturated(c.shown, c.fresh, c.known); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// A source that posts by the clock is known to the minute, one that posts when
// it has something to say is not, and a burst on one day vouches for nothing.
func TestPostsByTheClock(t *testing.T) {
	now := int64(1_800_000_000) / day * day
	r := rand.New(rand.NewPCG(4, 6))
	var clock, loose, burst []int64
	for d := range int64(28) {
		zero := now - (d+1)*day
		clock = append(clock, zero+9*3600+r.Int64N(240), zero+17*3600+r.Int64N(240))
		loose = append(loose, zero+9*3600+r.Int64N(8*3600), zero+9*3600+r.Int64N(8*3600))
	}
	for i := range int64(40) {
		burst = append(burst, now-9*day+11*3600+i*20)
	}
	for name, c := range map[string]struct {
		posts       []int64
		least, most time.Duration
	}{
		"clock": {clock, 0, 12 * time.Minute},
		"loose": {loose, 40 * time.Minute, 3 * time.Hour},
		"burst": {burst, time.Hour, 3 * time.Hour},
	} {
		if w := LearnPosts(c.posts, now-28*day, now).Width; w < c.least || w > c.most {
			t.Errorf("%s: a width of %v, want %v to %v", name, w, c.least, c.most)
		}
	}
}
