package ranking

import (
	"encoding/binary"
	"errors"
	"hash/fnv"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// sealed gives bytes the version and the checksum of a checkpoint.
func sealed(data []byte) []byte {
	out := append([]byte{codecVersion}, data...)
	h := fnv.New64a()
	h.Write(out)
	return binary.LittleEndian.AppendUint64(out, h.Sum64())
}

// seen is a feed's item, shown in a session of its own and perhaps opened.
func seen(b *Beliefs, no *uint64, v Vector, row int, opened bool) {
	apply := func(e Event) {
		*no++
		e.No, e.At, e.ID, e.Item = *no, int64(*no), 7, v
		if err := b.Apply(e); err != nil {
			panic(err)
		}
	}
	apply(Event{Kind: Looked})
	apply(Event{Kind: Shown, Row: row})
	if opened {
		apply(Event{Kind: Opened})
	}
}

func TestTable(t *testing.T) {
	b, no := NewBeliefs(), uint64(0)
	x := b.Vector(Item{Feed: "a \"quoted\"\tname", Words: []string{"rye"}})
	for i := range 8 {
		seen(b, &no, x, 1, i%2 == 0)
	}
	text := b.Table()
	if !strings.HasPrefix(text, tableHeading+"\n") || strings.Count(text, "\n") != 3 {
		t.Fatalf("the table is\n%s", text)
	}
	if l, err := b.EditTable(text); err != nil || len(l) != 0 {
		t.Fatalf("unchanged text teaches %v %v", l, err)
	}
	lines := strings.Split(text, "\n")
	lines[1] = "feed\t\"a \\\"quoted\\\"\\tname\"\t12\t0.5"
	lines[2] = "category\t\"new\"\t1\t2" // and the word's line is gone
	feedback, err := b.EditTable(strings.Join(lines, "\n"))
	if err != nil || len(feedback) != 3 {
		t.Fatalf("%+v %v", feedback, err)
	}
	for i := range feedback {
		no++
		if err := b.Apply(Event{No: no, Step: no, Kind: Trained, Feedback: &feedback[i]}); err != nil {
			t.Fatal(err)
		}
	}
	if got := b.Table(); !strings.Contains(got, "\t12.000\t0.500") || strings.Contains(got, "rye") || !strings.Contains(got, "\"new\"\t1.000\t2.000") {
		t.Errorf("after the edit the table is\n%s", got)
	}
	for _, bad := range []string{"feed\tx\t1\t1", "folder\t\"x\"\t1\t1", "feed\t\"x\"\t-1\t1", "feed\t\"x\"\tNaN\t1", "feed\t\"x\"\t1", "feed\t\"x\"\t1\t1\nfeed\t\"x\"\t1\t2"} {
		if _, err := b.EditTable(bad); !errors.Is(err, ErrTable) || !strings.Contains(err.Error(), "line ") {
			t.Errorf("%q gives %v", bad, err)
		}
	}
}

func FuzzEditTable(f *testing.F) {
	f.Add("feed\t\"x\"\t1\t2\n# note\n")
	f.Fuzz(func(t *testing.T, text string) {
		b := NewBeliefs()
		feedback, err := b.EditTable(text)
		if err != nil {
			return
		}
		for i := range feedback {
			if err := b.Apply(Event{No: uint64(i + 1), Kind: Trained, Feedback: &feedback[i]}); err != nil {
				t.Fatal(err)
			}
		}
		again, err := b.EditTable(b.Table())
		if err != nil || len(again) != 0 {
			t.Fatalf("what was printed teaches %v %v", again, err)
		}
	})
}

// TestVectorsTravel: a packed vector is the vector, and nothing else is one.
func TestVectorsTravel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := NewBeliefs()
		words := rapid.SliceOfN(rapid.StringMatching(`[a-f]{1,3}`), 0, 9).Draw(t, "words")
		v := b.Vector(Item{Feed: "a", Folder: "f", Categories: words[:len(words)/2], Words: words,
			Topics: []Weighted{{"t1", .5}, {"t2", .25}}})
		b = resumed(t, b)
		got, err := b.ReadVector(v.Append(nil))
		if err != nil || !reflect.DeepEqual(got, v) {
			t.Fatalf("%v: %+v, want %+v", err, got, v)
		}
		junk := rapid.SliceOf(rapid.Byte()).Draw(t, "junk")
		if got, err := b.ReadVector(junk); err == nil {
			b.Explain(got) // whatever is taken must not hurt
		}
		if _, err := b.ReadVector(append(v.Append(nil), 0)); err == nil {
			t.Fatal("a byte too many was taken")
		}
	})
}

func resumed(t *rapid.T, b *Beliefs) *Beliefs {
	r, err := Resume(b.Checkpoint())
	if err != nil {
		t.Fatal(err)
	}
	return r
}
