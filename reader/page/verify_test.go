package page

import (
	"bytes"
	"testing"

	"diurna/reader/align"
)

// verify fails unless ops turn a into b and b into a, byte for byte, with
// ranges that tile both.
func verify(t testing.TB, a, b []byte, s align.Script) {
	t.Helper()
	var toB, toA []byte
	i, j := int32(0), int32(0)
	for o := range s.All() {
		if o.A[0] != i || o.B[0] != j || o.A[1] < i || o.B[1] < j {
			t.Fatalf("op %v does not continue at %d, %d", o, i, j)
		}
		da, db := a[o.A[0]:o.A[1]], b[o.B[0]:o.B[1]]
		switch o.Kind {
		case align.Equal:
			toB, toA = append(toB, da...), append(toA, db...)
		case align.Delete:
			toA = append(toA, da...)
			if len(db) > 0 || len(da) == 0 {
				t.Fatalf("bad deletion %v", o)
			}
		case align.Insert:
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
