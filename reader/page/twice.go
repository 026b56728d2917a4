package page

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
	out := m.again(0)
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
	for x, y := range n.pair.a {
		switch {
		case !n.a.inScope(x, n.in[0]):
		case y < 0:
			gone++
			mark(n.unsteadyLone(0, x))
		case !n.unchanged(x, int(y)):
			places++
			mark(n.unsteadyPair(x, int(y)))
		}
	}
	for y, x := range n.pair.b {
		if x < 0 && n.b.inScope(y, n.in[1]) {
			come++
			mark(n.unsteadyLone(1, y))
		}
	}
	mark(n.unsteadyPictures())
	return out, places + max(gone, come), nil
}

// factKinds are the kinds that a page is watched for.
const factKinds = 1<<KindState | 1<<KindAmount | 1<<KindVersion | 1<<KindDate

// unsteadyPair lists the places of a pair of blocks that two fetches may make
// volatile: of its changed numbers, and its own where words changed.
func (n *analysis) unsteadyPair(x, y int) (keys []uint64) {
	wa, wb := n.a.someWords(x), n.b.someWords(y)
	row := n.out[1].at[y].flags&inRow != 0
	if wa == nil || wb == nil {
		return nil
	}
	dates := n.changedIn(n.b, y, wb, n.back).in
	for _, s := range n.spans(x, y) {
		if s.b0 == s.b1 {
			continue
		}
		switch k := kindOf(wb, s.b0, s.b1, dates); {
		case 1<<k&factKinds != 0, row && !k.quiet():
			return nil // it may be what the block is about
		case k == KindText, k == KindToken:
			keys = append(keys, n.b.ownPlaces(y)...)
		}
		for i := s.b0; i < s.b1 && len(wb) <= longLone; i++ {
			if hasDigit(wb[i]) {
				keys = append(keys, n.b.numberPlace(y, wb, i))
			}
		}
	}
	return keys
}

// unsteadyLone lists the places of a block that came or went.
func (n *analysis) unsteadyLone(side, block int) []uint64 {
	d := n.doc(side)
	words := d.someWords(block)
	if n.out[side].at[block].flags&inRow != 0 || isFact(words) {
		return nil
	}
	return d.ownPlaces(block)
}

// unsteadyPictures lists the places where another picture stands.
func (n *analysis) unsteadyPictures() (keys []uint64) {
	was := map[uint64]string{}
	for _, p := range n.a.pictures() {
		was[p.place] = p.name
	}
	for _, p := range n.b.pictures() {
		if old, ok := was[p.place]; ok && old != p.name {
			keys = append(keys, p.place)
		}
	}
	return keys
}

// ownPlaces are the places of a block where no other one stands.
func (d *document) ownPlaces(block int) []uint64 {
	at := d.blockPlaces(block)
	if d.standing[d.spot(block)] == 1 {
		return at[:1]
	}
	return at[1:]
}
