package page

import (
	"bytes"

	"diurna/reader/align"
	"diurna/reader/field"
	"diurna/reader/ignore"
	"diurna/reader/segment"
)

// rows writes the diff for people: a row for every changed block, under its
// heading, and counts of what did not change between.
func (n *analysis) rows() {
	moves := n.moves()
	x, y := 0, 0
	for x < len(n.A.Blocks) || y < len(n.B.Blocks) {
		x0, y0 := x, y
		for x < len(n.A.Blocks) && n.pair.A[x] < 0 {
			x++
		}
		for y < len(n.B.Blocks) && n.pair.B[y] < 0 {
			y++
		}
		n.lone(x0, x, y0, y, moves)
		if x < len(n.A.Blocks) && y < len(n.B.Blocks) {
			n.both(x, y)
		}
		x, y = x+1, y+1
	}
}

// lone adds the deleted blocks a[x0:x1] and the inserted blocks b[y0:y1] that
// stand in the same place.
func (n *analysis) lone(x0, x1, y0, y1 int, moves movesFound) {
	// What is replaced by nothing but blocks the page has shown before is part
	// of the same coming and going.
	flap := y1 > y0
	for y := y0; y < y1 && flap; y++ {
		flap = moves.to[y] >= 0 || n.returned(y, turnsFor(n.B.SomeWords(y)))
	}
	restless := x1-x0 == 1 && y1-y0 == 1 && n.o.Memory.turnedState(n.A, n.B, x0, y0)
	dialog := [2]bool{field.Dialog(n.A, x0, x1), field.Dialog(n.B, y0, y1)}
	for x := x0; x < x1; x++ {
		if moves.from[x] {
			continue // shown where it went
		}
		w := n.A.SomeWords(x)
		r := Row{Kind: Deleted, A: n.A.BytesOf(x)}
		n.describe(&r, 0, x, align.Delete)
		r.Words.Deleted = n.unmatched(0, x)
		r.Class = n.classLone(n.A, x, w, n.out[0].At)
		if r.Class == Content && r.Words.Deleted == 0 {
			r.Class = Order // its words all stand elsewhere now
		}
		if (r.Class == Content || r.Class == Menu) && (dialog[0] || (flap || restless || n.left(x, w) || n.restlessLone(n.A, x, w, n.out[0].At)) && !r.asked(&n.o)) {
			r.Class = Volatile
		}
		n.again.lone(&r, n.A, 0, x)
		hidden := n.scope.Outside(n.A, x, n.in[0])
		n.note(r, hidden, x, -1)
		n.add(r, 0, x, hidden)
	}
	for y := y0; y < y1; y++ {
		w := n.B.SomeWords(y)
		r := Row{Kind: Inserted, B: n.B.BytesOf(y)}
		n.describe(&r, 1, y, align.Insert)
		r.Words.Added = n.unmatched(1, y)
		r.Class = n.classLone(n.B, y, w, n.out[1].At)
		if from := moves.to[y]; from >= 0 {
			r.Kind, r.Class = Moved, Order
			for i := range r.Segments {
				r.Segments[i].Kind = align.Equal
			}
			r.A = n.A.BytesOf(int(from))
			r.Words.Deleted = n.unmatched(0, int(from))
			if n.shown < maxRows {
				r.From = n.path(0, int(from))
			}
			if n.out[1].At[y].Flags&align.InMenu != 0 {
				r.Class = Menu
			}
		} else if r.Class == Content && r.Words.Added == 0 {
			r.Class = Order
		} else if (r.Class == Content || r.Class == Menu) && !n.regrown && (dialog[1] || (restless || n.returned(y, turnsFor(w)) || n.restlessLone(n.B, y, w, n.out[1].At)) && !r.asked(&n.o)) {
			r.Class = Volatile
		}
		n.again.lone(&r, n.B, 1, y)
		hidden := n.scope.Outside(n.B, y, n.in[1])
		n.note(r, hidden, -1, y)
		n.add(r, 1, y, hidden)
	}
}

// left reports whether a block of a that is gone is no news: it was gone at the
// last fetch, or comes and goes at most fetches.
func (n *analysis) left(x int, words []string) bool {
	if n.o.Memory == nil {
		return false
	}
	h := n.A.Hash(x)
	return n.o.Memory.Knows(h) && !n.o.Memory.held(h) || n.o.Memory.flaps(h, turnsFor(words))
}

// describe fills in what a row of one side shows, while rows are shown.
func (n *analysis) describe(r *Row, side, block int, k align.OpKind) {
	if n.shown < maxRows {
		r.Segments = []Segment{{Kind: k, Text: n.blockText(side, block)}}
		if !n.o.NoRules {
			r.Rule = ignore.Lone(n.doc(side), block)
		}
	}
}

