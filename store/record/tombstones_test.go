package record

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Tombstones come back from as many blocks as they need, to the byte.
func TestTombstones(t *testing.T) {
	word := rapid.OneOf(rapid.SampledFrom([]string{"", "a", "rye", "ryes", "Rye", "\x00", "\n"}), rapid.StringN(0, 8, -1))
	text := rapid.Custom(func(rt *rapid.T) string { return strings.Join(rapid.SliceOfN(word, 0, 20).Draw(rt, "words"), " ") })
	rest := rapid.Custom(func(rt *rapid.T) Tombstone {
		r := Tombstone{N: rapid.Uint32().Draw(rt, "n"), Title: text.Draw(rt, "title"), Author: word.Draw(rt, "author"), Edits: rapid.IntRange(0, 300).Draw(rt, "edits"), Text: text.Draw(rt, "text")}
		if list := rapid.SliceOfN(text, 0, 3).Draw(rt, "categories"); len(list) > 0 {
			r.Categories = list
		}
		if rapid.IntRange(0, 100).Draw(rt, "long") == 0 {
			r.Title = strings.Repeat("long ", MaxTombstone/10)
		}
		return r
	})
	var p Packer
	rapid.Check(t, func(rt *rapid.T) {
		tombs := rapid.SliceOfNDistinct(rest, 1, 300, func(r Tombstone) uint32 { return r.N }).Draw(rt, "tombs")
		slices.SortFunc(tombs, func(x, y Tombstone) int { return cmp.Compare(x.N, y.N) })
		var got []Tombstone
		for left := tombs; len(left) > 0; {
			block, n, err := p.PackTombstones(left)
			if err != nil || n == 0 || n > tombstonesInBlock {
				rt.Fatalf("%d tombs: %v", n, err)
			}
			some, ok := p.UnpackTombstones(block)
			if got = append(got, some...); !ok || len(some) != n {
				rt.Fatalf("%d tombs of %d", len(some), n)
			}
			left = left[n:]
		}
		if !reflect.DeepEqual(got, tombs) {
			rt.Fatalf("%+v, want %+v", got, tombs)
		}
	})
}

// What is read of a block ascends and is bounded, and is the same when it is written again.
func FuzzTombstones(f *testing.F) {
	f.Add(appendTombstones(nil, []Tombstone{{N: 7, Title: "a b", Categories: []string{"x", "y z"}, Text: "a a b"}, {N: 9, Author: "b", Edits: 2}}))
	f.Add([]byte{1, 0, 1, 'a', 1, 1, 0, 255, 255, 255, 255, 15})
	f.Fuzz(func(t *testing.T, block []byte) {
		tombs, ok := readTombstones(block)
		if !ok {
			return
		}
		size := 0
		for i := range tombs {
			if size += tombs[i].Size(); i > 0 && tombs[i].N <= tombs[i-1].N || size > MaxBody {
				t.Fatalf("%+v", tombs)
			}
		}
		if again, ok := readTombstones(appendTombstones(nil, tombs)); !ok || !reflect.DeepEqual(again, tombs) {
			t.Fatalf("%+v became %+v", tombs, again)
		}
	})
}

// A text whose words are in order takes little more than a byte for each, in a block of many.
func TestTombstonesAreSmall(t *testing.T) {
	words := strings.Fields(strings.Repeat("alder birch cedar dogwood elm fir ginkgo hazel ironwood juniper larch maple ", 10))
	var tombs []Tombstone
	for i := range tombstonesInBlock {
		list := slices.Clone(words[i%12 : i%12+60])
		slices.Sort(list)
		tombs = append(tombs, Tombstone{N: uint32(i + 1), Text: strings.Join(list, " ")})
	}
	if raw := len(appendTombstones(nil, tombs)) / len(tombs); raw > 70 {
		t.Errorf("%d bytes for texts of 60 words", raw)
	}
}
