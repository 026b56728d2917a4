package pages

import (
	"testing"

	"pgregory.net/rapid"
)

// TestSpan: a key that is among those of a span leads the way that was looked at, on
// pages whose keys are out of order too.
func TestSpan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var way []Page
		for range rapid.IntRange(1, 3).Draw(t, "depth") {
			way = append(way, branch(rapid.SliceOfN(rapid.SliceOfN(rapid.ByteRange(0, 9), 1, 2), 1, 12).Draw(t, "keys")))
		}
		key := rapid.SliceOfN(rapid.ByteRange(0, 9), 1, 3)
		one, other := span{key: key.Draw(t, "one")}, span{key: key.Draw(t, "other")}
		var chosen []int
		for i := range way {
			chosen = append(chosen, one.choose(&way[i]))
		}
		if !one.has(other.key) {
			return
		}
		for i := range way {
			if got := other.choose(&way[i]); got != chosen[i] {
				t.Fatalf("%v goes by element %d and %v by %d of page %d", one.key, chosen[i], other.key, got, i)
			}
		}
	})
	p := branch([][]byte{{10}, {20}, {30}})
	s := span{key: []byte{25}}
	s.choose(&p)
	for k, want := range map[byte]bool{19: false, 20: false, 21: true, 25: true, 29: true, 30: false} {
		if s.has([]byte{k}) != want {
			t.Errorf("%d is among those between 20 and 30: %v", k, !want)
		}
	}
}

// branch is a branch page with these keys.
func branch(keys [][]byte) Page {
	p := Page{ID: 3, Count: len(keys), Bytes: make([]byte, HeadSize+len(keys)*ElementSize)}
	for i, k := range keys {
		at := HeadSize + i*ElementSize
		Native.PutUint32(p.Bytes[at:], uint32(len(p.Bytes)-at))
		Native.PutUint32(p.Bytes[at+4:], uint32(len(k)))
		p.Bytes = append(p.Bytes, k...)
	}
	return p
}
