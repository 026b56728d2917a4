package replay

import "math"

// days cuts the looks of a week by the person's own calendar.
func (p *person) days(w int, each func(from, to int)) {
	day := func(i int) int64 { return (p.looks[i].Unix + int64(p.looks[i].Offset)) / daySeconds }
	for i := p.week[w]; i < p.week[w+1]; {
		j := i + 1
		for j < p.week[w+1] && day(j) == day(i) {
			j++
		}
		each(i, j)
		i = j
	}
}

// onOpen fetches at the day's first m looks, which wait for it.
func (p *pair) onOpen(w, m int, have int32) (tally, int32) {
	var out tally
	p.who.days(w, func(from, to int) {
		open := 0.0
		for i := from; i < to; i++ {
			if i-from < m {
				have = p.here[i]
				out.opens++
				out.once += open
			}
			open = float64(p.here[i] - have)
			out.missed += open
		}
		out.once += open
	})
	return out, have
}

// clairvoyant chooses each day's m fetches, right before looks, with the least
// missed that day: a path over its looks, by dynamic programming.
func (p *pair) clairvoyant(w, m int, have int32) (tally, int32) {
	var out tally
	p.who.days(w, func(from, to int) {
		t, last := bestOfDay(p.here[from:to], m, have)
		out.add(t, 1)
		have = last
	})
	return out, have
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
