package topics

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"sort"
	"strings"
)

const (
	defaultWindow = 20
	defaultBeta   = .1
)

// profile holds counts only: weights hang on the idf of the moment.
type profile struct {
	last    [][]string     // distinct terms of the last items
	count   map[string]int // items of the window with the term
	all     map[string]int // items ever with the term
	items   int            // ever
	n       float64        // similarities added up (Welford 1962)
	mean, m float64
}

// Add takes in an item and says how like the profile it was (the cosine of the
// profiles before and after it, Eq. 3; 0 for an empty one) and whether it is
// novel: not like it at least as much as the channel's items usually are, mean plus
// Beta deviations (Eq. 7). Until two items were seen everything is novel.
func (p *Profile) Add(words []string) (similarity float64, novel bool) {
	q := &p.p
	if q.count == nil {
		q.count, q.all = map[string]int{}, map[string]int{}
	}
	words = slices.Clone(words)
	slices.Sort(words)
	words = slices.Compact(words)
	q.items++
	for _, w := range words {
		q.all[w]++
	}
	// Both profiles with the same idf: only the item's arrival is measured.
	before := q.weights()
	window := cmp.Or(max(p.Window, 0), defaultWindow)
	q.last = append(q.last, words)
	for _, w := range words {
		q.count[w]++
	}
	if len(q.last) > window {
		for _, w := range q.last[0] {
			if q.count[w]--; q.count[w] == 0 {
				delete(q.count, w)
			}
		}
		q.last = q.last[1:]
	}
	similarity = cosine(before, q.weights())
	mean, deviation := q.mean, q.deviation()
	novel = q.n < 2 || similarity < mean+cmp.Or(p.Beta, defaultBeta)*deviation
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

// weights is tf-idf: how many of the window's items have the term, by how rare it
// is in all.
func (p *profile) weights() map[string]float64 {
	out := make(map[string]float64, len(p.count))
	for w, n := range p.count {
		out[w] = float64(n) * (math.Log(float64(1+p.items)/float64(1+p.all[w])) + 1)
	}
	return out
}

// sorted lists a map's terms, so that sums do not hang on its order.
func sorted(m map[string]float64) []string { return slices.Sorted(maps.Keys(m)) }

func cosine(a, b map[string]float64) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	var ab, aa, bb float64
	for _, w := range sorted(a) {
		aa += a[w] * a[w]
		ab += a[w] * b[w]
	}
	for _, w := range sorted(b) {
		bb += b[w] * b[w]
	}
	return min(ab/math.Sqrt(aa*bb), 1)
}

// Like is the cosine of two channels' profiles, 0 to 1. "Feeds like this one" are
// those at .25 and above.
func (p *Profile) Like(q *Profile) float64 { return cosine(p.p.weights(), q.p.weights()) }

// Vector is the profile as tf-idf weights, strongest first, at most most terms.
func (p *Profile) Vector(most int) []Weight {
	weights := p.p.weights()
	out := make([]Weight, 0, len(weights))
	for w, x := range weights {
		out = append(out, Weight{w, x})
	}
	sort.Slice(out, func(i, j int) bool {
		a, b := out[i], out[j]
		return cmp.Or(-cmp.Compare(a.Value, b.Value), strings.Compare(a.Name, b.Name)) < 0
	})
	if most > 0 {
		out = out[:min(len(out), most)]
	}
	return out
}
