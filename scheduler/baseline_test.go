package scheduler

import (
	"math"
	"testing"
)

func sumOf(list []float64) (sum float64) {
	for _, x := range list {
		sum += x
	}
	return sum
}

// TestBaselineShares: the rules that plans are compared with spend what they may, and
// each keeps to its formula.
func TestBaselineShares(t *testing.T) {
	rates := []float64{.1, 1, 4, 30}
	weights := []float64{1, 4, 1, 2}
	root := RootShares(rates, weights, 12)
	if math.Abs(sumOf(root)-12) > 1e-9 {
		t.Errorf("root: %v adds up to %v, want 12", root, sumOf(root))
	}
	for i, x := range root {
		if want := root[0] * math.Sqrt(rates[i]*weights[i]/(rates[0]*weights[0])); math.Abs(x-want) > 1e-9 {
			t.Errorf("root: source %d has %v, want %v", i, x, want)
		}
	}
	for _, x := range ProportionalShares(rates, 3) {
		if x != .75 {
			t.Errorf("proportional, below one a day: %v, want .75 for all", x)
		}
	}
	shares := ProportionalShares(rates, 36)
	if math.Abs(sumOf(shares)-36) > 1e-6 || shares[0] != 1 || math.Abs(shares[3]/shares[2]-30./4) > 1e-6 {
		t.Errorf("proportional: %v adds up to %v", shares, sumOf(shares))
	}
	if shares := ProportionalShares([]float64{1, 1e6}, 1000); shares[1] > Slots {
		t.Errorf("proportional: %v a day, more than there are slots", shares[1])
	}
}

// TestAgeShares: the summed age of the copies does not fall if one source gives a
// little to another.
func TestAgeShares(t *testing.T) {
	rates := []float64{.1, 1, 4, 30}
	shares := AgeShares(rates, 12)
	if math.Abs(sumOf(shares)-12) > 1e-3 {
		t.Errorf("%v adds up to %v, want 12", shares, sumOf(shares))
	}
	age := func(f []float64) (sum float64) {
		for i, x := range f {
			r := rates[i] / x
			sum += (.5 - 1/r + (1-math.Exp(-r))/(r*r)) / x
		}
		return sum
	}
	best := age(shares)
	for from := range shares {
		for to := range shares {
			moved := append([]float64(nil), shares...)
			d := .05 * moved[from]
			moved[from] -= d
			moved[to] += d
			if got := age(moved); from != to && got < best {
				t.Errorf("with %.3f from source %d to %d the age is %v, not %v", d, from, to, got, best)
			}
		}
	}
}

// TestLearnPrinted: posts of more than 14 days ago, or from before since, count for nothing.
func TestLearnPrinted(t *testing.T) {
	const now = 1000 * day
	var posts []int64
	for d := int64(1); d <= 20; d++ {
		posts = append(posts, now-d*day+9*3600, now-d*day+9*3600+60, now-d*day+18*3600)
	}
	p, without := LearnPrinted(posts, 0, now), LearnPrinted(posts[:14*3], 0, now)
	if *p != *without {
		t.Error("posts of more than 14 days ago count")
	}
	if other := LearnPrinted(posts, now-7*day, now); *p == *other {
		t.Error("since is not looked at")
	}
}

// TestReserve: what is kept of a day's budget for opening the screen.
func TestReserve(t *testing.T) {
	for _, c := range []struct {
		f            PlanFor
		perDay, want int
	}{{PlanForOpening, 30, 10}, {PlanForOpening, 31, 10}, {PlanForOpening, 2, 0}, {PlanForBoth, 100, 17}, {PlanForLooks, 30, 0}} {
		if got := c.f.Reserve(c.perDay); got != c.want {
			t.Errorf("%d, %d a day: %d, want %d", c.f, c.perDay, got, c.want)
		}
	}
}
