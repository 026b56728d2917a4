package align

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"diurna/reader/align/aligntest"
	"diurna/reader/room"
)

func TestLexTilesAnything(t *testing.T) {
	for _, s := range []string{
		"", "a", "<", "<b", "<!--", "<!-- x", "<![CDATA[ x ]]>", "<plaintext>a<b>", "a\x00b<p\x00>", "\xff\xfe<p>",
		"<script>if (a<b) {}</script>x", "<script>never closed", "<title>a & b</title>", "&amp;&notit;&#x20AC;&bogus;",
		"<noscript><p>x</p></noscript>", "<noscript>", "<textarea><b>x", "</p", "</", "<?php x", "<p a='", "&#0;", "\r\n\u00a0x",
		"<xmp>&amp;<b></xmp>", "9.50 \u20ac", "$5.00", "\u65e5\u672c\u8a9e", "<svg><title>x</title></svg>",
	} {
		d := lex([]byte(s), 0, newInterner(new(room.Room), 0))
		if got := rejoin(d); got != s {
			t.Errorf("%q came back as %q", s, got)
		}
	}
}

func rejoin(d *Tokens) string {
	var b strings.Builder
	for i := int32(0); i < d.End(); i = d.Next(i) {
		b.Write(d.At(i))
	}
	return b.String()
}

func TestWords(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"Old Pier, 07:30!", "Old|Pier|07:30"},
		{"costs 9.50 \u20ac or $8", "costs|9.50 \u20ac|or|$8"},
		{"1,234.50 and 2022-01-28 28.01.2022 5%", "1,234.50|and|2022-01-28|28.01.2022|5%"},
		{"mail a.b@example.com, see https://example.com/x?y=1.", "mail|a.b@example.com|see|https://example.com/x?y=1"},
		{"don't (can\u2019t)", "don|t|can|t"},
		{"\u65e5\u672c\u8a9e\u30c6\u30ad", "\u65e5|\u672c|\u8a9e|\u30c6|\u30ad"},
		{"stra\u00dfe f&uuml;r", "stra\u00dfe|f&uuml;r"},
		{"a&nbsp;b&amp;c", "a|b|c"},
		{"\u0ba8\u0bbf\u0bb2\u0bae\u0bcd one", "\u0ba8\u0bbf\u0bb2\u0bae\u0bcd|one"},
		{"\u05e9\u05dc\u05d5\u05dd", "\u05e9\u05dc\u05d5\u05dd"},
		{"a\u2014b well-known x.", "a|b|well|known|x"},
		{"@ user@ http:// x", "user|http|x"},
	} {
		d := lex([]byte(c.in), 0, newInterner(new(room.Room), 0))
		var got []string
		for i := int32(0); i < d.End(); i = d.Next(i) {
			if d.Is(i) == Word {
				got = append(got, string(d.At(i)))
			}
		}
		if s := strings.Join(got, "|"); s != c.want {
			t.Errorf("%q: words %q, want %q", c.in, s, c.want)
		}
	}
}

// TestLoctagsBaseline asserts the weakness the block anchors are there for.
func TestLoctagsBaseline(t *testing.T) {
	var rows []string
	for i := range 40 {
		rows = append(rows, fmt.Sprintf("<li><a href=/n%d>Ferry %d leaves pier %d at %d sharp</a></li>", i, i, i*7, i*13))
	}
	a := []byte("<ul>" + strings.Join(rows, "\n") + "</ul>")
	b := []byte("<ul><li><a href=/new>A new boat called Heron joins</a></li>\n" + strings.Join(rows, "\n") + "</ul>")
	ours := Read(a, b, Blocks)
	literal := Read(a, b, Loctags)
	verify(t, a, b, ours.Script())
	verify(t, a, b, literal.Script())
	_, n := aligntest.ChangedWords(ours.Match, len(ours.B.Words))
	d, l := aligntest.ChangedWords(literal.Match, len(literal.B.Words))
	t.Logf("one row first in a list of 40: blocks %d words, loctags %d", n, d+l)
	if n != 6 {
		t.Errorf("blocks: %d words added, want the 6 of the new row", n)
	}
	if d+l < 10*n {
		t.Errorf("loctags reports %d words, expected at least %d", d+l, 10*n)
	}
}

