package page

import (
	"bytes"
	"sort"
)

// pairing says which blocks of the two sides are versions of one another.
type pairing struct {
	a, b []int32 // partner block by block, -1 for none
}

// similar is the least share of words (Dice) two blocks have in common to be
// shown as one changed block instead of one gone and one come.
const similar = 0.4

// pairBlocks pairs the blocks that have the most matched words in common, both
// ways, if that is at least the share above; then, between those, what is left
// in order where only numbers differ ("8 €" and "9.50 €" share no word).
func (al *alignment) pairBlocks() pairing {
	p := pairing{make([]int32, len(al.a.blocks)), make([]int32, len(al.b.blocks))}
	for i := range p.a {
		p.a[i] = -1
	}
	for j := range p.b {
		p.b[j] = -1
	}
	candA, common := al.candidates()
	bestB := make([]int32, len(al.b.blocks)) // by block of b: best block of a, +1
	weight := make([]int32, len(al.b.blocks))
	for x, y := range candA {
		if y >= 0 && common[x] > weight[y] {
			weight[y], bestB[y] = common[x], int32(x)+1
		}
	}
	for x, y := range candA {
		if y < 0 || bestB[y] != int32(x)+1 {
			continue
		}
		if n := al.a.blocks[x].words() + al.b.blocks[y].words(); 2*float64(common[x]) >= similar*float64(n) {
			p.a[x], p.b[y] = y, int32(x)
		}
	}
	al.pairByMask(&p)
	return p
}

