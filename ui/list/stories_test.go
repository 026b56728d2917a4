package list

import (
	"testing"

	"diurna/reader"
	"diurna/reader/stories"
)

// folded are many rows of 300 feeds, every tenth of which tells the story of the one before.
func folded(n int) *rows {
	s := &rows{all: make([]reader.Row, n)}
	var list [][]stories.Member
	for i := range s.all {
		s.all[i].ID = reader.ItemID(uint64(1+i%300)<<32 | uint64(1+i/300))
		if i%10 == 9 {
			list = append(list, []stories.Member{{ID: s.all[i-1].ID}, {ID: s.all[i].ID}})
		}
	}
	s.folding.groups = stories.NewGroups(list, nil)
	return s
}

// TestFoldKeepsEveryRow: each row is shown, or another of its story is.
func TestFoldKeepsEveryRow(t *testing.T) {
	s := folded(1000)
	for i := range s.all {
		if i%4 == 0 {
			s.all[i].Flags |= reader.FlagRead
		}
	}
	for _, open := range []bool{false, true} {
		s.show(nil)
		shown := map[int32]int{}
		for i := range s.len() {
			r := s.at(i)
			no := s.folding.groups.Number(r.ID)
			if no < 0 {
				no = -1 - s.fits[i]
			}
			if shown[no]++; shown[no] > 1 && !s.below(i) {
				t.Fatalf("row %d of story %d stands twice", i, no)
			}
			if !open && no >= 0 && !unread(r) {
				for _, m := range s.folding.groups.Of(r.ID) {
					if at := s.index(0, m.ID); m.ID != r.ID && at < 0 && unread(&s.all[int(m.ID>>32)-1+300*(int(uint32(m.ID))-1)]) {
						t.Fatalf("a read row stands for the unread %v", m.ID)
					}
				}
			}
		}
		want := map[bool]int{false: 900, true: 1000}[open]
		if len(shown) != 900 || s.len() != want || s.len()+s.folding.folded != 1000 {
			t.Fatalf("open %v: %d rows, %d stories, %d folded", open, s.len(), len(shown), s.folding.folded)
		}
		for i := range s.all {
			if i%10 == 9 {
				s.unfold(&s.all[i])
			}
		}
	}
}

// BenchmarkFold folds a list of 50,000 rows, as a key does that narrows or sorts it.
func BenchmarkFold(b *testing.B) {
	s := folded(50_000)
	for b.Loop() {
		s.show(nil)
	}
}
