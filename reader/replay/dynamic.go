package replay

import (
	"math"

	"diurna/scheduler"
)

// day is one day of a person: the looks from..to-1, until the slot of midnight.
type day struct {
	week     int // in which it begins
	from, to int
	midnight int
}

// eachDay goes through a person's days, from midnight to midnight where the
// person was when week 1 began: the one that reaches into week 1, and then all
// that begin in weeks 1 to weeks-1, seven a week. What policies spend by the day
// thus adds up to the same as what others spend by the week.
func (p *person) eachDay(weeks int, each func(d day)) {
	east := (int64(p.offsetAt(p.week[1]))%daySeconds + daySeconds) % daySeconds
	if east == 0 {
		east = daySeconds
	}
	i := 0
	for begin := weekSeconds - east; begin < int64(weeks)*weekSeconds; begin += daySeconds {
		for i < p.week[weeks] && p.looks[i].Unix < begin {
			i++
		}
		d := day{week: int(begin / weekSeconds), from: i, midnight: min(int((begin+daySeconds)/slotSeconds), weeks*slotsPerWeek)}
		for i < p.week[weeks] && p.looks[i].Unix < begin+daySeconds {
			i++
		}
		d.to = i
		each(d)
	}
}

// weekOf is the week of look i.
func (p *person) weekOf(i int) int { return int(p.looks[i].Unix / weekSeconds) }

// onOpen fetches at the day's first m looks, which wait for it. What no look
// wanted is spent at midnight.
func (p *pair) onOpen(m, weeks int) []tally {
	out := make([]tally, weeks)
	have, open := p.src.before[slotsPerWeek], 0.0
	p.who.eachDay(weeks, func(d day) {
		out[d.week].made += float64(m)
		for i := d.from; i < d.to; i++ {
			t := &out[p.who.weekOf(i)]
			if i-d.from < m {
				have = p.here[i]
				t.opens++
				t.once += open
			}
			open = float64(p.here[i] - have)
			t.missed += open
		}
		if d.to-d.from < m {
			out[d.week].once += open
			have, open = max(have, p.src.before[d.midnight]), 0
		}
	})
	out[weeks-1].once += open
	return out
}

// clairvoyant chooses each day's m fetches, right before looks, with the least
// missed that day: a path over its looks, by dynamic programming. Days are those
// of the axis, so that no choice in a week knows of the next. What a day leaves
// over is spent at its end.
func (p *pair) clairvoyant(m, weeks int) []tally {
	out := make([]tally, weeks)
	have := p.src.before[slotsPerWeek]
	i := p.who.week[1]
	for k := slotsPerWeek; k < weeks*slotsPerWeek; k += scheduler.Slots {
		t := &out[k/slotsPerWeek]
		end, from := k+scheduler.Slots, i
		for i < p.who.week[weeks] && p.who.looks[i].Unix < int64(end)*slotSeconds {
			i++
		}
		if i > from {
			var best tally
			best, have = bestOfDay(p.here[from:i], m, have)
			t.add(best, 1)
		}
		t.made += float64(m)
		if i-from < m {
			have = max(have, p.src.before[end])
		}
	}
	return out
}

// bestOfDay returns the least misses with m fetches before looks at which here
// posts are out, of which have are known.
func bestOfDay(here []int32, m int, have int32) (tally, int32) {
	n := len(here)
	if n <= m {
		return tally{}, here[n-1]
	}
	sum := make([]float64, n+1)
	for i, h := range here {
		sum[i+1] = sum[i] + float64(h)
	}
	// span is what the looks i+1..j-1 miss after a fetch before look i.
	span := func(i, j int, known int32) float64 {
		return sum[j] - sum[i] - float64(j-i)*float64(known)
	}
	best := make([]float64, n) // last fetch before look i, f fetches so far
	from := make([][]int, m)
	for f := range from {
		from[f] = make([]int, n)
	}
	for i := range best {
		best[i] = span(0, i, have)
		from[0][i] = -1
	}
	for f := 1; f < m; f++ {
		next := make([]float64, n)
		for i := range next {
			next[i], from[f][i] = best[i], -2
			for j := range i {
				if v := best[j] + span(j, i, here[j]); v < next[i] {
					next[i], from[f][i] = v, j
				}
			}
		}
		best = next
	}
	at, top := 0, math.Inf(1)
	for i := range best {
		if v := best[i] + span(i, n, here[i]); v < top {
			at, top = i, v
		}
	}
	t := tally{missed: top}
	t.once = onceOfDay(here, from, at, have)
	return t, here[at]
}

// onceOfDay walks the chosen fetches back and counts posts missed by some look.
func onceOfDay(here []int32, from [][]int, at int, have int32) float64 {
	once := float64(here[len(here)-1] - here[at])
	for f := len(from) - 1; f >= 0; f-- {
		j := from[f][at]
		if j == -2 {
			continue
		}
		known := have
		if j >= 0 {
			known = here[j]
		}
		if at > 0 && (j < 0 || at-1 > j) {
			once += float64(here[at-1] - known)
		}
		if j < 0 {
			break
		}
		at = j
	}
	return once
}
