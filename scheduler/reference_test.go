package scheduler

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// smoothDay is a pair of rates with their integrals from 0, period T.
type smoothDay struct {
	T                float64
	lam, u, Lam, Cum func(t float64) float64
}

// onSlots integrates the rates over n slots and returns the cost in the units of
// the continuous problem.
func (d smoothDay) onSlots(n int) *Cost {
	l, u := make([]float64, n), make([]float64, n)
	h := d.T / float64(n)
	for k := range n {
		a, b := float64(k)*h, float64(k+1)*h
		l[k], u[k] = d.Lam(b)-d.Lam(a), d.Cum(b)-d.Cum(a)
	}
	return Miss(l, u)
}

// polish moves each fetch to where Theorem 5 holds exactly, starting from slots.
func (d smoothDay) polish(at []int, n int) []float64 {
	h := d.T / float64(n)
	tau := make([]float64, len(at))
	for i, k := range at {
		tau[i] = float64(k) * h
	}
	m := len(tau)
	for range 400 {
		for i := range tau {
			prev, next := tau[(i+m-1)%m], tau[(i+1)%m]
			if i == 0 {
				prev -= d.T
			}
			if i == m-1 {
				next += d.T
			}
			residual := func(t float64) float64 {
				return d.u(t)*(d.Lam(t)-d.Lam(prev)) - d.lam(t)*(d.Cum(next)-d.Cum(t))
			}
			lo, hi := tau[i]-h, tau[i]+h
			if residual(lo)*residual(hi) > 0 {
				continue
			}
			for range 60 {
				mid := (lo + hi) / 2
				if (residual(mid) > 0) == (residual(hi) > 0) {
					hi = mid
				} else {
					lo = mid
				}
			}
			tau[i] = (lo + hi) / 2
		}
	}
	return tau
}

// cost is Lemma 2 by Simpson's rule.
func (d smoothDay) cost(tau []float64) float64 {
	sum := 0.0
	for i, a := range tau {
		b := tau[0] + d.T
		if i+1 < len(tau) {
			b = tau[i+1]
		}
		const n = 2000
		h := (b - a) / n
		for k := range n + 1 {
			w := 2 + 2*float64(k%2)
			if k == 0 || k == n {
				w = 1
			}
			t := a + float64(k)*h
			sum += w * h / 3 * d.u(t) * (d.Lam(t) - d.Lam(a))
		}
	}
	return sum
}

func TestContinuousReference(t *testing.T) {
	one := func(float64) float64 { return 1 }
	id := func(t float64) float64 { return t }
	sinePair := smoothDay{2,
		func(t float64) float64 { return 1 + math.Sin(math.Pi*t) },
		func(t float64) float64 { return 1 - math.Sin(math.Pi*t) },
		func(t float64) float64 { return t - math.Cos(math.Pi*t)/math.Pi },
		func(t float64) float64 { return t + math.Cos(math.Pi*t)/math.Pi }}
	w := 2 * math.Pi
	delay := smoothDay{1,
		func(t float64) float64 { return 2 + 2*math.Sin(w*t) }, one,
		func(t float64) float64 { return 2*t - 2*math.Cos(w*t)/w }, id}
	miss := smoothDay{1,
		func(t float64) float64 { return 2 + math.Sin(w*t) },
		func(t float64) float64 { return 2 + math.Cos(w*t) },
		func(t float64) float64 { return 2*t - math.Cos(w*t)/w },
		func(t float64) float64 { return 2*t + math.Sin(w*t)/w }}
	for _, tt := range []struct {
		day  smoothDay
		m    int
		want float64
		tau  []float64
	}{
		{sinePair, 1, 0.726760, []float64{1}},
		{sinePair, 2, 0.329862, []float64{.797306, 1.202694}},
		{sinePair, 3, 0.225275, nil},
		{delay, 1, 0.681690, []float64{.5}},
		{delay, 2, 0.366287, nil},
		{delay, 3, 0.251427, nil},
		{delay, 6, 0.129948, []float64{.050703, .170839, .274810, .377743, .491435, .641516}},
		{miss, 1, 1.470264, []float64{.625}},
		{miss, 2, .869762, []float64{.125, .625}},
		{miss, 6, .310449, []float64{.061078, .188922, .333130, .527859, .722141, .916870}},
	} {
		const n = 4320
		at, got := tt.day.onSlots(n).Optimal(tt.m, Limits{})
		if math.Abs(got-tt.want) > 1.5e-6 {
			t.Errorf("m=%d: %.7f on the grid, want %.6f", tt.m, got, tt.want)
		}
		tau := tt.day.polish(at, n)
		if c := tt.day.cost(tau); math.Abs(c-tt.want) > 6e-7 {
			t.Errorf("m=%d: %.7f, want %.6f", tt.m, c, tt.want)
		}
		for i, want := range tt.tau {
			if math.Abs(tau[i]-want) > 1e-6 {
				t.Errorf("m=%d: fetch %d at %.6f, want %.6f", tt.m, i, tau[i], want)
			}
		}
	}
}

