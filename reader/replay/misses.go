package replay

import (
	"context"
	"runtime"

	"golang.org/x/sync/errgroup"

	"diurna/scheduler"
)

// table holds tallies by policy, fetches a day and week.
type table map[string][][]tally

func newTable(policies []string, most, weeks int) table {
	t := table{}
	for _, p := range append([]string{policyUniform}, policies...) {
		rows := make([][]tally, most+1)
		for m := range rows {
			rows[m] = make([]tally, weeks)
		}
		t[p] = rows
	}
	return t
}

// readerHours is what is known of a person when a week begins, by UTC slot.
type readerHours struct {
	looks   []float64 // ours
	rest    []float64 // without each day's first look, for what tokens leave over
	printed []float64
}

func (p *person) learn(w int) readerHours {
	now := int64(w) * weekSeconds
	past := p.looks[:p.week[w]]
	offset := p.offsetAt(p.week[w])
	var later []scheduler.Event
	local := make([]int64, len(past))
	for i, l := range past {
		local[i] = l.Unix + int64(l.Offset)
		if i > 0 && local[i]/daySeconds == local[i-1]/daySeconds {
			later = append(later, l)
		}
	}
	all := scheduler.LearnLooks(past, 0, now)
	rest := scheduler.LearnLooks(later, 0, now)
	paper := scheduler.LearnPrinted(local, 0, now)
	return readerHours{toUTC(&all.Rate, offset), toUTC(&rest.Rate, offset), toUTC(&paper.Rate, offset)}
}

// misses plays every pair through every policy. One tally table per person.
func (a *axis) misses(ctx context.Context, o ScheduleOptions) ([]table, error) {
	most := 0
	for _, m := range o.Budgets {
		most = max(most, m)
	}
	weeks := make([]*week, a.weeks)
	learning, until := errgroup.WithContext(ctx)
	learning.SetLimit(runtime.GOMAXPROCS(0))
	for w := 1; w < a.weeks; w++ {
		learning.Go(func() error {
			weeks[w] = a.learnWeek(w, most, o.Budgets)
			return until.Err()
		})
	}
	if err := learning.Wait(); err != nil {
		return nil, err
	}
	out := make([]table, len(a.people))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range a.people {
		g.Go(func() error {
			out[i] = newTable(o.Policies, most, a.weeks)
			return a.play(ctx, i, weeks, o, out[i])
		})
	}
	return out, g.Wait()
}

func (a *axis) play(ctx context.Context, n int, weeks []*week, o ScheduleOptions, out table) error {
	who := &a.people[n]
	known := make([]readerHours, a.weeks)
	for w := 1; w < a.weeks; w++ {
		known[w] = who.learn(w)
	}
	costs := make([]scheduler.Cost, a.weeks)
	for i := range a.sources {
		if err := ctx.Err(); err != nil {
			return err
		}
		if a.weight[i][n] == 0 {
			continue
		}
		p := &pair{src: &a.sources[i], who: who, here: a.sources[i].here(who.looks)}
		g := &game{pair: p, source: i, weeks: weeks, known: known, budgets: o.Budgets, out: out,
			weight: a.weight[i][n], costs: costs, fresh: make([]bool, a.weeks), days: make([]map[int][]int, a.weeks)}
		for name := range out {
			g.policy(name)
		}
	}
	return nil
}

// game is one pair with the knowledge of each week.
type game struct {
	*pair
	source  int
	weeks   []*week
	known   []readerHours
	budgets []int
	out     table
	weight  float64
	costs   []scheduler.Cost // by week, shared by policies; reused from pair to pair
	fresh   []bool           // costs and days are this pair's
	days    []map[int][]int  // by week and fetches a day: see dealt
	spare   scheduler.Cost
}

// idle says that a week has nothing to count.
func (g *game) idle(w int) bool { return g.who.week[w] == g.who.week[w+1] }

