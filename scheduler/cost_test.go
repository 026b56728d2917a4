package scheduler

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// enumerate tries every cycle of m fetches.
func enumerate(c *Cost, m int, in Limits) ([]int, float64) {
	var best []int
	top := math.Inf(1)
	set := make([]int, 0, m)
	var walk func(from int)
	walk = func(from int) {
		if len(set) == m {
			if w := c.Of(set); w < top-1e-12 && c.Keeps(set, in) {
				top, best = w, slices.Clone(set)
			}
			return
		}
		for p := from; p <= c.n-(m-len(set)); p++ {
			set = append(set, p)
			walk(p + 1)
			set = set[:len(set)-1]
		}
	}
	walk(0)
	return best, top
}

// direct is the definition, summed slot by slot, without prefix sums.
func direct(lambda, looks []float64, fetches []int, once bool) float64 {
	n, total := len(lambda), 0.0
	for i, a := range fetches {
		b := fetches[0] + n
		if i+1 < len(fetches) {
			b = fetches[i+1]
		}
		for x := a; x < b; x++ {
			if once {
				later := looks[x%n] / 2
				for t := x + 1; t < b; t++ {
					later += looks[t%n]
				}
				total += lambda[x%n] * (1 - math.Exp(-later))
				continue
			}
			seen := lambda[x%n] / 2
			for t := a; t < x; t++ {
				seen += lambda[t%n]
			}
			total += looks[x%n] * seen
		}
	}
	return total
}

func TestDiscreteReference(t *testing.T) {
	for _, tt := range []struct {
		lambda, looks, want []float64
	}{
		{[]float64{4, 2, 0, 0, 1, 3, 5, 2}, []float64{0, 1, 3, 2, 0, 0, 1, 4}, []float64{62.5, 17.5, 11.5, 7.5}},
		{[]float64{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, []float64{2, 7, 1, 8, 2, 8, 1, 8, 2, 8, 4, 5}, []float64{1229.5, 591.5, 382.5, 279.5}},
	} {
		c := Miss(tt.lambda, tt.looks)
		for i, want := range tt.want {
			fetches, got := c.Optimal(i+1, Limits{})
			if got != want || c.Of(fetches) != want {
				t.Errorf("m=%d: cost %v at %v, want %v", i+1, got, fetches, want)
			}
		}
	}
}

func TestOptimalEqualsEnumeration(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 1000 {
		n := 3 + r.IntN(14)
		lambda, looks := make([]float64, n), make([]float64, n)
		for k := range n {
			// Zeros matter: that is where optima are not unique.
			lambda[k] = float64(r.IntN(6) * r.IntN(3))
			looks[k] = float64(r.IntN(6)*r.IntN(3)) / 4
		}
		m := 1 + r.IntN(min(5, n))
		in := Limits{}
		if i%4 == 3 {
			in.MinGap = r.IntN(3)
			in.MaxGap = (n+m-1)/m + r.IntN(3)
			in.Forbidden = make([]bool, n)
			in.Forbidden[r.IntN(n)] = true
		}
		for _, once := range []bool{false, true} {
			c := Miss(lambda, looks)
			if once {
				c = missOnce(lambda, looks)
			}
			_, want := enumerate(c, m, in)
			got, w := c.Optimal(m, in)
			if math.IsInf(want, 1) {
				if c.Keeps(got, in) {
					t.Fatalf("instance %d: %v keeps limits no schedule can", i, got)
				}
				continue
			}
			if math.Abs(w-want) > 1e-9*(1+want) || !c.Keeps(got, in) {
				t.Fatalf("instance %d once=%v n=%d m=%d %+v: %v costs %v, enumeration %v\nλ=%v\nu=%v", i, once, n, m, in, got, w, want, lambda, looks)
			}
			if d := direct(lambda, looks, got, once); math.Abs(d-w) > 1e-9*(1+d) {
				t.Fatalf("prefix sums say %v, the definition %v", w, d)
			}
		}
	}
}

// missOnce is the other reading of the penalty (Sia 2009, Eq. 2.1): a post counts
// once if any look precedes its fetch, and looks are Poisson. It is Monge as well,
// so the same optimiser serves it. x, y, z and v follow from
// w(a,b) = (Λb − Λa) − exp(−Ub)·Σ λx·exp(U at the middle of x).
func missOnce(lambda, looks []float64) *Cost {
	c := Miss(lambda, looks)
	n := c.n
	scale := min(1, 600/c.cum[3*n]) // exp(709) is the largest a float64 can hold
	c.v = make([]float64, 3*n+1)
	c.v[0] = 1
	c.z[0] = 0
	e := 0.0
	for k := range 3 * n {
		e += lambda[k%n] * math.Exp((c.cum[k]+looks[k%n]/2)*scale)
		c.z[k+1] = e
		c.v[k+1] = math.Exp(-c.cum[k+1] * scale)
	}
	for k := range c.x {
		c.x[k] = c.lam[k] - c.v[k]*c.z[k]
		c.y[k] = -c.lam[k]
	}
	return c
}

func drawDay(t *rapid.T, n int, name string) []float64 {
	return rapid.SliceOfN(rapid.Float64Range(0, 10), n, n).Draw(t, name)
}

func TestLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(8, 60).Draw(t, "n")
		lambda, looks := drawDay(t, n, "lambda"), drawDay(t, n, "looks")
		m := rapid.IntRange(1, 6).Draw(t, "m")
		_, base := Miss(lambda, looks).Optimal(m, Limits{})
		near := func(what string, got, want float64) {
			if math.Abs(got-want) > 1e-9*(1+want) {
				t.Fatalf("%s: %v, want %v", what, got, want)
			}
		}
		turn := rapid.IntRange(0, n-1).Draw(t, "turn")
		l2, u2 := make([]float64, n), make([]float64, n)
		for k := range n {
			l2[(k+turn)%n], u2[(k+turn)%n] = lambda[k], looks[k]
		}
		_, w := Miss(l2, u2).Optimal(m, Limits{})
		near("rotated", w, base)
		a, b := rapid.Float64Range(.1, 9).Draw(t, "a"), rapid.Float64Range(.1, 9).Draw(t, "b")
		for k := range n {
			l2[k], u2[k] = a*lambda[k], b*looks[k]
		}
		_, w = Miss(l2, u2).Optimal(m, Limits{})
		near("scaled", w, a*b*base)
		for k := range n {
			l2[k], u2[k] = looks[n-1-k], lambda[n-1-k]
		}
		_, w = Miss(l2, u2).Optimal(m, Limits{})
		near("turned in time", w, base)
	})
}