// Examples 1 and 2 jump, so their optimum is where the step is.
func TestStepReference(t *testing.T) {
	const n = 200
	lambda, flat, later := make([]float64, n), make([]float64, n), make([]float64, n)
	for k := range n {
		flat[k] = 2.0 / n
		if k < n/2 {
			lambda[k] = 2.0 / n
		} else {
			later[k] = 2.0 / n
		}
	}
	for _, tt := range []struct {
		name string
		cost *Cost
		want float64
	}{{"Example 1", Miss(lambda, flat), 0.5}, {"Example 2", Miss(lambda, later), 0}} {
		at, got := tt.cost.Optimal(1, Limits{})
		if math.Abs(got-tt.want) > 1e-9 || at[0] != n/2 {
			t.Errorf("%s: %v at slot %v, want %v at %d", tt.name, got, at, tt.want, n/2)
		}
	}
}

func TestAllocationReference(t *testing.T) {
	rates := []float64{1, 4, 9, 16, 100}
	const n = 240 // divides by every share below: even spacing falls on slots
	for _, tt := range []struct {
		m    int
		want []int
		cost float64
	}{
		{10, []int{1, 1, 1, 2, 5}, 21},
		{24, []int{1, 2, 4, 5, 12}, 8.391667},
		{40, []int{2, 4, 6, 8, 20}, 5},
	} {
		costs, ones := make([]*Cost, len(rates)), make([]float64, len(rates))
		for i, r := range rates {
			lambda := make([]float64, n)
			for k := range lambda {
				lambda[k] = r / n
			}
			costs[i], ones[i] = Delay(lambda, 1.0/n), 1
		}
		got, fetches := Allocate(costs, ones, Limits{}, 1, tt.m)
		sum := 0.0
		for i := range costs {
			sum += costs[i].Of(fetches[i])
		}
		if !slices.Equal(got, tt.want) || math.Abs(sum-tt.cost) > 1e-6 {
			t.Errorf("M=%d: %v costs %.6f, want %v and %.6f", tt.m, got, sum, tt.want, tt.cost)
		}
	}
}

// The allocation that starts from a guess must end where handing out fetches one
// at a time ends.
func TestAllocationEqualsGreedy(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 60 {
		count := 2 + r.IntN(5)
		costs, weights := make([]*Cost, count), make([]float64, count)
		for i := range costs {
			l, u := make([]float64, 24), make([]float64, 24)
			for k := range l {
				l[k], u[k] = r.Float64()*math.Pow(10, float64(i%3)), r.Float64()
			}
			costs[i], weights[i] = Miss(l, u), 0.1+r.Float64()
		}
		m := count + r.IntN(5*count)
		got, _ := Allocate(costs, weights, Limits{}, 1, m)
		want := make([]int, count)
		f := func(i, m int) float64 { _, w := costs[i].Optimal(m, Limits{}); return weights[i] * w }
		total := func(shares []int) (sum float64) {
			for i, n := range shares {
				sum += f(i, n)
			}
			return sum
		}
		for i := range want {
			want[i] = 1
		}
		for range m - count {
			best, top := 0, -1.0
			for i, n := range want {
				if g := f(i, n) - f(i, n+1); g > top {
					best, top = i, g
				}
			}
			want[best]++
		}
		if a, b := total(got), total(want); math.Abs(a-b) > 1e-9*b {
			t.Fatalf("%v costs %v, greedy %v costs %v", got, a, want, b)
		}
	}
}

// The paper's search is an oracle where rates are smooth: it finds the optimum to
// within the slack of its closing test.
func TestAlgorithm1(t *testing.T) {
	w := 2 * math.Pi
	day := smoothDay{1, nil, nil,
		func(t float64) float64 { return 2*t - math.Cos(w*t)/w },
		func(t float64) float64 { return 2*t + math.Sin(w*t)/w }}
	c := day.onSlots(96)
	for m := 2; m <= 6; m++ {
		got, ok := algorithm1(c, m)
		if !ok {
			t.Errorf("m=%d: nothing found", m)
			continue
		}
		_, best := c.Optimal(m, Limits{})
		if w := c.Of(got); w < best-1e-12 || w > 1.02*best {
			t.Errorf("m=%d: %v costs %v, optimum %v", m, got, w, best)
		}
	}
	// A jagged day, as learned from few events: its closing test rarely passes.
	r := rand.New(rand.NewPCG(5, 6))
	found := 0
	for range 20 {
		l, u := make([]float64, 48), make([]float64, 48)
		for range 10 {
			l[r.IntN(48)]++
			u[r.IntN(48)]++
		}
		if got, ok := algorithm1(Miss(l, u), 4); ok {
			found++
			if _, best := Miss(l, u).Optimal(4, Limits{}); Miss(l, u).Of(got) < best-1e-9 {
				t.Errorf("%v is cheaper than the optimum", got)
			}
		}
	}
	if found > 15 {
		t.Errorf("found a schedule on %d of 20 jagged days", found)
	}
}
