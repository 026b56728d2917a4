package replay

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"sort"

	"golang.org/x/sync/errgroup"

	"diurna/scheduler"
)

// asRunPeople is how many people the default budget is shown for: each needs a
// plan over every source.
const asRunPeople = 4

// asRun plays the program's default for a few people over all sources: fetches
// dealt out by gain under δ and the daily floor, some kept for looks.
func (a *axis) asRun(ctx context.Context, o ScheduleOptions) (AsRunRow, error) {
	return a.asRunWith(ctx, o, scheduler.DefaultBudget(len(a.sources)))
}

// asRunWith is asRun with another budget.
func (a *axis) asRunWith(ctx context.Context, o ScheduleOptions, budget scheduler.Budget) (AsRunRow, error) {
	draw := rand.New(rand.NewPCG(o.Seed, 3)).Perm(len(a.people))
	draw = draw[:min(asRunPeople, len(draw))]
	rows := make([]asRunSum, len(draw))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, n := range draw {
		g.Go(func() error {
			return a.asRunPerson(ctx, &a.people[n], budget, &rows[i])
		})
	}
	err := g.Wait()
	var sum asRunSum
	for _, r := range rows {
		sum.add(&r)
	}
	return sum.row(budget.PerDay/len(a.sources), len(draw)), err
}

// asRunSum is what people met in their weeks: ours, evenly spaced, hourly.
type asRunSum struct {
	ours, even, hourly tally
	requests, hours    int
	posts, looks       int // pairs with a person, pairs with a source
}

func (s *asRunSum) add(o *asRunSum) {
	s.ours.add(o.ours, 1)
	s.even.add(o.even, 1)
	s.hourly.add(o.hourly, 1)
	s.requests += o.requests
	s.hours += o.hours
	s.posts += o.posts
	s.looks += o.looks
}

func (s *asRunSum) row(perDay, people int) AsRunRow {
	lag := func(t tally) float64 { return t.wait / 60 / math.Max(float64(s.posts), 1) }
	return AsRunRow{PerDay: perDay, People: people, Missed: s.ours.missed, Uniform: s.even.missed, Hourly: s.hourly.missed,
		Requests: s.requests, HourlyRequests: s.hours, Posts: s.posts, Looks: s.looks,
		Lag: lag(s.ours), UniformLag: lag(s.even), HourlyLag: lag(s.hourly),
		Opens: 100 * s.ours.opens / math.Max(float64(s.looks), 1)}
}

func (a *axis) asRunPerson(ctx context.Context, who *person, budget scheduler.Budget, row *asRunSum) error {
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
		row.requests += 7 * (budget.PerDay - budget.Tokens)
		row.hours += 7 * 24 * len(pairs)
		row.looks += (who.week[w+1] - who.week[w]) * len(pairs)
		for i := range a.sources {
			row.posts += a.sources[i].postsIn(w, w+1)
		}
		if who.week[w] == who.week[w+1] {
			continue
		}
		known := who.learn(w)
		lambda := a.lesson(w).lambda
		for i := range pairs {
			costs[i].Reset(lambda[i], known.looks)
		}
		_, plan := scheduler.Allocate(costs, ones, scheduler.Limits{MinGap: minGap}, 1, budget.PerDay-budget.Tokens)
		ours := tokenWeek(pairs, plan, lambda, known.looks, budget.Tokens, w)
		row.requests += int(ours.opens)
		row.ours.add(ours, 1)
		for i := range pairs {
			row.even.add(pairs[i].even(w, 7*budget.PerDay/len(pairs)), 1)
			row.hourly.add(pairs[i].even(w, 7*24), 1)
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
func tokenWeek(pairs []pair, plan [][]int, lambda [][]float64, looks []float64, tokens, w int) tally {
	state := make([]held, len(pairs))
	sums := make([][]float64, len(pairs))
	for i := range pairs {
		state[i] = held{w * slotsPerWeek, pairs[i].src.before[w*slotsPerWeek]}
		sums[i] = make([]float64, 2*scheduler.Slots+1)
		for k := range 2 * scheduler.Slots {
			sums[i][k+1] = sums[i][k] + lambda[i][k%scheduler.Slots]
		}
	}
	var out tally
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
		sort.Slice(order, func(i, j int) bool {
			x, y := order[i], order[j]
			return cmp.Or(cmp.Compare(value[y], value[x]), cmp.Compare(x, y)) < 0
		})
		for _, i := range order[:min(share(left, looks, k%scheduler.Slots), len(order))] {
			if value[i] > 0 {
				state[i] = held{k, pairs[i].here[l]}
				left--
				out.opens++
			}
		}
		until := who.until(l)
		for i := range pairs {
			open := float64(pairs[i].here[l] - state[i].have)
			out.missed += open
			out.wait += open * until
		}
	}
	return out
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