// both adds a pair of blocks.
func (n *analysis) both(x, y int) {
	hidden := n.scope.Outside(n.B, y, n.in[1]) && n.scope.Outside(n.A, x, n.in[0])
	if r, ok := n.hides.row(x); ok && !hidden && len(n.spans(x, y)) == 0 {
		n.add(r, 1, y, true)
		return
	}
	if n.equal.Has(int32(x)) {
		if !hidden {
			n.same(y)
		}
		return
	}
	r := Row{Kind: Changed, A: n.A.BytesOf(x), B: n.B.BytesOf(y)}
	r.Words = Words{n.unmatched(1, y), n.unmatched(0, x)}
	wa, wb := n.A.SomeWords(x), n.B.SomeWords(y)
	if n.shown < maxRows {
		r.Segments = segment.Of(n.al, x, y)
		for i := range r.Segments {
			r.Segments[i].Text = align.Clean(r.Segments[i].Text)
		}
		if !n.o.NoRules {
			r.Rule = n.pairRule(x, y, wa, wb)
		}
	}
	var quiet Words
	n.kindsOf, n.learned = 0, false
	r.Class, quiet = n.classPair(x, y, wa, wb)
	if r.Class == Volatile && r.asked(&n.o) {
		m := n.o.Memory
		n.o.Memory, n.kindsOf, n.learned = nil, 0, false
		r.Class, quiet = n.classPair(x, y, wa, wb)
		n.o.Memory = m
	}
	if n.again.pair(&r, n.al, x, y, n.spans) {
		quiet = Words{}
	}
	r.kinds, r.learned = n.kindsOf, n.learned
	if !hidden && r.Class == Content {
		// The dates and tokens of a changed sentence do not count as its words.
		n.hits[CatVolatile] += quiet.Added + quiet.Deleted
		n.hits[CatWords] -= quiet.Added + quiet.Deleted
	}
	n.note(r, hidden, x, y)
	n.add(r, 1, y, hidden)
}

// note keeps the words of the blocks a content row is about, to see in the end
// whether they are the same blocks in another order.
func (n *analysis) note(r Row, hidden bool, x, y int) {
	if hidden || r.Class != Content {
		return
	}
	if x >= 0 {
		n.shuffled[n.hides.key(n.A, 0, x)]++
	}
	if y >= 0 {
		n.shuffled[n.hides.key(n.B, 1, y)]--
	}
}

// reordered turns content into order if every block deleted or changed is
// found among those inserted or changed: short items that changed places.
func (n *analysis) reordered() {
	if n.hits[CatWords] <= 0 {
		return
	}
	for _, c := range n.shuffled {
		if c != 0 {
			return
		}
	}
	n.hits[CatWords] = 0
	for _, h := range n.d.Hunks {
		for i := range h.Rows {
			if h.Rows[i].Class == Content {
				h.Rows[i].Class = Order
				n.hits[CatOrder]++
			}
		}
	}
}

// same counts one unchanged block.
func (n *analysis) same(y int) {
	n.d.Blocks.Same++
	if n.shown >= maxRows {
		return
	}
	path := n.path(1, y)
	// From tag to tag, for its text is read from these bytes again, see Unchanged:
	// the stop after the last word is part of it.
	at := [2]int32{n.B.Blocks[y].T0, n.B.Blocks[y].T1}
	if k := len(n.d.Hunks); k > 0 {
		// The next of a run under the same heading: the common case.
		h := &n.d.Hunks[k-1]
		if r := &h.Rows[len(h.Rows)-1]; r.Kind == Same && equalPaths(h.Path, path) {
			r.Count++
			r.B[1] = at[1]
			return
		}
	}
	if r := (Row{Kind: Same, Count: 1, B: at}); n.room(r) {
		h := n.hunk(path)
		h.Rows = append(h.Rows, r)
	}
}

// maxRows bounds the rows of a diff, four segments counting as one more; what
// is beyond is counted, not shown.
const maxRows = 20000

// room takes the room of a row, if there is any left.
func (n *analysis) room(r Row) bool {
	if n.shown >= maxRows {
		return false
	}
	n.shown += 1 + len(r.Segments)/4
	return true
}

// hunk returns the hunk of a heading path, a new one if the last is another.
func (n *analysis) hunk(path []string) *Hunk {
	if k := len(n.d.Hunks); k > 0 && equalPaths(n.d.Hunks[k-1].Path, path) {
		return &n.d.Hunks[k-1]
	}
	n.d.Hunks = append(n.d.Hunks, Hunk{Path: path})
	return &n.d.Hunks[len(n.d.Hunks)-1]
}

