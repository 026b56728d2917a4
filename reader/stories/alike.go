package stories

import (
	"math"
	"slices"
)

// What two items need to tell one story. They were chosen by testdata/tune.txt.
const (
	window    = 3 * 24 * 60 * 60 // seconds between them at most
	linkAt    = .48              // cosine of the nearest item of a story
	meanAt    = .34              // mean cosine over a story's items
	namesAt   = .65              // the same where each title has a name that the other has not
	copyAt    = .5               // resemblance from which texts are near copies
	wordsAt   = .6               // cosine from which texts are made of the same words
	equalAt   = .4               // cosine of the texts below equal titles
	fewTerms  = 2                // texts of fewer words say nothing against equal titles
	titleGain = 2                // how much more a word counts in a title
)

// counts say in how many items words stand, counted in a fixed number of slots: a rare word
// may share that of another.
type counts struct {
	items int
	all   float64 // logarithm of items and a hundred
	of    []uint32
}

const slots = 1 << 16

func newCounts() counts { return counts{all: math.Log(100), of: make([]uint32, slots)} }

func (c *counts) add(s *sketch) {
	c.items++
	c.all = math.Log(float64(c.items + 100))
	for _, t := range s.terms {
		c.of[t%slots]++
	}
}

// weight is the inverse document frequency of a word, as if a hundred more items without
// it had been seen: in a small library all words are rare.
func (c *counts) weight(term uint32) float64 {
	n := c.of[term%slots]
	if n < uint32(len(logs)) {
		return c.all - logs[n]
	}
	return c.all - math.Log(float64(n)+1)
}

// logs has the logarithms of small numbers and one.
var logs = func() (t [256]float64) {
	for n := range t {
		t[n] = math.Log(float64(n) + 1)
	}
	return t
}()

// frequent words bring no candidates.
func (c *counts) frequent(term uint32) bool { return int(c.of[term%slots]) > 20+c.items/100 }

// gain is how much the i-th word of an item counts.
func (s *sketch) gain(i int) float64 {
	if s.head>>i&1 != 0 {
		return titleGain
	}
	return 1
}

// pair is what is needed of two items to compare them.
type pair struct {
	cosine float64 // of title and text
	below  float64 // of the words that stand in the texts and in neither title
	few    bool    // one of the items has hardly any of them
	shared int     // words that both titles have
	// The words of a title that the other item does not know, and how many of them its own
	// text has.
	lackA, lackB, ownA, ownB int
}

// compare goes through the words of two items side by side.
func (c *counts) compare(a, b *sketch) (p pair) {
	var ab, aa, bb, tab, taa, tbb float64
	nA, nB := 0, 0
	for i, j := 0, 0; i < len(a.terms) || j < len(b.terms); {
		inA := i < len(a.terms) && (j == len(b.terms) || a.terms[i] <= b.terms[j])
		inB := j < len(b.terms) && (i == len(a.terms) || b.terms[j] <= a.terms[i])
		var t uint32
		var x, y float64
		headA, headB := false, false
		if inA {
			t, x, headA = a.terms[i], a.gain(i), a.head>>i&1 != 0
		}
		if inB {
			t, y, headB = b.terms[j], b.gain(j), b.head>>j&1 != 0
		}
		w := c.weight(t)
		w *= w
		ab, aa, bb = ab+x*y*w, aa+x*x*w, bb+y*y*w
		switch {
		case headA && headB:
			p.shared++
		case headA && !inB:
			p.lackA++
			p.ownA += int(a.text >> i & 1)
		case headB && !inA:
			p.lackB++
			p.ownB += int(b.text >> j & 1)
		}
		if !headA && !headB {
			if inA {
				taa += w
				nA++
			}
			if inB {
				tbb += w
				nB++
			}
			if inA && inB {
				tab += w
			}
		}
		if inA {
			i++
		}
		if inB {
			j++
		}
	}
	if ab > 0 {
		p.cosine = ab / math.Sqrt(aa*bb)
	}
	if p.few = nA < fewTerms || nB < fewTerms; !p.few {
		p.below = tab / math.Sqrt(taa*tbb)
	}
	return p
}

