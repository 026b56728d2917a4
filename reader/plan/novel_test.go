package plan

import (
	"context"
	"fmt"
	"testing"
	"time"

	"diurna/scheduler"
	"diurna/store"
)

// titled is a library of titles, and of the fact that each of them arrived in an hour of its own.
type titled struct {
	Library
	titles []string // by item, from 1 on; "": it is not there any more
	begin  time.Time
}

func (l *titled) Facts(_ context.Context, after uint64, visit func(*store.Fact) error) (uint64, error) {
	for i := after; i < uint64(len(l.titles)); i++ {
		at := l.begin.Add(time.Duration(i) * time.Hour)
		f := store.Fact{No: i + 1, Kind: store.Arrived, At: at, Feed: 7, Items: []store.ItemID{store.ItemID(i + 1)}, Nums: []int64{0}}
		if err := visit(&f); err != nil {
			return i, err
		}
	}
	return uint64(len(l.titles)), nil
}

func (l *titled) Items(_ context.Context, ids []store.ItemID) ([]store.Item, error) {
	var out []store.Item
	for _, id := range ids {
		if l.titles[id-1] == "" {
			return nil, store.ErrUnknown
		}
		out = append(out, store.Item{ID: id, Title: l.titles[id-1]})
	}
	return out, nil
}

// TestNovelOnly: with plan_novel a feed that says the same each hour, and now and then
// something else, is expected to post the latter alone; what readers see of its rate stays.
func TestNovelOnly(t *testing.T) {
	lib := &titled{begin: time.Unix(1_704_672_000, 0)}
	other := 0
	for i := range 20 * 24 {
		switch {
		case i%24 == 5:
			lib.titles = append(lib.titles, fmt.Sprintf("Bridge%d closes after flood%d in valley%d", i, i, i))
			other++
		case i%24 == 9:
			lib.titles = append(lib.titles, "") // was removed since
		default:
			lib.titles = append(lib.titles, "Water level of the harbour")
		}
	}
	now := lib.begin.Add(20 * 24 * time.Hour)
	s := scheduler.Source{ID: store.FeedID(7).String(), LastFetch: now}
	var coming [2]float64
	for i, only := range []bool{false, true} {
		p := New(lib, nil, nil, nil, Options{NovelOnly: only})
		if err := p.habits.fold(t.Context(), lib, now); err != nil {
			t.Fatal(err)
		}
		coming[i] = p.habits.coming(&s, now).PerDay()
		if shown := p.habits.of(7, now).PerDay(); shown < 20 {
			t.Errorf("%.1f posts a day are shown", shown)
		}
		if n := len(p.habits.posts[7].novel); only && (n < other-2 || n > 3*other) || !only && n > 0 {
			t.Errorf("%d of %d items are novel", n, len(lib.titles))
		}
	}
	if coming[0] < 20 || coming[1] > coming[0]/5 {
		t.Errorf("%.1f items a day are expected, %.1f of them novel", coming[0], coming[1])
	}
}