func TestSlideToRows(t *testing.T) {
	a := []byte("<ul><li>Boat one</li><li>Boat two</li></ul>")
	b := []byte("<ul><li>Boat one</li><li>Boat one</li><li>Boat two</li></ul>")
	al := Read(a, b, Blocks)
	var ins []string
	for o := range al.Script().All() {
		if o.Kind == Insert {
			ins = append(ins, string(b[o.B[0]:o.B[1]]))
		}
	}
	if len(ins) != 1 || !strings.Contains(ins[0], "Boat one") {
		t.Errorf("inserted %q, want one whole row", ins)
	}
}

func TestScriptProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := []byte(aligntest.Pages().Draw(t, "a")), []byte(aligntest.Pages().Draw(t, "b"))
		for _, e := range []Engine{Blocks, Loctags} {
			al := Read(a, b, e)
			verifyRapid(t, a, b, al.Script())
			d, i := aligntest.ChangedWords(al.Match, len(al.B.Words))
			va, vb := visible(al.A), visible(al.B)
			if best := len(va) + len(vb) - 2*lcsLength(va, vb); d+i < best {
				t.Fatalf("%s: %d words, optimum %d", e, d+i, best)
			}
		}
		if got := fmt.Sprint(Read(a, b, Blocks).Script()); got != fmt.Sprint(Read(a, b, Blocks).Script()) {
			t.Fatalf("two runs differ: %s", got)
		}
	})
}

func verifyRapid(t *rapid.T, a, b []byte, s Script) {
	var toB []byte
	i := int32(0)
	for o := range s.All() {
		if o.A[0] != i {
			t.Fatalf("gap at %d", i)
		}
		i = o.A[1]
		switch o.Kind {
		case Equal:
			if !bytes.Equal(a[o.A[0]:o.A[1]], b[o.B[0]:o.B[1]]) {
				t.Fatalf("equal is not equal: %v", o)
			}
			fallthrough
		case Insert:
			if int(o.B[0]) != len(toB) {
				t.Fatalf("gap at %d of b", len(toB))
			}
			toB = append(toB, b[o.B[0]:o.B[1]]...)
		}
	}
	if int(i) != len(a) || !bytes.Equal(toB, b) {
		t.Fatalf("not recovered")
	}
}

func FuzzAlign(f *testing.F) {
	f.Add([]byte("<p>a b</p>"), []byte("<p>a c</p>"))
	f.Add([]byte("<ul><li>1<li>2"), []byte("<ul><li>2<li>1"))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		verify(t, a, b, Read(a, b, Blocks).Script())
		verify(t, a, b, Read(a, b, Loctags).Script())
	})
}

// TestManyMutations is the long run: 10^5 random edits of real or made pages.
func TestManyMutations(t *testing.T) {
	runs := 500
	if aligntest.Full() {
		runs = 100_000
	}
	rng := rand.New(rand.NewPCG(6, 12))
	base := []byte(strings.Repeat("<div class=c><h2>Pier 4</h2><p>The ferry leaves at 07:30, not &amp; 8.<br><a href='/x?y=1'>more</a></p></div>\n", 6))
	for n := range runs {
		a, b := mutate(rng, base), mutate(rng, base)
		ops := Read(a, b, Blocks).Script()
		verify(t, a, b, ops)
		if t.Failed() {
			t.Fatalf("run %d", n)
		}
	}
	t.Logf("exact recovery in %d of %d random runs", runs, runs)
}

func mutate(rng *rand.Rand, base []byte) []byte {
	out := bytes.Clone(base)
	for range rng.IntN(12) {
		if len(out) == 0 {
			break
		}
		i := rng.IntN(len(out))
		j := min(len(out), i+rng.IntN(30))
		switch rng.IntN(4) {
		case 0:
			out = append(out[:i:i], out[j:]...)
		case 1:
			out = append(out[:i:i], append(bytes.Clone(out[i:j]), out[i:]...)...)
		case 2:
			out[i] = byte(rng.IntN(256))
		case 3:
			out = append(out[:i:i], append([]byte("<p>new &eacute;\x00</p"), out[i:]...)...)
		}
	}
	return out
}
