package scheduler

import (
	"math"
	"slices"
)

const (
	coarse    = 3   // slots that the price of a whole day is searched on
	beyond    = 1.1 // how far past its guess the search goes for the other end
	fineSteps = 100 // tries to tell two prices apart
)

// market searches the price at which the plans of all sources together use what
// may be planned. The source's number and a price give its number of fetches;
// more at a lower price. Sources are solved one after the other, and one whose
// number is the same at both ends of the bracket is not solved again.
type market struct {
	sources int
	count   func(source int, price float64) int
	low     []int // fetches at the upper end of the bracket
	high    []int // and at the lower end
	top     float64
}

// clear returns the bracket around the price at which want fetches are used: at
// over no more are, at under no fewer. low and high are the numbers there. Where
// no price gives so many, both are the end of the range that comes closest.
func (m *market) clear(want int, guess float64) (under, over float64) {
	m.low, m.high = make([]int, m.sources), make([]int, m.sources)
	tried := make([]int, m.sources)
	least := m.top * 1e-15
	price := math.Min(math.Max(guess, least), m.top)
	for {
		for i := range tried {
			tried[i] = m.count(i, price)
		}
		n := sum(tried)
		if n > want {
			copy(m.high, tried)
			under = price
		} else {
			copy(m.low, tried)
			over = price
		}
		switch {
		case n == want || n < want && price == least || n > want && price == m.top:
			copy(m.low, tried)
			copy(m.high, tried)
			return price, price
		case under > 0 && over > 0:
			return m.narrow(want, under, over, tried)
		}
		// The number goes with the inverse root of the price, about.
		step := float64(max(n, 1)) / float64(max(want, 1))
		price *= step * step
		if n > want {
			price = math.Min(math.Max(price, under)*beyond, m.top)
		} else {
			price = math.Max(math.Min(price, over)/beyond, least)
		}
	}
}

// narrow closes the bracket, until just want are used or its ends differ by
// nothing but rounding.
func (m *market) narrow(want int, under, over float64, tried []int) (float64, float64) {
	for turn := 0; turn < fineSteps && over-under > 1e-9*over; turn++ {
		part := 0.5
		if turn%3 < 2 {
			high, low := math.Log(float64(sum(m.high))), math.Log(math.Max(float64(sum(m.low)), 0.5))
			part = math.Min(math.Max((high-math.Log(math.Max(float64(want), 0.5)))/(high-low), 0.03), 0.97)
		}
		mid := under * math.Pow(over/under, part)
		for i := range tried {
			tried[i] = m.low[i]
			if m.low[i] != m.high[i] {
				tried[i] = m.count(i, mid)
			}
		}
		switch n := sum(tried); {
		case n > want:
			under = mid
			copy(m.high, tried)
		default:
			over = mid
			copy(m.low, tried)
			if n == want {
				copy(m.high, tried)
				return mid, mid
			}
		}
	}
	return under, over
}

func sum(list []int) int {
	n := 0
	for _, x := range list {
		n += x
	}
	return n
}

// deal divides want fetches between the ends of the bracket: everyone has low,
// and what is left goes to those who would have more at a price a hair lower.
func (m *market) deal(want int) []int {
	out := slices.Clone(m.low)
	left := want - sum(out)
	for i := range out {
		if d := min(m.high[i]-m.low[i], left); d > 0 {
			out[i] += d
			left -= d
		}
	}
	return out
}
