package reader

import (
	"context"
	"math"
	"runtime/debug"
	"testing"

	"diurna/reader/align/aligntest"
	"diurna/reader/watch"
)

// TestPageThatIsNewEachTime watches a large page of which nothing stays: what is
// kept of each visit has a bound, and each revision comes back byte for byte.
func TestPageThatIsNewEachTime(t *testing.T) {
	const letters = 80_000
	s := newShore(t)
	s.web.serve(pier, "text/html", aligntest.OneBlock(0, letters))
	s.watch(pier, watch.Options{})
	for n := uint64(1); n <= 4; n++ {
		s.web.serve(pier, "text/html", aligntest.OneBlock(n, letters))
		s.later(day)
	}
	list, err := s.r.store.PageRevisions(context.Background(), s.id)
	if err != nil || len(list) != 5 {
		t.Fatalf("%d revisions, %v", len(list), err)
	}
	for i := range list {
		body, _, err := s.r.Pages().RevisionRaw(context.Background(), s.id, int(list[i].No))
		if err != nil || string(body) != aligntest.OneBlock(uint64(i), letters) {
			t.Fatalf("revision %d is another: %v", i, err)
		}
		chain, err := s.r.store.PageChain(context.Background(), s.id, list[i].No)
		packed := 0
		for k := range chain {
			packed += len(chain[k].Packed)
		}
		if limit := 64<<10 + 3*len(body); err != nil || packed > limit {
			t.Errorf("restoring revision %d takes %d bytes of deltas, %v", i, packed, err)
		}
	}
	if most := debug.SetMemoryLimit(-1); most != math.MaxInt64 {
		t.Errorf("a limit of %d bytes is left behind", most)
	}
}
