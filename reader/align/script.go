package align

import (
	"bytes"
	"encoding/binary"
	"iter"
	"strconv"
)

// MarshalJSON writes one step of a script.
func (o Op) MarshalJSON() ([]byte, error) { return o.Append(nil), nil }

// Append appends the step as a JSON object.
func (o Op) Append(out []byte) []byte {
	out = append(append(out, `{"op":"`...), o.Kind.String()...)
	out = appendRange(append(out, `","a":[`...), o.A)
	out = appendRange(append(out, `],"b":[`...), o.B)
	return append(out, "]}"...)
}

func appendRange(out []byte, r [2]int32) []byte {
	out = strconv.AppendInt(out, int64(r[0]), 10)
	return strconv.AppendInt(append(out, ','), int64(r[1]), 10)
}

// OpKind says what a step of a script does.
type OpKind uint8

// The steps of a script are kept as numbers of a few bits: how many bytes are
// equal, deleted and inserted, in turn. As Ops the script of a page with a
// token in every byte would be far longer than the page.

// ops runs through the steps that parts hold.
func ops(parts [][]byte) iter.Seq[Op] {
	return func(yield func(Op) bool) {
		i, j := int32(0), int32(0)
		for _, part := range parts {
			for len(part) > 0 {
				var n [3]int32
				for k := range n {
					v, size := binary.Uvarint(part)
					n[k], part = int32(v), part[size:]
				}
				for k, n := range n {
					op := Op{Kind: OpKind(k), A: [2]int32{i, i}, B: [2]int32{j, j}}
					if op.Kind != Insert {
						i += n
					}
					if op.Kind != Delete {
						j += n
					}
					op.A[1], op.B[1] = i, j
					if n > 0 && !yield(op) {
						return
					}
				}
			}
		}
	}
}

// The parts of a script are made of so many bytes: the first is small, since
// most scripts are.
const (
	firstPart = 256
	maxPart   = 64 << 10
)

// scriptWriter collects steps in order. Between two equal stretches there is
// at most one deletion and one insertion.
type scriptWriter struct {
	a, b  []byte
	parts [][]byte
	equal int32 // length of the equal stretch that is not yet put
	i, j  int32 // where it ends on each side
}

// match says that a[a0:a1] and b[b0:b1] are aligned. If their bytes differ
// (an entity spelt differently, another space) they are replaced: equal means
// byte-equal, or recovery would not be exact.
func (w *scriptWriter) match(a0, a1, b0, b1 int32) {
	if a1-a0 != b1-b0 || !bytes.Equal(w.a[a0:a1], w.b[b0:b1]) {
		return
	}
	if a0 > w.i || b0 > w.j {
		w.put(a0, b0)
	}
	w.equal += a1 - a0
	w.i, w.j = a1, b1
}

// put writes the equal stretch and what follows it up to a[i] and b[j].
func (w *scriptWriter) put(i, j int32) {
	n := len(w.parts)
	if n == 0 || cap(w.parts[n-1])-len(w.parts[n-1]) < 3*binary.MaxVarintLen32 {
		size := firstPart
		if n > 0 {
			size = min(2*cap(w.parts[n-1]), maxPart)
		}
		w.parts = append(w.parts, make([]byte, 0, size))
		n++
	}
	part := w.parts[n-1]
	for _, v := range [3]int32{w.equal, i - w.i, j - w.j} {
		part = binary.AppendUvarint(part, uint64(v))
	}
	w.parts[n-1] = part
	w.equal, w.i, w.j = 0, i, j
}

func (w *scriptWriter) end() Script {
	w.put(int32(len(w.a)), int32(len(w.b)))
	return Script{w.parts}
}

// Script writes the alignment down: matched words as they are, and between
// them tags, spaces, signs and code aligned by the same Myers.
func (al *Alignment) Script() Script {
	w := &scriptWriter{a: al.A.Src, b: al.B.Src}
	put := func(i, j int32) { w.match(i, al.A.Next(i), j, al.B.Next(j)) }
	i, j := int32(0), int32(0)
	for k, o := range al.Match {
		if o < 0 {
			continue
		}
		ta, tb := al.A.Words[k], al.B.Words[o]
		al.between(put, i, ta, j, tb)
		put(ta, tb)
		i, j = al.A.Next(ta), al.B.Next(tb)
	}
	al.between(put, i, al.A.End(), j, al.B.End())
	return w.end()
}

// between aligns the tokens of a[a0:a1] and b[b0:b1], in which no words match.
func (al *Alignment) between(put func(i, j int32), a0, a1, b0, b1 int32) {
	a, b := al.A, al.B
	same := func(i, j int32) bool {
		return (a.kind[i]^b.kind[j])&kindAndFlags == 0 && a.Is(i) != Word && a.ID(i) == b.ID(j)
	}
	for a0 < a1 && b0 < b1 && same(a0, b0) {
		put(a0, b0)
		a0, b0 = a.Next(a0), b.Next(b0)
	}
	ta, tb := a1, b1
	for ta > a0 && tb > b0 && same(a.Prev(ta), b.Prev(tb)) {
		ta, tb = a.Prev(ta), b.Prev(tb)
	}
	if ta > a0 && tb > b0 {
		al.fill(region{[2]int32{a0, b0}, [2]int32{ta, tb}, false}, put)
	}
	for ta < a1 {
		put(ta, tb)
		ta, tb = a.Next(ta), b.Next(tb)
	}
}
