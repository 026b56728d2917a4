package page

import "diurna/reader/kind"

// stretch is a changed stretch of a pair of blocks: words [a0, a1) of the old one
// became [b0, b1) of the new one, positions in the block.
type stretch struct{ a0, a1, b0, b1 int }

// spans lists the changed stretches of a pair of blocks, in order. Where numbers alone
// differ, each is held against the one in its place: a digit that two share is chance.
func (n *analysis) spans(x, y int) (out []stretch) {
	ba, bb := n.A.Blocks[x], n.B.Blocks[y]
	i, j, uneven := 0, 0, false
	end := func(i1, j1 int) {
		if i1 > i || j1 > j {
			out = append(out, stretch{i, i1, j, j1})
			uneven = uneven || i1-i != j1-j
		}
	}
	for w := ba.W0; w < ba.W1; w++ {
		if o := n.Match[w]; o >= bb.W0 && o < bb.W1 {
			end(int(w-ba.W0), int(o-bb.W0))
			i, j = int(w-ba.W0)+1, int(o-bb.W0)+1
		}
	}
	end(ba.Words(), bb.Words())
	if wa, wb := n.A.SomeWords(x), n.B.SomeWords(y); uneven && kind.Renumbered(wa, wb) {
		out = out[:0]
		for i := range wa {
			if wa[i] != wb[i] {
				out = append(out, stretch{i, i + 1, i, i + 1})
			}
		}
	}
	return n.hides.without(out, ba, bb)
}
