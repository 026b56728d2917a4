// Package online estimates how often sources post from what fetches find, and says
// which to fetch next, as the papers do: baselines for the planner of scheduler.
//
// [Single] and [Periodic] are the estimators of Horincar, Amann and Artières 2012;
// [Learner], [Refine], [Greedy] and [Fair] are those of Roitman, Carmel and Yom-Tov 2008.
package online

import (
	"math"
	"math/rand/v2"
)

const (
	day  = 86400
	hour = 3600
)

// Smoothing is α by the hours since the last fetch: .02 to .05 at an hour, .05 to .1 at
// 4 to 8 hours, .2 at a day. Horincar 2012, section 6, chooses by experiment, from .01 to .2.
func Smoothing(hours float64) float64 {
	return min(max(.035*math.Pow(hours, .55), .02), .2)
}

// Single is one rate (Horincar 2012, section 4.1).
type Single struct {
	PerHour float64 // items an hour
	Floor   float64 // least rate; 0: as printed
}

// Observe takes in the items of the hours since the last fetch: λ' = αx/Δ + (1−α)λ.
func (s *Single) Observe(hours, items float64) {
	a := Smoothing(hours)
	s.PerHour = max(a*items/hours+(1-a)*s.PerHour, s.Floor)
}

// Periodic is a rate for each UTC hour of the day (Horincar 2012, section 4.2).
type Periodic struct {
	PerHour [24]float64 // items an hour
	Floor   float64     // least rate; 0: as printed, an hour at 0 stays there
	Whole   bool        // as printed: an hour of which a minute was covered moves like the others
}

// Covered is how many hours of [from, to), unix seconds, fall into each hour of the day.
func Covered(from, to int64) (out [24]float64) {
	for t := from; t < to; {
		next := min(t-t%hour+hour, to)
		out[t%day/hour] += float64(next-t) / hour
		t = next
	}
	return out
}

// Expect is the number of items expected in [from, to), the paper's divergence.
func (p *Periodic) Expect(from, to int64) float64 {
	sum := 0.
	for h, c := range Covered(from, to) {
		sum += c * max(p.PerHour[h], p.Floor)
	}
	return sum
}

// Observe gives each hour its expected share of the items of [from, to):
// λ' = α·λ·x/Div + (1−α)·λ. The printed update divides by an expectation that may be 0
// (then nothing is learned), never revives an hour that reached 0, and moves an hour of
// which the interval touched a minute as much as the rest. With a Floor and without
// Whole, rates have a floor and an hour moves by the part of it that was covered.
func (p *Periodic) Observe(from, to int64, items float64) {
	div := p.Expect(from, to)
	if div <= 0 {
		return
	}
	a := Smoothing(float64(to-from) / hour)
	for h, c := range Covered(from, to) {
		step := 1 - math.Pow(1-a, c)
		if p.Whole && c > 0 {
			step = a
		}
		rate := max(p.PerHour[h], p.Floor)
		p.PerHour[h] = max(step*rate*items/div+(1-step)*rate, p.Floor)
	}
}

// Learner is the monitoring rate of a channel, in probes an hour (Roitman 2008, Eq. 5).
type Learner struct {
	Rate    float64
	Floor   float64 // least rate
	Printed bool    // the weights as printed: the rate ends as the last observation
}

// The constants of Eq. 5; the paper gives no unit of time, G is taken in hours.
const (
	alpha0     = .1
	coolingG   = 100
	leastAlpha = .02
)

// Observe takes in how many items, all or novel ones, came in the hours since the last
// probe; at is hours since monitoring began. As printed the weight of history is
// α₀·exp(−T/G), which goes to 0: then the rate is the last observation, and 0 for good
// after a probe that found nothing. The weights are exchanged here, and α
// stays at .02 or above; Printed has the other reading.
func (l *Learner) Observe(at, hours float64, items int) {
	a := alpha0 * math.Exp(-at/coolingG)
	if !l.Printed {
		a = 1 - max(a, leastAlpha)
	}
	l.Rate = max(a*l.Rate+(1-a)*float64(items)/hours, l.Floor)
}

// Refine smooths rates over similar channels (Roitman 2008, Eq. 10): similar is n × n,
// 0 to 1 with 1 on the diagonal (Eq. 9), and each row is divided by its sum.
func Refine(rates, similar []float64) []float64 {
	n := len(rates)
	out := make([]float64, n)
	for i := range out {
		sum := 0.
		for j, s := range similar[i*n : (i+1)*n] {
			out[i] += s * rates[j]
			sum += s
		}
		out[i] /= sum
	}
	return out
}

// Greedy is the m channels with the highest rates (Roitman 2008, section 6.1), of
// equal ones those that were probed longest ago. last is when each was probed.
func Greedy(rates []float64, last []int64, m int) []int {
	var out []int
	taken := make([]bool, len(rates))
	for range min(m, len(rates)) {
		best := -1
		for i, r := range rates {
			if !taken[i] && (best < 0 || r > rates[best] || r == rates[best] && last[i] < last[best]) {
				best = i
			}
		}
		taken[best] = true
		out = append(out, best)
	}
	return out
}

// Fair is m channels drawn without replacement, each with a chance in proportion to
// its rate (Roitman 2008, section 6.1). Rates are above 0.
func Fair(rates []float64, m int, r *rand.Rand) []int {
	left, sum := append([]float64(nil), rates...), 0.
	for _, x := range left {
		sum += x
	}
	var out []int
	for range min(m, len(rates)) {
		x, at := r.Float64()*sum, -1
		for i, y := range left {
			if y > 0 {
				at = i
				if x -= y; x < 0 {
					break
				}
			}
		}
		sum -= left[at]
		left[at] = 0
		out = append(out, at)
	}
	return out
}
