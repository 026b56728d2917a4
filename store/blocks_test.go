package store

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"diurna/store/record"
)

// livedIn is a feed with n read items of three keys each, and two of its own feed beside it.
func livedIn(t *testing.T, n int) (s *Store, feed FeedID, ids []ItemID, keys []uint64) {
	t.Helper()
	s = newStore(t)
	s.packAfter = 1 << 30
	r := rand.New(rand.NewPCG(3, uint64(n)))
	feeds := subscribe(t, s, 3)
	for i, f := range feeds {
		var list []NewItem
		for j := range n >> (6 * ((i + 1) % 2)) {
			id := []string{"id", ""}[j%2]
			list = append(list, NewItem{Item: Item{IDRaw: id, Title: prose(r, 20), Published: day.Add(-time.Duration(n-j) * time.Hour), Hash: r.Uint64() | 1},
				Body: Body{HTML: prose(r, 200)}, Keys: []uint64{r.Uint64() | 1, r.Uint64() | 1, r.Uint64() | 1}})
		}
		filed := must(s.File(t.Context(), day, []Filing{{Feed: f, Next: 1, New: list, Outcome: &Outcome{Kind: AnswerNew, Status: 200}}}))(t)
		if filed[0].Err != nil {
			t.Fatal(filed[0].Err)
		}
		if i == 1 {
			feed, ids = f, filed[0].Items
			for _, it := range list {
				keys = append(keys, it.Keys...)
			}
		}
	}
	return s, feed, ids, keys
}

// Whether what is left of removed rows lies in blocks or not, the library says the same of
// them, and of what comes: an item that comes again is known by each of its keys.
func TestBlocks(t *testing.T) {
	s, feed, ids, keys := livedIn(t, 1000)
	ctx := t.Context()
	half := func(id ItemID, _ string, b Body) (Body, bool) {
		return Body{Summary: b.HTML[:min(20, len(b.HTML))]}, id%5 < 4
	}
	type said struct {
		Matched any
		Items   []Item
		Texts   []Body
		Rows    []Row
		Feeds   []Feed
	}
	looks := func() said {
		m := must(s.Match(ctx, feed, keys))(t)
		out := said{Matched: m, Items: must(s.Items(ctx, ids))(t), Rows: must(s.Rows(ctx, RowQuery{Which: All}))(t), Feeds: must(s.Feeds(ctx))(t)}
		if err := s.Bodies(ctx, ids, func(_ ItemID, b Body) { out.Texts = append(out.Texts, b) }); err != nil {
			t.Fatal(err)
		}
		for i, id := range ids {
			if m.ByKey[keys[3*i]].Hash == 0 && id.N()%2 == 0 {
				t.Fatalf("%s has no id, and its hash is lost", id)
			}
		}
		if len(m.ByKey) != len(keys) {
			t.Fatalf("%d keys of %d are known", len(m.ByKey), len(keys))
		}
		return out
	}
	step := must(s.Act(ctx, day, "", Change{Kind: MarkedRead, Items: ids}))(t).Step
	gone := slices.DeleteFunc(slices.Clone(ids), func(id ItemID) bool { return id.N()%10 == 0 })
	if got := must(s.Remove(ctx, day, RowRemoved, gone, half))(t); len(got) != len(gone) {
		t.Fatalf("%d of %d are gone", len(got), len(gone))
	}
	want := looks()
	for _, it := range want.Items {
		if it.Flags&FlagGone != 0 && !reflect.DeepEqual(it, Item{ID: it.ID, Flags: it.Flags, Title: it.Title, BodySize: it.BodySize}) {
			t.Fatalf("more is kept of %s than Ranked asks for: %+v", it.ID, it)
		}
	}
	// One group alone, as if the process had died after it; then the others.
	s.packAfter = 1
	for round := range 3 {
		if round > 0 {
			if err := s.pack(ctx, MakeItemID(feed, 1), false); err != nil {
				t.Fatal(err)
			}
		} else if err := moveIn(ctx, s.lib, record.IDs, feed, partOf(t, s, feed, gone)); err != nil {
			t.Fatal(err)
		}
		if got := looks(); !reflect.DeepEqual(got, want) {
			t.Fatalf("round %d: the library says something else", round)
		}
		sound(t, s, true)
	}
	// Comes again: nothing is new under a key in a block, which a new item may take over.
	filed := must(s.File(ctx, day, []Filing{{Feed: feed, Next: uint32(len(ids)) + 1, New: []NewItem{{Item: Item{Title: "again"}, Takes: keys[0], Keys: []uint64{keys[4], 77}}}}}))(t)
	if m := must(s.Match(ctx, feed, []uint64{keys[0], keys[4], 77}))(t); filed[0].Err != nil || m.ByKey[keys[0]].N != uint32(len(ids))+1 || m.ByKey[keys[4]].N != 2 || m.ByKey[77].N != uint32(len(ids))+1 {
		t.Errorf("%v: %+v", filed[0].Err, m.ByKey)
	}
	// A second load moves in among the first, and the key that was taken over with it.
	again := append(filed[0].Items, ids[9], ids[19])
	must(s.Act(ctx, day, "", Change{Kind: MarkedRead, Items: again}))(t)
	must(s.Remove(ctx, day, RowRemoved, again, half))(t)
	if m := must(s.Match(ctx, feed, keys))(t); m.ByKey[keys[0]].N != uint32(len(ids))+1 || len(m.ByKey) != len(keys) {
		t.Errorf("%d keys of %d, the first of %d", len(m.ByKey), len(keys), m.ByKey[keys[0]].N)
	}
	sound(t, s, true)
	// Taking back what was done to them finds them as they are.
	if _, err := s.Undo(ctx, day, step, 0); err != nil {
		t.Error(err)
	}
	if _, _, err := s.Compact(ctx); err != nil {
		t.Fatal(err)
	}
	sound(t, s, true)
	left := map[int]int{} // records of items that are gone, by the length of their keys
	count := func(k, _ []byte) {
		if len(k) == 12 || slices.Contains(gone, ItemID(record.Uint64(k))) {
			left[len(k)]++
		}
	}
	visit(t, s, record.Items, count)
	visit(t, s, record.Bodies, count)
	if left[8] != 0 || left[12] != 2 { // 722 that are kept
		t.Errorf("what is kept of them lies in %d blocks and %d records", left[12], left[8])
	}
	used := 0
	visit(t, s, record.IDs, func(k, v []byte) {
		if FeedID(record.Uint32(k))&record.InBlocks != 0 {
			used += 16 + len(k) + len(v)
		}
	})
	visit(t, s, record.States, func(k, v []byte) {
		if FeedID(record.Uint32(k))&record.InBlocks != 0 {
			used += 16 + len(k) + len(v)
		}
	})
	if each := float64(used) / float64(len(gone)+len(again)); each > 42 { // 30 for three keys, 4 for the state, 8 where there is no id, else none
		t.Errorf("keys and states take %.1f bytes per item", each)
	} else {
		t.Logf("keys and states take %.1f bytes per item", each)
	}
}

