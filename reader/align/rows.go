package align

import (
	"sort"

	"diurna/reader/kind"
)

// Pairing says which blocks of the two sides are versions of one another.
type Pairing struct {
	A, B []int32 // partner block by block, -1 for none
}

// similar is the least share of words (Dice) two blocks have in common to be
// shown as one changed block instead of one gone and one come.
const similar = 0.4

// PairBlocks pairs the blocks that have the most matched words in common, both
// ways, if that is at least the share above; then, between those, what is left
// in order where only numbers differ ("8 €" and "9.50 €" share no word).
func (al *Alignment) PairBlocks() Pairing {
	p := Pairing{make([]int32, len(al.A.Blocks)), make([]int32, len(al.B.Blocks))}
	for i := range p.A {
		p.A[i] = -1
	}
	for j := range p.B {
		p.B[j] = -1
	}
	candA, common := al.candidates()
	bestB := make([]int32, len(al.B.Blocks)) // by block of b: best block of a, +1
	weight := make([]int32, len(al.B.Blocks))
	for x, y := range candA {
		if y >= 0 && common[x] > weight[y] {
			weight[y], bestB[y] = common[x], int32(x)+1
		}
	}
	for x, y := range candA {
		if y < 0 || bestB[y] != int32(x)+1 {
			continue
		}
		if n := al.A.Blocks[x].Words() + al.B.Blocks[y].Words(); 2*float64(common[x]) >= similar*float64(n) {
			p.A[x], p.B[y] = y, int32(x)
		}
	}
	al.pairByMask(&p)
	return p
}

// candidates returns for every block of a the block of b it shares most
// matched words with, and how many.
func (al *Alignment) candidates() (best, common []int32) {
	best, common = make([]int32, len(al.A.Blocks)), make([]int32, len(al.A.Blocks))
	y := int32(0)
	for x, blk := range al.A.Blocks {
		best[x] = -1
		run := int32(0)
		for w := blk.W0; w < blk.W1; w++ {
			o := al.Match[w]
			if o < 0 {
				continue
			}
			if o >= al.B.Blocks[y].W1 {
				run = 0
				// Matches increase, so the block of o lies ahead.
				y += int32(sort.Search(len(al.B.Blocks)-int(y), func(k int) bool { return al.B.Blocks[int(y)+k].W1 > o }))
			}
			run++
			if run > common[x] {
				common[x], best[x] = run, y
			}
		}
	}
	return best, common
}

// pairByMask pairs unpaired blocks between two pairs, in order, when they read
// the same but for their numbers.
func (al *Alignment) pairByMask(p *Pairing) {
	x, y := 0, 0
	for x < len(p.A) || y < len(p.B) {
		x0, y0 := x, y
		for x < len(p.A) && p.A[x] < 0 {
			x++
		}
		for y < len(p.B) && p.B[y] < 0 {
			y++
		}
		if x > x0 && y > y0 {
			al.pairGap(p, x0, x, y0, y)
		}
		x, y = x+1, y+1
	}
}

// LongLone is the length in words from which a block is no longer looked at
// for a partner that shares no word: it would have shared some.
const LongLone = 40

// pairGap pairs within a gap: blocks that are equal when masked, or when only
// the letters a wrong charset cannot damage are looked at. It is bounded: a gap
// of thousands of unlike blocks is looked at 64 blocks ahead.
func (al *Alignment) pairGap(p *Pairing, x0, x1, y0, y1 int) {
	const ahead = 64
	type keys struct{ mask, fold string }
	of := func(d *Document, n int) (k keys) {
		if d.Blocks[n].Words() > LongLone {
			return keys{}
		}
		w := d.BlockWords(n)
		k.mask = kind.MaskAll(w)
		if k.fold = kind.Fold(k.mask); len(k.fold) < 4 {
			k.fold = ""
		}
		return k
	}
	right := make([]keys, 0, min(y1-y0, 4*ahead))
	y := y0
	for x := x0; x < x1 && y < y1; x++ {
		k := of(al.A, x)
		if k.mask == "" {
			continue
		}
		for j := y; j < min(y1, y+ahead); j++ {
			for len(right) <= j-y0 {
				right = append(right, of(al.B, y0+len(right)))
			}
			if r := right[j-y0]; r.mask == k.mask || k.fold != "" && r.fold == k.fold {
				p.A[x], p.B[j] = int32(j), int32(x)
				y = j + 1
				break
			}
		}
	}
}
