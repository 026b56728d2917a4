// Package align reads pages as words in blocks and aligns two of them. Parse reads
// one page, Read two: the Document is the page as tokens, words and blocks, its
// Outline and spots say where each block stands, and the Alignment which words
// belong together. An edit script comes from Align.
//
// Everything is a value: no clock, no network, no file.
package align

import (
	"iter"

	"diurna/reader/room"
)

// Alignment is two documents and the words matched between them: match[i] is
// the position in b.words of the partner of a.words[i], or -1, back[j] the
// other way round. Partners are increasing.
type Alignment struct {
	A, B        *Document
	Match, Back []int32
	budget      int
	m           myers

	// marks tell by number which tokens occur on which sides of the present
	// gap: twice its stamp, and one more for those on both.
	marks []uint32
	stamp uint32
	ids   [2][]int32 // the numbers of the tokens that do
	found [2]Bitset  // which of these Myers matched
}

// Read lexes both pages and aligns their words with the engine asked for.
func Read(a, b []byte, e Engine) *Alignment { return ReadIn(nil, a, b, e) }

// ReadIn is Read with its large tables in memory that is zeroed and that nobody else
// uses, as far as it suffices.
func ReadIn(memory, a, b []byte, e Engine) *Alignment {
	in := newInterner(room.New(memory), len(a)+len(b))
	in.shared = &shared{marks: room.Take[landmark](in.room, len(a)/markEvery+1)[:0]}
	return alignmentOf(lex(a, 0, in), lex(b, 1, in), in, e)
}

// alignmentOf aligns two pages that were lexed with one interner.
func alignmentOf(x, y *Tokens, in *interner, e Engine) *Alignment {
	keys := newBlockKeys(in.room)
	al := &Alignment{budget: opBudget, marks: room.Take[uint32](in.room, in.len())}
	in.numbers = in.len()
	in.ids, in.shared = numbering{}, nil // only needed while lexing
	coarse := dense(x) || dense(y)
	al.A, al.B = blocked(x, keys, coarse), blocked(y, keys, coarse)
	al.m.budget = &al.budget
	al.m.cap = costCap(al.A.count + al.B.count)
	al.Match, al.Back = unmatchedWords(al.A), unmatchedWords(al.B)
	if e == Loctags {
		al.loctags()
		al.invert()
		return al
	}
	al.alignBlocks(len(keys.ids.hashes))
	al.invert()
	al.slide()
	return al
}

// Release lets go of the memory that only the script needed.
func (al *Alignment) Release() {
	al.ids, al.marks, al.found, al.m = [2][]int32{}, nil, [2]Bitset{}, myers{}
}

func unmatchedWords(d *Document) []int32 {
	list := room.Take[int32](d.in.room, len(d.Words))
	for i := range list {
		list[i] = -1
	}
	return list
}

// invert fills back from match.
func (al *Alignment) invert() {
	for i, j := range al.Match {
		if j >= 0 {
			al.Back[j] = int32(i)
		}
	}
}

// alignBlocks matches words: anchored blocks word by word, the gaps between
// them by the budgeted Myers. Words come first and alone: a tag must never buy
// its match with a word, so tags are aligned afterwards, between the words.
func (al *Alignment) alignBlocks(keys int) {
	i, j := int32(0), int32(0) // next words
	for _, c := range findAnchors(al.A.Blocks, al.B.Blocks, keys) {
		x, y := al.A.Blocks[c.a], al.B.Blocks[c.b]
		if x.Words() != y.Words() {
			continue // two sequences with one hash
		}
		al.gap(i, x.W0, j, y.W0)
		al.gap(x.W0, x.W1, y.W0, y.W1)
		i, j = x.W1, y.W1
	}
	al.gap(i, int32(len(al.A.Words)), j, int32(len(al.B.Words)))
}

// gap aligns a.words[a0:a1] with b.words[b0:b1].
func (al *Alignment) gap(a0, a1, b0, b1 int32) {
	for a0 < a1 && b0 < b1 && al.A.word(a0) == al.B.word(b0) {
		al.Match[a0] = b0
		a0, b0 = a0+1, b0+1
	}
	for a0 < a1 && b0 < b1 && al.A.word(a1-1) == al.B.word(b1-1) {
		a1, b1 = a1-1, b1-1
		al.Match[a1] = b1
	}
	if a0 == a1 || b0 == b1 {
		return
	}
	i, j := a0, b0
	al.fill(region{[2]int32{al.A.Words[a0], al.B.Words[b0]}, [2]int32{al.A.Words[a1-1] + 1, al.B.Words[b1-1] + 1}, true}, func(ta, tb int32) {
		for al.A.Words[i] != ta {
			i++
		}
		for al.B.Words[j] != tb {
			j++
		}
		al.Match[i] = j
	})
}

