package aggregate

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Example 5 of Sia 2009: readers × feeds, feeds × items, and the factors.
var (
	exampleT = Matrix{{{0, .8}, {1, .8}}, {{0, .2}, {1, .2}, {2, .6}, {3, .6}}, {{2, .5}, {3, .5}}}
	exampleE = []Reference{{0, 0, 3}, {0, 1, 2}, {1, 1, 3}, {2, 0, 1}, {2, 2, 1}, {3, 0, 1}, {3, 1, 2}, {3, 2, 3}}
)

func TestExampleFive(t *testing.T) {
	otf, view := NewOnTheFly(exampleT, 4, 3), NewView(exampleT, 4, 3)
	nmf := NewFactored([]float64{1, 0, .25, 1.2, 0, 1}, []float64{.8, .8, 0, 0, 0, 0, .5, .5}, 2, 4, 3, 0)
	for _, r := range exampleE {
		otf.Add(r)
		view.Add(r)
		nmf.Add(r)
	}
	want := [][]float64{{2.4, 4, 0}, {1.8, 2.2, 2.4}, {1, 1, 2}}
	for reader, row := range want {
		for name, got := range map[string][]Entry{"on the fly": otf.Top(reader, 3), "view": view.Top(reader, 3), "nmf": nmf.Top(reader, 3)} {
			sum := 0.
			for i, e := range got {
				if math.Abs(e.Value-row[e.At]) > 1e-12 || i > 0 && !better(got[i-1], e) {
					t.Errorf("%s, reader %d: %v, want %v", name, reader, got, row)
				}
				sum += e.Value
			}
			if all := row[0] + row[1] + row[2]; math.Abs(sum-all) > 1e-12 {
				t.Errorf("%s, reader %d: %v, want %v", name, reader, got, row)
			}
		}
	}
	for z, row := range [][]float64{{2.4, 4, 0}, {1, 1, 2}} {
		for i, x := range row {
			if math.Abs(nmf.tables[z][i]-x) > 1e-12 {
				t.Errorf("HE is %v", nmf.tables)
			}
		}
	}
	// Each feed has two readers and one group (section 4.2.3).
	if n := len(exampleE); otf.Cost.Writes != n || view.Cost.Writes != 2*n || nmf.Cost.Writes != n {
		t.Errorf("writes: %d on the fly, %d view, %d nmf", otf.Cost.Writes, view.Cost.Writes, nmf.Cost.Writes)
	}
}

// The Threshold Algorithm finds what adding up everything does, ties included, and
// reads less where a list is steep.
func TestThreshold(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		n, m, k := 1+r.IntN(60), 1+r.IntN(6), 1+r.IntN(12)
		lists, sums := make([]List, m), make([]float64, n)
		for i := range lists {
			l := &lists[i]
			l.Weight, l.Scores = float64(1+r.IntN(3)), make([]float64, n)
			for j := range l.Scores {
				if r.IntN(3) > 0 {
					l.Scores[j] = float64(r.IntN(8)) // many ties
				}
				sums[j] += l.Weight * l.Scores[j]
			}
			l.Order = descending(l.Scores)
		}
		got, _ := Threshold(lists, k)
		if want := top(sums, k); !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	}
	steep := make([]List, 3)
	for i := range steep {
		steep[i].Weight, steep[i].Scores = 1, make([]float64, 3000)
		for j := range steep[i].Scores {
			steep[i].Scores[j] = 1 / float64(j*j+1)
		}
		steep[i].Order = descending(steep[i].Scores)
	}
	if _, accesses := Threshold(steep, 20); accesses > 300 {
		t.Errorf("%d of 9000 entries were read", accesses)
	}
	if got, accesses := Threshold(nil, 5); got != nil || accesses != 0 {
		t.Errorf("of nothing: %v, %d", got, accesses)
	}
}

// A hybrid whose factors are exact gives what the others give.
func TestHybrid(t *testing.T) {
	// The first reader is answered on the fly; of the others the last feed is kept
	// as a view.
	small := func(row []Entry, view bool) (out []Entry) {
		for _, e := range row {
			if (e.At == 3) == view {
				out = append(out, e)
			}
		}
		return out
	}
	view := Matrix{nil, small(exampleT[1], true), small(exampleT[2], true)}
	h := &Hybrid{Few: []bool{true, false, false}, OTF: NewOnTheFly(Matrix{exampleT[0], nil, nil}, 4, 3), View: NewView(view, 4, 3),
		Groups: NewFactored([]float64{0, 0, .25, 1.2, 0, 1}, []float64{.8, .8, 0, 0, 0, 0, .5, 0}, 2, 4, 3, 0)}
	otf := NewOnTheFly(exampleT, 4, 3)
	for _, r := range exampleE {
		h.Add(r)
		otf.Add(r)
	}
	for reader := range exampleT {
		got, want := h.Top(reader, 3), otf.Top(reader, 3)
		if Shared(got, want) != len(want) || math.Abs(got[0].Value-want[0].Value) > 1e-12 {
			t.Errorf("reader %d: %v, want %v", reader, got, want)
		}
	}
}
