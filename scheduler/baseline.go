package scheduler

import (
	"math"
	"slices"
)

// learnPrinted is the recipe as printed: counts by hour over 14 days, linear
// between the hours' middles (Sia 2009, section 2.3.3). The one thing added is
// that no hour is 0.
func learnPrinted(times []int64, since, now int64) *Profile {
	start := max(since, now-14*day)
	var hours [24]float64
	n := 0
	for _, t := range times {
		if t >= start && t < now {
			hours[utcSlot(t)/(Slots/24)]++
			n++
		}
	}
	days := math.Max(float64(now-start)/day, 1)
	for h := range hours {
		hours[h] /= days
	}
	return profileOfHours(&hours, days, n)
}

// rootShares are fetches a day proportional to √(wλ): Sia 2009, Theorem 1. They
// are not whole and may lie below 1.
func rootShares(rates, weights []float64, m float64) []float64 {
	out := make([]float64, len(rates))
	sum := 0.0
	for i, r := range rates {
		out[i] = math.Sqrt(r * weights[i])
		sum += out[i]
	}
	for i := range out {
		out[i] *= m / math.Max(sum, 1e-300)
	}
	return out
}

// bisect finds the parameter at which the shares it gives add up to m; sum
// grows with the parameter.
func bisect(m float64, shares func(x float64) []float64) []float64 {
	lo, hi := -30.0, 30.0
	for range 48 {
		mid := (lo + hi) / 2
		sum := 0.0
		for _, s := range shares(math.Exp(mid)) {
			sum += s
		}
		if sum < m {
			lo = mid
		} else {
			hi = mid
		}
	}
	out := shares(math.Exp((lo + hi) / 2))
	return out
}

// proportionalShares follow the rate, between one fetch a day and one an hour.
func proportionalShares(rates []float64, m float64) []float64 {
	if m <= float64(len(rates)) {
		out := make([]float64, len(rates))
		for i := range out {
			out[i] = m / float64(len(rates))
		}
		return out
	}
	return bisect(m, func(x float64) []float64 {
		out := make([]float64, len(rates))
		for i, r := range rates {
			out[i] = min(max(x*r, 1), Slots)
		}
		return out
	})
}

// ageGain is how much faster the expected age of a source falls with its number
// of fetches f (Cho and Garcia-Molina 2003): age = (1/f)(1/2 − 1/r +
// (1−e^−r)/r²) with r = λ/f.
func ageGain(rate, f float64) float64 {
	age := func(f float64) float64 {
		r := rate / f
		if r < 1e-3 {
			return r / 6 / f
		}
		return (0.5 - 1/r + (1-math.Exp(-r))/(r*r)) / f
	}
	h := f * 1e-4
	return (age(f-h) - age(f+h)) / (2 * h)
}

// ageShares minimise the summed expected age: equal marginal gains.
func ageShares(rates []float64, m float64) []float64 {
	const least, most = 1e-3, Slots
	return bisect(m, func(x float64) []float64 {
		out := make([]float64, len(rates))
		for i, r := range rates {
			lo, hi := math.Log(least), math.Log(most)
			for range 36 {
				mid := (lo + hi) / 2
				// The gain falls with f; x grows, the price 1/x falls.
				if ageGain(r, math.Exp(mid)) > 1/x {
					lo = mid
				} else {
					hi = mid
				}
			}
			out[i] = math.Exp((lo + hi) / 2)
		}
		return out
	})
}

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
			if w := c.of(at); w < top {
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
