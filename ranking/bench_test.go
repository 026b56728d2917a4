package ranking

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// library makes n items of 300 feeds in 20 folders, with categories, topics and
// eight words of a vocabulary of 30,000 whose frequencies fall as in language.
func library(b *Beliefs, n int) []Candidate {
	r := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(r, 1.1, 8, 30000)
	out := make([]Candidate, n)
	for i := range out {
		feed := r.IntN(300)
		it := Item{ID: uint64(i), Feed: fmt.Sprint("feed", feed), Folder: fmt.Sprint("folder", feed%20),
			Categories: []string{fmt.Sprint("category", r.IntN(400))},
			Topics:     []Weighted{{fmt.Sprint("topic", r.IntN(40)), .6}, {fmt.Sprint("topic", r.IntN(40)), .3}}}
		for range 8 {
			it.Words = append(it.Words, fmt.Sprint("word", zipf.Uint64()))
		}
		out[i] = Candidate{ID: it.ID, At: int64(r.IntN(1 << 30)), Item: b.Vector(it)}
	}
	return out
}

// years is a log of n events: sessions of 20 rows, two of them opened. The items
// come one after the other, as in life: a session shows some of the newest 2,000.
func years(items []Candidate, n int) []Event {
	r := rand.New(rand.NewPCG(3, 4))
	out := make([]Event, 0, n)
	for len(out) < n {
		out = append(out, Event{Kind: Looked})
		for row := 1; row <= 20; row++ {
			newest := max(len(out)*len(items)/n, 2000)
			c := &items[max(newest-1-r.IntN(2000), 0)%len(items)]
			out = append(out, Event{Kind: Shown, Row: row, ID: c.ID, Item: c.Item})
			if r.IntN(10) == 0 {
				out = append(out, Event{Kind: Opened, ID: c.ID, Item: c.Item})
			}
		}
	}
	out = out[:n]
	for i := range out {
		out[i].No, out[i].At = uint64(i+1), int64(i)
	}
	return out
}

func benchmarkRank(b *testing.B, n int) {
	beliefs := NewBeliefs()
	items := library(beliefs, n)
	beliefs.Refold(years(items, 50000))
	b.ReportAllocs()
	for b.Loop() {
		if rows := beliefs.Rank(items, RankOptions{Order: Ranked, Rows: 20}); len(rows) != n {
			b.Fatal(len(rows))
		}
	}
}

func BenchmarkRank50000(b *testing.B)  { benchmarkRank(b, 50000) }
func BenchmarkRank200000(b *testing.B) { benchmarkRank(b, 200000) }

// BenchmarkRankOneFeed is the worst case of virtual rejections: all rows of one
// feed, so that every placed row changes all others.
func BenchmarkRankOneFeed(b *testing.B) {
	beliefs := NewBeliefs()
	items := library(beliefs, 50000)
	log := years(items, 50000)
	for i := range items {
		v := &items[i].Item
		v.feed, v.ids[0] = items[0].Item.feed, items[0].Item.feed
	}
	beliefs.Refold(log)
	for b.Loop() {
		beliefs.Rank(items, RankOptions{Order: Ranked, Rows: 20})
	}
}

func BenchmarkFold365000(b *testing.B) {
	beliefs := NewBeliefs()
	log := years(library(beliefs, 60000), 365000)
	b.ReportAllocs()
	for b.Loop() {
		beliefs.Refold(log)
	}
}

func BenchmarkApply(b *testing.B) {
	beliefs := NewBeliefs()
	items := library(beliefs, 60000)
	log := years(items, 100000)
	beliefs.Refold(log)
	no := uint64(len(log))
	for b.Loop() {
		c := &items[no%60000]
		no++
		if err := beliefs.Apply(Event{No: no, Kind: Shown, Row: 3, ID: c.ID, Item: c.Item}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkUndo(b *testing.B) {
	beliefs := NewBeliefs()
	items := library(beliefs, 60000)
	log := years(items, 100000)
	beliefs.Refold(log)
	for i := 0; b.Loop(); i++ {
		kind := Undone
		if i%2 == 1 {
			kind = Redone
		}
		if err := beliefs.Apply(Event{No: 100001 + uint64(i), Kind: kind, Ref: 99990}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCheckpoint(b *testing.B) {
	beliefs := NewBeliefs()
	beliefs.Refold(years(library(beliefs, 60000), 100000))
	for b.Loop() {
		data := beliefs.Checkpoint()
		b.SetBytes(int64(len(data)))
		if _, err := Resume(data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkExplain(b *testing.B) {
	beliefs := NewBeliefs()
	items := library(beliefs, 60000)
	beliefs.Refold(years(items, 100000))
	for b.Loop() {
		beliefs.Explain(items[7].Item)
	}
}
