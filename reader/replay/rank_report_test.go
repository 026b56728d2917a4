package replay

import (
	"math"
	"slices"
	"testing"
)

// Two people over three turns: the curve is their mean, the total their sum.
func TestSummarise(t *testing.T) {
	lives := []life{{clicks: []float64{1, 2, 3}, mae: []float64{9, 8, 4}}, {clicks: []float64{3, 2, 7}, mae: []float64{9, 8, 2}}}
	total, curve := summarise(&rankWorld{turns: 3}, "s", lives)
	if !slices.Equal(curve.Clicks, []float64{2, 2, 5}) || total.At10 != 5 || total.At30 != 5 || total.AtEnd != 5 {
		t.Errorf("%v: %v, %v, %v", curve.Clicks, total.At10, total.At30, total.AtEnd)
	}
	if total.MAE == nil || *total.MAE != 3 || total.Users != 2 || total.Turns != 3 {
		t.Errorf("%+v", total)
	}
	// 6 and 12 clicks: 9, with a deviation of sqrt(18).
	if want := 1.96 * math.Sqrt(18./2); total.Clicks != 9 || math.Abs(total.CI95-want) > 1e-9 {
		t.Errorf("%v ± %v, want 9 ± %v", total.Clicks, total.CI95, want)
	}
}

func TestTally(t *testing.T) {
	got := tally{missed: 1, once: 2, opens: 3, made: 4, wait: 5}
	got.add(tally{missed: 10, once: 20, opens: 30, made: 40, wait: 50}, .5)
	if want := (tally{missed: 6, once: 12, opens: 18, made: 24, wait: 30}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
