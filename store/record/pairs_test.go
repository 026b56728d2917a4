package record

import (
	"bytes"
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Pairs come back from as many blocks as they need, none of which is larger than it may be.
func TestPairs(t *testing.T) {
	pair := rapid.Custom(func(rt *rapid.T) Pair {
		return Pair{rapid.Uint64().Draw(rt, "key"), rapid.Int64().Draw(rt, "value"), rapid.Uint64().Draw(rt, "hash") * uint64(rapid.IntRange(0, 1).Draw(rt, "hashed"))}
	})
	rapid.Check(t, func(rt *rapid.T) {
		pairs := rapid.SliceOfNDistinct(pair, 0, 300, func(p Pair) uint64 { return p.Key }).Draw(rt, "pairs")
		slices.SortFunc(pairs, func(x, y Pair) int { return cmp.Compare(x.Key, y.Key) })
		var got []Pair
		for rest := pairs; len(rest) > 0; {
			block, n := AppendPairs(nil, rest[0].Key, rest)
			if n == 0 || len(block) > BlockSize {
				rt.Fatalf("%d pairs in %d bytes", n, len(block))
			}
			some, sound := readPairs(rest[0].Key, block)
			if got = append(got, some...); !sound || len(got) != len(pairs)-len(rest)+n {
				rt.Fatalf("%d pairs of %d", len(got), len(pairs))
			}
			rest = rest[n:]
		}
		if !slices.Equal(got, pairs) {
			rt.Fatalf("%v, want %v", got, pairs)
		}
	})
}

func readPairs(first uint64, block []byte) (all []Pair, sound bool) {
	d := ReadPairs(first, block)
	for d.Next() {
		all = append(all, d.Pair)
	}
	return all, d.Sound()
}

// What is read of a block ascends, and is written as it was where it was written so.
func FuzzPairs(f *testing.F) {
	block, _ := AppendPairs(nil, 7, []Pair{{7, -1, 0}, {9, 1 << 40, 3}, {1 << 63, 0, 0}})
	f.Add(uint64(7), block)
	f.Add(uint64(0), []byte{0, 0, 0, 0})
	f.Add(^uint64(0), []byte{0, 0, 4, 0})
	f.Fuzz(func(t *testing.T, first uint64, block []byte) {
		pairs, ok := readPairs(first, block)
		for i := range pairs {
			if i == 0 && pairs[i].Key != first || i > 0 && pairs[i].Key <= pairs[i-1].Key {
				t.Fatalf("%v from %d on", pairs, first)
			}
		}
		if !ok || len(block) > BlockSize {
			return
		}
		again, n := AppendPairs(nil, first, pairs)
		back, sound := readPairs(first, again)
		if n != len(pairs) || !sound || !slices.Equal(back, pairs) || len(again) == len(block) && !bytes.Equal(again, block) {
			t.Fatalf("%v became %v", pairs, back)
		}
	})
}

// The state of an item without its row comes back from a block.
func TestStateInBlock(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		st := State{Flags: (FlagRead | FlagGone).With(FlagChanged, rapid.Bool().Draw(rt, "changed")), At: rapid.Int64Range(-1<<61, 1<<61).Draw(rt, "at"), Hash: rapid.Uint64().Draw(rt, "hash")}
		var got State
		if got.FromBlock(st.InBlock(3)); got.Flags != st.Flags || got.At != st.At || got.Hash != st.Hash {
			rt.Fatalf("%+v, was %+v", got, st)
		}
	})
}
