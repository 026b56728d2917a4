package papers

import (
	"fmt"
	"math"
	"testing"
)

// TestEstimate finds what the paper reports of waves and uniform feeds (Horincar 2012,
// Figure 10): hours help where a day has waves, and neither helps nor hurts where it has
// none; refreshes that are rare fill documents, and then the rates are too low.
func TestEstimate(t *testing.T) {
	r, err := Estimate(t.Context(), EstimateOptions{Weeks: 8, Seed: 4})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range []int{4, 8} {
		if p := value(t, r, "divergence", fmt.Sprintf("waves, %d h", h), "less_error_pct"); p < 10 {
			t.Errorf("waves at %d hours: %.1f %% less error", h, p)
		}
		if p := value(t, r, "divergence", fmt.Sprintf("uniform, %d h", h), "less_error_pct"); math.Abs(p) > 8 {
			t.Errorf("uniform at %d hours: %.1f %% less error", h, p)
		}
	}
	for _, row := range r.Tables[0].Rows {
		if row.Values[1] <= 0 || row.Values[2] <= 0 || row.Values[1] > 1 {
			t.Errorf("%s: errors %v", row.Name, row.Values)
		}
	}
	often, seldom := "uniform, 1 h", "uniform, 24 h"
	if a, b := value(t, r, "saturation", often, "single"), value(t, r, "saturation", seldom, "single"); math.Abs(a-1) > .05 || b > .6 {
		t.Errorf("the rate is %.2f of the true one at 1 hour, %.2f at 24", a, b)
	}
	if a, b := value(t, r, "saturation", often, "lost_pct"), value(t, r, "saturation", seldom, "lost_pct"); a > 1 || b < 40 {
		t.Errorf("%.1f %% are lost at 1 hour, %.1f %% at 24", a, b)
	}
}

// TestAdvice: at the mixed equilibrium the printed chance is what playing gives, and the
// same with and without a suggestion; elsewhere it may be no chance at all.
func TestAdvice(t *testing.T) {
	r := Advice(AdviceOptions{PayOffs: [4]float64{.6, .2, .3, .9}, Adjusts: .3})
	v := func(column string) float64 { return value(t, r, "cases", "0.60 0.20 0.30 0.90", column) }
	near(t, "P(improve)", v("improve_printed"), .48, 1e-9)
	near(t, "P(improve), played", v("played"), .48, .005)
	near(t, "the agent's share", v("agent_share"), .4, 1e-9)
	near(t, "the user's share", v("user_share"), .3, 1e-9)
	near(t, "with a suggestion, at the user's share", v("with_suggestion"), v("without"), 1e-9)

	r = Advice(AdviceOptions{PayOffs: [4]float64{.25, .5, .25, .8}, Adjusts: .4})
	v = func(column string) float64 { return value(t, r, "cases", "0.25 0.50 0.25 0.80", column) }
	near(t, "P(improve) without a mixed equilibrium", v("improve_printed"), .25, 1e-9)
	near(t, "P(improve) of the pure one", v("improve"), .8, 1e-9)
	if v("suggest") != 1 || v("suggest_printed") != 0 || !math.IsNaN(v("played")) {
		t.Errorf("the case is %v", r.Tables[0].Rows)
	}
	mixed := 0 // the same in whole tenths: neither side has a choice that is always better
	for n := range 11 * 11 * 11 * 11 {
		p := [4]int{n % 11, n / 11 % 11, n / 121 % 11, n / 1331}
		if p[0]+p[3] != p[1]+p[2] && (p[0]-p[1])*(p[3]-p[2]) >= 0 && (p[0]-p[2])*(p[3]-p[1]) >= 0 {
			mixed++
		}
	}
	near(t, "the share with a mixed equilibrium", value(t, r, "grid", "a mixed equilibrium exists", "printed"), float64(mixed)/(11*11*11*11), .02) // some at the edges are lost to rounding
	outside := value(t, r, "grid", "P(improve) is no chance", "printed")
	if worse, ours := value(t, r, "grid", "of those, worse than none", "printed"), value(t, r, "grid", "of those, worse than none", "ours"); outside < .1 || worse < .3 || ours > .2 {
		t.Errorf("%.3f of the pay-offs give no chance, %.3f of the printed suggestions are worse than none, %.3f of ours", outside, worse, ours)
	}
}
