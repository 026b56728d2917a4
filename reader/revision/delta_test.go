package revision

import (
	"bytes"
	"errors"
	"sort"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"diurna/reader/align"
	"diurna/reader/align/aligntest"
)

func TestPackProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		prev, next := []byte(aligntest.Pages().Draw(t, "prev")), []byte(aligntest.Pages().Draw(t, "next"))
		for _, base := range [][]byte{nil, prev} {
			p, err := Pack(base, next)
			if err != nil {
				t.Fatal(err)
			}
			got, err := Unpack(base, p)
			if err != nil || !bytes.Equal(got, next) {
				t.Fatalf("restored %q (%v), want %q", got, err, next)
			}
			if key := p[1] == packKey; key != (base == nil) {
				t.Fatalf("key frame %v for base %v", key, base != nil)
			}
		}
	})
}

func TestUnpackRefuses(t *testing.T) {
	prev, next := []byte(strings.Repeat("old page ", 50)), []byte(strings.Repeat("new page ", 50))
	p, err := Pack(prev, next)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Unpack([]byte("another"), p); !errors.Is(err, ErrBase) {
		t.Errorf("another base: %v", err)
	}
	for i := range p {
		q := bytes.Clone(p)
		q[i] ^= 0x55
		if got, err := Unpack(prev, q); err == nil && !bytes.Equal(got, next) {
			t.Fatalf("byte %d flipped: restored wrongly without an error", i)
		}
	}
	for n := range p {
		if _, err := Unpack(prev, p[:n]); err == nil {
			t.Fatalf("cut to %d bytes: no error", n)
		}
	}
}

func TestRestore(t *testing.T) {
	served := []string{"the first page", "the second page", "", "the fourth page"}
	var chain [][]byte
	var base []byte // nil makes the key frame
	for _, body := range served {
		p, err := Pack(base, []byte(body))
		if err != nil {
			t.Fatal(err)
		}
		chain, base = append(chain, p), []byte(body)
	}
	packed := func(i int) []byte { return chain[i] }
	for i, want := range served {
		if got, _, err := Restore(i+1, packed); err != nil || string(got) != want {
			t.Errorf("revision %d: %q (%v), want %q", i, got, err, want)
		}
	}
	for i, whole := range chain {
		chain[i] = whole[:len(whole)-1]
		if got, damaged, err := Restore(len(chain), packed); !errors.Is(err, errPacked) || damaged != i || got != nil {
			t.Errorf("damage in revision %d: %q, found in %d (%v)", i, got, damaged, err)
		}
		chain[i] = whole
	}
	chain[2] = chain[3]
	if _, damaged, err := Restore(len(chain), packed); !errors.Is(err, ErrBase) || damaged != 2 {
		t.Errorf("a missing revision: found in %d (%v)", damaged, err)
	}
}

func FuzzUnpack(f *testing.F) {
	p, _ := Pack([]byte("a b c"), []byte("a b d"))
	f.Add([]byte("a b c"), p)
	f.Fuzz(func(t *testing.T, prev, packed []byte) { _, _ = Unpack(prev, packed) })
}

// TestStorage measures what a kept revision costs. Only revisions with a
// changed visible word are kept.
func TestStorage(t *testing.T) {
	var sizes []int
	for _, p := range aligntest.Pairs(t) {
		packed, err := Pack(p.A, p.B)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Unpack(p.A, packed)
		if err != nil || !bytes.Equal(got, p.B) {
			t.Fatalf("%s is not restored: %v", p.ID, err)
		}
		al := align.Read(p.A, p.B, align.Blocks)
		if d, a := aligntest.ChangedWords(al.Match, len(al.B.Words)); d+a > 0 {
			sizes = append(sizes, len(packed))
		}
	}
	sort.Ints(sizes)
	n := len(sizes)
	t.Logf("%d revisions with a changed word: median %d bytes, p90 %d", n, sizes[n/2], sizes[n*9/10])
	if sizes[n/2] > 1024 {
		t.Error("want a median of at most 1 KB")
	}
}
