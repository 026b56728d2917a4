package scheduler

import "math"

// The constants were chosen by the likelihood of each hour's posts given what was posted
// before, over four weeks of 229 sources.
const (
	levelPosts = 3 // prior of a source's present level, in posts
	levelDays  = 3 // memory of the level: what is so old counts 1/e
)

// ForecastPosts is what a source is expected to post in the 24 hours after now, by UTC
// slot, for Plan and Refresh: typical, which LearnPosts gave, times how much the source
// posted in the last days against what is typical (Gamma-Poisson filter with discount,
// Harvey and Fernandes 1989). posts and since are those of LearnPosts; seen is
// the last fetch (Unix seconds), as nothing is known of what came after it; one later
// than now counts as now. Nothing at or after now is read.
// It multiplies the typical rates by the mean of a Gamma-Poisson posterior:
//
//	λ(t) = typical(t) · (κ + d·A) / (κ + d·B),  d = exp(-(t-seen)/τ)
//
// A and B are the posts and the typically expected posts until seen, each discounted by
// exp(-age/τ): the filter of Harvey and Fernandes 1989, with the discount on what exceeds
// the prior, so that the level returns to 1 while nothing is observed.
func ForecastPosts(typical *Profile, posts []int64, since, seen, now int64) *Profile {
	const slot = day / Slots
	seen = min(seen, now)
	since = min(since, seen-leastSpan*day)
	a, b := 0.0, discounted(typical, int(seen-since+slot/2)/slot, seen)
	for _, t := range posts {
		if t >= since && t < now {
			a += levelDecay(seen - t)
		}
	}
	out, d, step := *typical, levelDecay(now-seen), levelDecay(slot)
	for k := range int64(Slots) {
		out.Rate[utcSlot(now+k*slot)] *= (levelPosts + d*a) / (levelPosts + d*b)
		d *= step
	}
	return &out
}

// levelDecay is what still counts of something so many seconds old; of what lies ahead,
// all.
func levelDecay(age int64) float64 { return math.Exp(-float64(max(age, 0)) / (levelDays * day)) }

// discounted is the sum of the rates in the n slots before a moment, each by its age. Every
// day is the one after it times the same factor, so they add up as a geometric series.
func discounted(p *Profile, n int, before int64) float64 {
	const slot = day / Slots
	series := func(days int) float64 { return math.Expm1(-float64(days)/levelDays) / math.Expm1(-1.0/levelDays) }
	full, rest := series(n/Slots), series(n/Slots+1)
	sum, weight, step := 0.0, levelDecay(slot/2), levelDecay(slot)
	for j := range Slots {
		repeats := full
		if j < n%Slots {
			repeats = rest
		}
		sum += p.Rate[utcSlot(before-slot/2-int64(j)*slot)] * weight * repeats
		weight *= step
	}
	return sum
}
