package store

import (
	"errors"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
)

// feedKey is a key within its feed.
type feedKey struct {
	feed FeedID
	key  uint64
}

// keep is what a walker knows at the time of a backup.
type keep struct {
	seen  seen
	feeds []FeedID
	items []ItemID
	next  map[FeedID]uint32
	keys  map[feedKey]uint32
}

// someKeys draws from few keys, so that items meet at them.
func (w *walker) someKeys() []uint64 {
	keys := make([]uint64, w.pick(3))
	for i := range keys {
		keys[i] = uint64(1 + w.pick(15))
	}
	return keys
}

// owners does to the model what filing g does to the keys: what is rekeyed takes
// them, what is new or edited only those that are free.
func (w *walker) owners(g *Filing) {
	if w.keys == nil {
		w.keys = make(map[feedKey]uint32)
	}
	for _, r := range g.Rekey {
		for _, k := range r.Keys {
			w.keys[feedKey{g.Feed, k}] = r.N
		}
	}
	claim := func(n uint32, keys []uint64) {
		for _, k := range keys {
			if _, taken := w.keys[feedKey{g.Feed, k}]; !taken {
				w.keys[feedKey{g.Feed, k}] = n
			}
		}
	}
	for i := range g.New {
		claim(g.Next+uint32(i), g.New[i].Keys)
	}
	edits := slices.Clone(g.Edited)
	slices.SortStableFunc(edits, func(a, b EditedItem) int { return int(a.N) - int(b.N) })
	for i, e := range edits {
		if i == 0 || edits[i-1].N != e.N { // the first of several wins
			claim(e.N, e.Keys)
		}
	}
}

// matches holds the stored keys against the model's.
func (w *walker) matches() {
	w.tb.Helper()
	all := make([]uint64, 16)
	for i := range all {
		all[i] = uint64(i)
	}
	for _, f := range w.feeds {
		got := must(w.s.Match(w.tb.Context(), f, all))(w.tb)
		if got.Next != w.next[f] {
			w.tb.Fatalf("feed %s: next is %d, want %d", f, got.Next, w.next[f])
		}
		for _, k := range all {
			if n := w.keys[feedKey{f, k}]; got.ByKey[k].N != n {
				w.tb.Fatalf("feed %s: key %d is of item %d, want %d", f, k, got.ByKey[k].N, n)
			}
		}
	}
}

// care rewrites the library, copies it, goes back to the copy, or forgets what
// tells about interest. None of it may change anything else that can be seen.
func (w *walker) care() {
	w.tb.Helper()
	if !w.s.Exists() {
		return
	}
	ctx, backup := w.tb.Context(), filepath.Join(filepath.Dir(w.s.Path()), "backup")
	before := look(w.tb, w.s)
	same := func(what string, want seen) {
		w.tb.Helper()
		if got := look(w.tb, w.s); !reflect.DeepEqual(got, want) {
			w.tb.Fatalf("%s changed what can be seen:\n%+v, was\n%+v", what, got, want)
		}
	}
	switch w.pick(5) {
	case 0:
		if _, _, err := w.s.Compact(ctx); err != nil {
			w.tb.Fatal(err)
		}
		same("compact", before)
	case 1:
		must(w.s.Forget(ctx, w.now.Add(-1e9)))(w.tb)
		same("forget", before)
	case 2, 3:
		if err := w.s.Backup(ctx, backup); err != nil {
			w.tb.Fatal(err)
		}
		w.kept = &keep{before, slices.Clone(w.feeds), slices.Clone(w.items), maps.Clone(w.next), maps.Clone(w.keys)}
	default:
		if w.kept == nil {
			return
		}
		tx := w.s.Tx(ctx)
		must(w.s.Restore(ctx, w.now, backup))(w.tb)
		if now := w.s.Tx(ctx); now <= tx {
			w.tb.Fatalf("transaction %d follows %d", now, tx)
		}
		w.feeds, w.items = slices.Clone(w.kept.feeds), slices.Clone(w.kept.items)
		w.next, w.keys = maps.Clone(w.kept.next), maps.Clone(w.kept.keys)
		same("restore", w.kept.seen)
	}
}

// trained makes a step that changes no item.
func (w *walker) trained() {
	w.tb.Helper()
	if _, err := w.s.Act(w.tb.Context(), w.now, "", Change{Kind: Trained, Field: "boost", Value: words[w.pick(5)]}); err != nil && !errors.Is(err, ErrNone) {
		w.tb.Fatal(err)
	}
}
