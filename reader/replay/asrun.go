package replay

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"diurna/scheduler"
)

// asRunPeople is how many people the default budget is shown for: each needs a
// plan over every source.
const asRunPeople = 4

// asRun plays the program's default for a few people over all sources: fetches
// dealt out by gain under δ and the daily floor, one in twelve kept for looks.
func (a *axis) asRun(ctx context.Context, o ScheduleOptions) (AsRunRow, error) {
	draw := rand.New(rand.NewPCG(o.Seed, 3)).Perm(len(a.people))
	draw = draw[:min(asRunPeople, len(draw))]
	rows := make([]AsRunRow, len(draw))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, n := range draw {
		g.Go(func() error {
			return a.asRunPerson(ctx, &a.people[n], &rows[i])
		})
	}
	out := AsRunRow{PerDay: scheduler.DefaultPerSource, People: len(draw)}
	err := g.Wait()
	for _, r := range rows {
		out.Missed += r.Missed
		out.Uniform += r.Uniform
		out.Hourly += r.Hourly
		out.Requests += r.Requests
		out.HourlyRequests += r.HourlyRequests
	}
	return out, err
}

func (a *axis) asRunPerson(ctx context.Context, who *person, row *AsRunRow) error {
	budget := scheduler.DefaultBudget(len(a.sources))
	pairs := make([]pair, len(a.sources))
	for i := range pairs {
		pairs[i] = pair{src: &a.sources[i], who: who, here: a.sources[i].here(who.looks)}
	}
	costs, ones := make([]*scheduler.Cost, len(pairs)), make([]float64, len(pairs))
	for i := range costs {
		costs[i], ones[i] = new(scheduler.Cost), 1
	}
	for w := 1; w < a.weeks; w++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		row.Requests += 7 * budget.PerDay
		row.HourlyRequests += 7 * 24 * len(pairs)
		if who.week[w] == who.week[w+1] {
			continue
		}
		known := who.learn(w)
		lambda := make([][]float64, len(pairs))
		for i := range pairs {
			past := pairs[i].src.posts[:pairs[i].src.before[w*slotsPerWeek]]
			lambda[i] = scheduler.LearnPosts(past, 0, int64(w)*weekSeconds).Rate[:]
			costs[i].Reset(lambda[i], known.looks)
		}
		_, plan := scheduler.Allocate(costs, ones, scheduler.Limits{MinGap: minGap}, 1, budget.PerDay-budget.Tokens)
		row.Missed += tokenWeek(pairs, plan, lambda, known.looks, budget.Tokens, w)
		for i := range pairs {
			row.Uniform += pairs[i].even(w, 7*budget.PerDay/len(pairs)).missed
			row.Hourly += pairs[i].even(w, 7*24).missed
		}
	}
	return nil
}

// held is what one source's last fetch was: the slot, and the posts it brought.
type held struct {
	slot int
	have int32
}

// tokenWeek plays a week: at each look its share of the day's tokens goes to the
// sources with most new items expected since their last fetch, δ kept.
func tokenWeek(pairs []pair, plan [][]int, lambda [][]float64, looks []float64, tokens, w int) float64 {
	state := make([]held, len(pairs))
	sums := make([][]float64, len(pairs))
	for i := range pairs {
		state[i] = held{w * slotsPerWeek, pairs[i].src.before[w*slotsPerWeek]}
		sums[i] = make([]float64, 2*scheduler.Slots+1)
		for k := range 2 * scheduler.Slots {
			sums[i][k+1] = sums[i][k] + lambda[i][k%scheduler.Slots]
		}
	}
	missed := 0.0
	who := pairs[0].who
	day, left := -1, 0
	order := make([]int, len(pairs))
	value := make([]float64, len(pairs))
	for l := who.week[w]; l < who.week[w+1]; l++ {
		k := int(who.looks[l].Unix / slotSeconds)
		if k/scheduler.Slots != day {
			day, left = k/scheduler.Slots, tokens
		}
		for i := range pairs {
			if f := lastPlanned(plan[i], k); f > state[i].slot {
				state[i] = held{f, max(state[i].have, pairs[i].src.before[f])}
			}
			order[i], value[i] = i, 0
			if gap := min(k-state[i].slot, scheduler.Slots); gap >= minGap {
				to := k%scheduler.Slots + scheduler.Slots
				value[i] = sums[i][to] - sums[i][to-gap]
			}
		}
		slices.SortFunc(order, func(x, y int) int {
			return cmp.Or(cmp.Compare(value[y], value[x]), cmp.Compare(x, y))
		})
		for _, i := range order[:min(share(left, looks, k%scheduler.Slots), len(order))] {
			if value[i] > 0 {
				state[i] = held{k, pairs[i].here[l]}
				left--
			}
		}
		for i := range pairs {
			missed += float64(pairs[i].here[l] - state[i].have)
		}
	}
	return missed
}

// share is what one look may spend of the tokens left: those still expected
// before the day ends get as much.
func share(left int, looks []float64, slot int) int {
	ahead := 0.0
	for _, u := range looks[slot:] {
		ahead += u
	}
	return min(int(math.Ceil(float64(left)/(1+ahead))), left)
}
