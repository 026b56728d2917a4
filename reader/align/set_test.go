package align

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"diurna/reader/room"
)

// TestBitset compares a set with a list of truths.
func TestBitset(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 300).Draw(t, "n")
		s, want := NewBitset(n), make([]bool, n)
		for range rapid.IntRange(0, 6).Draw(t, "steps") {
			from := rapid.IntRange(0, n).Draw(t, "from")
			to, in := rapid.IntRange(from, n).Draw(t, "to"), rapid.Bool().Draw(t, "in")
			s.fill(int32(from), int32(to), in)
			for i := from; i < to; i++ {
				want[i] = in
			}
		}
		next, prev := -1, -1
		for i, w := range want {
			if s.Has(int32(i)) != w {
				t.Fatalf("%d: %t, want %t", i, !w, w)
			}
			if w {
				prev = i
			}
			if prev >= 0 && int(s.prev(int32(i))) != prev {
				t.Fatalf("before %d comes %d, want %d", i, s.prev(int32(i)), prev)
			}
		}
		for i := n - 1; i >= 0; i-- {
			if want[i] {
				next = i
			}
			if next >= 0 && int(s.next(int32(i))) != next {
				t.Fatalf("after %d comes %d, want %d", i, s.next(int32(i)), next)
			}
		}
	})
}

// TestNumbersRunOut gives two pages fewer numbers than they have tokens: what is
// over is one token, and the script is exact all the same.
func TestNumbersRunOut(t *testing.T) {
	var a, b strings.Builder
	for i := range 40 {
		fmt.Fprintf(&a, "word%d ", i)
		fmt.Fprintf(&b, "word%d ", i/2*3)
	}
	for most := range int32(100) {
		in := newInterner(new(room.Room), 0)
		in.most = most + 2
		x, y := lex([]byte(a.String()), 0, in), lex([]byte(b.String()), 1, in)
		al := alignmentOf(x, y, in, Blocks)
		verify(t, x.Src, y.Src, al.Script())
		if n := int32(len(al.A.Words)); n > most+2 {
			t.Errorf("%d words got one of %d numbers each", n, most+2)
		}
	}
	// Also where what is over is too short to hold a number.
	for _, page := range []string{"aaa bb cc d", "aaa bbb ccc dd", "aaa, bbb? ccc!d"} {
		for most := range int32(12) {
			in := newInterner(new(room.Room), 0)
			in.most = most + 2
			x, y := lex([]byte(page), 0, in), lex([]byte("zzz "+page), 1, in)
			verify(t, x.Src, y.Src, alignmentOf(x, y, in, Blocks).Script())
		}
	}
}

func TestSetCopyCount(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		const most = 300
		src, dst := NewBitset(most), NewBitset(2*most)
		from, at := int32(r.IntN(most)), int32(r.IntN(most))
		to := from + int32(r.IntN(most-int(from)+1))
		want := 0
		for i := range int32(most) {
			if r.IntN(2) == 0 {
				src.Add(i)
				if i >= from && i < to {
					want++
				}
			}
		}
		dst.copyOf(src, from, to, at)
		if got := src.count(from, to); got != want || dst.count(0, 2*most) != want {
			t.Fatalf("[%d, %d): %d counted, %d copied, want %d", from, to, got, dst.count(0, 2*most), want)
		}
		for i := from; i < to; i++ {
			if dst.Has(at+i-from) != src.Has(i) {
				t.Fatalf("[%d, %d) at %d: %d differs", from, to, at, i)
			}
		}
	}
}

// TestLargeNumbers reads a page of more different words than two bytes can number:
// tokens have the same number if and only if they are the same.
func TestLargeNumbers(t *testing.T) {
	var b strings.Builder
	b.WriteString("old <p>one <hr> ")
	for i := range 1 << 16 {
		fmt.Fprintf(&b, "w%d ", i)
	}
	short := "<b> the <li> dog</b> ... <p>one old </li> <hr> x yy <!> <i> "
	b.WriteString(short + short)
	in := newInterner(new(room.Room), 0)
	text, known := map[int32]string{}, map[string]int32{}
	for side := range uint8(2) {
		x := lex([]byte(b.String()), side, in)
		for i := int32(0); i < x.End(); i = x.Next(i) {
			id, at := x.ID(i), string(x.At(i))
			if was, ok := known[at]; ok && was != id {
				t.Fatalf("%q has the numbers %d and %d", at, was, id)
			}
			if was, ok := text[id]; ok && was != at {
				t.Fatalf("%q and %q have the number %d", was, at, id)
			}
			known[at], text[id] = id, at
		}
	}
	if len(in.large) == 0 {
		t.Error("no short token has a large number")
	}
}
