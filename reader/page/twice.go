package page

// Twice returns the memory after two fetches of one page within seconds, first
// and second as served, and in how many places they read differently: what
// changes by itself so fast is volatile from now on. Two fetches alone make no
// amount, state, version, date or row of a list volatile. Remember the first one
// with After; of the second nothing else is taken up. The only error is a
// selector that does not parse.
func (m Memory) Twice(first, second []byte, o Options) (Memory, int, error) {
	sc, err := newScope(o)
	if err != nil {
		return m, 0, err
	}
	o.Memory = &m
	n := &analysis{alignment: read(first, second, o.Engine), o: o, scope: sc, masks: map[string]int{}}
	n.in[0], _ = sc.of(n.a)
	n.in[1], _ = sc.of(n.b)
	n.out[0], n.out[1] = outlineOf(n.a), outlineOf(n.b)
	n.pair = n.pairBlocks()
	restless := map[uint64]bool{}
	places, gone, come := 0, 0, 0
	for y, x := range n.pair.b {
		if x < 0 && n.b.inScope(y, n.in[1]) {
			come++
		}
	}
	for x, partner := range n.pair.a {
		y := int(partner)
		switch {
		case !n.a.inScope(x, n.in[0]):
			continue
		case y < 0:
			gone++
			continue
		case n.unchanged(x, y):
			continue
		}
		places++
		if slot, ok := n.restlessPlace(x, y); ok {
			restless[slot] = true
		}
	}
	out := m.again(0)
	out.slots = make(map[uint64]slot, len(m.slots))
	for h, s := range m.slots {
		if restless[h] {
			s.changes = max(s.changes, flicker)
		}
		out.slots[h] = s
	}
	return out, places + max(gone, come), nil
}

// restlessPlace is the slot of a pair whose numbers alone changed within seconds,
// if they are no fact and stand in no row.
func (n *analysis) restlessPlace(x, y int) (uint64, bool) {
	if n.a.blocks[x].words() > longBlock || n.b.blocks[y].words() > longBlock || n.out[1].at[y].flags&inRow != 0 {
		return 0, false
	}
	wa, wb := n.a.blockWords(x), n.b.blockWords(y)
	if maskAll(wa) != maskAll(wb) {
		return 0, false
	}
	kinds, _ := n.kinds(x, y, wa, wb, dateSpans(wa), dateSpans(wb))
	if kinds == 0 || kinds&factKinds != 0 {
		return 0, false
	}
	return n.b.slotOf(y, wb), true
}

// factKinds are the kinds that a page is watched for.
const factKinds = 1<<KindState | 1<<KindAmount | 1<<KindVersion | 1<<KindDate
