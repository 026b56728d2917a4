package replay

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"
)

func (o *ScheduleOptions) fill() error {
	if len(o.Budgets) == 0 {
		o.Budgets = []int{2, 3, 4, 5}
	}
	for _, m := range o.Budgets {
		if m < 1 || m > 24 {
			return fmt.Errorf("budget %d: 1 to 24 fetches per feed and day", m)
		}
	}
	o.Budgets = slices.Compact(slices.Sorted(slices.Values(o.Budgets)))
	if name, ok := unknownPolicy(o.Policies); !ok {
		return fmt.Errorf("policy %q is not known; there are %v", name, policyNames)
	}
	if len(o.Policies) == 0 {
		o.Policies = policyNames
	}
	if o.Pairs == 0 {
		o.Pairs = DefaultPairs
	}
	if o.Samples == 0 {
		o.Samples = asRunSamples
	}
	if o.LookGap == 0 {
		o.LookGap = 10 * time.Minute
	}
	return nil
}

// Schedule replays the traces. It fails on an unknown policy, a budget out of
// range, a trace without posts or people or shorter than two weeks, and when ctx
// ends.
func Schedule(ctx context.Context, o ScheduleOptions) (ScheduleReport, error) {
	if err := o.fill(); err != nil {
		return ScheduleReport{}, err
	}
	a, err := newAxis(o)
	if err != nil {
		return ScheduleReport{}, err
	}
	out := ScheduleReport{Seed: o.Seed, Sources: len(a.sources), People: len(a.people),
		Pairs: a.pairs, OfPairs: len(a.sources) * len(a.people), Weeks: a.weeks, Aligned: a.aligned}
	tables, err := a.misses(ctx, o)
	if err != nil {
		return ScheduleReport{}, err
	}
	out.Miss, out.Weekly = a.missRows(o, tables)
	if out.Delay, err = a.delays(ctx, o); err != nil {
		return ScheduleReport{}, err
	}
	if slices.Contains(o.Policies, policyOurs) {
		if out.Cold, err = a.cold(ctx); err != nil {
			return ScheduleReport{}, err
		}
		out.AsRun, err = a.asRun(ctx, o)
	}
	return out, err
}

// missRows adds the people up.
func (a *axis) missRows(o ScheduleOptions, tables []table) ([]MissRow, []WeekRow) {
	var rows []MissRow
	var weekly []WeekRow
	for _, name := range policyNames {
		if name != policyUniform && !slices.Contains(o.Policies, name) {
			continue
		}
		for _, m := range o.Budgets {
			if name == policyTokens && m < 2 {
				continue
			}
			rows = append(rows, a.missRow(name, m, tables))
			if name == policyHindsight {
				// It learns from all weeks at once, so no week of it
				// stands by itself.
				continue
			}
			for w := 1; w < a.weeks; w++ {
				r := WeekRow{Week: w, Policy: name, PerDay: m}
				for _, t := range tables {
					r.Missed += t[name][m][w].missed
					r.Uniform += t[policyUniform][m][w].missed
				}
				weekly = append(weekly, r)
			}
		}
	}
	return rows, weekly
}

func (a *axis) missRow(name string, m int, tables []table) MissRow {
	row := MissRow{Policy: name, PerDay: m}
	var shares, once []float64
	even, made := 0.0, 0.0
	for i, t := range tables {
		var mine, base tally
		for w := 1; w < a.weeks; w++ {
			mine.add(t[name][m][w], 1)
			base.add(t[policyUniform][m][w], 1)
		}
		row.Missed += mine.missed
		even += base.missed
		row.Opens += mine.opens
		made += mine.made
		p := &a.people[i]
		row.Looks += (p.week[a.weeks] - p.week[1]) * len(a.sources)
		if base.missed > 0 {
			shares = append(shares, fewer(mine.missed, base.missed))
			once = append(once, fewer(mine.once, base.once))
		}
	}
	for i := range a.sources {
		row.Posts += a.sources[i].postsIn(1, a.weeks) * len(a.people)
	}
	row.Fewer, row.CI95 = meanCI(shares)
	row.Once, _ = meanCI(once)
	row.Pooled = fewer(row.Missed, even)
	row.Fetches = int(math.Round(made))
	row.Opens *= 100 / math.Max(float64(row.Looks), 1)
	return row
}

// meanCI is the mean and the half width of its 95 % interval.
func meanCI(x []float64) (mean, half float64) {
	if len(x) == 0 {
		return 0, 0
	}
	for _, v := range x {
		mean += v / float64(len(x))
	}
	if len(x) < 2 {
		return mean, 0
	}
	sum := 0.0
	for _, v := range x {
		sum += (v - mean) * (v - mean)
	}
	n := float64(len(x))
	return mean, 1.96 * math.Sqrt(sum/(n-1)/n)
}
