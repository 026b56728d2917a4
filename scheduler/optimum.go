package scheduler

import (
	"math"
	"slices"
)

// solver holds the buffers of one optimisation, so that a curve m = 1..M
// allocates once.
type solver struct {
	c      *Cost
	in     Limits
	lim    *limits
	prev   []float64 // best cost of reaching a slot with the layer before
	cur    []float64
	key    []float64 // prev + y, what the inner loop adds to z*v
	from   [][]int32 // from[i][p]: the fetch before p in the best path to layer i
	lo, hi []int
	best   []int
	bestW  float64
}

func newSolver(c *Cost, in Limits) *solver {
	size := 3*c.n + 1
	return &solver{c: c, in: in, lim: c.prepare(in), prev: make([]float64, size),
		cur: make([]float64, size), key: make([]float64, size)}
}

func (s *solver) grow(m int) {
	for len(s.from) < m {
		s.from = append(s.from, make([]int32, 3*s.c.n+1))
	}
	s.lo, s.hi = slices.Grow(s.lo[:0], m)[:m], slices.Grow(s.hi[:0], m)[:m]
}

// optimal finds the cheapest cycle of m fetches and its cost, penalties for
// broken limits included: only so is the curve over m convex.
//
// On the circle some optimum has one fetch in each closed gap of an optimal
// cycle through any fixed slot (two cycles that cross can be uncrossed at no
// cost, because the arc cost is Monge). So the cycle through one slot is solved
// first, and then every start within its first gap, by recursion: the cycle
// through a start in the middle lies between the cycles through its neighbours.
func (s *solver) optimal(m int) ([]int, float64) {
	c := s.c
	m = min(m, c.n)
	if s.lim != nil {
		// Limits rarely bind, and the loops without them are three times
		// as fast: what keeps them anyway is the optimum under them.
		lim := s.lim
		s.lim = nil
		fetches, w := s.optimal(m)
		s.lim = lim
		if c.Keeps(fetches, s.in) {
			return fetches, w
		}
	}
	if m == 1 {
		return s.single()
	}
	s.grow(m)
	s.bestW = math.Inf(1)
	first := s.anchor()
	a := s.through(first, s.wide(first, m))
	b := s.through(a[1], s.wide(a[1], m))
	s.between(a, b)
	out := make([]int, m)
	for i, p := range s.best {
		out[i] = p % c.n
	}
	slices.Sort(out)
	return out, s.bestW
}

// anchor picks the slot whose neighbourhood is likely to hold a short gap (many
// looks and many posts), because the recursion's depth is the log of that gap.
func (s *solver) anchor() int {
	c, at, top := s.c, 0, -1.0
	for k := range c.n {
		if v := (c.lam[k+1] - c.lam[k]) * (c.cum[k+1] - c.cum[k]); v > top {
			at, top = k, v
		}
	}
	return at
}

func (s *solver) single() ([]int, float64) {
	c, at, top := s.c, 0, math.Inf(1)
	for k := range c.n {
		if w := s.cost(k, k+c.n); w < top {
			at, top = k, w
		}
	}
	return []int{at}, top
}

func (s *solver) cost(a, b int) float64 {
	if s.lim == nil {
		return s.c.arc(a, b)
	}
	return s.c.limited(a, b, s.lim)
}

type window struct{ lo, hi []int }

// wide lets every fetch of a cycle through x stand anywhere its rank permits.
func (s *solver) wide(x, m int) window {
	w := window{make([]int, m), make([]int, m)}
	for i := range m {
		w.lo[i], w.hi[i] = x+i, x+s.c.n-(m-i)
	}
	w.hi[0] = x
	return w
}

// between solves every start strictly between those of the cycles a and b.
func (s *solver) between(a, b []int) {
	if b[0]-a[0] < 2 {
		return
	}
	mid := (a[0] + b[0]) / 2
	w := window{make([]int, len(a)), make([]int, len(a))}
	for i := range a {
		// Ties may leave the neighbours crossed by a slot; min and max keep
		// the window valid, and the optimum within it.
		w.lo[i] = min(a[i], b[i])
		w.hi[i] = max(a[i], b[i])
		if i > 0 {
			w.lo[i] = max(w.lo[i], mid+i)
			w.hi[i] = min(max(w.hi[i], w.lo[i]), mid+s.c.n-(len(a)-i))
		}
	}
	c := s.through(mid, w)
	s.between(a, c)
	s.between(c, b)
}

