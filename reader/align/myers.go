package align

import (
	"math"
)

// myers is the linear-space algorithm of Myers 1986 ("An O(ND) Difference
// Algorithm and Its Variations", section 4b) with two brakes. The cost cap
// gives up on a middle snake after cap steps and splits at the furthest point
// reached, which keeps one call near N^1.5; the budget counts operations over
// the whole comparison and, once spent, lowers the cap to 32: on random tokens
// of a small alphabet the cap alone takes 5-12 s for 1 MB, with the budget
// under one. Both count operations, never time, so results are reproducible.
type myers struct {
	a, b   []int32
	match  func(i, j, n int) // n equal tokens at a[i] and b[j]
	cap    int
	budget *int
	fd, bd []int32
}

// opBudget is how many operations one comparison may spend before the cap
// falls to spentCap.
const (
	opBudget = 16 << 20
	minCap   = 256
	spentCap = 32
)

func costCap(n int) int {
	return max(minCap, int(math.Sqrt(float64(n))))
}

// run reports every match between a and b, in no particular order.
func (m *myers) run() {
	if n := 2*m.cap + 8; len(m.fd) < n {
		m.fd, m.bd = make([]int32, n), make([]int32, n)
	}
	m.diff(0, len(m.a), 0, len(m.b))
}

func (m *myers) diff(a0, a1, b0, b1 int) {
	for {
		n := 0
		for a0+n < a1 && b0+n < b1 && m.a[a0+n] == m.b[b0+n] {
			n++
		}
		if n > 0 {
			m.match(a0, b0, n)
			a0, b0 = a0+n, b0+n
		}
		n = 0
		for a1-n > a0 && b1-n > b0 && m.a[a1-n-1] == m.b[b1-n-1] {
			n++
		}
		if n > 0 {
			a1, b1 = a1-n, b1-n
			m.match(a1, b1, n)
		}
		if a0 == a1 || b0 == b1 {
			return
		}
		x, y := m.split(a0, a1, b0, b1)
		if x == a0 && y == b0 || x == a1 && y == b1 {
			return // no way forward within the cap: all of it is replaced
		}
		// Recurse into the smaller half: the stack stays logarithmic.
		if x-a0+y-b0 < a1-x+b1-y {
			m.diff(a0, x, b0, y)
			a0, b0 = x, y
		} else {
			m.diff(x, a1, y, b1)
			a1, b1 = x, y
		}
	}
}

// split finds a point on an optimal path, or the best one known when the cap
// is reached. Diagonal d is x-y; the two fronts are stored around their own
// start diagonals, so that their size depends on the cap, not on the input.
func (m *myers) split(a0, a1, b0, b1 int) (int, int) {
	limit := m.cap
	if *m.budget <= 0 {
		limit = spentCap
	}
	dmin, dmax := a0-b1, a1-b0
	fmid, bmid := a0-b0, a1-b1
	odd := (fmid-bmid)&1 != 0
	off := m.cap + 3
	fd, bd := m.fd, m.bd
	fo, bo := off-fmid, off-bmid // index of diagonal d is d+fo, d+bo
	fmin, fmax, bmin, bmax := fmid, fmid, bmid, bmid
	fd[fmid+fo], bd[bmid+bo] = int32(a0), int32(a1)
	for c := 1; ; c++ {
		fmin, fmax = widen(fd, fo, fmin, fmax, dmin, dmax, -1)
		for d := fmax; d >= fmin; d -= 2 {
			lo, hi := int(fd[d-1+fo]), int(fd[d+1+fo])
			x := max(lo+1, hi)
			y := x - d
			x1 := x
			for x < a1 && y < b1 && m.a[x] == m.b[y] {
				x++
				y++
			}
			*m.budget -= x - x1 + 1
			fd[d+fo] = int32(x)
			if odd && bmin <= d && d <= bmax && int(bd[d+bo]) <= x {
				return x, y
			}
		}
		bmin, bmax = widen(bd, bo, bmin, bmax, dmin, dmax, math.MaxInt32)
		for d := bmax; d >= bmin; d -= 2 {
			lo, hi := int(bd[d-1+bo]), int(bd[d+1+bo])
			x := min(lo, hi-1)
			y := x - d
			x1 := x
			for x > a0 && y > b0 && m.a[x-1] == m.b[y-1] {
				x--
				y--
			}
			*m.budget -= x1 - x + 1
			bd[d+bo] = int32(x)
			if !odd && fmin <= d && d <= fmax && x <= int(fd[d+fo]) {
				return x, y
			}
		}
		if c >= limit {
			return m.furthest(a0, a1, b0, b1, fmin, fmax, bmin, bmax, fo, bo)
		}
	}
}

// widen takes a front one diagonal further on both sides, or one less where it
// has reached the border of the box; edge is what no path has reached.
func widen(v []int32, off, lo, hi, dmin, dmax int, edge int32) (int, int) {
	if lo > dmin {
		lo--
		v[lo-1+off] = edge
	} else {
		lo++
	}
	if hi < dmax {
		hi++
		v[hi+1+off] = edge
	} else {
		hi--
	}
	return lo, hi
}

// furthest picks the better of the furthest point the forward front reached
// and the furthest the backward front reached.
func (m *myers) furthest(a0, a1, b0, b1, fmin, fmax, bmin, bmax, fo, bo int) (int, int) {
	bestF, fx := -1, a0
	for d := fmax; d >= fmin; d -= 2 {
		x := min(int(m.fd[d+fo]), a1)
		y := x - d
		if y > b1 {
			x, y = b1+d, b1
		}
		if x+y > bestF {
			bestF, fx = x+y, x
		}
	}
	bestB, bx := math.MaxInt, a1
	for d := bmax; d >= bmin; d -= 2 {
		x := max(int(m.bd[d+bo]), a0)
		y := x - d
		if y < b0 {
			x, y = b0+d, b0
		}
		if x+y < bestB {
			bestB, bx = x+y, x
		}
	}
	if a1+b1-bestB < bestF-(a0+b0) {
		return fx, bestF - fx
	}
	return bx, bestB - bx
}