// candidates returns for every block of a the block of b it shares most
// matched words with, and how many.
func (al *alignment) candidates() (best, common []int32) {
	best, common = make([]int32, len(al.a.blocks)), make([]int32, len(al.a.blocks))
	y := int32(0)
	for x, blk := range al.a.blocks {
		best[x] = -1
		run := int32(0)
		for w := blk.w0; w < blk.w1; w++ {
			o := al.match[w]
			if o < 0 {
				continue
			}
			if o >= al.b.blocks[y].w1 {
				run = 0
				// Matches increase, so the block of o lies ahead.
				y += int32(sort.Search(len(al.b.blocks)-int(y), func(k int) bool { return al.b.blocks[int(y)+k].w1 > o }))
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
func (al *alignment) pairByMask(p *pairing) {
	x, y := 0, 0
	for x < len(p.a) || y < len(p.b) {
		x0, y0 := x, y
		for x < len(p.a) && p.a[x] < 0 {
			x++
		}
		for y < len(p.b) && p.b[y] < 0 {
			y++
		}
		if x > x0 && y > y0 {
			al.pairGap(p, x0, x, y0, y)
		}
		x, y = x+1, y+1
	}
}

// longLone is the length in words from which a block is no longer looked at
// for a partner that shares no word: it would have shared some.
const longLone = 40

// pairGap pairs within a gap: blocks that are equal when masked, or when only
// the letters a wrong charset cannot damage are looked at. It is bounded: a gap
// of thousands of unlike blocks is looked at 64 blocks ahead.
func (al *alignment) pairGap(p *pairing, x0, x1, y0, y1 int) {
	const ahead = 64
	type keys struct{ mask, fold string }
	of := func(d *document, n int) (k keys) {
		if d.blocks[n].words() > longLone {
			return keys{}
		}
		w := d.blockWords(n)
		k.mask = maskAll(w)
		if k.fold = fold(k.mask); len(k.fold) < 4 {
			k.fold = ""
		}
		return k
	}
	right := make([]keys, 0, min(y1-y0, 4*ahead))
	y := y0
	for x := x0; x < x1 && y < y1; x++ {
		k := of(al.a, x)
		if k.mask == "" {
			continue
		}
		for j := y; j < min(y1, y+ahead); j++ {
			for len(right) <= j-y0 {
				right = append(right, of(al.b, y0+len(right)))
			}
			if r := right[j-y0]; r.mask == k.mask || k.fold != "" && r.fold == k.fold {
				p.a[x], p.b[j] = int32(j), int32(x)
				y = j + 1
				break
			}
		}
	}
}

// blockWords returns the words of a block as text.
func (d *document) blockWords(n int) []string {
	b := d.blocks[n]
	out := make([]string, 0, b.words())
	for w := b.w0; w < b.w1; w++ {
		out = append(out, d.wordText(w))
	}
	return out
}

// longWord is where a word is cut when only its shape is looked at.
const longWord = 512

// appendWord appends a word as it reads.
func (d *document) appendWord(dst []byte, w int32) []byte {
	raw := d.at(d.words[w])
	if settled(raw) {
		return append(dst, raw...)
	}
	return appendNormal(dst, raw)
}

func (d *document) wordText(w int32) string {
	raw := d.at(d.words[w])
	if raw = raw[:min(len(raw), longWord)]; settled(raw) {
		return string(raw)
	}
	return string(appendNormal(nil, raw))
}

// segments returns the text of a pair of blocks as equal, deleted and inserted
// stretches. Words are cut where the script cuts them; a space or sign between
// them counts as changed only if it is.
func (al *alignment) segments(x, y int) []Segment {
	ba, bb := al.a.blocks[x], al.b.blocks[y]
	s := &segmenter{al: al}
	i, j := ba.t0, bb.t0
	for w := ba.w0; w < ba.w1; w++ {
		o := al.match[w]
		if o < bb.w0 || o >= bb.w1 {
			continue
		}
		ta, tb := al.a.words[w], al.b.words[o]
		if len(s.out) >= maxSegments {
			break // the rest is shown as replaced
		}
		s.between(i, ta, j, tb)
		s.equal(ta)
		i, j = al.a.next(ta), al.b.next(tb)
	}
	s.between(i, ba.t1, j, bb.t1)
	s.end()
	return tidy(s.out)
}

// maxSegments bounds the parts of one row.
const maxSegments = 4000

// segmenter writes segments. The text of the one being written stays in bytes
// until its kind changes: a block may be the whole page.
type segmenter struct {
	al    *alignment
	out   []Segment // the last one without its text
	text  []byte    // the text of the last one
	piece []byte
}

// put adds text to the segments.
func (s *segmenter) put(k OpKind, text []byte, words int) {
	if bytes.HasSuffix(s.text, []byte(" ")) {
		// One space between words, two between cells.
		wide := bytes.HasPrefix(text, []byte("  ")) && !bytes.HasSuffix(s.text, []byte("  "))
		if text = bytes.TrimLeft(text, " "); wide {
			text = append([]byte(" "), text...)
		}
	}
	if len(text) == 0 && words == 0 {
		return
	}
	if n := len(s.out); n == 0 || s.out[n-1].Kind != k {
		s.end()
		s.out = append(s.out, Segment{Kind: k})
	}
	s.out[len(s.out)-1].words += words
	s.text = append(s.text, text...)
}

// end gives the last segment its text.
func (s *segmenter) end() {
	if n := len(s.out); n > 0 {
		s.out[n-1].Text = string(s.text)
	}
	s.text = s.text[:0]
}

func (s *segmenter) equal(t int32) {
	words := 0
	switch s.al.a.is(t) {
	case aWord:
		words = 1
	case aTag:
		s.put(Equal, []byte("  "), 0)
		return
	}
	s.piece = s.al.a.appendText(s.piece[:0], t)
	s.put(Equal, s.piece, words)
}

// between writes a[i:i1] and b[j:j1], which have no words in common, with the
// same spaces and signs at both ends taken as equal.
func (s *segmenter) between(i, i1, j, j1 int32) {
	a, b := s.al.a, s.al.b
	skip := func(d *document, t int32) bool { return d.is(t) > aSign || d.is(t) == aTag && !d.isCell(t) }
	same := func(i, j int32) bool {
		k := a.is(i)
		return k == b.is(j) && (k == aTag || k != aWord && a.id(i) == b.id(j))
	}
	for {
		for i < i1 && skip(a, i) {
			i = a.next(i)
		}
		for j < j1 && skip(b, j) {
			j = b.next(j)
		}
		if i >= i1 || j >= j1 || !same(i, j) {
			break
		}
		s.equal(i)
		i, j = a.next(i), b.next(j)
	}
	var tail []int32
	for {
		for i < i1 && skip(a, a.prev(i1)) {
			i1 = a.prev(i1)
		}
		for j < j1 && skip(b, b.prev(j1)) {
			j1 = b.prev(j1)
		}
		if i >= i1 || j >= j1 || !same(a.prev(i1), b.prev(j1)) {
			break
		}
		i1, j1 = a.prev(i1), b.prev(j1)
		tail = append(tail, i1)
	}
	s.changed(Delete, a, i, i1)
	s.changed(Insert, b, j, j1)
	for n := len(tail) - 1; n >= 0; n-- {
		s.equal(tail[n])
	}
}

func (s *segmenter) changed(k OpKind, d *document, from, to int32) {
	s.piece = s.piece[:0]
	words := 0
	for t := from; t < to; t = d.next(t) {
		switch {
		case d.is(t) == aWord:
			words++
		case d.isCell(t):
			s.piece = append(bytes.TrimRight(s.piece, " "), "  "...)
			continue
		}
		s.piece = d.appendText(s.piece, t)
	}
	s.put(k, s.piece, words)
}
