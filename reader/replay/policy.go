package replay

import (
	"slices"

	"diurna/scheduler"
)

const (
	policyUniform      = "uniform"
	policyRetrieval    = "retrieval"
	policyAllocation   = "allocation"
	policyCombined     = "combined"
	policyDataOnly     = "data-only"
	policyPrinted      = "printed"
	policyOurs         = "ours"
	policyCGM03        = "cgm03"
	policyProportional = "rate-proportional"
	policyOnOpen       = "refresh-on-open"
	policyTokens       = "tokens"
	policyHindsight    = "hindsight"
	policyClairvoyant  = "clairvoyant"
)

var policyNames = []string{policyUniform, policyRetrieval, policyAllocation, policyCombined, policyDataOnly, policyPrinted, policyOurs, policyCGM03,
	policyProportional, policyOnOpen, policyTokens, policyHindsight, policyClairvoyant}

// minGap is δ: an hour between polls of one URL.
const minGap = int(3600 / slotSeconds)

// week is what is known of the sources when week w begins, and what the policies
// that look at posts alone make of it.
type week struct {
	*knowledge
	data   [][][]int          // by source and m: placed as if looks came at any time
	shares map[string][][]int // by policy and m: fetches in the week, by source
}

// learnWeek reads nothing at or after the beginning of week w.
func (a *axis) learnWeek(w, most int, budgets []int) *week {
	n := len(a.sources)
	out := &week{knowledge: a.knowledge(w), data: make([][][]int, n), shares: map[string][][]int{}}
	rates, ones := out.rates, make([]float64, n)
	for i := range a.sources {
		ones[i] = 1
		cost := scheduler.Delay(out.lambda[i], 1)
		out.data[i] = make([][]int, most+1)
		for _, m := range budgets {
			out.data[i][m] = place(cost, m)
		}
	}
	for _, name := range []string{policyAllocation, policyCGM03, policyProportional} {
		out.shares[name] = make([][]int, most+1)
		for _, m := range budgets {
			total := float64(m * n)
			var shares []float64
			switch name {
			case policyAllocation:
				shares = scheduler.RootShares(rates, ones, total)
			case policyCGM03:
				shares = out.ageShares(m)
			case policyProportional:
				shares = scheduler.ProportionalShares(rates, total)
			}
			out.shares[name][m] = wholeWeeks(shares, 7*m*n)
		}
	}
	return out
}

// place is the optimum that keeps δ.
func place(c *scheduler.Cost, m int) []int {
	fetches, _ := c.Optimal(m, scheduler.Limits{MinGap: minGap})
	return fetches
}

// everyDay is one schedule for the seven days.
func everyDay(fetches []int) *[7][]int {
	var out [7][]int
	for d := range out {
		out[d] = fetches
	}
	return &out
}

// dealt places n fetches of a week, as many on each day as its turn gives. made
// holds the days of this cost that were placed before, by their fetches.
func dealt(c *scheduler.Cost, n int, made map[int][]int) *[7][]int {
	var out [7][]int
	for d, m := range weekdays(n) {
		if _, ok := made[m]; !ok && m > 0 {
			made[m], _ = c.Optimal(m, scheduler.Limits{})
		}
		out[d] = made[m]
	}
	return &out
}

// unknownPolicy finds a name that is none of Policies; true: there is none.
func unknownPolicy(names []string) (string, bool) {
	for _, n := range names {
		if !slices.Contains(policyNames, n) {
			return n, false
		}
	}
	return "", true
}
