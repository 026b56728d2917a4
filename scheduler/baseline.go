package scheduler

import "math"

// LearnPrinted is the paper's own recipe, kept as a baseline: 24 counts over 14
// days, linear between them (Sia 2009, section 2.3.3). times are UTC seconds, or
// local ones for looks.
// The one thing added is that no hour is 0.
func LearnPrinted(times []int64, since, now int64) *Profile {
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

// RootShares are fetches a day proportional to √(wλ), adding up to m (Sia 2009,
// Theorem 1). Not whole; sources may get less than one.
func RootShares(rates, weights []float64, m float64) []float64 {
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

// ProportionalShares follow the rate of posts, one a day at least, adding up to
// m: the rule of Miniflux under a budget. Below one a day all get the same.
// No source gets more than one an hour.
func ProportionalShares(rates []float64, m float64) []float64 {
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

// AgeShares minimise the summed expected age of the copies (Cho and
// Garcia-Molina 2003), adding up to m. rates are posts a day, above 0.
func AgeShares(rates []float64, m float64) []float64 {
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
