package page

import "bytes"

// scriptWriter collects ops in order. Between two equal stretches there is at
// most one deletion and one insertion.
type scriptWriter struct {
	a, b     []byte
	ops      []Op
	i, j     int32 // bytes written of each side
	del, ins int32 // where the pending deletion and insertion end
}

// put appends a step. Room is made for as many as the part written so far
// foretells: growth by a quarter would leave four times the script in garbage.
func (w *scriptWriter) put(o Op) {
	if len(w.ops) == cap(w.ops) {
		done := float64(w.i+w.j+1) / float64(len(w.a)+len(w.b)+1)
		n := min(int(float64(len(w.ops))/done*1.05), 3*len(w.ops)) + 64
		w.ops = append(make([]Op, 0, n), w.ops...)
	}
	w.ops = append(w.ops, o)
}

// equal says that a[a0:a1] and b[b0:b1] are aligned. If their bytes differ
// (an entity spelt differently, another space) they are replaced: equal means
// byte-equal, or recovery would not be exact.
func (w *scriptWriter) equal(a0, a1, b0, b1 int32) {
	if a1-a0 != b1-b0 || !bytes.Equal(w.a[a0:a1], w.b[b0:b1]) {
		w.del, w.ins = a1, b1
		return
	}
	w.del, w.ins = a0, b0
	w.flush()
	if n := len(w.ops); n > 0 && w.ops[n-1].Kind == Equal {
		w.ops[n-1].A[1], w.ops[n-1].B[1] = a1, b1
	} else {
		w.put(Op{Equal, [2]int32{a0, a1}, [2]int32{b0, b1}})
	}
	w.i, w.j, w.del, w.ins = a1, b1, a1, b1
}

// flush writes what is pending.
func (w *scriptWriter) flush() {
	if w.del > w.i {
		w.put(Op{Delete, [2]int32{w.i, w.del}, [2]int32{w.j, w.j}})
		w.i = w.del
	}
	if w.ins > w.j {
		w.put(Op{Insert, [2]int32{w.i, w.i}, [2]int32{w.j, w.ins}})
		w.j = w.ins
	}
}

func (w *scriptWriter) end() []Op {
	w.del, w.ins = int32(len(w.a)), int32(len(w.b))
	w.flush()
	return w.ops
}

// script writes the alignment down: matched words as they are, and between
// them tags, spaces, signs and code aligned by the same Myers.
func (al *alignment) script() []Op {
	w := &scriptWriter{a: al.a.src, b: al.b.src}
	i, j := int32(0), int32(0)
	for k, o := range al.match {
		if o < 0 {
			continue
		}
		ta, tb := al.a.words[k], al.b.words[o]
		al.between(w, i, ta, j, tb)
		w.equal(al.a.from[ta], al.a.from[ta+1], al.b.from[tb], al.b.from[tb+1])
		i, j = ta+1, tb+1
	}
	al.between(w, i, int32(al.a.len()), j, int32(al.b.len()))
	return w.end()
}

// between aligns the tokens a[a0:a1] and b[b0:b1], in which no words match.
func (al *alignment) between(w *scriptWriter, a0, a1, b0, b1 int32) {
	a, b := al.a, al.b
	same := func(i, j int32) bool { return a.id[i] == b.id[j] && a.kind[i] == b.kind[j] && a.is(i) != aWord }
	put := func(i, j int32) {
		w.equal(a.from[i], a.from[i+1], b.from[j], b.from[j+1])
	}
	for a0 < a1 && b0 < b1 && same(a0, b0) {
		put(a0, b0)
		a0, b0 = a0+1, b0+1
	}
	n := int32(0)
	for a1-n > a0 && b1-n > b0 && same(a1-n-1, b1-n-1) {
		n++
	}
	if a1-n > a0 && b1-n > b0 {
		al.betweenMyers(put, a0, a1-n, b0, b1-n)
	}
	for k := n; k > 0; k-- {
		put(a1-k, b1-k)
	}
}

// betweenMyers aligns what has no common ends. Matches come in no order from
// Myers, so they are gathered first.
func (al *alignment) betweenMyers(put func(i, j int32), a0, a1, b0, b1 int32) {
	al.stamp++
	mark := func(s int, d *document, from, to int32) {
		for t := from; t < to; t++ {
			if d.is(t) != aWord {
				al.marks[s][d.id[t]] = al.stamp
			}
		}
	}
	mark(0, al.a, a0, a1)
	mark(1, al.b, b0, b1)
	for s, r := range [2]struct {
		d        *document
		from, to int32
	}{{al.a, a0, a1}, {al.b, b0, b1}} {
		al.room(s, int(r.to-r.from))
		for t := r.from; t < r.to; t++ {
			if id := r.d.id[t]; r.d.is(t) != aWord && al.marks[1-s][id] == al.stamp {
				al.keep[s], al.ids[s] = append(al.keep[s], t), append(al.ids[s], id)
			}
		}
	}
	if len(al.ids[0]) == 0 || len(al.ids[1]) == 0 {
		return
	}
	partner := al.partners(len(al.ids[0]))
	al.m.a, al.m.b = al.ids[0], al.ids[1]
	al.m.match = func(i, j, n int) {
		for k := range n {
			partner[i+k] = int32(j+k) + 1
		}
	}
	al.m.run()
	for i, j := range partner {
		if j > 0 {
			put(al.keep[0][i], al.keep[1][j-1])
		}
	}
}

// partners returns n zeroes in memory that is used again.
func (al *alignment) partners(n int) []int32 {
	if cap(al.spare) < n {
		al.spare = make([]int32, n)
	}
	al.spare = al.spare[:n]
	clear(al.spare)
	return al.spare
}
