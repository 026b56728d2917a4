package page

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"diurna/reader/align"
	"diurna/reader/align/aligntest"
)

// BenchmarkReal measures lexing and diff, and the whole comparison, per MB of
// both sides over the real pairs.
func BenchmarkReal(b *testing.B) {
	ps := aligntest.Pairs(b)
	size := 0
	for _, p := range ps {
		size += len(p.A) + len(p.B)
	}
	for _, c := range []struct {
		name string
		do   func(a, b []byte)
	}{
		{"align", func(x, y []byte) { align.Read(x, y, align.Blocks).Script() }},
		{"loctags", func(x, y []byte) { align.Read(x, y, align.Loctags).Script() }},
		{"compare", func(x, y []byte) { _, _ = Compare(x, y, Options{}) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			slow := time.Duration(0)
			for b.Loop() {
				for _, p := range ps {
					start := time.Now()
					c.do(p.A, p.B)
					slow = max(slow, time.Since(start))
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(size)*1e3, "ms/MB")
			b.ReportMetric(float64(slow.Milliseconds()), "ms-slowest")
			b.ReportAllocs()
		})
	}
}

// hostile makes n bytes of elements from a small alphabet.
func hostile(seed uint64, n, letters int, open, end string) []byte {
	rng := rand.New(rand.NewPCG(seed, 1))
	var b bytes.Buffer
	for b.Len() < n {
		b.WriteString(open)
		b.WriteByte('a' + byte(rng.IntN(letters)))
		b.WriteString(end)
	}
	return b.Bytes()
}

func hostileTags(seed uint64, n int) []byte {
	rng := rand.New(rand.NewPCG(seed, 2))
	names := []string{"<b>", "<i>", "</b>", "</i>"}
	var b bytes.Buffer
	for b.Len() < n {
		b.WriteString(names[rng.IntN(len(names))])
	}
	return b.Bytes()
}

// distinct makes n bytes of words of which nearly none repeats.
func distinct(seed uint64, n int) []byte {
	rng := rand.New(rand.NewPCG(seed, 3))
	var b bytes.Buffer
	for b.Len() < n {
		for range 3 {
			b.WriteByte('a' + byte(rng.IntN(26)))
		}
		b.WriteByte(' ')
	}
	return b.Bytes()
}

// worst lists pages made to be slow or large, n bytes a side.
func worst(n int) []struct {
	name string
	a, b []byte
} {
	return []struct {
		name string
		a, b []byte
	}{
		{"2 letters", hostile(1, n, 2, "<b>", "</b>"), hostile(2, n, 2, "<b>", "</b>")},
		{"26 letters", hostile(1, n, 26, "<b>", "</b>"), hostile(2, n, 26, "<b>", "</b>")},
		{"blocks", hostile(1, n, 3, "<p>", ""), hostile(2, n, 3, "<p>", "")},
		{"words", hostile(1, n, 2, " ", ""), hostile(2, n, 2, " ", "")},
		{"numbers", bytes.ReplaceAll(hostile(1, n, 2, "<p>", "1"), []byte("a"), []byte("2")), bytes.ReplaceAll(hostile(2, n, 2, "<p>", "1"), []byte("a"), []byte("2"))},
		{"tags", hostileTags(1, n), hostileTags(2, n)},
		{"distinct", distinct(1, n), distinct(2, n)},
		{"lists", hostile(1, n, 2, "<li>", " x y z w"), hostile(2, n, 2, "<li>", " x y z w")},
		{"nested", []byte(strings.Repeat("<div>a ", n/7)), []byte(strings.Repeat("<div>b ", n/7))},
		{"one token", bytes.Repeat([]byte("x"), n), bytes.Repeat([]byte("y"), n)},
		{"references", bytes.Repeat([]byte("&amp"), n/4), bytes.Repeat([]byte("&lt;"), n/4)},
		{"attributes", []byte("<a " + strings.Repeat("x='", n/3)), []byte("<a " + strings.Repeat("href=y ", n/7) + ">z")},
		{"headings", []byte(strings.Repeat("<h1>a<h2>b</h2></h1>", n/20)), []byte(strings.Repeat("<h1>b<h2>a</h2></h1>", n/20))},
		{"links", []byte(strings.Repeat("<a href=/x>1</a>", n/16)), []byte(strings.Repeat("<a href=/y>2</a>", n/16))},
	}
}

// BenchmarkSelectors measures rules on a hostile page of 1 MB.
func BenchmarkSelectors(b *testing.B) {
	for _, c := range worst(1e6) {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				_, _ = Compare(c.a, c.b, Options{Ignore: []string{"li:nth-child(2)", "p ~ b", "div div:has(i) > a", "b:nth-last-of-type(3)"}})
			}
		})
	}
}

func BenchmarkWorst(b *testing.B) {
	for _, n := range []int{1e6, 5e6} {
		for _, c := range worst(n) {
			name := c.name + map[int]string{1e6: "-1MB", 5e6: "-5MB"}[n]
			b.Run(name+"-align", func(b *testing.B) {
				for b.Loop() {
					align.Read(c.a, c.b, align.Blocks).Script()
				}
			})
			b.Run(name+"-compare", func(b *testing.B) {
				for b.Loop() {
					_, _ = Compare(c.a, c.b, Options{})
				}
			})
		}
	}
}
