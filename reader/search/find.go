package search

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"sort"
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
	freqs   freqs // of the phrase being looked at
	negated int
	phrases map[*Phrase]*found
	order   []*found
	parts   []part
}

// found is where a phrase was found so far.
type found struct {
	texts int      // in how many texts
	docs  []uint16 // of one segment after the other
	freq  []float32
	ends  []int // where those of each segment end
}

// part is what was found in a segment.
type part struct {
	table table
	in    set
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
		there, hits, count, err = find(ctx, x, e, now, limit)
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

func find(ctx context.Context, x *store.CacheTx, e Expr, now time.Time, limit int) (there bool, hits []Hit, count int, err error) {
	h, err := readHead(x)
	if err != nil {
		return false, nil, 0, err
	}
	if h.Version != version {
		return false, nil, 0, nil
	}
	f := &finder{v: new(view), phrases: make(map[*Phrase]*found)}
	for _, s := range h.Segments {
		if err := ctx.Err(); err != nil { // the query was typed further
			return false, nil, 0, err
		}
		if err := f.v.open(x, &s); err != nil {
			return false, nil, 0, err
		}
		in, err := e.eval(f, f.v.alive)
		if err != nil {
			return false, nil, 0, err
		}
		f.parts = append(f.parts, part{f.v.table, in})
		for _, p := range f.order {
			p.ends = append(p.ends, len(p.docs))
		}
		count += in.count()
	}
	docs, tokens := h.docs()
	return true, f.best(docs, float64(max(tokens, 1))/float64(max(docs, 1)), now, limit), count, nil
}

// better puts hits in order. Of equal ones the newer item of a feed is first.
func better(a, b Hit) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.Item, a.Item)) }

// best scores what was found: BM25 times recency. It gives the first limit hits in their
// order, or all.
func (f *finder) best(docs int, mean float64, now time.Time, limit int) []Hit {
	var top []Hit
	all := make([]float64, maxDocs)
	hour := now.Unix() / 3600
	// The newest texts first: fewer of the others are among the best by then.
	for i := len(f.parts) - 1; i >= 0; i-- {
		part := f.parts[i]
		scores := all[:part.table.len()]
		if len(f.order) == 0 {
			for doc := range scores {
				scores[doc] = 1
			}
		} else {
			clear(scores)
		}
		for _, p := range f.order {
			p.score(scores, part.table, i, docs, mean)
		}
		for doc := range part.in.each {
			full := limit > 0 && len(top) == limit
			if full && scores[doc]*newTimes < top[limit-1].Score {
				continue
			}
			days := float64(max(hour-int64(part.table.hour(doc)), 0)) / 24
			if full && scores[doc]*(1+(newTimes-1)*maxRecency(days)) < top[limit-1].Score {
				continue
			}
			hit := Hit{part.table.item(doc), scores[doc] * (1 + (newTimes-1)*math.Exp2(-days/newDays))}
			if limit <= 0 {
				top = append(top, hit)
				continue
			}
			at, _ := slices.BinarySearchFunc(top, hit, better)
			if full {
				if at == limit {
					continue
				}
				top = top[:limit-1]
			}
			top = append(top, hit)
			copy(top[at+1:], top[at:])
			top[at] = hit
		}
	}
	if limit <= 0 {
		sort.Slice(top, func(i, j int) bool { return better(top[i], top[j]) < 0 })
	}
	return top
}

// maxRecency is no less than 2 to the power of -days/newDays, and near it, for a tenth of
// the time: e to the power of x is at least 1+x+x²/2.
func maxRecency(days float64) float64 {
	x := days * (math.Ln2 / newDays)
	return 1.0000001 / (1 + x + x*x/2)
}

// score adds what a phrase counts for in the texts of a segment.
func (p *found) score(scores []float64, rows table, n, docs int, mean float64) {
	idf := math.Log1p((float64(docs-p.texts) + 0.5) / (float64(p.texts) + 0.5))
	from := 0
	if n > 0 {
		from = p.ends[n-1]
	}
	perWord := bm25K1 * bm25B / mean
	for i := from; i < p.ends[n]; i++ {
		doc, tf := int(p.docs[i]), float64(p.freq[i])
		scores[doc] += idf * (bm25K1 + 1) * tf / (tf + bm25K1*(1-bm25B) + perWord*float64(rows.words(doc)))
	}
}
