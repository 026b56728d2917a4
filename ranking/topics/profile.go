package topics

import (
	"math"
	"slices"
)

// Seen counts in how many items each term was seen. Several channels may share one.
type Seen struct {
	names *vocabulary
	items int
	log   float64   // of items
	with  []float64 // by term: items that hold it
	logs  []float64 // of with
}

type vocabulary struct{ index map[string]int32 } // shared, so behind a pointer

// NewSeen has seen nothing. Its terms are those of another one, whose profiles can
// then be compared with those that share it, or its own for nil.
func NewSeen(vocabularyOf *Seen) *Seen {
	if vocabularyOf != nil {
		return &Seen{names: vocabularyOf.names}
	}
	return &Seen{names: &vocabulary{index: map[string]int32{}}}
}

// terms numbers words, ascending.
func (s *Seen) terms(words []string) []int32 {
	out := make([]int32, len(words))
	v := s.names
	for i, w := range words {
		t, ok := v.index[w]
		if !ok {
			t = int32(len(v.index))
			v.index[w] = t
		}
		out[i] = t
	}
	slices.Sort(out)
	return out
}

func (s *Seen) add(terms []int32) {
	s.items++
	s.log = math.Log(float64(s.items))
	for len(s.with) < len(s.names.index) {
		s.with, s.logs = append(s.with, 0), append(s.logs, 0)
	}
	for i, t := range terms {
		if i == 0 || terms[i-1] != t {
			s.with[t]++
			s.logs[t] = math.Log(s.with[t])
		}
	}
}

// profile holds counts only: weights hang on the idf of the moment.
type profile struct {
	last    [][]int32  // terms of the last items
	now     termCounts // of the window
	was     termCounts // before the last item
	n       float64    // similarities added up (Welford 1962)
	mean, m float64
}

// termCounts is how often terms occur, ascending by term.
type termCounts struct {
	terms []int32
	count []float64
}

// change counts terms more or less often by one.
func (c *termCounts) change(terms []int32, by float64) {
	for _, t := range terms {
		i, ok := slices.BinarySearch(c.terms, t)
		if !ok {
			c.terms = append(c.terms, t)
			copy(c.terms[i+1:], c.terms[i:])
			c.terms[i] = t
			c.count = append(c.count, 0)
			copy(c.count[i+1:], c.count[i:])
			c.count[i] = 0
		}
		if c.count[i] += by; c.count[i] == 0 {
			c.terms = slices.Delete(c.terms, i, i+1)
			c.count = append(c.count[:i], c.count[i+1:]...)
		}
	}
}

// Add takes in an item and says how like the profile it was (the cosine of the
// profiles before and after it, Eq. 3; 0 for an empty one) and whether it is
// novel: not like it at least as much as the channel's items usually are, mean plus
// Beta deviations (Eq. 7). Until two items were seen everything is novel.
func (p *Profile) Add(words []string) (similarity float64, novel bool) {
	q := &p.p
	terms := p.Seen.terms(words)
	p.Seen.add(terms)
	// Both profiles with the same idf: only the item's arrival is measured.
	q.was.terms, q.was.count = append(q.was.terms[:0], q.now.terms...), append(q.was.count[:0], q.now.count...)
	q.last = append(q.last, terms)
	q.now.change(terms, 1)
	if len(q.last) > p.Window {
		q.now.change(q.last[0], -1)
		q.last = q.last[1:]
	}
	similarity = cosine(&q.was, &q.now, p.Seen, p.Seen)
	mean, deviation := q.mean, q.deviation()
	novel = q.n < 2 || similarity < mean+p.Beta*deviation
	q.n++
	d := similarity - q.mean
	q.mean += d / q.n
	q.m += d * (similarity - q.mean)
	return similarity, novel
}

func (p *profile) deviation() float64 {
	if p.n < 2 {
		return 0
	}
	return math.Sqrt(p.m / (p.n - 1))
}

// Cohesion is the mean similarity of the items added, and its deviation (0 below
// two items).
func (p *Profile) Cohesion() (mean, deviation float64) { return p.p.mean, p.p.deviation() }

// idf is how rare a term is, log(items / items with it).
func (s *Seen) idf(t int32) float64 { return s.log - s.logs[t] }

// cosine compares counts of one vocabulary, each weighed by its own idf.
func cosine(a, b *termCounts, of, other *Seen) float64 {
	var ab, aa, bb float64
	i, j := 0, 0
	for i < len(a.terms) || j < len(b.terms) {
		switch {
		case j == len(b.terms) || i < len(a.terms) && a.terms[i] < b.terms[j]:
			x := a.count[i] * of.idf(a.terms[i])
			aa += x * x
			i++
		case i == len(a.terms) || b.terms[j] < a.terms[i]:
			y := b.count[j] * other.idf(b.terms[j])
			bb += y * y
			j++
		default:
			x, y := a.count[i]*of.idf(a.terms[i]), b.count[j]*other.idf(b.terms[j])
			aa, ab, bb = aa+x*x, ab+x*y, bb+y*y
			i++
			j++
		}
	}
	if aa <= 0 || bb <= 0 {
		return 0
	}
	return min(ab/math.Sqrt(aa*bb), 1)
}

// Like is the cosine of two channels' profiles, 0 to 1 (Eq. 1). Both have the terms of
// one vocabulary.
func (p *Profile) Like(q *Profile) float64 { return cosine(&p.p.now, &q.p.now, p.Seen, q.Seen) }
