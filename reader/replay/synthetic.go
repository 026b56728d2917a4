package replay

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sort"

	"diurna/scheduler"
)

const (
	syntheticWeeks = 12
	syntheticStart = 1_767_571_200 // Monday, 5 January 2026, 00:00 UTC
)

// habit is a rate a day with Gaussian bumps; weight 0 is flat.
type habit struct {
	perDay float64
	at     []float64 // hours, local
	spread float64   // standard deviation in hours
	flat   float64   // share spread over the day
	offset int       // minutes east
	rest   float64   // share of weekends taken off
}

// Synthetic makes a small trace: sources with peaks, waves and no shape, people
// with habits of different sharpness, 12 weeks from a Monday on. The same seed
// gives the same trace.
func Synthetic(seed uint64) ([]Source, []Person) {
	sources := []habit{
		{perDay: 24, at: []float64{6, 12, 18}, spread: .2, flat: .1},
		{perDay: 9, at: []float64{7, 10}, spread: 1.5, flat: .2, offset: 60},
		{perDay: 40, at: []float64{14}, spread: 5, flat: .3, offset: -300, rest: .4},
		{perDay: 1, at: []float64{9}, spread: 2, flat: .1, offset: 60, rest: .8},
		{perDay: .3, at: []float64{21}, spread: 2, flat: .3, offset: 120},
		{perDay: 60, flat: 1},
		{perDay: 4, flat: 1},
		{perDay: 15, at: []float64{11, 16}, spread: 2.5, flat: .2, offset: 540, rest: .9},
		{perDay: 2, at: []float64{0.5}, spread: .1, flat: 0},
		{perDay: 6, at: []float64{17, 22}, spread: 1.5, flat: .2, offset: -480},
		{perDay: 120, at: []float64{13}, spread: 4, flat: .4, offset: 0, rest: .3},
		{perDay: .8, at: []float64{5}, spread: 3, flat: .5, offset: 330},
	}
	people := []habit{
		{perDay: 2, at: []float64{8, 20}, spread: .15, offset: 60},
		{perDay: 4, at: []float64{7.5, 12.5, 18, 22}, spread: .7, flat: .05, offset: 60},
		{perDay: 7, at: []float64{10, 15}, spread: 2.5, flat: .1, offset: -420, rest: .7},
		{perDay: 3, at: []float64{21}, spread: 1.5, flat: .2, offset: 540},
		{perDay: 3, flat: 1},
		{perDay: 1.2, at: []float64{23}, spread: 1, flat: .1, offset: 0, rest: .3},
	}
	r := rand.New(rand.NewPCG(seed, 2))
	var outS []Source
	for i, h := range sources {
		outS = append(outS, Source{ID: fmt.Sprintf("s%02d", i+1), Posts: h.times(r)})
	}
	var outP []Person
	for i, h := range people {
		p := Person{ID: fmt.Sprintf("p%02d", i+1)}
		for _, t := range h.times(r) {
			p.Looks = append(p.Looks, scheduler.Event{Unix: t, Offset: int32(h.offset * 60)})
		}
		outP = append(outP, p)
	}
	return outS, outP
}

// times draws a Poisson number of events for each day, except that a habit of
// exact hours (as many a day as it has hours, nothing flat) keeps each of them.
func (h habit) times(r *rand.Rand) []int64 {
	var out []int64
	exact := h.flat == 0 && float64(len(h.at)) == h.perDay
	for d := range int64(syntheticWeeks * 7) {
		if d%7 >= 5 && r.Float64() < h.rest {
			continue
		}
		n := len(h.at)
		if !exact {
			n = poisson(r, h.perDay)
		}
		for i := range n {
			x := r.Float64() * 24
			if exact {
				x = h.at[i] + r.NormFloat64()*h.spread
			} else if len(h.at) > 0 && r.Float64() >= h.flat {
				x = h.at[r.IntN(len(h.at))] + r.NormFloat64()*h.spread
			}
			out = append(out, syntheticStart+d*daySeconds+int64(x*3600)-int64(h.offset*60))
		}
	}
	ascending(out)
	return out[sort.Search(len(out), func(i int) bool { return out[i] >= syntheticStart }):]
}

// ascending sorts times, unix s.
func ascending(times []int64) {
	sort.Slice(times, func(i, j int) bool { return times[i] < times[j] })
}

func poisson(r *rand.Rand, mean float64) int {
	n, p := 0, r.Float64()
	for floor := math.Exp(-mean); p > floor; n++ {
		p *= r.Float64()
	}
	return n
}
