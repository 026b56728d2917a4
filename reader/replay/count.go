package replay

import (
	"math"

	"diurna/scheduler"
)

const phases = 24

// tally is what a policy left a person to miss.
type tally struct {
	missed float64 // posts out and not here, summed over looks (Sia 2009, Lemma 2)
	once   float64 // posts missed by some look (Eq. 2.1)
	opens  float64 // looks that set off a fetch
	made   float64 // fetches made
	wait   float64 // seconds from each miss to the person's next look; counted by even and tokenWeek
}

// add counts o as often as the pair it comes from stands for.
func (t *tally) add(o tally, weight float64) {
	t.missed += weight * o.missed
	t.once += weight * o.once
	t.opens += weight * o.opens
	t.made += weight * o.made
	t.wait += weight * o.wait
}

// pair is one source in the eyes of one person.
type pair struct {
	src  *series
	who  *person
	here []int32 // posts out at each look
}

// missing counts what is out at look i and came after the fetch that starts slot k.
func (p *pair) missing(i, k int) float64 {
	return float64(p.here[i] - p.src.before[max(k, 0)])
}

// until is the time from a look to the person's next, in seconds: what was
// missed at the one is seen at the other at the earliest. The last has none.
func (p *person) until(look int) float64 {
	if look+1 >= len(p.looks) {
		return 0
	}
	return float64(p.looks[look+1].Unix - p.looks[look].Unix)
}

// daily plays a week in which day d has the fetches plan[d] (slots of the day).
// carry is the slot of the last fetch before the week; the last of the week is
// returned.
func (p *pair) daily(w int, plan *[7][]int, carry int) (tally, int) {
	var out tally
	i, end := p.who.week[w], p.who.week[w+1]
	open, last := 0.0, carry
	for d := range 7 {
		zero := w*slotsPerWeek + d*scheduler.Slots
		j := 0
		out.made += float64(len(plan[d]))
		for ; i < end; i++ {
			k := int(p.who.looks[i].Unix / slotSeconds)
			if k >= zero+scheduler.Slots {
				break
			}
			for j < len(plan[d]) && zero+plan[d][j] <= k {
				last = zero + plan[d][j]
				j++
				out.once += open
				open = 0
			}
			open = p.missing(i, last)
			out.missed += open
		}
		if n := len(plan[d]); j < n {
			last = zero + plan[d][n-1]
			out.once += open
			open = 0
		}
	}
	out.once += open
	return out, last
}

// even plays a week of n evenly spaced fetches, averaged over 24 phases.
func (p *pair) even(w, n int) tally {
	out := tally{made: float64(n)}
	step := float64(slotsPerWeek) / float64(n)
	zero := w * slotsPerWeek
	for phase := range phases {
		open, last := 0.0, math.MinInt
		for i := p.who.week[w]; i < p.who.week[w+1]; i++ {
			x := float64(p.who.looks[i].Unix)/float64(slotSeconds) - float64(zero)
			j := math.Floor(x/step - float64(phase)/phases)
			k := zero + int(math.Round((j+float64(phase)/phases)*step))
			// Rounding must not put the fetch after the look.
			k = min(k, zero+int(x))
			if k != last {
				out.once += open
				last = k
			}
			open = p.missing(i, k)
			out.missed += open
			out.wait += open * p.who.until(i)
		}
		out.once += open
	}
	out.missed /= phases
	out.once /= phases
	out.wait /= phases
	return out
}

// weekdays deals n fetches of a week to its days by error diffusion.
func weekdays(n int) (out [7]int) {
	for d := range out {
		out[d] = (d+1)*n/7 - d*n/7
	}
	return out
}

// wholeWeeks turns shares a day into whole fetches a week with the same sum, at
// least one each: largest remainders first.
func wholeWeeks(shares []float64, total int) []int {
	out := make([]int, len(shares))
	sum := 0
	for i, s := range shares {
		out[i] = max(int(s*7), 1)
		sum += out[i]
	}
	for sum != total {
		at, top := -1, math.Inf(-1)
		for i, s := range shares {
			gap := s*7 - float64(out[i])
			if sum > total {
				gap = -gap
				if out[i] <= 1 {
					continue
				}
			}
			if gap > top {
				at, top = i, gap
			}
		}
		if at < 0 {
			break
		}
		if sum < total {
			out[at]++
			sum++
		} else {
			out[at]--
			sum--
		}
	}
	return out
}
