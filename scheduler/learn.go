package scheduler

import (
	"math"
	"time"
)

// WindowDays is the age in days from which on events count no more.
const WindowDays = 84

const (
	fullDays   = 28  // events as young as this count in full
	halfLife   = 28  // days in which the weight of older ones halves
	shrinkDays = 1.0 // κ: the flat rate counts as one mean day
	// leastSpan is the least time posts are taken to have been observed for: a
	// busy feed's first document may span two hours, and its rate must not be
	// taken for that of a day.
	leastSpan = 1.0 / 8
	day       = 86400
)

// PerDay is the expected number of events a day.
func (p *Profile) PerDay() float64 {
	sum := 0.0
	for _, r := range p.Rate {
		sum += r
	}
	return sum
}

// ageWeight is what an event counts at an age in days. Four weeks count in full;
// what lies before is the prior of those who have one, their own habit: half at
// once and fading. On the traces that is worth .5 to 1 point of misses over a
// sharp end after 28 days, and a new habit still outweighs all before it within
// three weeks.
func ageWeight(days float64) float64 {
	switch {
	case days <= fullDays:
		return 1
	case days > WindowDays:
		return 0
	}
	return 0.5 * math.Exp2(-(days-fullDays)/halfLife)
}

// observed is the sum of the day weights between since and now.
func observed(since, now int64) float64 {
	sum := math.Min(float64(now-since)/day, fullDays)
	for d := float64(fullDays); d < WindowDays; d++ {
		part := min(float64(now-since)/day-d, 1)
		if part <= 0 {
			break
		}
		sum += part * ageWeight(d+0.5)
	}
	return math.Max(sum, 0)
}

// sample is a weighted day of counts.
type sample struct {
	hist   [Slots]float64
	total  float64 // sum of hist
	square float64 // sum of squared weights
	days   float64 // weighted days observed
}

func (s *sample) add(slot int, w float64) {
	s.hist[slot] += w
	s.total += w
	s.square += w * w
}

// effective is the number of full events with the same variance.
func (s *sample) effective() float64 {
	if s.square == 0 {
		return 0
	}
	return s.total * s.total / s.square
}

// rates is λ_k = (S_k + κF/D)/(D + κ): S the smoothed counts of D days, F the
// total per slot with half an event more, so that no hour is ever impossible.
func (s *sample) rates(smoothed *[Slots]float64) [Slots]float64 {
	flat := (s.total + 0.5) / Slots
	d := math.Max(s.days, leastSpan)
	var out [Slots]float64
	for k := range out {
		out[k] = (math.Max(smoothed[k], 0) + shrinkDays*flat/d) / (d + shrinkDays)
	}
	return out
}

// LearnPosts is a source's profile from the times of its posts (Unix seconds, in
// any order) in the WindowDays before now. since is when observation began: for a
// new feed the date of its oldest item. Nothing after now is read.
func LearnPosts(posts []int64, since, now int64) *Profile {
	since = max(since, now-WindowDays*day)
	s := sample{days: observed(since, now)}
	var half [2]sample // of even and of odd days
	out := &Profile{Days: s.days}
	for _, t := range posts {
		if t < since || t >= now {
			continue
		}
		out.Events++
		slot, w := utcSlot(t), ageWeight(float64(now-t)/day)
		s.add(slot, w)
		half[t/day&1].add(slot, w)
	}
	half[0].days, half[1].days = s.days/2, s.days/2
	out.Width = likeliest(&half, ruleWidth(s.effective()))
	smoothed := smooth(&s.hist, out.Width)
	out.Rate = s.rates(&smoothed)
	return out
}

// ruleWidth is σ = 3 h · n^−0.2 between 0.6 and 3 hours: the usual rate at which
// a kernel may narrow with the number of events.
func ruleWidth(n float64) time.Duration {
	h := 3 * math.Pow(math.Max(n, 1), -0.2)
	return time.Duration(min(max(h, 0.6), 3) * float64(time.Hour))
}

// smooth convolves a day's counts with a circular Gaussian of total 1.
func smooth(hist *[Slots]float64, width time.Duration) [Slots]float64 {
	kernel := gauss(width)
	var out [Slots]float64
	// A narrow kernel reaches few slots: eight widths on either side hold all of
	// it but 1e-14.
	reach := int(8*float64(width)/float64(SlotLength)) + 2
	for k, n := range hist {
		if n == 0 {
			continue
		}
		if 2*reach < Slots {
			for j := -reach; j <= reach; j++ {
				out[(k+j+Slots)%Slots] += n * kernel[(j+Slots)%Slots]
			}
			continue
		}
		head, tail := out[k:], out[:k]
		for j := range head {
			head[j] += n * kernel[j]
		}
		for j := range tail {
			tail[j] += n * kernel[Slots-k+j]
		}
	}
	return out
}

// gauss is the wrapped kernel by slot distance.
func gauss(width time.Duration) [Slots]float64 {
	sigma := max(float64(width)/float64(SlotLength), 0.25)
	var k [Slots]float64
	total := 0.0
	for d := range k {
		x := float64(min(d, Slots-d))
		k[d] = math.Exp(-x * x / (2 * sigma * sigma))
		// The far side of the circle weighs below 1e-13 for σ <= 3 h.
		total += k[d]
	}
	for d := range k {
		k[d] /= total
	}
	return k
}