func (g *game) policy(name string) {
	switch name {
	case policyUniform:
		g.evenly(name, func(_ *week, m int) int { return 7 * m })
	case policyAllocation, policyCGM03, policyProportional:
		g.evenly(name, func(k *week, m int) int { return k.shares[name][m][g.source] })
	case policyOnOpen, policyClairvoyant:
		g.dynamic(name)
	case policyTokens:
		g.tokens()
	case policyHindsight:
		g.hindsight()
	default:
		g.planned(name)
	}
}

func (g *game) evenly(name string, share func(k *week, m int) int) {
	for w := 1; w < len(g.weeks); w++ {
		for _, m := range g.budgets {
			n := share(g.weeks[w], m)
			t := tally{made: float64(n)} // nobody looks: they are made all the same
			if !g.idle(w) {
				t = g.even(w, n)
			}
			g.out[name][m][w].add(t, g.weight)
		}
	}
}

func (g *game) dynamic(name string) {
	for _, m := range g.budgets {
		weeks := g.onOpen
		if name == policyClairvoyant {
			weeks = g.clairvoyant
		}
		for w, t := range weeks(m, len(g.weeks)) {
			g.out[name][m][w].add(t, g.weight)
		}
	}
}

// cost is the miss penalty as ours sees it when week w begins.
func (g *game) cost(w int) *scheduler.Cost {
	if !g.fresh[w] {
		g.costs[w].Reset(g.weeks[w].lambda[g.source], g.known[w].looks)
		g.days[w] = map[int][]int{}
		g.fresh[w] = true
	}
	return &g.costs[w]
}

// plan is a week's schedule under a policy that plans ahead.
func (g *game) plan(name string, w, m int) *[7][]int {
	k := g.weeks[w]
	switch name {
	case policyRetrieval, policyDataOnly:
		return everyDay(k.data[g.source][m])
	case policyPrinted:
		return everyDay(place(g.spare.Reset(k.printed[g.source], g.known[w].printed), m))
	case policyCombined:
		c := g.cost(w) // before g.days, which it empties
		return dealt(c, k.shares[policyAllocation][m][g.source], g.days[w])
	}
	return everyDay(place(g.cost(w), m))
}

func (g *game) planned(name string) {
	last := make(map[int]int, len(g.budgets))
	for w := 1; w < len(g.weeks); w++ {
		for _, m := range g.budgets {
			if _, ok := last[m]; !ok {
				last[m] = slotsPerWeek
			}
			if g.idle(w) {
				last[m] = (w + 1) * slotsPerWeek
				n := 7 * m
				if name == policyCombined {
					n = g.weeks[w].shares[policyAllocation][m][g.source]
				}
				g.out[name][m][w].made += g.weight * float64(n)
				continue
			}
			var t tally
			t, last[m] = g.daily(w, g.plan(name, w, m), last[m])
			g.out[name][m][w].add(t, g.weight)
		}
	}
}

// hindsight plans once, from what happened in all weeks that count.
func (g *game) hindsight() {
	const n = scheduler.Slots
	pairs := make([]float32, n*n)
	j := 0
	for i := g.who.week[1]; i < g.who.week[len(g.weeks)]; i++ {
		t := g.who.looks[i].Unix
		for j < len(g.src.posts) && g.src.posts[j] <= t-daySeconds+slotSeconds {
			j++
		}
		look := t / slotSeconds
		for k := j; k < len(g.src.posts) && g.src.posts[k] <= t; k++ {
			post := g.src.posts[k] / slotSeconds
			if d := look - post; d < n && post >= 0 {
				pairs[int(post%n)*n+int(d)]++
			}
		}
	}
	c := scheduler.Coupled(n, pairs)
	for _, m := range g.budgets {
		fetches, _ := c.Optimal(m, scheduler.Limits{})
		last := slotsPerWeek
		for w := 1; w < len(g.weeks); w++ {
			var t tally
			t, last = g.daily(w, everyDay(fetches), last)
			g.out[policyHindsight][m][w].add(t, g.weight)
		}
	}
}
