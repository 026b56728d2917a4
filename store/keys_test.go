package store

import (
	"testing"
	"time"

	"diurna/store/record"
)

// TestMostKeys: an item that is given another key with every fetch keeps those
// it bears and the newest, and never more than promised; others keep theirs.
func TestMostKeys(t *testing.T) {
	s, err := Open(Options{Dir: t.TempDir(), CacheDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	now := time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)
	done, err := s.Act(t.Context(), now, "test", Change{Kind: Subscribed, Sub: &Subscription{URL: "https://x.example/feed"}})
	if err != nil {
		t.Fatal(err)
	}
	feed := done.Feeds[0]
	file := func(f Filing) {
		t.Helper()
		f.Feed, now = feed, now.Add(time.Hour)
		if filed, err := s.File(t.Context(), now, []Filing{f}); err != nil || filed[0].Err != nil {
			t.Fatal(filed, err)
		}
	}
	const link, other, firstID = 7, 8, 1000
	file(Filing{Next: 1, New: []NewItem{{Item: Item{Title: "a"}, Keys: []uint64{link, firstID}}, {Item: Item{Title: "b"}, Keys: []uint64{other}}}})
	keys := []uint64{link, other, firstID}
	for i := range uint64(3 * record.MostKeys) {
		k := firstID + 1 + i
		keys = append(keys, k)
		file(Filing{Next: 3, Rekey: []Rekey{{N: 1, Keys: []uint64{k}, PreviouslyUsed: []uint64{k, link}}}})
		m, err := s.Match(t.Context(), feed, keys)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(m.ByKey); n > record.MostKeys+1 || m.ByKey[k].N != 1 || m.ByKey[link].N != 1 || m.ByKey[other].N != 2 {
			t.Fatalf("after %d: %d keys, %d %d %d", i+1, n, m.ByKey[k].N, m.ByKey[link].N, m.ByKey[other].N)
		}
		if i < record.MostKeys-2 && m.ByKey[firstID].N != 1 {
			t.Fatalf("after %d the first id is forgotten", i+1)
		}
	}
	if rep, err := s.Check(t.Context(), true, nil); err != nil || len(rep.Findings) > 0 {
		t.Errorf("%+v, %v", rep, err)
	}
}
