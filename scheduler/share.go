package scheduler

import (
	"container/heap"
	"math"
)

// curve is f(m), the least cost of m fetches a day, computed where it is asked
// for: the allocation visits only a few m of each source.
type curve struct {
	solve   *solver
	weight  float64
	cost    []float64 // by m; NaN: not computed
	fetches [][]int
	low     int // least and most fetches
	high    int
}

func (c *curve) at(m int) float64 {
	for len(c.cost) <= m {
		c.cost = append(c.cost, math.NaN())
		c.fetches = append(c.fetches, nil)
	}
	if math.IsNaN(c.cost[m]) {
		c.fetches[m], c.cost[m] = c.solve.optimal(m)
	}
	return c.cost[m]
}

// gain is what the fetch after the m-th is worth.
func (c *curve) gain(m int) float64 {
	if m >= c.high {
		return math.Inf(-1)
	}
	return c.weight * (c.at(m) - c.at(m+1))
}

// allocate minimises the weighted sum of the curves over m fetches, low and high
// of each kept. It starts at shares proportional to the root of each curve's
// first value, as Sia 2009, Theorem 1 would have them, and then moves single
// fetches until no move gains: the same optimum as handing them out one at a
// time, with a tenth of the optimisations.
func allocate(curves []*curve, m int) []int {
	shares := guess(curves, m)
	sum := 0
	up := &moves{}
	down := &moves{}
	for i, n := range shares {
		sum += n
		up.add(curves, i, n, true)
		down.add(curves, i, n, false)
	}
	for {
		u, d := up.top(shares), down.top(shares)
		switch {
		case sum < m && u != nil && !math.IsInf(u.gain, -1):
			shares[u.source]++
			sum++
			p := u.source
			up.add(curves, p, shares[p], true)
			down.add(curves, p, shares[p], false)
		case sum > m && d != nil:
			shares[d.source]--
			sum--
			p := d.source
			up.add(curves, p, shares[p], true)
			down.add(curves, p, shares[p], false)
		case u != nil && d != nil && u.gain > d.gain+1e-9*(math.Abs(d.gain)+math.Abs(u.gain)):
			a, b := u.source, d.source
			shares[a]++
			shares[b]--
			for _, i := range []int{a, b} {
				up.add(curves, i, shares[i], true)
				down.add(curves, i, shares[i], false)
			}
		default:
			return shares
		}
	}
}

// guess spreads m by the square root of the weighted cost of one fetch.
func guess(curves []*curve, m int) []int {
	shares := make([]int, len(curves))
	root := make([]float64, len(curves))
	total := 0.0
	left := float64(m)
	for i, c := range curves {
		if c.low == c.high {
			left -= float64(c.low)
			continue
		}
		root[i] = math.Sqrt(c.weight * c.rough())
		total += root[i]
	}
	for i, c := range curves {
		n := c.low
		if total > 0 {
			n = int(math.Round(left * root[i] / total))
		}
		shares[i] = min(max(n, c.low), c.high)
	}
	return shares
}

// rough is a cheap stand-in for f(1): half of all pairs of a post and a look.
func (c *curve) rough() float64 {
	k := c.solve.c
	return k.lam[k.n] * k.cum[k.n] / 2
}

// move is giving a source its next fetch, or taking its last one.
type move struct {
	source, share int
	gain          float64
}

// moves is a heap whose stale entries (their share has changed since) are
// dropped when they reach the top.
type moves struct {
	list []move
	down bool
}

func (h *moves) Len() int { return len(h.list) }
func (h *moves) Less(i, j int) bool {
	a, b := h.list[i], h.list[j]
	if a.gain != b.gain {
		return (a.gain > b.gain) != h.down
	}
	return a.source < b.source
}
func (h *moves) Swap(i, j int) { h.list[i], h.list[j] = h.list[j], h.list[i] }
func (h *moves) Push(x any)    { h.list = append(h.list, x.(move)) }
func (h *moves) Pop() any {
	last := h.list[len(h.list)-1]
	h.list = h.list[:len(h.list)-1]
	return last
}

func (h *moves) add(curves []*curve, i, share int, up bool) {
	h.down = !up
	c := curves[i]
	if up && share < c.high {
		heap.Push(h, move{i, share, c.gain(share)})
	}
	if !up && share > c.low {
		heap.Push(h, move{i, share, c.gain(share - 1)})
	}
}

func (h *moves) top(shares []int) *move {
	for len(h.list) > 0 {
		if t := &h.list[0]; t.share == shares[t.source] {
			return t
		}
		heap.Pop(h)
	}
	return nil
}

// Allocate is the exact division of m fetches a day over costs, at least low for
// each: the least weighted sum of optimal costs. It returns the shares and each
// source's fetches. m below low·len(costs) gives low to each.
func Allocate(costs []*Cost, weights []float64, in Limits, low, m int) ([]int, [][]int) {
	curves := make([]*curve, len(costs))
	var scratch *solver
	for i, c := range costs {
		high := c.n
		if in.MinGap > 1 {
			high = max(c.n/in.MinGap, 1)
		}
		curves[i] = &curve{weight: weights[i], low: low, high: max(high, low), solve: newSolver(c, in).share(scratch)}
		scratch = curves[i].solve
	}
	shares := allocate(curves, max(m, low*len(costs)))
	fetches := make([][]int, len(costs))
	for i, n := range shares {
		if n > 0 {
			curves[i].at(n)
			fetches[i] = curves[i].fetches[n]
		}
	}
	return shares, fetches
}
