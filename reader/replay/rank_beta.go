package replay

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// betaQuantile is the x with I_x(a, b) = level. Newton from a near guess, kept in
// an interval that bisection shrinks where the density is too flat for a step: the
// quantile moves little from turn to turn, so two or three steps do.
func betaQuantile(a, b, level, guess float64) float64 {
	low, high := 0., 1.
	x := min(max(guess, 1e-9), 1-1e-9)
	la, _ := math.Lgamma(a)
	lb, _ := math.Lgamma(b)
	lab, _ := math.Lgamma(a + b)
	norm := lab - la - lb
	for range 60 {
		d := mathext.RegIncBeta(a, b, x) - level
		if d > 0 {
			high = x
		} else {
			low = x
		}
		step := d / math.Exp(norm+(a-1)*math.Log(x)+(b-1)*math.Log1p(-x))
		next := x - step
		if !(next > low && next < high) {
			next = (low + high) / 2
		}
		if math.Abs(next-x) < 1e-9 {
			return next
		}
		x = next
	}
	return x
}
