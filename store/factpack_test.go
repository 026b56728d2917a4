package store

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"diurna/store/record"
)

// Whether facts are packed or not, as in a library that older programs read, they are the same, from any
// number on, and so is what can be forgotten of them.
func TestPackedFacts(t *testing.T) {
	ctx := t.Context()
	var libs [2]*Store
	var size [2]int
	for i := range libs {
		s := newStore(t)
		libs[i] = s
		feeds := fill(t, s, 20, 10, 100)
		old := []ItemID{MakeItemID(feeds[0], 1), MakeItemID(feeds[0], 2)}
		must(s.Act(ctx, day, "", Change{Kind: MarkedRead, Items: old}))(t)
		if i == 0 {
			must(s.Remove(ctx, day, RowRemoved, old, func(ItemID, string, Body) (Body, bool) { return Body{}, false }))(t)
		} else {
			must(s.Remove(ctx, day, TextRemoved, old, func(ItemID, string, Body) (Body, bool) { return Body{}, false }))(t)
		}
		r := rand.New(rand.NewPCG(8, 8))
		for j := range 1500 {
			now := day.Add(time.Duration(j) * time.Minute)
			id := MakeItemID(feeds[1+r.IntN(19)], 1+r.Uint32N(10))
			if j%10 == 0 {
				must(s.Act(ctx, now, "River", Change{Kind: []Kind{MarkedRead, MarkedUnread, Saved, Unsaved}[r.IntN(4)], Items: []ItemID{id}}))(t)
			} else if err := s.Note(ctx, now, Fact{Kind: Shown, Items: []ItemID{id}, Nums: []int64{int64(1 + r.IntN(20))}}); err != nil {
				t.Fatal(err)
			}
		}
		visit(t, s, record.Facts, func(_, v []byte) {
			size[i] += len(v)
			if len(v) > record.FactRunSize+record.HeadSize {
				t.Errorf("a record of %d bytes", len(v))
			}
		})
	}
	if size[0]*2 > size[1] {
		t.Errorf("packed facts take %d bytes, the others %d", size[0], size[1])
	}
	says := func(s *Store, after uint64) (all []string) {
		must(s.Facts(ctx, after, func(f *Fact) error {
			if f.Kind != RowRemoved && f.Kind != TextRemoved {
				all = append(all, fmt.Sprintf("%+v", *f))
			}
			return nil
		}))(t)
		return all
	}
	same := func() {
		t.Helper()
		want := says(libs[1], 0)
		for _, after := range []uint64{0, 1, 100, 101, 800, 801, 1450, uint64(len(want)), uint64(len(want)) + 1} {
			want := says(libs[1], after)
			if got := says(libs[0], after); !slices.Equal(got, want) {
				t.Fatalf("after fact %d: %d facts, want %d", after, len(got), len(want))
			}
		}
		sound(t, libs[0], true)
	}
	same()
	total := must(libs[0].Totals(ctx))(t).Facts
	if got := must(libs[0].Salvaged(ctx, libs[0].Path()))(t); got.Facts != total || got.Missing != 0 {
		t.Errorf("of %d facts, salvaged: %+v", total, got)
	}
	var forgot [2]int
	for i, s := range libs {
		forgot[i] = must(s.Forget(ctx, day.Add(700*time.Minute)))(t)
	}
	if forgot[0] != forgot[1] || forgot[0] < 500 {
		t.Errorf("forgotten: %v", forgot)
	}
	same()
	for _, s := range libs {
		must(s.Act(ctx, day.Add(48*time.Hour), "", Change{Kind: Saved, Items: []ItemID{MakeItemID(3, 3)}}))(t)
		if _, _, err := s.Compact(ctx); err != nil {
			t.Fatal(err)
		}
	}
	same()
}
