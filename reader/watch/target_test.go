package watch

import (
	"bytes"
	"testing"
)

// What is remembered of an address is read whole or not at all.
func FuzzLeafNote(f *testing.F) {
	n := targetState{Address: "https://pier.example/notices", Depth: 1, ETag: `"x"`, Still: 3, memory: []byte{1, 2}, Reported: 4, before: []byte{3}}
	b, err := n.encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		n, err := decodeNote(b)
		if err != nil {
			return
		}
		n.remembered()
		again, err := n.encode()
		if err != nil {
			return // a date that cannot be written
		}
		if back, err := decodeNote(again); err != nil || back.Address != n.Address || !bytes.Equal(back.memory, n.memory) || !bytes.Equal(back.before, n.before) {
			t.Fatalf("%+v comes back as %+v, %v", n, back, err)
		}
	})
}
