package stories

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"diurna/store"
)

func sortItems(items []Item) {
	slices.SortStableFunc(items, func(a, b Item) int { return cmp.Compare(a.At, b.At) })
}

// made are items of many feeds, some of which have addresses, titles or texts in common.
func made(r *rand.Rand, n int) []Item {
	word := func() string { return fmt.Sprintf("w%c%c%d", 'a'+r.IntN(26), 'a'+r.IntN(26), r.IntN(1+r.IntN(40))) }
	text := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteString(word() + " ")
		}
		return b.String()
	}
	items := make([]Item, n)
	numbers := map[int]uint32{}
	for i := range items {
		feed := 1 + r.IntN(20)
		numbers[feed]++
		it := Item{ID: store.MakeItemID(store.FeedID(feed), numbers[feed]), At: 1_790_000_000 + int64(r.IntN(20*daySeconds)), Title: text(6), Text: text(40), Link: fmt.Sprintf("https://e.example/%d", r.IntN(4*n))}
		if i > 0 && r.IntN(3) == 0 {
			was := items[r.IntN(i)]
			it.At = was.At + int64(r.IntN(4*daySeconds))
			switch r.IntN(4) {
			case 0:
				it.Link = was.Link
			case 1:
				it.Title = was.Title
			case 2:
				it.Title, it.Text = was.Title+" "+word(), was.Text
			case 3:
				it.Title, it.Text = was.Title, was.Text+" "+text(10)
			}
		}
		items[i] = it
	}
	return items
}

// TestInParts: what is known of items does not hang on how many are given at once, on
// whether it was written and read in between, or on what of it was forgotten.
func TestInParts(t *testing.T) {
	for seed := range uint64(5) {
		r := rand.New(rand.NewPCG(seed, 18))
		items := made(r, 250)
		edits := map[int]Item{}
		for range 20 {
			i := r.IntN(len(items))
			now := items[r.IntN(i+1)]
			now.Link, now.Title = items[r.IntN(len(items))].Link, items[r.IntN(len(items))].Title
			edits[i] = now
		}
		feed := func(g *Grouper, i int) {
			if err := g.Add(&items[i], false); err != nil {
				t.Fatal(err)
			}
			if it, ok := edits[i]; ok {
				if err := g.Add(&it, true); err != nil {
					t.Fatal(err)
				}
			}
		}
		whole, err := NewGrouper(func(string) ([]byte, error) { return nil, nil })
		if err != nil {
			t.Fatal(err)
		}
		for i := range items {
			feed(whole, i)
		}
		kept := map[string][]byte{}
		read := func(key string) ([]byte, error) { return slices.Clone(kept[key]), nil }
		parts, err := NewGrouper(read)
		for i := range items {
			if err != nil {
				t.Fatal(err)
			}
			feed(parts, i)
			switch r.IntN(40) {
			case 0, 1:
				for k, v := range parts.Changed(r.IntN(2) == 0) {
					kept[k] = v
				}
			case 2:
				for k, v := range parts.Changed(false) {
					kept[k] = v
				}
				parts, err = NewGrouper(read)
			}
		}
		if !reflect.DeepEqual(parts.stories, whole.stories) || !reflect.DeepEqual(parts.counts, whole.counts) {
			t.Fatalf("seed %d: in parts the stories are\n%v\nat once\n%v", seed, parts.stories, whole.stories)
		}
		if g := whole.Groups(); g.Len() < 10 {
			t.Fatalf("seed %d: %d stories only", seed, g.Len())
		}
		for no, list := range whole.stories {
			feeds := map[store.FeedID]bool{}
			for _, m := range list {
				if feeds[m.id.Feed()] || whole.of[m.id] != no {
					t.Fatalf("seed %d: story %d has two items of a feed, or one that is not in it: %v", seed, no, list)
				}
				feeds[m.id.Feed()] = true
			}
			if len(list) < 2 {
				t.Fatalf("seed %d: story %d has one item", seed, no)
			}
		}
	}
}

// TestSpoiltShards: what is read back is checked, never trusted.
func TestSpoiltShards(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	g, _ := NewGrouper(func(string) ([]byte, error) { return nil, nil })
	items := made(r, 200)
	for i := range items[:150] {
		if err := g.Add(&items[i], false); err != nil {
			t.Fatal(err)
		}
	}
	kept := g.Changed(true)
	for range 300 {
		spoilt := map[string][]byte{}
		for k, v := range kept {
			spoilt[k] = v
		}
		keys := slices.Sorted(func(yield func(string) bool) {
			for k := range spoilt {
				if !yield(k) {
					return
				}
			}
		})
		k := keys[r.IntN(len(keys))]
		v := slices.Clone(spoilt[k])
		if len(v) > 0 && r.IntN(2) == 0 {
			v[r.IntN(len(v))] ^= byte(1 + r.IntN(255))
		} else {
			v = v[:r.IntN(len(v)+1)]
		}
		spoilt[k] = v
		g, err := NewGrouper(func(key string) ([]byte, error) { return spoilt[key], nil })
		for i := 150; i < len(items) && err == nil; i++ {
			err = g.Add(&items[i], false)
		}
		g.Groups()
	}
}

// TestNewest: the table of words is a map, whatever their hashes are.
func TestNewest(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	var n newest
	want := map[uint32]int32{}
	for i := range int32(20000) {
		term := r.Uint32()>>r.IntN(32)<<r.IntN(8) | 1
		if got := n.get(term); got != want[term] {
			t.Fatalf("%x: %d, want %d", term, got, want[term])
		}
		n.of(term).post = i + 1
		want[term] = i + 1
	}
	for term, post := range want {
		if got := n.get(term); got != post {
			t.Fatalf("%x: %d, want %d", term, got, post)
		}
	}
}
