package search

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"diurna/reader/words"
	"diurna/store"
)

// Fields is where a phrase is looked for.
type Fields uint8

// The fields of a text.
const (
	Title Fields = 1 << iota
	Author
	Link
	Text
	Anywhere = Title | Author | Text
)

// Hit is an item that was found. Of two the one with the higher Score fits better.
type Hit struct {
	Item  store.ItemID
	Score float64
}

// Expr is what items are asked to fulfil.
type Expr interface {
	// eval gives those of among that fulfil it. among is not changed.
	eval(f *finder, among set) (set, error)
}

// Phrase asks for words that stand side by side in one of the fields. It counts for
// the Score unless a Not stands above it.
type Phrase struct {
	Words words.Phrase
	In    Fields
}

// All asks for everything in it; an empty one fits every item.
type All []Expr

// Any asks for one of what is in it at least.
type Any []Expr

// Not asks for the opposite.
type Not struct{ Expr }

// Test asks a function, which must not call the store. It is asked last.
type Test func(store.ItemID) bool

// The constants of BM25 (Robertson and Zaragoza 2009, section 3.2), with the usual
// values. A word of the title counts as so many of the text.
const (
	bm25K1     = 1.2
	bm25B      = 0.75
	titleTimes = 4
)

// An item that is new counts up to newTimes what an old one does; half of that is gone
// after newDays.
const (
	newTimes = 1.5
	newDays  = 60
)

// finder is one Find: it goes from segment to segment.
type finder struct {
	v       *view
	negated int
	phrases map[*Phrase]*found
	order   []*found
}

// found is where a phrase was found so far.
type found struct {
	texts int     // in how many texts
	docs  []int32 // of the present segment, ascending
	freq  []float32
	of    []uint32  // of each hit: which of all hits
	hits  []float32 // its frequency in that, weighted
}

// errSpoilt says that the index cannot be read, though its records are whole.
var errSpoilt = errors.New("the index of the texts does not decode")

// errMissing says that there is no index: it was never made, or was thrown away since it
// is damaged. Update makes it.
var errMissing = errors.New("there is no index of the texts")

// Find gives the items that fulfil e, the best first; limit 0 means all. count is how
// many there are. An index that does not decode is thrown away.
func (ix *Index) Find(ctx context.Context, e Expr, now time.Time, limit int) (hits []Hit, count int, err error) {
	there := false
	err = ix.cache.View(ctx, Bucket, func(x *store.CacheTx) (err error) {
		there, hits, count, err = find(x, e, now, limit)
		return err
	})
	if errors.Is(err, errSpoilt) {
		err, there = ix.cache.Delete(ctx, Bucket), false
	}
	if err == nil && !there {
		err = errMissing
	}
	return hits, count, err
}

func find(x *store.CacheTx, e Expr, now time.Time, limit int) (there bool, hits []Hit, count int, err error) {
	h, err := readHead(x)
	if err != nil {
		return false, nil, 0, err
	}
	if h.Version != version {
		return false, nil, 0, nil
	}
	f := &finder{phrases: make(map[*Phrase]*found)}
	var rows []docRow
	for _, s := range h.Segments {
		if f.v, err = openSegment(x, s.No); err != nil {
			return false, nil, 0, err
		}
		in, err := e.eval(f, f.v.alive)
		if err != nil {
			return false, nil, 0, err
		}
		rows = f.gather(in, rows)
	}
	docs, tokens := h.docs()
	hits = f.score(rows, docs, float64(tokens)/float64(max(docs, 1)), now)
	return true, best(hits, limit), len(hits), nil
}

// better puts hits in order. Of equal ones the newer item of a feed is first.
func better(a, b Hit) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.Item, a.Item)) }

// best is the first limit hits, or all, in their order.
func best(hits []Hit, limit int) []Hit {
	if limit > 0 && len(hits) > limit {
		top := hits[:limit]
		slices.SortFunc(top, better)
		for _, h := range hits[limit:] {
			if better(h, top[limit-1]) < 0 {
				at, _ := slices.BinarySearchFunc(top, h, better)
				copy(top[at+1:], top[at:limit-1])
				top[at] = h
			}
		}
		return top
	}
	slices.SortFunc(hits, better)
	return hits
}

// gather notes the texts that were found in the present segment.
func (f *finder) gather(in set, rows []docRow) []docRow {
	hit := make([]uint32, f.v.table.len())
	for doc := range hit {
		if in.has(doc) {
			hit[doc] = uint32(len(rows))
			rows = append(rows, f.v.table.row(doc))
		}
	}
	for _, p := range f.order {
		for i, doc := range p.docs {
			if in.has(int(doc)) {
				p.of, p.hits = append(p.of, hit[doc]), append(p.hits, p.freq[i])
			}
		}
		p.docs, p.freq = p.docs[:0], p.freq[:0]
	}
	return rows
}

// score is BM25 times recency.
func (f *finder) score(rows []docRow, docs int, mean float64, now time.Time) []Hit {
	out := make([]Hit, len(rows))
	for i := range rows {
		out[i].Item = rows[i].item
	}
	for _, p := range f.order {
		idf := math.Log1p((float64(docs-p.texts) + 0.5) / (float64(p.texts) + 0.5))
		for i, hit := range p.of {
			r := &rows[hit]
			length := float64(r.words())
			tf := float64(p.hits[i])
			out[hit].Score += idf * tf * (bm25K1 + 1) / (tf + bm25K1*(1-bm25B+bm25B*length/mean))
		}
	}
	hour := now.Unix() / 3600
	for i := range out {
		days := float64(max(hour-int64(rows[i].hour), 0)) / 24
		if len(f.order) == 0 {
			out[i].Score = 1
		}
		out[i].Score *= 1 + (newTimes-1)*math.Exp2(-days/newDays)
	}
	return out
}
