package page

import (
	"hash/maphash"
	"math/bits"
)

// block is the text between two tags that end a block (a paragraph, a list
// item, a cell): LOCTAGS's context, AIDE's sentence. Blocks hold at least one
// word; w0:w1 are positions in document.words, t0:t1 tokens.
type block struct {
	w0, w1 int32
	t0, t1 int32
	key    int32 // equal for equal sequences of words; shared by both sides
}

func (b block) words() int { return int(b.w1 - b.w0) }

// document is a lexed page and what is aligned in it.
type document struct {
	*tokens
	words  []int32 // where the words begin
	blocks []block

	spots    []string       // by block, see spot; nil until asked for
	standing map[string]int // how many blocks stand in each of them
	aside    []bool         // by block: it stands in an aside
	unnamed  bool           // spots are not asked for, as far as can be told
	shown    []picture      // in the page's text, the first ones
	row      []int32        // by block: the tag of the row or item around it, -1 for none
}

// blockKeys numbers the word sequences of blocks. The hash is 64 bits wide and
// seeded; a false match would only cost quality, since anchored blocks are
// compared word by word.
type blockKeys struct {
	seed, factor uint64
	ids          map[uint64]int32
}

func newBlockKeys() *blockKeys {
	seed := maphash.MakeSeed()
	return &blockKeys{maphash.String(seed, "seed"), maphash.String(seed, "factor") | 1, map[uint64]int32{}}
}

// denseBlocks is how many blocks a page may have before its short ones are
// taken together, coarseWords at a time: no page for people comes near, and
// what is kept per block would break the memory promise.
const (
	denseBlocks = 50_000
	coarseWords = 16
)

// countBlocks counts the words and blocks of a page.
func countBlocks(t *tokens) (words, blocks int) {
	fresh := true
	for i := int32(0); i < t.end(); i = t.next(i) {
		k := t.kind[i]
		if k&flagBlock != 0 {
			fresh = true
		} else if tokenKind(k&kindMask) == aWord {
			words++
			if fresh {
				blocks, fresh = blocks+1, false
			}
		}
	}
	return words, blocks
}

// newDocument finds the words and blocks of a page.
func newDocument(t *tokens, keys *blockKeys) *document {
	words, blocks := countBlocks(t)
	return blocked(t, keys, words, blocks, blocks > denseBlocks)
}

// newDocuments does so for two pages, both by the same measure.
func newDocuments(a, b *tokens, keys *blockKeys) (x, y *document) {
	wa, na := countBlocks(a)
	wb, nb := countBlocks(b)
	coarse := max(na, nb) > denseBlocks
	return blocked(a, keys, wa, na, coarse), blocked(b, keys, wb, nb, coarse)
}

// parse reads one page.
func parse(page []byte) *document { return parsePart(page, page) }

// parsePart reads a part of a page as it is read there.
func parsePart(part, page []byte) *document {
	return newDocument(lexPart(part, 0, newInterner(len(part)), plainText(page)), newBlockKeys())
}

// parser reads two pages so that their blocks can be compared by key, each when
// it is asked for.
type parser struct {
	in   *interner
	keys *blockKeys
}

// newParser makes room for pages of so many bytes in all.
func newParser(bytes int) parser { return parser{newInterner(bytes), newBlockKeys()} }

// parse reads one of the pages: side 0 or 1.
func (p parser) parse(page []byte, side uint8) *document {
	return newDocument(lex(page, side, p.in), p.keys)
}

// blocked does so for a page of so many words and blocks.
func blocked(t *tokens, keys *blockKeys, words, blocks int, coarse bool) *document {
	d := &document{tokens: t}
	if coarse {
		blocks = min(blocks, words/coarseWords+1)
	}
	d.words, d.blocks = make([]int32, 0, words), make([]block, 0, blocks)
	h := keys.seed
	cur := block{}
	flush := func(end int32) {
		cur.w1, cur.t1 = int32(len(d.words)), end
		if cur.w1 > cur.w0 {
			id, ok := keys.ids[h]
			if !ok {
				id = int32(len(keys.ids))
				keys.ids[h] = id
			}
			cur.key = id
			d.blocks = append(d.blocks, cur)
		}
		h = keys.seed
		cur = block{w0: cur.w1}
	}
	for i := int32(0); i < t.end(); i = t.next(i) {
		k := t.kind[i]
		switch {
		case k&flagBlock != 0:
			if !coarse || len(d.words)-int(cur.w0) >= coarseWords {
				flush(i)
				cur.t0 = t.next(i)
			}
		case tokenKind(k&kindMask) == aWord:
			d.words = append(d.words, i)
			hi, lo := bits.Mul64(h^uint64(t.id(i)), keys.factor)
			h = hi ^ lo ^ keys.seed
		}
	}
	flush(t.end())
	return d
}

// anchor is a pair of equal blocks, by index.
type anchor struct{ a, b int32 }

