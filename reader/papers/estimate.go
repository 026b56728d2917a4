package papers

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"diurna/reader/advice"
	"diurna/scheduler"
	"diurna/scheduler/online"
)

// EstimateOptions chooses what Estimate plays.
type EstimateOptions struct {
	Streams []Stream // nil: a made-up trace
	Weeks   int      // of them the first half is learned from; 0: 8
	Shown   int      // items that a feed's document holds; 0: 20
	Least   float64  // posts a day that a feed must have; 0: 10
	Seed    uint64
}

const (
	cycle     = day / 144 // ten minutes (Horincar 2012, section 6)
	leastHour = 1e-4      // floor of a rate, items an hour
)

// estimated is the estimators of one feed at one mean interval.
type estimated struct {
	single            online.Single
	periodic, printed online.Periodic
	last              int64
	since             float64 // items since then
}

func newEstimated(perHour float64) *estimated {
	e := &estimated{single: online.Single{PerHour: perHour, Floor: leastHour}, periodic: online.Periodic{Floor: leastHour}, printed: online.Periodic{Whole: true}}
	for h := range e.periodic.PerHour {
		e.periodic.PerHour[h], e.printed.PerHour[h] = perHour, perHour
	}
	return e
}

func (e *estimated) observe(now int64, items float64) {
	e.single.Observe(float64(now-e.last)/float64(hour), items)
	e.periodic.Observe(e.last, now, items)
	e.printed.Observe(e.last, now, items)
	e.last, e.since = now, 0
}

// Estimate compares the online estimators of Horincar, Amann and Artières 2012 on
// feeds by the shape of their day: the error of the expected number of new items (Eq. 2)
// for refreshes at random intervals, and what is left of the estimates where documents
// are full.
func Estimate(ctx context.Context, o EstimateOptions) (*Report, error) {
	if o.Weeks == 0 {
		o.Weeks = 8
	}
	if o.Shown == 0 {
		o.Shown = 20
	}
	if o.Least == 0 {
		o.Least = 10
	}
	list, _ := streams(o.Streams, o.Weeks, o.Seed)
	until := int64(o.Weeks) * week
	shapes := [...]string{scheduler.ShapePeaks: "peaks", scheduler.ShapeUniform: "uniform", scheduler.ShapeWaves: "waves"}
	by := map[string][][]float64{} // by shape and feed: items in each cycle
	feeds, few, shapeless := 0, 0, 0
	for _, s := range list {
		var hours [24]float64
		counts := make([]float64, until/cycle)
		for _, item := range s.Items {
			hours[item.At%day/hour]++
			counts[item.At/cycle]++
		}
		shape := scheduler.ShapeOf(hours)
		if float64(len(s.Items)) < o.Least*7*float64(o.Weeks) {
			few++
			continue
		}
		if int(shape) >= len(shapes) || shapes[shape] == "" {
			shapeless++
			continue
		}
		by[shapes[shape]] = append(by[shapes[shape]], counts)
		feeds++
	}
	out := &Report{Seed: o.Seed, Lines: []string{fmt.Sprintf("%d of %d feeds have %g items a day and more; %d weeks, the first half to learn", feeds, len(list), o.Least, o.Weeks)}}
	if few > 0 {
		out.note("%d of %d feeds left out, with fewer than %g items a day in the first weeks (--least, --weeks)", few, len(list), o.Least)
	}
	if shapeless > 0 {
		out.note("%d of %d feeds left out, with too few items to tell the shape of the day", shapeless, len(list))
	}
	t := Table{Name: "divergence", Title: "Error of the expected number of new items (Eq. 2), in days' worth of items",
		Columns: []string{"shape, interval", "feeds", "single", "periodic", "periodic_printed", "less_error_pct"}}
	full := Table{Name: "saturation", Title: fmt.Sprintf("Where a document holds %d items: lost, and the estimated rate over the true one", o.Shown),
		Columns: []string{"shape, interval", "lost_pct", "saturated_pct", "single", "periodic"}}
	for _, shape := range shapes {
		for _, hours := range []int64{1, 4, 8, 24} {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			feeds := by[shape]
			if len(feeds) == 0 {
				continue
			}
			name := fmt.Sprintf("%s, %d h", shape, hours)
			e := divergence(feeds, hours, o.Seed)
			t.add(name, float64(len(feeds)), e[0], e[1], e[2], 100*(1-e[1]/e[0]))
			lost, saturated, single, periodic := o.saturation(feeds, hours)
			full.add(name, 100*lost, 100*saturated, single, periodic)
		}
	}
	out.Tables = append(out.Tables, t, full)
	return out, nil
}