func has(sorted []uint32, x uint32) bool {
	_, found := slices.BinarySearch(sorted, x)
	return found
}

// lacks are how many of xs stand in none of the sets.
func lacks(xs []uint32, sets ...[]uint32) (n int) {
	for _, x := range xs {
		if !slices.ContainsFunc(sets, func(set []uint32) bool { return has(set, x) }) {
			n++
		}
	}
	return n
}

// inOrder counts the words that two titles have in one order: the longest common
// subsequence.
func inOrder(a, b *sketch) int {
	var row [maxTitle + 1]int
	for _, x := range a.order {
		left := 0
		for j, y := range b.order {
			above := row[j+1]
			if a.terms[x] == b.terms[y] {
				row[j+1] = left + 1
			} else {
				row[j+1] = max(row[j], above)
			}
			left = above
		}
	}
	return row[len(b.order)]
}

// moreNumbers reports whether each title has a number that the other has not.
func moreNumbers(a, b *sketch) bool {
	return lacks(a.numbers, b.numbers) > 0 && lacks(b.numbers, a.numbers) > 0
}

// differ reports whether what tells stories apart that are told in the same words differs:
// versions and names. Numbers that both titles have were compared before.
func differ(a, b *sketch, p *pair) bool {
	moreA, moreB := lacks(a.numbers, b.numbers), lacks(b.numbers, a.numbers)
	// Each title has a name of which the other knows nothing.
	if p.cosine < namesAt && lacks(a.names, b.head32()) > 0 && lacks(b.names, a.head32()) > 0 || lacks(a.names, b.terms) > 0 && lacks(b.names, a.terms) > 0 {
		return true
	}
	shorter, longer := min(len(a.order), len(b.order)), max(len(a.order), len(b.order))
	if moreA+moreB > 0 && 4*p.shared >= 3*shorter && p.shared >= longer-1 {
		return true // the same title with a number more
	}
	// One title is the other with words in the place of others, or a word or two more, of
	// which the other item knows nothing.
	if 2*p.shared > shorter && p.lackA+p.lackB > 0 && (p.shared < shorter || longer-shorter <= 2) && inOrder(a, b) == p.shared {
		return true
	}
	// The texts are made of the same words but for some of their titles.
	if (p.below >= wordsAt || resemblance(a, b) >= copyAt) && p.ownA > 0 && p.ownB > 0 {
		return true
	}
	return resemblance(a, b) >= copyAt && lacks(a.figures, b.figures, b.numbers) > 0 && lacks(b.figures, a.figures, a.numbers) > 0
}

// others reports whether two items name things of one sort, such as CVE-2026-1 and
// CVE-2026-2, and none that both name.
func others(a, b *sketch) bool {
	one := false
	for _, x := range a.things {
		for _, y := range b.things {
			if x == y {
				return false
			}
			one = one || x>>16 == y>>16
		}
	}
	return one
}

// head32 are the words of the title.
func (s *sketch) head32() []uint32 {
	out := make([]uint32, 0, len(s.order))
	for i, t := range s.terms {
		if s.head>>i&1 != 0 {
			out = append(out, t)
		}
	}
	return out
}

// alike is how much two items are alike, 0 where they tell different stories.
func (c *counts) alike(a, b *sketch) float64 {
	if a.feed() == b.feed() || a.at-b.at > window || b.at-a.at > window {
		return 0
	}
	if moreNumbers(a, b) || others(a, b) {
		return 0
	}
	p := c.compare(a, b)
	if one := a.title != 0 && a.title == b.title; one || p.shared > 0 && p.shared == len(a.order) && p.shared == len(b.order) {
		if !p.few && p.below < equalAt {
			return 0 // a title that comes again, as those of weekly columns
		}
		if one {
			return 1
		}
	}
	if differ(a, b, &p) {
		return 0
	}
	if resemblance(a, b) >= copyAt {
		return 1
	}
	return p.cosine
}