// anchors finds blocks to hold on to: patience in passes. Blocks of at least
// minWords words that occur once on each side, of which the chain with the
// most words is kept (a longest increasing subsequence by weight: the measure
// is words, not blocks); then the same inside every gap, where more blocks are
// unique; then blocks that occur equally often on both sides, paired in order.
type anchors struct {
	a, b   []block
	count  [2][]int32 // by key, cleared after use
	where  []int32    // position on side b, by key
	result []anchor
}

const (
	anchorDepth = 6
	strongWords = 4
)

func findAnchors(a, b []block, keys int) []anchor {
	p := &anchors{a: a, b: b, where: make([]int32, keys)}
	p.count[0], p.count[1] = make([]int32, keys), make([]int32, keys)
	p.between(0, len(a), 0, len(b), anchorDepth)
	return p.result
}

// between adds the anchors of a[a0:a1] and b[b0:b1] in order.
func (p *anchors) between(a0, a1, b0, b1, depth int) {
	for a0 < a1 && b0 < b1 && p.a[a0].key == p.b[b0].key {
		p.result = append(p.result, anchor{int32(a0), int32(b0)})
		a0, b0 = a0+1, b0+1
	}
	n := 0
	for a1-n > a0 && b1-n > b0 && p.a[a1-n-1].key == p.b[b1-n-1].key {
		n++
	}
	a1, b1 = a1-n, b1-n
	if a0 < a1 && b0 < b1 && depth > 0 {
		chain := p.chain(a0, a1, b0, b1)
		if len(chain) > 0 {
			i, j := a0, b0
			for _, c := range chain {
				p.between(i, int(c.a), j, int(c.b), depth-1)
				p.result = append(p.result, c)
				i, j = int(c.a)+1, int(c.b)+1
			}
			p.between(i, a1, j, b1, depth-1)
		}
	}
	for i := range n {
		p.result = append(p.result, anchor{int32(a1 + i), int32(b1 + i)})
	}
}

// chain pairs the blocks of a range that are unique in it on both sides (or
// equally frequent, the k-th with the k-th) and returns the heaviest
// increasing chain.
func (p *anchors) chain(a0, a1, b0, b1 int) []anchor {
	for i := a0; i < a1; i++ {
		p.count[0][p.a[i].key]++
	}
	for j := b0; j < b1; j++ {
		p.count[1][p.b[j].key]++
	}
	pairs := p.pairs(a0, a1, b0, b1, 1)
	if len(pairs) == 0 {
		pairs = p.pairs(a0, a1, b0, b1, 4)
	}
	for i := a0; i < a1; i++ {
		p.count[0][p.a[i].key] = 0
	}
	for j := b0; j < b1; j++ {
		p.count[1][p.b[j].key] = 0
	}
	return heaviest(pairs, p.a, b0, b1)
}

// pairs lists pairs of blocks that occur at most often times on each side, in
// the order of a. The counts are left as they were found.
func (p *anchors) pairs(a0, a1, b0, b1 int, often int32) []anchor {
	ok := func(b block) bool {
		c := p.count[0][b.key]
		return b.words() >= strongWords && c <= often && c == p.count[1][b.key]
	}
	// next[j] leads from one occurrence on side b to the following one.
	var next map[int32]int32
	if often > 1 {
		next = map[int32]int32{}
	}
	for j := b1 - 1; j >= b0; j-- {
		if b := p.b[j]; ok(b) {
			if often > 1 {
				next[int32(j)] = p.where[b.key]
			}
			p.where[b.key] = int32(j)
		}
	}
	var out []anchor
	for i := a0; i < a1; i++ {
		if b := p.a[i]; ok(b) {
			j := p.where[b.key]
			out = append(out, anchor{int32(i), j})
			if often > 1 {
				p.where[b.key] = next[j]
			}
		}
	}
	return out
}

// heaviest returns the increasing chain with the most words, by a Fenwick tree
// of maxima over side b: O(n log n).
func heaviest(pairs []anchor, a []block, b0, b1 int) []anchor {
	if len(pairs) == 0 {
		return nil
	}
	type best struct {
		weight int64
		pair   int32
	}
	tree := make([]best, b1-b0+1)
	from := make([]int32, len(pairs))
	top := best{pair: -1}
	for i, p := range pairs {
		prev := best{pair: -1}
		for j := int(p.b) - b0; j > 0; j -= j & -j {
			if tree[j].weight > prev.weight {
				prev = tree[j]
			}
		}
		from[i] = prev.pair
		here := best{prev.weight + int64(a[p.a].words()), int32(i)}
		for j := int(p.b) - b0 + 1; j < len(tree); j += j & -j {
			if here.weight > tree[j].weight {
				tree[j] = here
			}
		}
		if here.weight > top.weight {
			top = here
		}
	}
	var chain []anchor
	for i := top.pair; i >= 0; i = from[i] {
		chain = append(chain, pairs[i])
	}
	for i, j := 0, len(chain)-1; i < j; i, j = i+1, j-1 {
		chain[i], chain[j] = chain[j], chain[i]
	}
	return chain
}
