package align

import (
	"bytes"
	"testing"
)

// verify fails unless ops turn a into b and b into a, byte for byte, with
// ranges that tile both.
func verify(t testing.TB, a, b []byte, s Script) {
	t.Helper()
	var toB, toA []byte
	i, j := int32(0), int32(0)
	for o := range s.All() {
		if o.A[0] != i || o.B[0] != j || o.A[1] < i || o.B[1] < j {
			t.Fatalf("op %v does not continue at %d, %d", o, i, j)
		}
		da, db := a[o.A[0]:o.A[1]], b[o.B[0]:o.B[1]]
		switch o.Kind {
		case Equal:
			toB, toA = append(toB, da...), append(toA, db...)
		case Delete:
			toA = append(toA, da...)
			if len(db) > 0 || len(da) == 0 {
				t.Fatalf("bad deletion %v", o)
			}
		case Insert:
			toB = append(toB, db...)
			if len(da) > 0 || len(db) == 0 {
				t.Fatalf("bad insertion %v", o)
			}
		}
		i, j = o.A[1], o.B[1]
	}
	if !bytes.Equal(toA, a) || !bytes.Equal(toB, b) {
		t.Fatalf("not recovered: %d of %d and %d of %d bytes", len(toA), len(a), len(toB), len(b))
	}
}

// visible returns the numbers of the visible words of a document.
func visible(d *Document) []int32 {
	var out []int32
	for _, w := range d.Words {
		out = append(out, d.ID(w))
	}
	return out
}

// lcsLength is the exact length of the longest common subsequence, by the
// bit-parallel method (Hyyrö 2004): the yardstick for the aligner.
func lcsLength(a, b []int32) int {
	where := map[int32][]uint64{}
	n := (len(a) + 63) / 64
	for i, id := range a {
		if where[id] == nil {
			where[id] = make([]uint64, n)
		}
		where[id][i/64] |= 1 << (i % 64)
	}
	v := make([]uint64, n)
	for i := range v {
		v[i] = ^uint64(0)
	}
	for _, id := range b {
		m := where[id]
		if m == nil {
			continue
		}
		carry := uint64(0)
		for i := range v {
			u := v[i] & m[i]
			sum := v[i] + u
			c1 := sum < v[i]
			sum += carry
			c2 := carry == 1 && sum == 0
			carry = 0
			if c1 || c2 {
				carry = 1
			}
			v[i] = sum | (v[i] &^ m[i])
		}
	}
	l := 0
	for i := range a {
		if v[i/64]&(1<<(i%64)) == 0 {
			l++
		}
	}
	return l
}
