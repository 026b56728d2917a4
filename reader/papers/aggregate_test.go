package papers

import "testing"

// TestAggregate finds what the paper reports: the factorisation stands between on the
// fly and views in what an update costs, its first item is right in nine of ten cases
// at a high rank (section 4.3.3), the Threshold Algorithm saves reads, and the hybrid is nearer
// to what is right than the factorisation of everything.
func TestAggregate(t *testing.T) {
	r, err := Aggregate(t.Context(), AggregateOptions{Readers: 300, Feeds: 400, Items: 1000, References: 12000, Ranks: []int{10, 60}})
	if err != nil {
		t.Fatal(err)
	}
	v := func(method, column string) float64 { return value(t, r, "methods", method, column) }
	if v("view", "overlap") != 1 || v("view", "accesses_per_query") != 20 || v("on the fly", "writes_per_reference") != 1 {
		t.Errorf("the exact methods: %v", r.Tables[0].Rows[:2])
	}
	const low, high = "nmf, rank 10", "nmf, rank 60"
	if a, b := v(low, "overlap"), v(high, "overlap"); b < .85 || b < a+.1 {
		t.Errorf("overlap %.3f at rank 10, %.3f at rank 60", a, b)
	}
	if first := v(high, "overlap_of_first"); first < .9 {
		t.Errorf("the first item is right in %.3f of the cases", first)
	}
	if v(low, "error_norm") <= v(high, "error_norm") {
		t.Error("the error does not fall with the rank")
	}
	for _, name := range []string{low, high} {
		if n := v(name, "writes_per_reference"); n <= 1 || n > v("view", "writes_per_reference")/5 {
			t.Errorf("%s writes %.2f entries for a reference", name, n)
		}
		if v(name, "accesses_per_query") > v(name, "without_threshold") {
			t.Errorf("%s: the Threshold Algorithm reads %.0f of %.0f entries", name, v(name, "accesses_per_query"), v(name, "without_threshold"))
		}
	}
	if h := v("hybrid, rank 60", "overlap"); h < v(high, "overlap") {
		t.Errorf("the hybrid has %.3f", h)
	}
	// At the crossing two methods cost the same.
	q := value(t, r, "crossover", "on the fly, view", "queries_per_reference")
	cost := func(method string) float64 {
		return v(method, "writes_per_reference") + q*v(method, "accesses_per_query")
	}
	near(t, "the cost at the crossing", cost("view"), cost("on the fly"), 1e-9)
}
