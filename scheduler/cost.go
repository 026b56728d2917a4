package scheduler

import "math"

// fill builds the prefix sums. Every arc cost this package knows has the form
// x[b] + y[a] + z[a]*v[b] with z monotone and v monotone, which is what makes it
// Monge: the mixed difference is (z[a']-z[a])*(v[b']-v[b]). Three rounds of the
// day are kept so that a cycle may start anywhere without a modulo.
func (c *Cost) fill(lambda, looks []float64) {
	n := len(lambda)
	if c.n != n || c.lam == nil {
		c.n = n
		for _, a := range []*[]float64{&c.lam, &c.cum, &c.x, &c.y, &c.z} {
			*a = make([]float64, 3*n+1)
		}
		c.solve = nil
	}
	c.v, c.table = c.cum, nil
	area := 0.0
	for k := range 3 * n {
		l, u := lambda[k%n], looks[k%n]
		area += u * (c.lam[k] + l/2)
		c.lam[k+1] = c.lam[k] + l
		c.cum[k+1] = c.cum[k] + u
		c.x[k+1] = area
	}
	for k := range c.y {
		c.y[k] = c.lam[k]*c.cum[k] - c.x[k]
		c.z[k] = -c.lam[k]
	}
}

// arc is the cost between two consecutive fetches a <= b < 3n+1.
func (c *Cost) arc(a, b int) float64 {
	if c.table != nil {
		// One row per first fetch: a schedule's arcs span at most a day.
		return float64(c.table[a%c.n*(c.n+1)+b-a])
	}
	return c.x[b] + c.y[a] + c.z[a]*c.v[b]
}

// couple fills the arcs from counted pairs of a post and a later look. The sum
// over a <= x <= t < b of numbers that are not negative is Monge like the rest.
func (c *Cost) couple(n int, pairs []float32) {
	flat := make([]float64, n)
	c.fill(flat, flat)
	c.table = make([]float32, n*(n+1))
	column := make([]float32, 2*n+1)
	for a := 2*n - 1; a >= 0; a-- {
		// column[t] is the sum over x in [a, t] for looks in slot t.
		for t := a; t < min(a+n, 2*n); t++ {
			column[t] += pairs[a%n*n+t-a]
		}
		if a >= n {
			continue
		}
		row, sum := c.table[a*(n+1):(a+1)*(n+1)], float32(0)
		for d := range n {
			sum += column[a+d]
			row[d+1] = sum
		}
	}
}

// Of returns the cost of a day with these fetches: slots in increasing order,
// each in [0, len(lambda)), at least one.
func (c *Cost) Of(fetches []int) float64 {
	total := 0.0
	for i, a := range fetches {
		b := fetches[0] + c.n
		if i+1 < len(fetches) {
			b = fetches[i+1]
		}
		total += c.arc(a, b)
	}
	// A sum of differences of prefix sums may end at -1e-16.
	return math.Max(total, 0)
}

// penalty is the price of one slot of violation: above anything a schedule can
// save, so that a forbidden arc is taken only where none is permitted. It grows
// with the size of the violation instead of being infinite because a convex
// function of the gap keeps the cost Monge, and rows that are infinite
// everywhere would leave divide and conquer without an argmin to follow.
func (c *Cost) penalty() float64 {
	n := c.n
	s := c.lam[n] * (c.cum[n] + 1)
	return 16*s + 1
}

// limited is the cost of an arc with the penalties for gaps that are too short,
// too long, or in which more items are expected than the window may hold.
func (c *Cost) limited(a, b int, l *limits) float64 {
	w := c.arc(a, b)
	over := 0.0
	if d := b - a; d < l.minGap {
		over = float64(l.minGap - d)
	} else if d > l.maxGap {
		over = float64(d - l.maxGap)
	}
	if e := c.lam[b] - c.lam[a] - l.maxItems; e > 0 {
		over += e * l.perItem
	}
	return w + over*l.price + l.node[b]
}

// limits is the exported Limits made ready for the inner loop.
type limits struct {
	minGap, maxGap           int
	maxItems, perItem, price float64
	node                     []float64 // price of fetching at a slot, three rounds
}

// prepare returns nil when nothing binds: the plain loop is three times as fast.
func (c *Cost) prepare(in Limits) *limits {
	forbidden := false
	for _, f := range in.Forbidden {
		forbidden = forbidden || f
	}
	if in.MinGap <= 1 && in.MaxGap <= 0 && in.MaxItems <= 0 && !forbidden {
		return nil
	}
	l := &limits{minGap: in.MinGap, maxGap: in.MaxGap, maxItems: in.MaxItems, price: c.penalty()}
	if l.maxGap <= 0 {
		l.maxGap = 3 * c.n
	}
	if l.maxItems <= 0 {
		l.maxItems = math.Inf(1)
	}
	// One slot's worth of items too many weighs as one slot too many.
	l.perItem = float64(c.n) / math.Max(c.lam[c.n], 1e-12)
	l.node = make([]float64, 3*c.n+1)
	if len(in.Forbidden) == c.n {
		for k := range l.node {
			if in.Forbidden[k%c.n] {
				l.node[k] = l.price
			}
		}
	}
	return l
}

// Keeps says whether the fetches honour every limit.
func (c *Cost) Keeps(fetches []int, in Limits) bool {
	for i, a := range fetches {
		b := fetches[0] + c.n
		if i+1 < len(fetches) {
			b = fetches[i+1]
		}
		if len(in.Forbidden) == c.n && in.Forbidden[a%c.n] {
			return false
		}
		if b-a < in.MinGap || in.MaxGap > 0 && b-a > in.MaxGap {
			return false
		}
		if in.MaxItems > 0 && c.lam[b]-c.lam[a] > in.MaxItems+1e-9 {
			return false
		}
	}
	return true
}
