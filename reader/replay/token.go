package replay

import "diurna/scheduler"

// tokens keeps one fetch a day for a look that finds the last fetch far back;
// the others are planned for the looks that remain. A look that sets off a
// refresh is not counted as missing anything: the posts come while it lasts.
func (g *game) tokens() {
	for _, m := range g.budgets {
		if m < 2 {
			continue
		}
		plans := make([][]int, len(g.weeks))
		for w := 1; w < len(plans); w++ {
			g.out[policyTokens][m][w].made += g.weight * float64(7*(m-1))
			if !g.idle(w) {
				plans[w] = place(g.spare.Reset(g.weeks[w].lambda[g.source], g.known[w].rest), m-1)
			}
		}
		for w, t := range g.withToken(plans) {
			g.out[policyTokens][m][w].add(t, g.weight)
		}
	}
}

// withToken plays the weeks' planned fetches and one token a day, spent at the
// first look that comes δ after a fetch, or at midnight where none did. Where
// midnight is too close to a fetch it is not spent.
func (p *pair) withToken(plans [][]int) []tally {
	out := make([]tally, len(plans))
	last, open := slotsPerWeek, 0.0
	have := p.src.before[last]
	p.who.eachDay(len(plans), func(d day) {
		left := 1
		spend := func(slot int, posts int32) {
			left, last, have = 0, slot, posts
			out[d.week].made++
		}
		// planned takes in what was planned up to slot k, in week w.
		planned := func(w, k int) {
			if f := lastPlanned(plans[w], k); f > last {
				out[w].once += open
				open, last, have = 0, f, max(have, p.src.before[f])
			}
		}
		for i := d.from; i < d.to; i++ {
			w, k := p.who.weekOf(i), int(p.who.looks[i].Unix/slotSeconds)
			if w == 0 {
				continue
			}
			t := &out[w]
			planned(w, k)
			if left > 0 && k-last >= minGap {
				t.opens++
				t.once += open
				open = 0
				spend(k, p.here[i])
			}
			open = float64(p.here[i] - have)
			t.missed += open
		}
		w := min((d.midnight-1)/slotsPerWeek, len(plans)-1)
		if plans[w] != nil {
			planned(w, d.midnight-1)
		}
		if left > 0 && d.midnight-last >= minGap {
			out[d.week].once += open
			open = 0
			spend(d.midnight, max(have, p.src.before[d.midnight]))
		}
	})
	out[len(out)-1].once += open
	return out
}

// lastPlanned is the last slot at or before k with a planned fetch.
func lastPlanned(plan []int, k int) int {
	zero := k - k%scheduler.Slots
	out := zero - scheduler.Slots + plan[len(plan)-1]
	for _, f := range plan {
		if zero+f <= k {
			out = zero + f
		}
	}
	return out
}
