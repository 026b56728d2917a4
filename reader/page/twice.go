package page

import (
	"diurna/reader/align"
	"diurna/reader/field"
	"diurna/reader/kind"
)

// Twice returns the memory after two fetches of one page within seconds, first
// and second as served, and in how many places they read differently: what
// changes by itself so fast is volatile from now on, until it stands still for
// eight fetches. Two fetches alone make no amount, state, version, date or row of
// a list volatile. Remember the first one with After; of the second nothing else
// is taken up. The only error is a selector that does not parse.
func (m Memory) Twice(first, second []byte, o Options) (Memory, int, error) {
	o.Memory = nil
	n, err := analyse(first, second, o)
	if err != nil {
		return m, 0, err
	}
	out := m.Again(0)
	out.places = make(map[uint64]placeLog, len(m.places))
	for key, p := range m.places {
		out.places[key] = p
	}
	mark := func(keys []uint64) {
		for _, key := range keys {
			p, ok := out.places[key]
			if !ok {
				p.first, p.last = m.Revisions, m.Revisions
			}
			p.unsteady, p.changed = true, p.changed|1
			out.places[key] = p
		}
	}
	places, gone, come := 0, 0, 0
	for x, y := range n.pair.A {
		switch {
		case !n.A.InScope(x, n.in[0]):
		case y < 0:
			gone++
			mark(n.unsteadyLone(0, x))
		case !n.unchanged(x):
			places++
			mark(n.unsteadyPair(x, int(y)))
		}
	}
	for y, x := range n.pair.B {
		if x < 0 && n.B.InScope(y, n.in[1]) {
			come++
			mark(n.unsteadyLone(1, y))
		}
	}
	mark(field.OtherPictures(n.A.Pictures(), n.B.Pictures()))
	return out, places + max(gone, come), nil
}

// factKinds are the kinds that a page is watched for.
const factKinds = 1<<kind.State | 1<<kind.Amount | 1<<kind.Version | 1<<kind.Date

// unsteadyPair lists the places of a pair of blocks that two fetches may make
// volatile: of its changed numbers, and its own where words changed.
func (n *analysis) unsteadyPair(x, y int) (keys []uint64) {
	wa, wb := n.A.SomeWords(x), n.B.SomeWords(y)
	row := n.out[1].At[y].Flags&align.InRow != 0
	if wa == nil || wb == nil {
		return nil
	}
	dates := n.changedIn(n.B, y, wb, n.Back).in
	for _, s := range n.spans(x, y) {
		if s.b0 == s.b1 {
			continue
		}
		switch k := kind.Of(wb, s.b0, s.b1, dates); {
		case 1<<k&factKinds != 0, row && !k.Quiet():
			return nil // it may be what the block is about
		case k == kind.Text, k == kind.Token:
			keys = append(keys, ownPlaces(n.B, y)...)
		}
		for i := s.b0; i < s.b1 && len(wb) <= align.LongLone; i++ {
			if kind.HasDigit(wb[i]) {
				keys = append(keys, numberPlace(n.B, y, wb, i))
			}
		}
	}
	return keys
}

// unsteadyLone lists the places of a block that came or went.
func (n *analysis) unsteadyLone(side, block int) []uint64 {
	d := n.doc(side)
	words := d.SomeWords(block)
	if n.out[side].At[block].Flags&align.InRow != 0 || isFact(words) {
		return nil
	}
	return ownPlaces(d, block)
}

// ownPlaces are the places of a block where no other one stands.
func ownPlaces(d *align.Document, block int) []uint64 {
	at := blockPlaces(d, block)
	if d.Standing[d.Spot(block)] == 1 {
		return at[:1]
	}
	return at[1:]
}
