package align

import (
	"sort"
	"testing"
	"time"

	"diurna/reader/align/aligntest"
)

func TestRealPairs(t *testing.T) {
	var ratios []float64
	var bytes, slowest int
	var total time.Duration
	for _, p := range aligntest.Pairs(t) {
		start := time.Now()
		al := Read(p.A, p.B, Blocks)
		ops := al.Script()
		took := time.Since(start)
		total += took
		bytes += len(p.A) + len(p.B)
		slowest = max(slowest, int(took.Milliseconds()))
		verify(t, p.A, p.B, ops)
		del, ins := aligntest.ChangedWords(al.Match, len(al.B.Words))
		va, vb := visible(al.A), visible(al.B)
		l := lcsLength(va, vb)
		best := len(va) + len(vb) - 2*l
		r := 1.0
		if best > 0 {
			r = float64(del+ins) / float64(best)
		} else if del+ins > 0 {
			r = 99
		}
		if r > 1.05 {
			t.Logf("%-26s %5d+%5d of best %5d: %.3f  %v", p.ID, del, ins, best, r, took)
		}
		if del+ins < best {
			t.Errorf("%s: %d changed words are fewer than the optimum %d", p.ID, del+ins, best)
		}
		ratios = append(ratios, r)
	}
	sort.Float64s(ratios)
	n := len(ratios)
	t.Logf("exact recovery %d of %d", n, n)
	t.Logf("changed words / optimum over %d pairs: median %.3f, p90 %.3f, max %.3f", n, ratios[n/2], ratios[n*9/10], ratios[n-1])
	t.Logf("lexing and diff: %.1f ms per MB over %.1f MB, slowest pair %d ms (noisy machine)",
		float64(total.Milliseconds())/(float64(bytes)/1e6), float64(bytes)/1e6, slowest)
	if ratios[n/2] > 1 || ratios[n*9/10] > 1.10 || ratios[n-1] > 1.5 {
		t.Errorf("want median 1.00, p90 <= 1.10, max <= 1.5")
	}
}
