package record

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// Facts of runs that were packed one after the other come back as they were; a record becomes no
// larger than it may, and takes at least three of runs that are alike.
func TestPackedFacts(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var facts []Fact
		var packed []byte
		for range rapid.IntRange(1, 12).Draw(rt, "runs") {
			var c FactCoder
			var run []byte
			fresh := facts
			for range rapid.IntRange(1, 5).Draw(rt, "facts") {
				f := anyFact(rt, uint64(len(fresh))+3)
				fresh, run = append(slices.Clip(fresh), f), c.Append(run, &f)
			}
			if more, ok := PackFacts(packed, run); ok {
				packed, facts = more, fresh
			}
		}
		if len(packed) > FactRunSize || len(facts) > 0 && !IsPacked(packed) {
			rt.Fatalf("%d bytes", len(packed))
		}
		var d FactReader
		d.Begin(3, packed)
		for i := range facts {
			if !d.Next() || !sameFact(&d.Fact, &facts[i]) {
				rt.Fatalf("fact %d came back as %+v, was %+v", i, d.Fact, facts[i])
			}
		}
		if d.Next() || !d.Rest.Done() {
			rt.Fatal("more came back than went in")
		}
	})
	var packed []byte
	var c FactCoder
	n := 0
	for no := uint64(1); ; n++ {
		var run []byte
		for len(run) < FactRunSize {
			run = c.Append(run, &Fact{No: no, Kind: Fetched, At: time.Unix(int64(no)*3600, 0), Feed: FeedID(no % 97), Nums: []int64{304, int64(no * no % 1009)}})
			no++
		}
		more, ok := PackFacts(packed, run)
		if !ok {
			break
		}
		packed, c = more, FactCoder{}
	}
	if n < 3 {
		t.Errorf("%d runs fit into a record", n)
	}
	if _, ok := PackFacts(nil, make([]byte, packedAtOnce+1)); ok {
		t.Error("a run of any size is packed")
	}
}
