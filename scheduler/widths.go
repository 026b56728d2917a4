package scheduler

import (
	"math"
	"time"
)

const (
	folds       = 5   // days left out in turn
	leastDays   = 10  // observed before a habit is judged
	leastLooks  = 20  // and looks
	clearGain   = .05 // a narrower kernel must save so much of the waiting
	clearLikely = 2.0 // log likelihood a narrower kernel of posts must gain
	clearErrors = 1.0 // and so many standard errors
	narrowShare = .7  // weight of the narrower kernel beside the rule's
	flatChi     = 35.2
)

// postParts are the kernels tried for a source's posts, in parts of the rule's.
var postParts = [...]float64{1, .5, .25, .12, .06}

// likeliest chooses the kernel under which each half of a source's days says
// most about the other half. Many sources post by the clock, and the rule, which
// knows their number only, blurs that; whole days are left out, so that one burst
// does not vouch for itself. On the traces the choice saves 1 point of misses at
// two fetches a day and 2.5 at five.
func likeliest(half *[2]sample, rule time.Duration) time.Duration {
	best, width := math.Inf(-1), rule
	for _, part := range postParts {
		w := time.Duration(part * float64(rule))
		if l := half[0].says(&half[1], w) + half[1].says(&half[0], w); l > best+clearLikely {
			best, width = l, w
		}
	}
	return width
}

// says is the log likelihood of the other events' times of day, as learned from s.
func (s *sample) says(other *sample, width time.Duration) float64 {
	if other.total == 0 {
		return 0
	}
	smoothed := smooth(&s.hist, width)
	rate := s.rates(&smoothed)
	sum, total := 0.0, 0.0
	for k, r := range rate {
		total += r
		if n := other.hist[k]; n > 0 {
			sum += n * math.Log(r)
		}
	}
	return sum - other.total*math.Log(total)
}

// LearnLooks is the reader's profile from the looks in the 84 days before now,
// by the local time they were felt in. since is when observation began (the
// library's first day). A look is a first key after ten idle minutes, or the
// screen being shown again. Nothing after now is read. It costs a few
// milliseconds: keep the result until the next look.
// The kernel is the rule's, or a narrower one where replaying the reader's own days
// says so; none where there is no rhythm, and a population's shape while little is known.
func LearnLooks(looks []Event, since, now int64) *Profile {
	since = max(since, now-WindowDays*day)
	h := history{now: now}
	h.all.days = math.Max(observed(since, now), 1)
	out := &Profile{Days: observed(since, now)}
	for _, l := range looks {
		if l.Unix < since || l.Unix >= now {
			continue
		}
		out.Events++
		h.add(l)
	}
	rule := ruleWidth(h.all.effective())
	wide := smooth(&h.all.hist, rule)
	out.Rate, out.Width = h.all.rates(&wide), rule
	switch {
	case out.Events >= leastLooks && h.all.days >= leastDays && h.flat():
		// Half way to flat: the test errs for a weak rhythm, and half of a
		// flat rate is enough to keep noise from placing fetches.
		mix(&out.Rate, 0.5, h.all.rates(evenly(h.all.total)))
		out.Width = 0
	case out.Events >= leastLooks && h.all.days >= leastDays:
		if w := h.narrower(rule); w < rule {
			s := smooth(&h.all.hist, w)
			mix(&out.Rate, narrowShare, h.all.rates(&s))
			out.Width = w
		}
	}
	out.population(now - since)
	return out
}

// mix moves a to share of b.
func mix(a *[Slots]float64, share float64, b [Slots]float64) {
	for k := range a {
		a[k] = (1-share)*a[k] + share*b[k]
	}
}

func evenly(total float64) *[Slots]float64 {
	var out [Slots]float64
	for k := range out {
		out[k] = total / Slots
	}
	return &out
}

// history is what the choice of a width looks at: the looks by day, and
// the same in folds that can be left out.
type history struct {
	now  int64
	all  sample
	fold [folds]sample
	days [WindowDays][]int16 // by age, so that the hour of the day plays no part
}

func (h *history) add(l Event) {
	w := ageWeight(float64(h.now-l.Unix) / day)
	slot := utcSlot(l.Unix + int64(l.Offset))
	h.all.add(slot, w)
	d := min((h.now-1-l.Unix)/day, WindowDays-1)
	h.days[d] = append(h.days[d], int16(slot))
	h.fold[d%folds].add(slot, w)
}

// flat says that the hours of the day differ by no more than chance: the same
// test that tells a uniform feed (23 degrees of freedom, 5 %).
func (h *history) flat() bool {
	var hours [24]float64
	n := 0.0
	for _, d := range h.days {
		for _, slot := range d {
			hours[int(slot)/(Slots/24)]++
			n++
		}
	}
	return chiSquare(&hours, n) < flatChi
}

// chiSquare against equal hours, n events; above 280 events it is scaled down,
// so that a mild and certain rhythm does not count as one.
func chiSquare(hours *[24]float64, n float64) float64 {
	chi := 0.0
	for _, x := range hours {
		d := x - n/24
		chi += d * d / (n / 24)
	}
	return math.Min(1, 280/n) * chi
}

// narrower replays the reader's own days: for each width the fetches are planned
// from four fifths of the days and judged on the fifth left out, two and three a
// day, by how long the last fetch lay back at each look. The count of looks alone
// cannot tell a punctual reader from a blurred one. A narrower width is taken
// when it is clearly better than the best so far.
func (h *history) narrower(rule time.Duration) time.Duration {
	flat := evenly(1)
	best := h.losses(rule, flat)
	width := rule
	for _, part := range []float64{.5, .25, .12} {
		w := time.Duration(part * float64(rule))
		if l := h.losses(w, flat); clearly(l, best) {
			best, width = l, w
		}
	}
	return width
}

// losses by day of planning with one width.
func (h *history) losses(w time.Duration, flat *[Slots]float64) []float64 {
	out := make([]float64, len(h.days))
	for f := range folds {
		train := sample{total: h.all.total - h.fold[f].total, days: h.all.days * (folds - 1) / folds}
		for k := range train.hist {
			train.hist[k] = math.Max(h.all.hist[k]-h.fold[f].hist[k], 0)
		}
		s := smooth(&train.hist, w)
		rate := train.rates(&s)
		solve := newSolver(Miss(flat[:], rate[:]), Limits{})
		for m := 2; m <= 3; m++ {
			fetches, _ := solve.optimal(m)
			back := lags(fetches)
			for d := f; d < len(h.days); d += folds {
				for _, slot := range h.days[d] {
					out[d] += back[slot] * float64(m)
				}
			}
		}
	}
	return out
}

// lags is how many slots before each slot's middle the last fetch lies.
func lags(fetches []int) (out [Slots]float64) {
	last := fetches[len(fetches)-1] - Slots
	j := 0
	for k := range out {
		if j < len(fetches) && fetches[j] == k {
			last = k
			j++
		}
		out[k] = float64(k-last) + 0.5
	}
	return out
}

// clearly says that the daily losses a are below b by enough to act on.
func clearly(a, b []float64) bool {
	sa, sb, n := 0.0, 0.0, 0.0
	for d := range a {
		if b[d] > 0 {
			sa, sb, n = sa+a[d], sb+b[d], n+1
		}
	}
	if n < 2 || sa > sb*(1-clearGain) {
		return false
	}
	mean, v := (sb-sa)/n, 0.0
	for d := range a {
		if b[d] > 0 {
			x := b[d] - a[d] - mean
			v += x * x
		}
	}
	return mean > clearErrors*math.Sqrt(v/(n-1)/n)
}
