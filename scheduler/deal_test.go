package scheduler

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// tooLittleLeft is a planner of a day of which little is left: sources that may
// be fetched in three hours only, so that all plans can be enumerated.
func tooLittleLeft(r *rand.Rand, left int) *planner {
	src := make([]Source, 3)
	for i := range src {
		src[i] = Source{ID: fmt.Sprint(i), Posts: bumps(1+20*r.Float64(), 24*r.Float64(), 24*r.Float64()),
			Weight: 0.2 + r.Float64(), LastFetch: noon.Add(-time.Duration(61+r.IntN(500)) * time.Minute), SkipHours: 1<<24 - 1}
		src[i].SkipHours &^= 2 // tomorrow at one, so that no fetch today is a must
		for range 2 {
			src[i].SkipHours &^= 1 << (13 + r.IntN(11))
		}
	}
	b := Budget{PerDay: 12, Used: 12 - left, DayEnds: noon.Truncate(24 * time.Hour).Add(24 * time.Hour)}
	return newPlanner(bumps(4, 20*r.Float64(), 8+12*r.Float64()), src, b, Options{PlanFor: PlanForLooks}, noon)
}

// costOf is what source i misses when fetched today in these slots and then as
// well as can be at the price of later days.
func (p *planner) costOf(i int, today []int) float64 {
	r := p.aim(i)
	r.solve(p.price)
	s := p.startOf(i)
	cost, last := 0.0, -1
	for _, b := range today {
		if last < 0 {
			cost += r.x[b] + s.pending*r.cum[b]
		} else {
			cost += r.arc(last, b)
		}
		last = b
	}
	rest := math.Inf(1)
	for b := max(p.price.split, last+r.minGap); b <= r.n; b++ {
		if b < r.n && !r.free(b) {
			continue
		}
		arc := r.x[b] + s.pending*r.cum[b]
		if last >= 0 {
			arc = r.arc(last, b)
		}
		rest = min(rest, arc+r.tail(b, p.price))
	}
	return cost + rest
}

// enumerate is the least cost of source i by number of fetches today.
func (p *planner) enumerate(i, most int) []float64 {
	r := p.aim(i)
	out := make([]float64, most+1)
	for k := range out {
		out[k] = math.Inf(1)
	}
	first, split, gap := p.startOf(i).first, p.price.split, r.minGap
	free := r.forbidden
	var try func(set []int, from int)
	try = func(set []int, from int) {
		out[len(set)] = min(out[len(set)], p.costOf(i, set))
		for b := from; len(set) < most && b < split; b++ {
			if !free[b] {
				try(append(set, b), b+gap)
			}
		}
	}
	try(nil, first)
	return out
}

// However little of the day's budget is left: no other choice of as many fetches
// is expected to miss less, over all sources and moments.
func TestWhatIsLeftIsSpentBest(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	compared := 0
	for range 12 {
		left := 1 + r.IntN(3)
		p := tooLittleLeft(r, left)
		got := p.plan()
		sets := make([][]int, len(p.sources))
		used := 0
		for _, s := range got.Slots {
			if s.At.Before(p.b.DayEnds) {
				used++
				sets[s.Source] = append(sets[s.Source], int(s.At.Add(-p.work[s.Source].jitter).Sub(p.grid)/SlotLength))
			}
		}
		if p.short {
			continue // floors first: another rule
		}
		compared++
		if used > left {
			t.Fatalf("%d fetches of %d left", used, left)
		}
		cost := 0.0
		best := make([][]float64, len(p.sources))
		for i := range p.sources {
			cost += p.costOf(i, sets[i])
			best[i] = p.enumerate(i, left)
		}
		least := math.Inf(1)
		for a := 0; a <= left; a++ {
			for b := 0; a+b <= left; b++ {
				for c := 0; a+b+c <= left; c++ {
					least = min(least, best[0][a]+best[1][b]+best[2][c])
				}
			}
		}
		if cost > least+1e-6*(1+least) {
			t.Errorf("%d left: the plan %v misses %.6f, the best %.6f", left, sets, cost, least)
		}
	}
	if compared < 8 {
		t.Errorf("%d plans compared", compared)
	}
}

// Half the day's budget was used by hand: the busiest feed still has its fetch
// just before the evening's look.
func TestBusiestKeepsItsFetches(t *testing.T) {
	var src []Source
	for i, perDay := range []float64{20, 10, 6, 4, 2, 1} {
		src = append(src, Source{ID: fmt.Sprint(i), Posts: evenPosts(perDay), LastFetch: noon.Add(-2 * time.Hour)})
	}
	b := Budget{PerDay: 36, Used: 18, DayEnds: noon.Truncate(24 * time.Hour).Add(24 * time.Hour)}
	for _, f := range []PlanFor{PlanForOpening, PlanForBoth, PlanForLooks} {
		for _, used := range []int{18, 30, 34} {
			b.Used = used
			got := Plan(bumps(2, 8, 20), src, b, Options{PlanFor: f}, noon)
			today, before := 0, 0
			for _, s := range got.Slots {
				if s.At.Before(b.DayEnds) {
					today++
					if h := s.At.Hour(); s.Source == 0 && h >= 17 && h < 20 {
						before++
					}
				}
			}
			if before == 0 && (today > 0 || f == PlanForLooks) || today+got.Kept > 36-used {
				t.Errorf("mode %d, %d used: %d fetches before the look, %d today, %d kept", f, used, before, today, got.Kept)
			}
		}
	}
}

// A plan is a function of its arguments.
func TestPlanIsDeterministic(t *testing.T) {
	src := someSources(60)
	b := DailyBudget(60, DefaultPerSource)
	first := fmt.Sprint(Plan(bumps(3, 8, 20), src, b, Options{}, noon), Refresh(bumps(3, 8, 20), src, b, Options{}, noon))
	for range 3 {
		if again := fmt.Sprint(Plan(bumps(3, 8, 20), src, b, Options{}, noon), Refresh(bumps(3, 8, 20), src, b, Options{}, noon)); again != first {
			t.Fatal("another plan from the same facts")
		}
	}
}
