package page

// alignment is two documents and the words matched between them: other[i] is
// the position in b.words of the partner of a.words[i], or -1. Partners are
// increasing.
type alignment struct {
	a, b   *document
	in     *interner
	match  []int32
	budget int
	m      myers

	// marks tell which tokens occur in the present gap on side a and b.
	marks [2][]int32
	stamp int32
	keep  [2][]int32 // positions of the tokens that occur on both sides
	ids   [2][]int32
	spare []int32
}

// read lexes both pages and aligns their words with the engine asked for.
func read(a, b []byte, e Engine) *alignment {
	in := newInterner(len(a) + len(b))
	keys := newBlockKeys()
	al := &alignment{in: in, budget: opBudget}
	x, y := lex(a, 0, in), lex(b, 1, in)
	al.a, al.b = newDocuments(x, y, keys)
	in.table = nil // only needed while lexing
	al.m.budget = &al.budget
	al.m.cap = costCap(al.a.len() + al.b.len())
	al.marks[0], al.marks[1] = make([]int32, in.len()), make([]int32, in.len())
	al.match = make([]int32, len(al.a.words))
	for i := range al.match {
		al.match[i] = -1
	}
	if e == Loctags {
		al.loctags()
		return al
	}
	al.alignBlocks(len(keys.ids))
	al.slide()
	return al
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
	al.common(a0, a1, b0, b1)
	al.m.a, al.m.b = al.ids[0], al.ids[1]
	al.m.match = func(i, j, n int) {
		for k := range n {
			al.match[al.keep[0][i+k]] = al.keep[1][j+k]
		}
	}
	al.m.run()
}

func (al *alignment) wordID(side int, w int32) int32 {
	if side == 0 {
		return al.a.id[al.a.words[w]]
	}
	return al.b.id[al.b.words[w]]
}

// common collects the words of a gap that occur on both sides of it: a word of
// one side only can never be matched and would cost Myers a step on every path.
func (al *alignment) common(a0, a1, b0, b1 int32) {
	al.stamp++
	for i := a0; i < a1; i++ {
		al.marks[0][al.wordID(0, i)] = al.stamp
	}
	for j := b0; j < b1; j++ {
		al.marks[1][al.wordID(1, j)] = al.stamp
	}
	al.room(0, int(a1-a0))
	al.room(1, int(b1-b0))
	for i := a0; i < a1; i++ {
		if id := al.wordID(0, i); al.marks[1][id] == al.stamp {
			al.keep[0], al.ids[0] = append(al.keep[0], i), append(al.ids[0], id)
		}
	}
	for j := b0; j < b1; j++ {
		if id := al.wordID(1, j); al.marks[0][id] == al.stamp {
			al.keep[1], al.ids[1] = append(al.keep[1], j), append(al.ids[1], id)
		}
	}
}

// room empties the lists of one side and makes sure they hold n tokens.
func (al *alignment) room(s, n int) {
	if cap(al.keep[s]) < n {
		al.keep[s], al.ids[s] = nil, nil // let go first, then take
		al.keep[s], al.ids[s] = make([]int32, 0, n), make([]int32, 0, n)
	}
	al.keep[s], al.ids[s] = al.keep[s][:0], al.ids[s][:0]
}