// through solves the best cycle whose first fetch is x: one layer per fetch,
// each a row-minima search in a totally monotone matrix.
func (s *solver) through(x int, w window) []int {
	m := len(w.lo)
	for p := w.lo[1]; p <= w.hi[1]; p++ {
		s.cur[p] = s.cost(x, p)
	}
	for i := 2; i < m; i++ {
		s.prev, s.cur = s.cur, s.prev
		s.layer(i, w.lo[i], w.hi[i], w.lo[i-1], w.hi[i-1])
	}
	end := x + s.c.n
	at, top := w.lo[m-1], math.Inf(1)
	for q := w.lo[m-1]; q <= w.hi[m-1]; q++ {
		if v := s.cur[q] + s.cost(q, end); v < top {
			at, top = q, v
		}
	}
	cycle := make([]int, m)
	cycle[0] = x
	for i := m - 1; i >= 1; i-- {
		cycle[i] = at
		if i > 1 {
			at = int(s.from[i][at])
		}
	}
	if top < s.bestW {
		s.bestW, s.best = top, cycle
	}
	return cycle
}

// layer fills cur[plo..phi] with min over q < p of prev[q] + cost(q, p).
func (s *solver) layer(i, plo, phi, qlo, qhi int) {
	if s.c.table != nil {
		s.rowsTable(s.from[i], plo, phi, qlo, qhi)
		return
	}
	for q := qlo; q <= qhi; q++ {
		s.key[q] = s.prev[q] + s.c.y[q]
	}
	if s.lim == nil {
		s.rows(s.from[i], plo, phi, qlo, qhi)
	} else {
		s.rowsLimited(s.from[i], plo, phi, qlo, qhi)
	}
}

// rows is divide and conquer: the middle row's argmin bounds those above and
// below. A column q may serve a row p only if q < p.
func (s *solver) rows(from []int32, plo, phi, qlo, qhi int) {
	for plo <= phi {
		p := (plo + phi) / 2
		v := s.c.v[p]
		at, top := qlo, math.Inf(1)
		last := min(qhi, p-1)
		if last >= qlo {
			key, z := s.key[qlo:last+1], s.c.z[qlo:last+1]
			z = z[:len(key)]
			for j, k := range key {
				if w := k + z[j]*v; w < top {
					at, top = qlo+j, w
				}
			}
		}
		s.cur[p] = top + s.c.x[p]
		from[p] = int32(at)
		s.rows(from, plo, p-1, qlo, at)
		plo, qlo = p+1, at
	}
}

// rowsLimited is rows with the penalties of limited, written out: this loop is
// where a plan under limits spends its time.
func (s *solver) rowsLimited(from []int32, plo, phi, qlo, qhi int) {
	l, lam := s.lim, s.c.lam
	for plo <= phi {
		p := (plo + phi) / 2
		v, full := s.c.v[p], s.c.lam[p]-l.maxItems
		at, top := qlo, math.Inf(1)
		for q := qlo; q <= min(qhi, p-1); q++ {
			w := s.key[q] + s.c.z[q]*v
			if w >= top {
				continue // penalties only add
			}
			over := 0.0
			if d := p - q; d < l.minGap {
				over = float64(l.minGap - d)
			} else if d > l.maxGap {
				over = float64(d - l.maxGap)
			}
			if e := full - lam[q]; e > 0 {
				over += e * l.perItem
			}
			if w += over * l.price; w < top {
				at, top = q, w
			}
		}
		s.cur[p] = top + s.c.x[p] + l.node[p]
		from[p] = int32(at)
		s.rowsLimited(from, plo, p-1, qlo, at)
		plo, qlo = p+1, at
	}
}

// rowsTable is rows for arcs that have no product form.
func (s *solver) rowsTable(from []int32, plo, phi, qlo, qhi int) {
	for plo <= phi {
		p := (plo + phi) / 2
		at, top := qlo, math.Inf(1)
		for q := qlo; q <= min(qhi, p-1); q++ {
			if w := s.prev[q] + s.cost(q, p); w < top {
				at, top = q, w
			}
		}
		s.cur[p] = top
		from[p] = int32(at)
		s.rowsTable(from, plo, p-1, qlo, at)
		plo, qlo = p+1, at
	}
}

// share lets a solver use another's buffers: solvers of one plan run one after
// the other and have the same number of slots.
func (s *solver) share(other *solver) *solver {
	if other != nil && other.c.n == s.c.n {
		s.prev, s.cur, s.key, s.from = other.prev, other.cur, other.key, other.from
	}
	return s
}
