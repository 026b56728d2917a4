package ignore

import (
	"diurna/reader/align"
	"diurna/reader/kind"
)

// Match takes the parts of a pair of blocks that rules ignore for the same on both sides.
func Match(al *align.Alignment, x, y int, as, bs []Part) {
	evenUp(al, x, y)
	for _, p := range as {
		for _, q := range bs {
			if p.No == q.No {
				rematch(al, x, y, p.Words, q.Words)
			}
		}
	}
}

// evenUp matches the words of two blocks that differ in numbers alone with those in their
// place: a digit that two numbers share is chance.
func evenUp(al *align.Alignment, x, y int) {
	wa, wb := al.A.SomeWords(x), al.B.SomeWords(y)
	if !kind.Renumbered(wa, wb) {
		return
	}
	for i := range wa {
		a, b := al.A.Blocks[x].W0+int32(i), al.B.Blocks[y].W0+int32(i)
		if o := al.Match[a]; o >= 0 {
			al.Back[o] = -1
		}
		if o := al.Back[b]; o >= 0 {
			al.Match[o] = -1
		}
		al.Match[a], al.Back[b] = -1, -1
		if wa[i] == wb[i] {
			al.Match[a], al.Back[b] = b, a
		}
	}
}

// rematch matches words of two blocks that have no partner, in order, as far as no match
// crosses another.
func rematch(al *align.Alignment, x, y int, as, bs []int32) {
	ba, bb := al.A.Blocks[x], al.B.Blocks[y]
	crosses := func(a, b int32) bool {
		for w := ba.W0; w < ba.W1; w++ {
			if o := al.Match[w]; o >= bb.W0 && o < bb.W1 && (w < a) != (o < b) {
				return true
			}
		}
		return false
	}
	for _, a := range as {
		for len(bs) > 0 && al.Match[a] < 0 {
			b := bs[0]
			if bs = bs[1:]; al.Back[b] >= 0 {
				continue
			}
			if !crosses(a, b) {
				al.Match[a], al.Back[b] = b, a
			}
			break
		}
	}
}
