package scheduler

import (
	"math"
	"time"
)

const (
	windowDays = 28
	shrinkDays = 1.0 // κ: the flat rate counts as one mean day
	day        = 86400
)

func (p *Profile) perDay() float64 {
	sum := 0.0
	for _, r := range p.Rate {
		sum += r
	}
	return sum
}

// learnPosts is λ from post times: the smoothed counts S of the window's D days,
// λ_k = (S_k + κF/D)/(D + κ), F the total per slot with half a post more, so
// that no hour is ever impossible.
func learnPosts(posts []int64, since, now int64) *Profile {
	start := max(since, now-windowDays*day)
	var hist [Slots]float64
	n := 0
	for _, t := range posts {
		if t >= start && t < now {
			hist[utcSlot(t)]++
			n++
		}
	}
	days := max(float64(now-start)/day, 0)
	width := ruleWidth(n)
	out := &Profile{Events: n, Days: days, Width: width}
	shrink(&out.Rate, smooth(&hist, width), float64(n)+0.5, days)
	return out
}

// shrink mixes the smoothed counts with the flat rate of total events.
func shrink(rate *[Slots]float64, smoothed [Slots]float64, total, days float64) {
	flat := total / Slots
	d := max(days, 1)
	for k := range rate {
		rate[k] = (smoothed[k]*(total/max(total-0.5, 0.5)) + shrinkDays*flat/d) / (d + shrinkDays)
		if rate[k] <= 0 {
			rate[k] = flat / (d + shrinkDays) / Slots
		}
	}
}

// ruleWidth is σ = 3 h · n^−0.2 between 0.6 and 3 hours: the usual rate at which
// a kernel may narrow with the number of events.
func ruleWidth(n int) time.Duration {
	h := 3 * math.Pow(float64(max(n, 1)), -0.2)
	return time.Duration(min(max(h, 0.6), 3) * float64(time.Hour))
}

// smooth convolves a day's counts with a circular Gaussian of total 1.
func smooth(hist *[Slots]float64, width time.Duration) [Slots]float64 {
	kernel := gauss(width)
	var out [Slots]float64
	for k, n := range hist {
		if n == 0 {
			continue
		}
		for j, w := range kernel {
			i := k + j
			if i >= Slots {
				i -= Slots
			}
			out[i] += n * w
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
		for _, x := range [3]float64{float64(d), float64(d - Slots), float64(d + Slots)} {
			k[d] += math.Exp(-x * x / (2 * sigma * sigma))
		}
		total += k[d]
	}
	for d := range k {
		k[d] /= total
	}
	return k
}