// partOf are some keys of items, as pack finds them.
func partOf(t *testing.T, s *Store, feed FeedID, gone []ItemID) (some []loose) {
	t.Helper()
	visit(t, s, record.IDs, func(k, v []byte) {
		n := uint64(v[record.HeadSize])
		if n < 0x80 && FeedID(record.Uint32(k)) == feed && slices.Contains(gone, MakeItemID(feed, uint32(n))) {
			some = append(some, loose{record.Pair{Key: record.Uint64(k[4:]), Value: int64(n)}, slices.Clone(k), slices.Clone(v[record.HeadSize:])})
		}
	})
	if len(some) < 100 {
		t.Fatalf("%d keys", len(some))
	}
	return some
}

// visit visits the records of a bucket.
func visit(t *testing.T, s *Store, b *record.Bucket, see func(k, v []byte)) {
	t.Helper()
	db := must(bolt.Open(s.Path(), 0o600, &bolt.Options{ReadOnly: true}))(t)
	defer db.Close()
	err := db.View(func(tx *bolt.Tx) error {
		return tx.Bucket(b.Name).ForEach(func(k, v []byte) error {
			see(k, v)
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
}

// BenchmarkMatch asks for 1,500 keys that nothing has, of a feed with 4,000 items that are
// gone, before and after what is left of them lies in blocks.
func BenchmarkMatch(b *testing.B) {
	s, r := newStore(b), rand.New(rand.NewPCG(3, 9))
	s.packAfter = 1 << 30
	f := subscribe(b, s, 1)[0]
	var list []NewItem
	for range 4001 {
		list = append(list, NewItem{Item: Item{IDRaw: "x", Published: day}, Keys: []uint64{r.Uint64() | 1, r.Uint64() | 1, r.Uint64() | 1}})
	}
	ids := must(s.File(b.Context(), day, []Filing{{Feed: f, Next: 1, New: list}}))(b)[0].Items
	must(s.Act(b.Context(), day, "", Change{Kind: MarkedRead, Items: ids}))(b)
	var ask []uint64
	for range 1500 {
		ask = append(ask, r.Uint64())
	}
	for i, how := range []string{"loose", "blocks"} {
		must(s.Remove(b.Context(), day, RowRemoved, ids[:4000+i], func(ItemID, string, Body) (Body, bool) { return Body{}, false }))(b)
		b.Run(how, func(b *testing.B) {
			for b.Loop() {
				must(s.Match(b.Context(), f, ask))(b)
			}
		})
		s.packAfter = 1
	}
}
