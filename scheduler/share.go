package scheduler

import (
	"cmp"
	"container/heap"
	"math"
	"slices"
	"sort"
)

// curve is f(m), the least cost of m fetches a day, computed where it is asked
// for: the allocation visits only a few m of each source.
type curve struct {
	solve   *solver
	weight  float64
	cost    []float64 // by m; NaN: not computed
	fetches [][]int
	even    bool // the policy Even: 1/m stands for the cost
	low     int  // least and most fetches
	high    int
}

func (c *curve) at(m int) float64 {
	if c.even {
		return 1 / float64(m)
	}
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

// curves prepares f for every source that takes part in the allocation, and
// raises floors where the window needs more fetches than its average rate says:
// a floor counts only if a schedule with that many fetches keeps the window.
func (p *planner) curves() {
	var scratch *solver
	for i := range p.work {
		w, s := &p.work[i], &p.sources[i]
		w.curve = &curve{weight: w.weight, even: p.o.Policy == Even, low: w.floor, high: w.most}
		if w.fixed {
			w.curve.high = w.floor
			continue
		}
		if w.curve.even {
			continue
		}
		in := p.limits(i)
		w.curve.solve = newSolver(Miss(w.lambda, p.looks), in).share(scratch)
		scratch = w.curve.solve
		if s.Window == 0 {
			continue
		}
		p.raiseFloor(w, in.MaxItems)
		w.curve.low = w.floor
	}
}

// raiseFloor finds the fewest fetches that keep the window as well as any number
// can: where a burst is too quick for δ, more fetches elsewhere would not help.
func (p *planner) raiseFloor(w *work, most float64) {
	over := func(m int) float64 {
		w.curve.at(m)
		return w.curve.solve.c.excess(w.curve.fetches[m], most)
	}
	if over(w.floor) == 0 {
		return
	}
	least := over(w.most)
	for w.floor < w.most && over(w.floor) > least+1e-9 {
		w.floor++
	}
}

// share deals out the budget: floors first, in the order of precedence, then one
// fetch at a time to the source that gains most. That greedy is exact because
// every f is convex (the arc cost is Monge); Sia 2009, Theorem 1 is its
// continuous form for constant rates.
func (p *planner) share(out *Schedule) {
	m := p.b.PerDay - p.b.Tokens
	need := 0
	for i := range p.work {
		need += p.work[i].floor
	}
	out.Needed = need + p.b.Tokens
	left := p.payFloors(m, out)
	if len(out.Unpaid) > 0 || left <= 0 {
		for i := range p.work {
			p.work[i].share = p.work[i].paid
		}
		return
	}
	curves := make([]*curve, len(p.work))
	for i := range p.work {
		curves[i] = p.work[i].curve
	}
	for i, n := range allocate(curves, m) {
		p.work[i].share = n
	}
}

// payFloors spends m on floors: intervals set by hand, then windows, then one a
// day. Within a class who waited longest is paid first, so that a budget below
// the number of sources still reaches every one in turn.
func (p *planner) payFloors(m int, out *Schedule) int {
	order := make([]int, len(p.work))
	for i := range order {
		order[i] = i
	}
	class := func(i int) int {
		switch {
		case p.sources[i].Asked || p.sources[i].Interval > 0:
			return 0
		case p.work[i].floor > 1:
			return 1
		}
		return 2
	}
	sort.SliceStable(order, func(i, j int) bool {
		a, b := order[i], order[j]
		return cmp.Or(cmp.Compare(class(a), class(b)), p.sources[a].LastFetch.Compare(p.sources[b].LastFetch)) < 0
	})
	left := max(m, 0)
	for _, i := range order {
		w := &p.work[i]
		w.paid = min(w.floor, left)
		left -= w.paid
		if w.paid < w.floor {
			out.Unpaid = append(out.Unpaid, i)
		}
	}
	slices.Sort(out.Unpaid)
	return left
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
	if c.even {
		return 1
	}
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

// allocateCosts is allocate for costs that come without a plan.
func allocateCosts(costs []*Cost, weights []float64, in Limits, low, m int) ([]int, [][]int) {
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
