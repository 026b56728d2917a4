package align

import (
	"hash/maphash"
	"math/bits"

	"diurna/reader/room"
)

// Block is the text between two tags that end a block (a paragraph, a list
// item, a cell): LOCTAGS's context, AIDE's sentence. Blocks hold at least one
// word; w0:w1 are positions in document.words, t0:t1 tokens.
type Block struct {
	W0, W1 int32
	T0, T1 int32
	Key    int32 // equal for equal sequences of words; shared by both sides
}

// Words returns how many words a block has.
func (b Block) Words() int { return int(b.W1 - b.W0) }

// Document is a lexed page and what is aligned in it.
type Document struct {
	*Tokens
	Words  []int32 // where the words begin
	Blocks []Block

	spots    []string       // by block, see spot; nil until asked for
	Standing map[string]int // how many blocks stand in each of them
	aside    []bool         // by block: it stands in an aside
	Unnamed  bool           // spots are not asked for, as far as is known
	askedOf  Bitset         // the blocks of which alone that is known; nil: all
	shown    []Picture      // in the page's text, the first ones
	box      []int32        // by block: the tag of the innermost part of the page around it
	row      []int32        // by block: the tag of the row or item around it, -1 for none
}

// blockKeys numbers the word sequences of blocks. The hash is 64 bits wide and
// seeded; a false match would only cost quality, since anchored blocks are
// compared word by word.
type blockKeys struct {
	seed, factor uint64
	ids          numbering
}

func newBlockKeys(r *room.Room) *blockKeys {
	seed := maphash.MakeSeed()
	return &blockKeys{maphash.String(seed, "seed"), maphash.String(seed, "factor") | 1, newNumbering(r, 1<<10)}
}

// denseBlocks is how many blocks a page may have before its short ones are
// taken together, coarseWords at a time: no page for people comes near, and
// what is kept per block would break the memory promise.
const (
	denseBlocks = 50_000
	coarseWords = 16
)

// dense reports whether a page has more than denseBlocks blocks.
func dense(t *Tokens) bool {
	if t.breaks < denseBlocks {
		return false
	}
	blocks, fresh := 0, true
	for i := int32(0); i < t.End(); i = t.Next(i) {
		k := t.kind[i]
		if k&flagBlock != 0 {
			fresh = true
		} else if TokenKind(k&kindMask) == Word && fresh {
			blocks, fresh = blocks+1, false
		}
	}
	return blocks > denseBlocks
}

// newDocument finds the words and blocks of a page.
func newDocument(t *Tokens, keys *blockKeys) *Document { return blocked(t, keys, dense(t)) }

// Parse reads one page.
func Parse(page []byte) *Document { return ParsePart(page, page) }

// ParsePart reads a part of a page as it is read there.
func ParsePart(part, page []byte) *Document {
	return newDocument(lexPart(part, 0, newInterner(new(room.Room), len(part)), plainText(page)), newBlockKeys(new(room.Room)))
}

// Parser reads two pages so that their blocks can be compared by key, each when
// it is asked for.
type Parser struct {
	in   *interner
	keys *blockKeys
}

// NewParser makes room for pages of so many bytes in all.
func NewParser(bytes int) Parser {
	return Parser{newInterner(new(room.Room), bytes), newBlockKeys(new(room.Room))}
}

// Parse reads one of the pages: side 0 or 1.
func (p Parser) Parse(page []byte, side uint8) *Document {
	return newDocument(lex(page, side, p.in), p.keys)
}

