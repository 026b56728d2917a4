package topics

import (
	"math"
	"testing"
)

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if math.IsNaN(got) || math.Abs(got-want) > within {
		t.Errorf("%s is %.6f, want %.6f", what, got, want)
	}
}

// The values are those of Sia 2009, chapter 5, examples 6 to 8, computed again.
func TestTrendMeasures(t *testing.T) {
	near(t, "H of (.7,.2,.1)", Entropy([]float64{.7, .2, .1}), 1.156780, 1e-6)
	near(t, "example 6, H before", Entropy([]float64{1, 1}), 1, 1e-12)
	near(t, "example 6, H after", Entropy([]float64{3, 1}), .811278, 1e-6)
	r, ok := Emergence([]float64{1, 1}, []float64{3, 1})
	if !ok {
		t.Error("example 6 has no rate")
	}
	near(t, "example 6, R", r, -.188722, 1e-6)
	r, _ = Emergence([]float64{1, 1}, []float64{1, 1, 1, 1})
	near(t, "example 7, R", r, 1, 1e-12)
	before, after := []float64{0, 0, 0, 1, 0}, []float64{0, .4, 0, .6, 0}
	js := JensenShannon(before, after)
	near(t, "example 8, JS in nats", js, .163897, 1e-6)
	near(t, "example 8, JS in bits", js/math.Ln2, .236453, 1e-6)
	near(t, "example 8, KL with .01", SymmetricKL(before, after, .01), .803394, 1e-6)
	near(t, "JS with itself", JensenShannon(after, after), 0, 1e-12)
	near(t, "JS of strangers", JensenShannon([]float64{1, 0}, []float64{0, 3}), math.Ln2, 1e-12)
	if _, ok := Emergence([]float64{3}, []float64{4}); ok {
		t.Error("one use more has a rate, though its logarithm is 0")
	}
	near(t, "Jaccard", Jaccard([]string{"a", "b", "c"}, []string{"b", "c", "d"}), .5, 1e-12)
	near(t, "Jaccard of nothing", Jaccard(nil, nil), 0, 0)
}

// Eq. 5.3 on two rows of Tables 5.4 and 5.5: an entropy that rose, one that fell.
func TestEmergenceSign(t *testing.T) {
	grew, _ := Emergence([]float64{5, 5}, []float64{5, 5, 5, 5})
	shrank, _ := Emergence([]float64{5, 5}, []float64{25, 5})
	if !(grew > 0 && shrank < 0) {
		t.Errorf("spreading gives %v, gathering %v", grew, shrank)
	}
}