// region is a stretch of bytes on either side of which the words are aligned,
// or all tokens but them.
type region struct {
	from, to [2]int32
	words    bool
}

// fill aligns the tokens of a region by Myers and calls put for each pair, in
// order. A token of one side only can never be matched and would cost a step
// on every path, so only the others take part.
func (al *Alignment) fill(r region, put func(ta, tb int32)) {
	al.stamp += 2
	var count [2]int
	for t := al.A.find(r.from[0], &r, 0); t < r.to[0]; t = al.A.find(al.A.Next(t), &r, 0) {
		al.marks[al.A.ID(t)] = al.stamp
		count[0]++
	}
	for t := al.B.find(r.from[1], &r, 1); t < r.to[1]; t = al.B.find(al.B.Next(t), &r, 1) {
		if m := &al.marks[al.B.ID(t)]; *m|1 == al.stamp|1 {
			*m |= 1
			count[1]++
		}
	}
	if count[1] == 0 {
		return
	}
	for s, d := range [2]*Document{al.A, al.B} {
		al.room(s, count[s])
		for t := d.find(r.from[s], &r, s); t < r.to[s]; t = d.find(d.Next(t), &r, s) {
			if id := d.ID(t); al.marks[id] == al.stamp|1 {
				al.ids[s] = append(al.ids[s], id)
			}
		}
	}
	al.m.a, al.m.b = al.ids[0], al.ids[1]
	al.m.match = func(i, j, n int) {
		for k := range int32(n) {
			al.found[0].Add(int32(i) + k)
			al.found[1].Add(int32(j) + k)
		}
	}
	al.m.run()
	// Matches never cross: the first of one side belongs to the first of the other.
	ca, cb := cursor{at: r.from[0], k: -1}, cursor{at: r.from[1], k: -1}
	for al.advance(&ca, al.A, &r, 0) {
		al.advance(&cb, al.B, &r, 1)
		put(ca.at, cb.at)
		ca.at, cb.at = al.A.Next(ca.at), al.B.Next(cb.at)
	}
}

// find returns the first token of a region from t on, or a place past its end.
func (d *Document) find(t int32, r *region, side int) int32 {
	for t < r.to[side] && (d.Is(t) == Word) != r.words {
		t = d.Next(t)
	}
	return t
}

// cursor is a token, and how many before it took part in Myers.
type cursor struct{ at, k int32 }

// advance goes to the next token that was matched.
func (al *Alignment) advance(c *cursor, d *Document, r *region, side int) bool {
	for c.at = d.find(c.at, r, side); c.at < r.to[side]; c.at = d.find(d.Next(c.at), r, side) {
		if al.marks[d.ID(c.at)] == al.stamp|1 {
			if c.k++; al.found[side].Has(c.k) {
				return true
			}
		}
	}
	return false
}

// room empties the lists of one side and makes sure they hold n tokens.
func (al *Alignment) room(s, n int) {
	if cap(al.ids[s]) < n {
		al.ids[s], al.found[s] = nil, nil // let go first, then take
		al.ids[s], al.found[s] = make([]int32, 0, n), NewBitset(n)
	}
	al.ids[s] = al.ids[s][:0]
	clear(al.found[s][:n/64+1])
}

// The kinds of step.
const (
	Equal  OpKind = iota // the same bytes on both sides
	Delete               // bytes of the old page only
	Insert               // bytes of the new page only
)

// String returns the word used in JSON.
func (k OpKind) String() string { return [...]string{"equal", "delete", "insert"}[k] }

// Op is one step of an edit script: A are bytes [from, to) of the old page, B
// of the new one. Equal and deleted ranges tile the old page, equal and
// inserted ranges the new one; equal means equal byte for byte. Pages are
// below 1 GiB; longer ones are replaced whole.
type Op struct {
	Kind OpKind
	A, B [2]int32
}

// Engine names a way to align.
type Engine string

// The engines.
const (
	Blocks  Engine = ""        // block anchors, then words, then tags
	Loctags Engine = "loctags" // the paper's, taken literally: a baseline
)

// Script is an edit script, kept in a few bits a step: a page may have a step
// in every other byte. The zero value has none.
type Script struct{ parts [][]byte }

// All runs through the steps in order. Between two equal stretches there is at
// most one deletion and, after it, one insertion.
func (s Script) All() iter.Seq[Op] { return ops(s.parts) }