// refreshes draws the cycles of refreshes: uniformly from one cycle to twice the mean
// interval (section 6.1).
func refreshes(r *rand.Rand, cycles int, hours int64) (at []bool) {
	at = make([]bool, cycles)
	for k := 0; k < cycles; {
		k += 1 + r.IntN(int(2*hours*hour/cycle))
		if k < cycles {
			at[k] = true
		}
	}
	return at
}

// divergence is Eq. 2 for the single, the periodic and the printed periodic estimator,
// averaged over the cycles of the second half. Items are divided by their day's number
// (section 6, setup).
func divergence(feeds [][]float64, hours int64, seed uint64) (out [3]float64) {
	cycles := len(feeds[0])
	list := make([]*estimated, len(feeds))
	at := make([][]bool, len(feeds))
	share := make([][]float64, len(feeds))
	for i, counts := range feeds {
		list[i] = newEstimated(1. / 24)
		at[i] = refreshes(rand.New(rand.NewPCG(seed, uint64(i)<<8|uint64(hours))), cycles, hours)
		share[i] = make([]float64, cycles)
		for d := 0; d < cycles; d += int(day / cycle) {
			all := 0.
			for _, x := range counts[d : d+int(day/cycle)] {
				all += x
			}
			for k := d; k < d+int(day/cycle) && all > 0; k++ {
				share[i][k] = counts[k] / all
			}
		}
	}
	n := 0.
	for k := range cycles {
		now := int64(k+1) * cycle
		var square [3]float64
		for i, e := range list {
			e.since += share[i][k]
			if k >= cycles/2 {
				for j, x := range [3]float64{float64(now-e.last) / float64(hour) * e.single.PerHour, e.periodic.Expect(e.last, now), e.printed.Expect(e.last, now)} {
					square[j] += (e.since - x) * (e.since - x)
				}
			}
			if at[i][k] {
				e.observe(now, e.since)
			}
		}
		if k >= cycles/2 {
			for j, x := range square {
				out[j] += math.Sqrt(x / float64(len(list)))
			}
			n++
		}
	}
	for j := range out {
		out[j] /= n
	}
	return out
}

// saturation refreshes feeds whose documents hold o.Shown items: what is lost, how
// often a document was full of new items, and the mean of the estimated rate over the true one.
func (o *EstimateOptions) saturation(feeds [][]float64, hours int64) (lost, saturated, single, periodic float64) {
	all, looks := 0., 0.
	for i, counts := range feeds {
		at := refreshes(rand.New(rand.NewPCG(o.Seed, uint64(i)<<8|uint64(hours))), len(counts), hours)
		e := newEstimated(o.Least / 24)
		sum, one, many := 0., 0., 0.
		for k, x := range counts {
			sum += x
			e.since += x
			if k >= len(counts)/2 {
				one += e.single.PerHour * 24
				many += e.periodic.Expect(0, day)
			}
			if at[k] {
				seen := min(e.since, float64(o.Shown))
				lost += e.since - seen
				if scheduler.Saturated(o.Shown, int(e.since), 1) {
					saturated++
				}
				looks++
				e.observe(int64(k+1)*cycle, seen)
			}
		}
		all += sum
		// The mean over the second half, against the items of a day.
		truth := sum * float64(day/cycle) / 2 * float64(len(feeds))
		single += one / truth
		periodic += many / truth
	}
	return lost / all, saturated / looks, single, periodic
}

// AdviceOptions are the pay-offs that Advice looks at.
type AdviceOptions struct {
	PayOffs [4]float64 // p0..p3, 0 to 1; all 0: some cases
	Adjusts float64    // how often the user adjusts, 0 to 1
	Seed    uint64
}