func TestCurveIsConvex(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(10, 72).Draw(t, "n")
		lambda, looks := drawDay(t, n, "lambda"), drawDay(t, n, "looks")
		c := Miss(lambda, looks)
		if rapid.Bool().Draw(t, "once") {
			c = missOnce(lambda, looks)
		}
		prev, gain := math.Inf(1), math.Inf(1)
		for m := 1; m <= 8; m++ {
			fetches, w := c.Optimal(m, Limits{})
			if len(fetches) != m || !slices.IsSorted(fetches) || fetches[m-1] >= n {
				t.Fatalf("m=%d: %v", m, fetches)
			}
			if m > 1 {
				if prev-w > gain+1e-9*(1+prev) || prev < w-1e-9*(1+w) {
					t.Fatalf("not convex at m=%d: gain %v after %v", m, prev-w, gain)
				}
				gain = prev - w
			}
			prev = w
		}
	})
}

func TestArcsAreMonge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(4, 24).Draw(t, "n")
		c := Miss(drawDay(t, n, "lambda"), drawDay(t, n, "looks"))
		l := c.prepare(Limits{MinGap: rapid.IntRange(0, 4).Draw(t, "min"), MaxGap: rapid.IntRange(3, n).Draw(t, "max"),
			MaxItems: rapid.Float64Range(1, 40).Draw(t, "items")})
		at := rapid.SliceOfNDistinct(rapid.IntRange(0, 2*n), 4, 4, rapid.ID[int]).Draw(t, "slots")
		slices.Sort(at)
		a, a2, b, b2 := at[0], at[1], at[2], at[3]
		left := c.limited(a, b, l) + c.limited(a2, b2, l)
		right := c.limited(a, b2, l) + c.limited(a2, b, l)
		if left > right+1e-9*(1+right) {
			t.Fatalf("w(%d,%d)+w(%d,%d)=%v above %v", a, b, a2, b2, left, right)
		}
	})
}

// Hindsight counts what happened: with one day of posts and looks it is the miss
// penalty of that day, repeated.
func TestCoupledIsMissPenalty(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 50 {
		n := 6 + r.IntN(8)
		lambda, looks := make([]float64, n), make([]float64, n)
		for k := range n {
			lambda[k], looks[k] = float64(r.IntN(4)), float64(r.IntN(3))
		}
		pairs := make([]float32, n*n)
		for x := range n {
			for d := range n {
				pairs[x*n+d] = float32(lambda[x] * looks[(x+d)%n])
				if d == 0 {
					pairs[x*n] /= 2
				}
			}
		}
		m := 1 + r.IntN(4)
		a, w := Coupled(n, pairs).Optimal(m, Limits{})
		c := Miss(lambda, looks)
		_, want := c.Optimal(m, Limits{})
		if math.Abs(w-want) > 1e-4 || math.Abs(c.Of(a)-want) > 1e-9 {
			t.Fatalf("n=%d m=%d: %v at %v, want %v", n, m, w, a, want)
		}
	}
}
