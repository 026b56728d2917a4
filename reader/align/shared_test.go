package align

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"diurna/reader/room"
)

// Copied tokens must be the tokens that reading finds, whatever stands around the
// stretch: what was left open, what ends far behind, prices cut in two.
func TestSharedStretches(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	odd := []string{
		"<p class=lead>words and <b>more words</b> cost 9.50 €</p>\n", "<pre>a\nb\n", "</pre>", "<title>quiet words", "</title>",
		"<svg viewBox=0><path d=m/></svg>", "<svg><g>", "<script>if (a<b) x()</script>", "<script>", "<noscript><img src=x><p>shown", "</noscript>",
		"<iframe src=y>", "</iframe>", "<!-- a <p> comment -->", "<!--", "-->", "<template><p>unseen</p>", "</template>", "&amp; &eacute; e\u0301 ", "漢字 ", "9.50 ", "<", "</", "<a href='",
		"<style>p{}</style>", "<textarea>", "<plaintext>", "<li><a href=/one>One</a></li>",
	}
	page := func(n int) []string {
		parts := make([]string, n)
		for i := range parts {
			if r.IntN(3) > 0 {
				parts[i] = odd[0]
				if r.IntN(2) > 0 {
					parts[i] = strings.Replace(odd[0], "words", strings.Repeat("w", 1+r.IntN(40)), 1)
				}
			} else {
				parts[i] = odd[r.IntN(len(odd)-r.IntN(2)*8)]
			}
		}
		return parts
	}
	copied := 0
	for range 300 {
		a := page(10 + r.IntN(60))
		b := slices.Clone(a)
		for range r.IntN(4) {
			at := r.IntN(len(b))
			b = slices.Replace(b, at, min(at+r.IntN(3), len(b)), page(r.IntN(3))...)
		}
		if r.IntN(4) == 0 {
			at := r.IntN(len(b))
			b = append(slices.Clone(b[at:]), b[:at]...)
		}
		x, y := []byte(strings.Join(a, "")), []byte(strings.Join(b, ""))
		most := int32(maxNumbers)
		if r.IntN(4) == 0 {
			most = int32(10 + r.IntN(60))
		}
		copied += readTwice(t, x, y, most)
	}
	if copied < 50_000 {
		t.Errorf("only %d bytes were copied", copied)
	}
}

func TestCommonPrefix(t *testing.T) {
	for n := range 600 {
		a := bytes.Repeat([]byte("ab"), 300)
		b := bytes.Clone(a)
		b[n] = 'x'
		if got := commonPrefix(a, b); got != n {
			t.Fatalf("%d, want %d", got, n)
		}
		if got := commonPrefix(a, a[:n]); got != n {
			t.Fatalf("%d, want %d", got, n)
		}
	}
}

// What is read by looking far ahead is not copied where the far end may differ.
func TestSharedLookingAhead(t *testing.T) {
	text := strings.Repeat("<p>some words that both pages have in common</p>\n", 8)
	for _, c := range [][2]string{
		{text + "<iframe src=x>" + text + "</iframe>", text + "<iframe src=x>" + text},
		{text + "<iframe src=x>" + text, text + "<iframe src=x>" + text + "</iframe>"},
		{text + "<iframe src=x>a</noscript>b</iframe>" + text, "<noscript>" + text + "<iframe src=x>a</noscript>b</iframe>" + text},
		{"<noscript>" + text + "<iframe src=x>a</noscript>b</iframe>" + text, text + "<iframe src=x>a</noscript>b</iframe>" + text},
		{text + "<noscript>" + text + "<iframe>" + text + "</iframe></noscript>", text + "<noscript>" + text + "<iframe>" + text + "</noscript></iframe>"},
		{"<pre>" + text, text}, {text, "<title>" + text}, {"<svg>" + text, text},
	} {
		readTwice(t, []byte(c[0]), []byte(c[1]), maxNumbers)
	}
}

// readTwice reads two pages with and without copying, compares what was read and
// returns how many bytes were copied.
func readTwice(t *testing.T, x, y []byte, most int32) (copied int) {
	t.Helper()
	plain, quick := newInterner(new(room.Room), 0), newInterner(new(room.Room), 0)
	plain.most, quick.most, quick.shared = most, most, new(shared)
	px, qx := lex(x, 0, plain), lex(x, 0, quick)
	py, qy := lex(y, 1, plain), lex(y, 1, quick)
	for _, p := range quick.shared.parts {
		copied += int(p[1] - p[0])
	}
	for i, p := range [2]*Tokens{px, py} {
		q := [2]*Tokens{qx, qy}[i]
		if !slices.Equal(p.start, q.start) || p.count != q.count {
			t.Fatalf("page %d of\n%s\n%s\nis cut otherwise when stretches are copied", i, x, y)
		}
		for at := int32(0); at < p.End(); at = p.Next(at) {
			same := p.kind[at] == q.kind[at] && p.ID(at) == q.ID(at)
			if p.Is(at) == Tag {
				same = same && p.kind[at+1] == q.kind[at+1]
			}
			if !same {
				t.Fatalf("%q at %d of page %d of\n%s\n%s\nis read otherwise when stretches are copied", p.At(at), at, i, x, y)
			}
		}
	}
	return copied
}
