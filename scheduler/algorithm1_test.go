package scheduler

import (
	"math"
	"slices"
)

// algorithm1 is the paper's own search: for each pair of first fetches the rest
// follows from Theorem 5, and a schedule counts if the condition closes around
// the circle to within a slot. On real data it mostly finds nothing.
func algorithm1(c *Cost, m int) ([]int, bool) {
	if m < 2 || m > c.n {
		return nil, false
	}
	var best []int
	top := math.Inf(1)
	for a := range c.n {
		for b := a + 1; b < a+c.n-(m-2); b++ {
			at := c.chain(a, b, m)
			if at == nil {
				continue
			}
			for i := range at {
				at[i] %= c.n
			}
			slices.Sort(at)
			if w := c.Of(at); w < top {
				best, top = at, w
			}
		}
	}
	return best, best != nil
}

// chain applies u(τj)·Λ(τj−1,τj) = λ(τj)·U(τj,τj+1) from a and b on, and wants
// the fetch that follows the last to be a again.
func (c *Cost) chain(a, b, m int) []int {
	at := []int{a, b}
	for len(at) <= m {
		next := c.follow(at[len(at)-2], at[len(at)-1])
		if next < 0 {
			return nil
		}
		at = append(at, next)
		if next > a+c.n+1 {
			return nil
		}
	}
	last := at[m]
	if last < a+c.n-1 || last > a+c.n+1 || at[m-1] >= a+c.n {
		return nil
	}
	// The condition at a itself, whose neighbours are the last and b.
	if n := c.follow(at[m-1], a+c.n); n < b+c.n-1 || n > b+c.n+1 {
		return nil
	}
	return at[:m]
}

// follow is the first slot after b at which the condition for b holds.
func (c *Cost) follow(a, b int) int {
	u, l := c.rateAt(c.cum, b), c.rateAt(c.lam, b)
	if l <= 0 {
		return -1
	}
	want := c.cum[b] + u*(c.lam[b]-c.lam[a])/l
	i, found := slices.BinarySearch(c.cum[:3*c.n+1], want)
	if found || i == 0 {
		return i
	}
	if i > 3*c.n {
		return -1
	}
	if want-c.cum[i-1] < c.cum[i]-want {
		return i - 1
	}
	return i
}

// rateAt is the rate at a slot's beginning: the mean of its neighbours'.
func (c *Cost) rateAt(sum []float64, b int) float64 {
	if b == 0 || b >= 3*c.n {
		b = c.n
	}
	return (sum[b+1] - sum[b-1]) / 2
}