func equalPaths(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	if len(a) == 0 || &a[0] == &b[0] {
		return true
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// add files a changed row and counts it.
func (n *analysis) add(r Row, side, block int, hidden bool) {
	if hidden {
		if n.room(r) {
			n.d.Ignored = append(n.d.Ignored, r)
		}
		n.d.Blocks.Ignored++
		return
	}
	if n.room(r) {
		h := n.hunk(n.path(side, block))
		h.Rows = append(h.Rows, r)
	} else {
		n.d.Blocks.Unshown++
	}
	if r.Kind == Moved {
		n.d.Blocks.Moved++
	} else {
		n.d.Blocks.Changed++
	}
	words := r.Words.Added + r.Words.Deleted
	n.d.Words.Added += r.Words.Added
	n.d.Words.Deleted += r.Words.Deleted
	switch r.Class {
	case Content:
		n.hits[CatWords] += words
	case Menu:
		n.hits[CatMenu] += words
	case Order:
		if r.Kind == Moved {
			n.hits[CatOrder]++
		} else {
			n.reflowed = true // text cut into blocks in another way
		}
	case Date:
		n.hits[CatDates] += max(words, 1)
		n.d.Blocks.Volatile++
	case Volatile:
		n.hits[CatVolatile] += max(words, 1)
		n.d.Blocks.Volatile++
	}
	if r.Kind != Moved && r.Class != Volatile {
		n.mentions(r) // not of what was here before: it would be reported by turns
	}
}

func (n *analysis) doc(side int) *align.Document {
	if side == 0 {
		return n.A
	}
	return n.B
}

func (n *analysis) blockText(side, block int) string {
	return align.Clean(n.doc(side).TextOf(block))
}

// unmatched counts the words of a block that have no partner at all.
func (n *analysis) unmatched(side, block int) int {
	b := n.doc(side).Blocks[block]
	match := n.Match
	if side == 1 {
		match = n.Back
	}
	c := 0
	for w := b.W0; w < b.W1; w++ {
		if match[w] < 0 && !n.hides.has(side, w) {
			c++
		}
	}
	return c
}

// sameSigns reports whether the signs between the words of a pair are the same.
func (n *analysis) sameSigns(x, y int) bool {
	a, b := n.A.Blocks[x], n.B.Blocks[y]
	if bytes.Equal(n.A.Src[a.T0:a.T1], n.B.Src[b.T0:b.T1]) {
		return true
	}
	i, j := a.T0, b.T0
	for {
		for i < a.T1 && n.A.Is(i) != align.Sign {
			i = n.A.Next(i)
		}
		for j < b.T1 && n.B.Is(j) != align.Sign {
			j = n.B.Next(j)
		}
		if i >= a.T1 || j >= b.T1 {
			return i >= a.T1 && j >= b.T1
		}
		if n.A.ID(i) != n.B.ID(j) {
			return false
		}
		i, j = n.A.Next(i), n.B.Next(j)
	}
}

// path returns the headings above a block, outermost first and safe to draw;
// they are made once for each heading.
func (n *analysis) path(side, block int) []string { return headings(n.doc(side), &n.out[side], block) }

func headings(d *align.Document, o *align.Outline, block int) []string {
	head := o.At[block].Head
	if head < 0 {
		return nil
	}
	p := o.Paths[head]
	for h := head; h >= 0 && o.Paths[head] == nil; h = o.Heads[h].Parent {
		p = append([]string{align.Clean(o.Heads[h].Text(d))}, p...)
	}
	o.Paths[head] = p
	return p
}

// movesFound pairs deleted with inserted blocks of the same words.
type movesFound struct {
	from []bool  // by block of a: it moved
	to   []int32 // by block of b: the block of a it came from, or -1
}

func (n *analysis) moves() movesFound {
	m := movesFound{make([]bool, len(n.A.Blocks)), make([]int32, len(n.B.Blocks))}
	gone := map[uint64][]int32{}
	for x := range n.A.Blocks {
		if n.pair.A[x] < 0 && (n.out[0].At[x].Flags&align.InHead != 0 || n.A.Solid(x)) {
			k := n.hides.key(n.A, 0, x)
			gone[k] = append(gone[k], int32(x))
		}
	}
	for y := range n.B.Blocks {
		m.to[y] = -1
		if n.pair.B[y] >= 0 {
			continue
		}
		k := n.hides.key(n.B, 1, y)
		head := n.out[1].At[y].Flags & align.InHead
		if list := gone[k]; len(list) > 0 && (n.out[0].At[list[0]].Flags&head != 0 || n.B.Solid(y)) {
			m.to[y], m.from[list[0]] = list[0], true
			gone[k] = list[1:]
		}
	}
	return m
}
