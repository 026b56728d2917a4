package ranking

import "math"

const (
	readingRows  = 60  // rows whose chance of being read is learned; lower rows count like the last
	readingFloor = .1  // the paper's list ends at row 7; a screen has more rows, and a rejection there still says something
	readingOpens = 200 // opens before the learned chances replace the default
	readingEvery = 16  // opens from one look at the table to the next
	readingPrior = 40. // expected opens a row must bring before its own count outweighs the default
)

// DefaultReading is g(j) of Sia 2009, Table 3.1: 1, .95 … .7 in the first seven
// rows, then on in the same steps down to .1.
func DefaultReading(row int) float64 {
	if row < 1 {
		row = 1
	}
	return max(1-.05*float64(row-1), readingFloor)
}

// reading holds what was opened at each row and what the chances of its items say would
// have been, had every row been read. By the feeds' rates alone rows at the top would seem
// to be read more than they are: Ranked puts there what is opened for its words too.
type reading struct {
	opened, expected [readingRows]float64
	opens            float64
}

// note takes in one settled row.
func (r *reading) note(row int, chance float64, opened bool) {
	i := min(row, readingRows) - 1
	r.expected[i] += chance
	if opened {
		r.opened[i]++
		r.opens++
	}
}

// learned is the table of g(j): opened over expected per row, drawn to the
// default, never rising from row to row (pool adjacent violators), with g(1) = 1. After
// fewer opens than least it is the default. Chances are right sooner by it than evidence is
// the better for it: a rejection that counts otherwise moves what is shown next.
func (r *reading) learned(least float64) (g [readingRows]float64, ok bool) {
	for i := range g {
		g[i] = DefaultReading(i + 1)
	}
	if r.opens < least {
		return g, false
	}
	var all, would float64
	for i := range g {
		all += r.opened[i]
		would += r.expected[i] * g[i]
	}
	scale := all / max(would, 1e-9) // the feeds' rates may be off as a whole; only the shape is asked for
	var value, weight [readingRows]float64
	var size [readingRows]int
	n := 0
	for i := range g {
		w := r.expected[i]*scale + readingPrior
		value[n], weight[n], size[n] = (r.opened[i]+readingPrior*g[i])/w, w, 1
		n++
		for n > 1 && value[n-2] < value[n-1] {
			w := weight[n-2] + weight[n-1]
			value[n-2] = (value[n-2]*weight[n-2] + value[n-1]*weight[n-1]) / w
			weight[n-2], size[n-2] = w, size[n-2]+size[n-1]
			n--
		}
	}
	top, i := max(value[0], 1e-9), 0
	for k := range n {
		for range size[k] {
			g[i] = math.Min(1, math.Max(readingFloor/2, value[k]/top))
			i++
		}
	}
	return g, true
}
