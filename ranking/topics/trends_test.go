package topics

import (
	"math"
	"testing"
)

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if math.IsNaN(got) || math.Abs(got-want) > within {
		t.Errorf("%s is %.6f, want %.6f", what, got, want)
	}
}

// The values are those of Sia 2009, chapter 5, examples 6 to 8, computed again.
func TestTrendMeasures(t *testing.T) {
	near(t, "H of (.7,.2,.1)", Entropy([]float64{.7, .2, .1}), 1.156780, 1e-6)
	near(t, "example 6, H before", Entropy([]float64{1, 1}), 1, 1e-12)
	near(t, "example 6, H after", Entropy([]float64{3, 1}), .811278, 1e-6)
	r, ok := Emergence([]float64{1, 1}, []float64{3, 1})
	if !ok {
		t.Error("example 6 has no rate")
	}
	near(t, "example 6, R", r, -.188722, 1e-6)
	r, _ = Emergence([]float64{1, 1}, []float64{1, 1, 1, 1})
	near(t, "example 7, R", r, 1, 1e-12)
	before, after := []float64{0, 0, 0, 1, 0}, []float64{0, .4, 0, .6, 0}
	js := JensenShannon(before, after)
	near(t, "example 8, JS in nats", js, .163897, 1e-6)
	near(t, "example 8, JS in bits", js/math.Ln2, .236453, 1e-6)
	near(t, "example 8, KL with .01", SymmetricKL(before, after, .01), .803394, 1e-6)
	near(t, "JS with itself", JensenShannon(after, after), 0, 1e-12)
	near(t, "JS of strangers", JensenShannon([]float64{1, 0}, []float64{0, 3}), math.Ln2, 1e-12)
	if _, ok := Emergence([]float64{3}, []float64{4}); ok {
		t.Error("one use more has a rate, though its logarithm is 0")
	}
	near(t, "Jaccard", Jaccard([]string{"a", "b", "c"}, []string{"b", "c", "d"}), .5, 1e-12)
	near(t, "Jaccard of nothing", Jaccard(nil, nil), 0, 0)
}

// Eq. 5.3 on rows of Sia 2009, Tables 5.4 and 5.5. The entropies stand there with two
// digits, so the rates have three to four.
func TestEmergenceOfTables(t *testing.T) {
	for _, w := range []struct {
		word                 string
		h1, h2, c1, c2, rate float64
	}{
		{"2008", 8.03, 10.67, 3514, 15038, .1957}, {"rails2.0", 3.79, 5.12, 262, 1266, .1334},
		{"kindle", 3.86, 5.14, 610, 1285, .1362}, {"obama", 5.41, 6.54, 1188, 4134, .0981},
		{"openstandards", 7.12, 4.24, 274, 755, -.3232}, {"arc", 7.73, 6.00, 401, 1097, -.1832},
		{"iplayer", 3.78, 2.49, 188, 486, -.1570}, {"tomato", 6.11, 5.13, 748, 1335, -.1066},
	} {
		r, ok := EntropyRate(w.h1, w.h2, w.c2-w.c1)
		if !ok {
			t.Errorf("%s has no rate", w.word)
		}
		near(t, w.word, r, w.rate, 5.1e-5)
	}
}

// Words of documents about two subjects go to different topics, and a word of both
// has two: LDA finds what the counts were made of.
func TestLatent(t *testing.T) {
	var counts []Count
	for d := range 40 {
		for w := range 5 {
			counts = append(counts, Count{5*(d%2) + w, d, 3})
		}
		counts = append(counts, Count{10, d, 2}) // of both
	}
	const k = 2
	l := Latent(counts, 11, LDAOptions{Topics: k, Alpha: .5, Seed: 3})
	p := l.Words
	for w := range 11 {
		near(t, "the chances of a word", p[w*k]+p[w*k+1], 1, 1e-9)
	}
	for w := range 5 {
		one, other := Entropy(p[w*k:][:k]), JensenShannon(p[w*k:][:k], p[(w+5)*k:][:k])
		if one > .3 || other < .5 {
			t.Errorf("word %d has %.2f bits, and %.2f nats to one of the other subject", w, one, other)
		}
	}
	for d := range 40 {
		if x := l.Documents[d*k:][:k]; max(x[0], x[1]) < .7 || JensenShannon(x, l.Documents[d%2*k:][:k]) > .02 {
			t.Errorf("document %d has %v", d, x)
		}
	}
	if h := Entropy(p[10*k:][:k]); h < .8 {
		t.Errorf("a word of both subjects has %.2f bits", h)
	}
}