// blocked finds the words of a page, and its blocks by the one measure or the other.
func blocked(t *Tokens, keys *blockKeys, coarse bool) *Document {
	d := &Document{Tokens: t}
	words, blocks := t.words, min(t.words, t.breaks+1)
	if coarse {
		blocks = min(blocks, words/coarseWords+1)
	}
	d.Words, d.Blocks = room.Take[int32](t.in.room, int(words))[:0], room.Take[Block](t.in.room, int(blocks))[:0]
	h := keys.seed
	cur := Block{}
	flush := func(end int32) {
		cur.W1, cur.T1 = int32(len(d.Words)), end
		if cur.W1 > cur.W0 {
			cur.Key = keys.ids.of(h)
			d.Blocks = append(d.Blocks, cur)
		}
		h = keys.seed
		cur = Block{W0: cur.W1}
	}
	for i := int32(0); i < t.End(); i = t.Next(i) {
		k := t.kind[i]
		switch {
		case k&flagBlock != 0:
			if !coarse || len(d.Words)-int(cur.W0) >= coarseWords {
				flush(i)
				cur.T0 = t.Next(i)
			}
		case TokenKind(k&kindMask) == Word:
			d.Words = append(d.Words, i)
			hi, lo := bits.Mul64(h^uint64(t.ID(i)), keys.factor)
			h = hi ^ lo ^ keys.seed
		}
	}
	flush(t.End())
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
	a, b   []Block
	count  [2][]int32 // by key, cleared after use
	where  []int32    // position on side b, by key
	result []anchor
}

const (
	anchorDepth = 6
	strongWords = 4
)

func findAnchors(a, b []Block, keys int) []anchor {
	p := &anchors{a: a, b: b, where: make([]int32, keys)}
	p.count[0], p.count[1] = make([]int32, keys), make([]int32, keys)
	p.between(0, len(a), 0, len(b), anchorDepth)
	return p.result
}

// between adds the anchors of a[a0:a1] and b[b0:b1] in order.
func (p *anchors) between(a0, a1, b0, b1, depth int) {
	for a0 < a1 && b0 < b1 && p.a[a0].Key == p.b[b0].Key {
		p.result = append(p.result, anchor{int32(a0), int32(b0)})
		a0, b0 = a0+1, b0+1
	}
	n := 0
	for a1-n > a0 && b1-n > b0 && p.a[a1-n-1].Key == p.b[b1-n-1].Key {
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
		p.count[0][p.a[i].Key]++
	}
	for j := b0; j < b1; j++ {
		p.count[1][p.b[j].Key]++
	}
	pairs := p.pairs(a0, a1, b0, b1, 1)
	if len(pairs) == 0 {
		pairs = p.pairs(a0, a1, b0, b1, 4)
	}
	for i := a0; i < a1; i++ {
		p.count[0][p.a[i].Key] = 0
	}
	for j := b0; j < b1; j++ {
		p.count[1][p.b[j].Key] = 0
	}
	return heaviest(pairs, p.a, b0, b1)
}

// pairs lists pairs of blocks that occur at most often times on each side, in
// the order of a. The counts are left as they were found.
func (p *anchors) pairs(a0, a1, b0, b1 int, often int32) []anchor {
	ok := func(b Block) bool {
		c := p.count[0][b.Key]
		return b.Words() >= strongWords && c <= often && c == p.count[1][b.Key]
	}
	// next[j] leads from one occurrence on side b to the following one.
	var next map[int32]int32
	if often > 1 {
		next = map[int32]int32{}
	}
	for j := b1 - 1; j >= b0; j-- {
		if b := p.b[j]; ok(b) {
			if often > 1 {
				next[int32(j)] = p.where[b.Key]
			}
			p.where[b.Key] = int32(j)
		}
	}
	var out []anchor
	for i := a0; i < a1; i++ {
		if b := p.a[i]; ok(b) {
			j := p.where[b.Key]
			out = append(out, anchor{int32(i), j})
			if often > 1 {
				p.where[b.Key] = next[j]
			}
		}
	}
	return out
}

// heaviest returns the increasing chain with the most words, by a Fenwick tree
// of maxima over side b: O(n log n).
func heaviest(pairs []anchor, a []Block, b0, b1 int) []anchor {
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
		here := best{prev.weight + int64(a[p.a].Words()), int32(i)}
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
