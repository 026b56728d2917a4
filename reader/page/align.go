package page

// alignment is two documents and the words matched between them: match[i] is
// the position in b.words of the partner of a.words[i], or -1, back[j] the
// other way round. Partners are increasing.
type alignment struct {
	a, b        *document
	match, back []int32
	budget      int
	m           myers

	// marks tell by number which tokens occur on which sides of the present
	// gap: twice its stamp, and one more for those on both.
	marks []uint32
	stamp uint32
	ids   [2][]int32 // the numbers of the tokens that do
	found [2]bitset  // which of these Myers matched
}

// read lexes both pages and aligns their words with the engine asked for.
func read(a, b []byte, e Engine) *alignment {
	in := newInterner(len(a) + len(b))
	return alignmentOf(lex(a, 0, in), lex(b, 1, in), in, e)
}

// alignmentOf aligns two pages that were lexed with one interner.
func alignmentOf(x, y *tokens, in *interner, e Engine) *alignment {
	keys := newBlockKeys()
	al := &alignment{budget: opBudget, marks: make([]uint32, in.len())}
	in.table, in.first = nil, nil // only needed while lexing
	al.a, al.b = newDocuments(x, y, keys)
	al.m.budget = &al.budget
	al.m.cap = costCap(al.a.count + al.b.count)
	al.match, al.back = unmatchedWords(al.a), unmatchedWords(al.b)
	if e == Loctags {
		al.loctags()
		al.invert()
		return al
	}
	al.alignBlocks(len(keys.ids))
	al.invert()
	al.slide()
	return al
}

// release lets go of the memory that only the script needed.
func (al *alignment) release() {
	al.ids, al.marks, al.found, al.m = [2][]int32{}, nil, [2]bitset{}, myers{}
}

func unmatchedWords(d *document) []int32 {
	list := make([]int32, len(d.words))
	for i := range list {
		list[i] = -1
	}
	return list
}

// invert fills back from match.
func (al *alignment) invert() {
	for i, j := range al.match {
		if j >= 0 {
			al.back[j] = int32(i)
		}
	}
}

// alignBlocks matches words: anchored blocks word by word, the gaps between
// them by the budgeted Myers. Words come first and alone: a tag must never buy
// its match with a word, so tags are aligned afterwards, between the words.
func (al *alignment) alignBlocks(keys int) {
	i, j := int32(0), int32(0) // next words
	for _, c := range findAnchors(al.a.blocks, al.b.blocks, keys) {
		x, y := al.a.blocks[c.a], al.b.blocks[c.b]
		if x.words() != y.words() {
			continue // two sequences with one hash
		}
		al.gap(i, x.w0, j, y.w0)
		al.gap(x.w0, x.w1, y.w0, y.w1)
		i, j = x.w1, y.w1
	}
	al.gap(i, int32(len(al.a.words)), j, int32(len(al.b.words)))
}

// gap aligns a.words[a0:a1] with b.words[b0:b1].
func (al *alignment) gap(a0, a1, b0, b1 int32) {
	for a0 < a1 && b0 < b1 && al.wordID(0, a0) == al.wordID(1, b0) {
		al.match[a0] = b0
		a0, b0 = a0+1, b0+1
	}
	for a0 < a1 && b0 < b1 && al.wordID(0, a1-1) == al.wordID(1, b1-1) {
		a1, b1 = a1-1, b1-1
		al.match[a1] = b1
	}
	if a0 == a1 || b0 == b1 {
		return
	}
	i, j := a0, b0
	al.fill(region{[2]int32{al.a.words[a0], al.b.words[b0]}, [2]int32{al.a.words[a1-1] + 1, al.b.words[b1-1] + 1}, true}, func(ta, tb int32) {
		for al.a.words[i] != ta {
			i++
		}
		for al.b.words[j] != tb {
			j++
		}
		al.match[i] = j
	})
}

func (al *alignment) wordID(side int, w int32) int32 {
	if side == 0 {
		return al.a.word(w)
	}
	return al.b.word(w)
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
func (al *alignment) fill(r region, put func(ta, tb int32)) {
	al.stamp += 2
	var count [2]int
	for t := al.a.find(r.from[0], &r, 0); t < r.to[0]; t = al.a.find(al.a.next(t), &r, 0) {
		al.marks[al.a.id(t)] = al.stamp
		count[0]++
	}
	for t := al.b.find(r.from[1], &r, 1); t < r.to[1]; t = al.b.find(al.b.next(t), &r, 1) {
		if m := &al.marks[al.b.id(t)]; *m|1 == al.stamp|1 {
			*m |= 1
			count[1]++
		}
	}
	if count[1] == 0 {
		return
	}
	for s, d := range [2]*document{al.a, al.b} {
		al.room(s, count[s])
		for t := d.find(r.from[s], &r, s); t < r.to[s]; t = d.find(d.next(t), &r, s) {
			if id := d.id(t); al.marks[id] == al.stamp|1 {
				al.ids[s] = append(al.ids[s], id)
			}
		}
	}
	al.m.a, al.m.b = al.ids[0], al.ids[1]
	al.m.match = func(i, j, n int) {
		for k := range int32(n) {
			al.found[0].add(int32(i) + k)
			al.found[1].add(int32(j) + k)
		}
	}
	al.m.run()
	// Matches never cross: the first of one side belongs to the first of the other.
	ca, cb := cursor{at: r.from[0], k: -1}, cursor{at: r.from[1], k: -1}
	for al.advance(&ca, al.a, &r, 0) {
		al.advance(&cb, al.b, &r, 1)
		put(ca.at, cb.at)
		ca.at, cb.at = al.a.next(ca.at), al.b.next(cb.at)
	}
}

// find returns the first token of a region from t on, or a place past its end.
func (d *document) find(t int32, r *region, side int) int32 {
	for t < r.to[side] && (d.is(t) == aWord) != r.words {
		t = d.next(t)
	}
	return t
}

// cursor is a token, and how many before it took part in Myers.
type cursor struct{ at, k int32 }

// advance goes to the next token that was matched.
func (al *alignment) advance(c *cursor, d *document, r *region, side int) bool {
	for c.at = d.find(c.at, r, side); c.at < r.to[side]; c.at = d.find(d.next(c.at), r, side) {
		if al.marks[d.id(c.at)] == al.stamp|1 {
			if c.k++; al.found[side].has(c.k) {
				return true
			}
		}
	}
	return false
}

// room empties the lists of one side and makes sure they hold n tokens.
func (al *alignment) room(s, n int) {
	if cap(al.ids[s]) < n {
		al.ids[s], al.found[s] = nil, nil // let go first, then take
		al.ids[s], al.found[s] = make([]int32, 0, n), newBitset(n)
	}
	al.ids[s] = al.ids[s][:0]
	clear(al.found[s][:n/64+1])
}
