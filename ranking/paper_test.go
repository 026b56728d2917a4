package ranking

import (
	"math"
	"testing"
)

// TestWorkedExample is Sia 2009, section 3.3: topic a with (10, 1), b with (1, 1),
// λ = 3. Exploring drops a after 4 rejections, greedy ties at 9 and drops it at 10.
func TestWorkedExample(t *testing.T) {
	make2 := func(lambda float64) *Paper {
		p := NewPaper(2, 1, 1, lambda)
		p.Alpha[0] = 10
		return p
	}
	p := make2(3)
	b := p.Score(1)
	for n := 1; n <= 4; n++ {
		p.Rejected(0, 1)
		if want, ok := map[int]float64{3: .755102, 4: .708333}[n]; ok && math.Abs(p.Score(0)-want) > 1e-6 {
			t.Errorf("after %d rejections a has %.6f, want %.6f", n, p.Score(0), want)
		}
		if (p.Score(0) < b) != (n >= 4) {
			t.Errorf("after %d rejections a has %.6f and b %.6f", n, p.Score(0), b)
		}
	}
	g := make2(0)
	for n := 1; n <= 10; n++ {
		g.Rejected(0, 1)
		d := g.Score(0) - g.Score(1)
		if n < 9 && d <= 0 || n == 9 && math.Abs(d) > 1e-12 || n == 10 && d >= 0 {
			t.Errorf("greedy, after %d rejections: a is ahead by %v", n, d)
		}
	}
}

func TestPaperUpdate(t *testing.T) {
	p := NewPaper(1, 1, 3, 0)
	p.Opened(0)
	p.Rejected(0, .85)
	if p.Alpha[0] != 2 || p.Beta[0] != 3.85 || p.Mean(0) != p.Score(0) {
		t.Errorf("(%v, %v), mean %v, score %v", p.Alpha[0], p.Beta[0], p.Mean(0), p.Score(0))
	}
	p.Forget(0, .9)
	if math.Abs(p.Alpha[0]-1.9) > 1e-12 || math.Abs(p.Beta[0]-3.765) > 1e-12 {
		t.Errorf("forgotten to (%v, %v): the prior must stay", p.Alpha[0], p.Beta[0])
	}
}

func TestDefaultReading(t *testing.T) {
	for row, want := range []float64{1, 1, .95, .9, .85, .8, .75, .7, .65} {
		if got := DefaultReading(row); math.Abs(got-want) > 1e-12 {
			t.Errorf("row %d is read with %v, want %v", row, got, want)
		}
	}
	if DefaultReading(1000) != readingFloor {
		t.Error("no floor")
	}
}

// TestReadingIsLearned: people who read only the first rows of a page teach it.
func TestReadingIsLearned(t *testing.T) {
	var r reading
	for n := range 3000 {
		for row := 1; row <= 10; row++ {
			// Row j is read for 11−j of 10 showings; everything read is opened.
			r.note(row, .5, n%20 < 11-row)
		}
	}
	g, ok := r.learned(readingOpens)
	if !ok {
		t.Fatal("too few opens")
	}
	for row := 1; row <= 10; row++ {
		if want := float64(11-row) / 10; math.Abs(g[row-1]-want) > .05 {
			t.Errorf("row %d: %.3f, want about %.2f", row, g[row-1], want)
		}
	}
	for i := 1; i < readingRows; i++ {
		if g[i] > g[i-1] {
			t.Errorf("row %d is read more often than row %d", i+1, i)
		}
	}
	if _, ok := (&reading{opens: readingOpens - 1}).learned(readingOpens); ok {
		t.Error("learned from too little")
	}
}
