package stories

import (
	"math/rand/v2"
	"slices"
	"sort"
	"testing"
)

// rarest keeps what sorting all of them would have put first.
func TestRarest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		var all, kept []weighed
		for i := range r.IntN(60) {
			w := weighed{uint32(i), float64(r.IntN(9))}
			all, kept = append(all, w), rarest(kept, w)
		}
		sort.Slice(all, func(i, j int) bool { return all[i].before(all[j]) })
		if all = all[:min(len(all), maxRare)]; !slices.Equal(all, kept) {
			t.Fatalf("%v, want %v", kept, all)
		}
	}
}