// Advice is the game of Saeyor and Ishizuka (about 2000), section 4: whether to suggest a
// setting. p0: nobody adjusts, p1: the user does unasked, p2: a suggestion is not taken,
// p3: it is. Beside the printed rule stands the program's, which holds where there is no mixed
// equilibrium, and asks that a suggestion is better than none at the observed rate of
// adjusting.
func Advice(o AdviceOptions) *Report {
	out := &Report{Seed: o.Seed}
	t := Table{Name: "cases", Title: "Pay-offs, and whether to suggest: 1 yes, 0 no", Columns: []string{"p0_p1_p2_p3", "agent_share", "user_share", "improve_printed", "improve", "played", "with_suggestion", "without", "suggest_printed", "suggest"}}
	cases := [][4]float64{o.PayOffs}
	if o.PayOffs == [4]float64{} {
		cases = [][4]float64{{.25, .5, .25, .8}, {.6, .2, .3, .9}, {.9, .2, .1, .7}, {.1, .6, .7, .2}, {.5, .5, .5, .5}, {.8, .1, .2, .3}}
	}
	r := rand.New(rand.NewPCG(o.Seed, 0x67616d65))
	for _, p := range cases {
		v := advice.Play(p, o.Adjusts)
		improve, agent, user := printedRule(p)
		played := math.NaN()
		if v.Interior {
			played = playGame(r, p, agent, user)
		} else {
			agent, user = math.NaN(), math.NaN()
		}
		t.add(fmt.Sprintf("%.2f %.2f %.2f %.2f", p[0], p[1], p[2], p[3]), agent, user, improve, v.Improve, played,
			o.Adjusts*p[3]+(1-o.Adjusts)*p[2], o.Adjusts*p[1]+(1-o.Adjusts)*p[0], yes(improve > .5), yes(v.Suggest))
	}
	grid := Table{Name: "grid", Title: "All pay-offs in steps of .1", Columns: []string{"share of them", "printed", "ours"}}
	var all, outside, mixed, suggested, ours, worse, oursWorse float64
	for n := range 11 * 11 * 11 * 11 {
		p := [4]float64{float64(n%11) / 10, float64(n/11%11) / 10, float64(n/121%11) / 10, float64(n/1331) / 10}
		v := advice.Play(p, o.Adjusts)
		improve, _, _ := printedRule(p)
		all++
		outside += yes(!(improve >= 0 && improve <= 1))
		mixed += yes(v.Interior)
		harm := o.Adjusts*p[3]+(1-o.Adjusts)*p[2] < o.Adjusts*p[1]+(1-o.Adjusts)*p[0]
		suggested += yes(improve > .5)
		ours += yes(v.Suggest)
		worse += yes(improve > .5 && harm)
		oursWorse += yes(v.Suggest && harm)
	}
	grid.add("P(improve) is no chance", outside/all, 0)
	grid.add("a mixed equilibrium exists", mixed/all, mixed/all)
	grid.add("a suggestion is made", suggested/all, ours/all)
	grid.add("of those, worse than none", worse/suggested, oursWorse/ours)
	out.Tables = append(out.Tables, t, grid)
	return out
}

// printedRule is P(improve) as printed, and the mixed equilibrium.
func printedRule(p [4]float64) (improve, agent, user float64) {
	den := p[0] + p[3] - p[1] - p[2]
	if math.Abs(den) < 1e-9 {
		return math.NaN(), math.NaN(), math.NaN()
	}
	return (p[1]*p[2] - p[0]*p[3]) / -den, (p[0] - p[1]) / den, (p[0] - p[2]) / den
}

const rounds = 100_000

// playGame is the mean pay-off of both sides mixing independently.
func playGame(r *rand.Rand, p [4]float64, agent, user float64) float64 {
	sum := 0.
	for range rounds {
		i := 0
		if r.Float64() < user {
			i++
		}
		if r.Float64() < agent {
			i += 2
		}
		sum += p[i]
	}
	return sum / rounds
}

func yes(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
