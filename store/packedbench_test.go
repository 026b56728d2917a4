//go:build unix

package store

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

// BenchmarkPacked reads the list of all items, and marks one item of each feed, where all texts
// were removed: before and after the items lie in blocks.
func BenchmarkPacked(b *testing.B) {
	const feeds, items = 400, 300
	s, ctx, r := newStore(b), b.Context(), rand.New(rand.NewPCG(4, 9))
	s.packAfter = 1 << 30
	var all []ItemID
	for i, f := range subscribe(b, s, feeds) {
		var list []NewItem
		for j := range items {
			list = append(list, NewItem{Item: Item{IDRaw: fmt.Sprint(j), Title: prose(r, 40), Link: "https://a.example/" + fmt.Sprint(i, "/", j), Published: day.Add(-time.Duration(items-j)*time.Hour + time.Duration(i)*time.Second), Hash: r.Uint64() | 1},
				Body: Body{HTML: prose(r, 200)}, Keys: []uint64{r.Uint64() | 1}})
		}
		all = append(all, must(s.File(ctx, day, []Filing{{Feed: f, Next: 1, New: list}}))(b)[0].Items...)
	}
	must(s.Act(ctx, day, "", Change{Kind: MarkedRead, Items: all}))(b)
	words := prose(r, 800)
	lead := func(ItemID, string, Body) (Body, bool) { at := r.IntN(400); return Body{Words: words[at:][:400]}, true }
	for _, how := range []string{"loose", "blocks"} {
		must(s.Remove(ctx, day, TextRemoved, all, lead))(b)
		if how == "blocks" {
			for i := items - 1; i < len(all); i += items {
				if err := s.pack(ctx, all[i], true); err != nil {
					b.Fatal(err)
				}
			}
		}
		b.Run("list "+how, func(b *testing.B) {
			defer cpu(b)()
			for b.Loop() {
				if rows := must(s.Rows(ctx, RowQuery{Which: All}))(b); len(rows) != len(all) {
					b.Fatal(len(rows))
				}
			}
		})
		s.packAfter = 1
	}
	var some []ItemID
	for i := items / 2; i < len(all); i += items {
		some = append(some, all[i])
	}
	b.Run("mark", func(b *testing.B) {
		defer cpu(b)()
		for b.Loop() {
			for i := range some {
				some[i]++ // another one of the block
			}
			must(s.Act(ctx, day, "", Change{Kind: MarkedUnread, Items: some}))(b)
		}
	})
}
