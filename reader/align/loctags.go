package align

// loctags aligns as Saeyor & Ishizuka describe it (section 3.1), taken
// literally: the longest common subsequence of the two streams of tag names
// says which contexts belong together, and contexts are compared pairwise,
// word by word. It is here as a baseline. A row put first into a list shifts
// every context by one, since "<li></li>" looks like any other row.
func (al *Alignment) loctags() {
	names := map[string]int32{}
	a, b := tagStream(al.A, names), tagStream(al.B, names)
	partner := make([]int32, len(a.names))
	al.m.a, al.m.b = a.names, b.names
	al.m.match = func(i, j, n int) {
		for k := range n {
			partner[i+k] = int32(j+k) + 1
		}
	}
	al.m.run()
	i, j := int32(0), int32(0)
	for k, p := range partner {
		if p == 0 {
			continue
		}
		al.gap(i, a.words[k], j, b.words[p-1])
		i, j = a.words[k], b.words[p-1]
	}
	al.gap(i, int32(len(al.A.Words)), j, int32(len(al.B.Words)))
}

// stream is the tags of a page by name, each with the number of words before it.
type stream struct{ names, words []int32 }

func tagStream(d *Document, names map[string]int32) (s stream) {
	words := int32(0)
	var buf [25]byte
	for i := int32(0); i < d.End(); i = d.Next(i) {
		switch d.Is(i) {
		case Word:
			words++
		case Tag:
			name, closing := tagName(d.At(i), buf[:0:24])
			if closing {
				name = append(name, '/')
			}
			id, ok := names[string(name)]
			if !ok {
				id = int32(len(names))
				names[string(name)] = id
			}
			s.names, s.words = append(s.names, id), append(s.words, words)
		}
	}
	return s
}
