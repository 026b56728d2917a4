package replay

import (
	"context"
	"math"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"diurna/scheduler"
)

var delayHours = []int{6, 8, 12, 24}

// waited is the waiting of one source's posts.
type waited struct {
	minutes float64
	posts   int
	fetches int
}

// delayPolicies are those that need no reader.
func delayPolicies(wanted []string) []string {
	var out []string
	for _, n := range policyNames {
		switch n {
		case policyOnOpen, policyTokens, policyClairvoyant:
			continue
		}
		if n == policyUniform || slices.Contains(wanted, n) {
			out = append(out, n)
		}
	}
	return out
}

func (a *axis) delays(ctx context.Context, o ScheduleOptions) ([]DelayRow, error) {
	names := delayPolicies(o.Policies)
	out := make([]DelayRow, len(names)*len(delayHours))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, name := range names {
		for j, hours := range delayHours {
			g.Go(func() error {
				out[i*len(delayHours)+j] = a.delay(name, hours)
				return ctx.Err()
			})
		}
	}
	return out, g.Wait()
}

func (a *axis) delay(name string, hours int) DelayRow {
	all := make([]waited, len(a.sources))
	m := 24 / hours
	if name == policyHindsight {
		a.delayHindsight(m, all)
	} else {
		for w := 1; w < a.weeks; w++ {
			a.delayWeek(name, w, m, all)
		}
	}
	row := DelayRow{Policy: name, Hours: hours}
	posts, feeds := 0, 0
	for _, x := range all {
		row.Minutes += x.minutes
		row.Fetches += x.fetches
		posts += x.posts
		if x.posts > 0 {
			row.PerFeed += x.minutes / float64(x.posts)
			feeds++
		}
	}
	row.Minutes /= math.Max(float64(posts), 1)
	row.PerFeed /= math.Max(float64(feeds), 1)
	return row
}

// delayWeek plays week w under one policy with m fetches a day and source.
func (a *axis) delayWeek(name string, w, m int, all []waited) {
	n := len(a.sources)
	known := a.knowledge(w)
	lambda, rates := known.lambda, known.rates
	if name == policyPrinted {
		lambda, rates = known.printed, known.paper
	}
	costs, ones := make([]*scheduler.Cost, n), make([]float64, n)
	for i := range a.sources {
		costs[i], ones[i] = scheduler.Delay(lambda[i], 1), 1
	}
	var shares []float64
	switch name {
	case policyAllocation, policyCombined:
		shares = scheduler.RootShares(rates, ones, float64(m*n))
	case policyCGM03:
		shares = known.ageShares(m)
	case policyProportional:
		shares = scheduler.ProportionalShares(rates, float64(m*n))
	case policyOurs:
		_, fetches := scheduler.Allocate(costs, ones, scheduler.Limits{MinGap: minGap}, 1, m*n)
		for i, f := range fetches {
			all[i].planned(&a.sources[i], w, everyDay(f))
		}
		return
	}
	whole := make([]int, n)
	for i := range whole {
		whole[i] = 7 * m
	}
	if shares != nil {
		whole = wholeWeeks(shares, 7*m*n)
	}
	for i := range a.sources {
		if name == policyRetrieval || name == policyDataOnly || name == policyPrinted || name == policyCombined {
			all[i].planned(&a.sources[i], w, dealt(costs[i], whole[i], map[int][]int{}))
		} else {
			all[i].even(&a.sources[i], w, whole[i])
		}
	}
}

// delayHindsight plans once, exactly, from the counts of all weeks that count.
func (a *axis) delayHindsight(m int, all []waited) {
	n := len(a.sources)
	costs, ones := make([]*scheduler.Cost, n), make([]float64, n)
	for i := range a.sources {
		hist := make([]float64, scheduler.Slots)
		b := a.sources[i].before
		for k := slotsPerWeek; k+1 < len(b); k++ {
			hist[k%scheduler.Slots] += float64(b[k+1] - b[k])
		}
		costs[i], ones[i] = scheduler.Delay(hist, 1), 1
	}
	_, fetches := scheduler.Allocate(costs, ones, scheduler.Limits{}, 1, m*n)
	for w := 1; w < a.weeks; w++ {
		for i, f := range fetches {
			all[i].planned(&a.sources[i], w, everyDay(f))
		}
	}
}

// planned adds a week: each post waits for the next fetch, which may be next
// week's; that week is then taken to be like this one.
func (x *waited) planned(s *series, w int, plan *[7][]int) {
	var at []int64
	for round := range 2 {
		for d, day := range plan {
			for _, k := range day {
				at = append(at, int64((w+round)*slotsPerWeek+d*scheduler.Slots+k)*slotSeconds)
			}
		}
	}
	x.fetches += len(at) / 2
	j := 0
	for i := s.before[w*slotsPerWeek]; i < s.before[(w+1)*slotsPerWeek]; i++ {
		for j < len(at) && at[j] < s.posts[i] {
			j++
		}
		if j < len(at) {
			x.minutes += float64(at[j]-s.posts[i]) / 60
			x.posts++
		}
	}
}

// even adds a week of n evenly spaced fetches, averaged over 24 phases.
func (x *waited) even(s *series, w, n int) {
	step := float64(weekSeconds) / float64(n)
	x.fetches += n
	for i := s.before[w*slotsPerWeek]; i < s.before[(w+1)*slotsPerWeek]; i++ {
		t := float64(s.posts[i] - int64(w)*weekSeconds)
		for phase := range phases {
			p := t/step - float64(phase)/phases
			x.minutes += (math.Ceil(p) - p) * step / 60 / phases
		}
		x.posts++
	}
}
