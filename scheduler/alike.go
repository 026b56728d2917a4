package scheduler

import "math"

// traits are all that a source's number of fetches at a price depends on. Feeds of
// which little is known have equal traits, so that one answer serves them all.
type traits struct {
	posts                  int // the first source with these
	weight, pending, items float64
	minGap, maxGap         int
	coarseMin, coarseMax   int // the gaps on the grid of the price of a whole day
	split, first, last     int
	only                   bool
	hours                  uint32
	days                   uint8
}

// group numbers the sources by their traits.
func (p *planner) group(open []int) {
	p.alike = make([]int, len(p.sources))
	groups, profiles := map[traits]int{}, map[uint64]int{}
	for _, i := range open {
		t := p.traitsOf(i, profiles)
		n, ok := groups[t]
		if !ok || p.apart {
			n = i
			groups[t] = i
		}
		p.alike[i] = n
	}
}

// sameProfile is the first source with the posts of source i, which profiles finds by
// a hash of them.
func (p *planner) sameProfile(i int, profiles map[uint64]int) int {
	h := uint64(14695981039346656037)
	for _, l := range p.work[i].posts {
		h = (h ^ math.Float64bits(l)) * 1099511628211
		h ^= h >> 29
	}
	first, ok := profiles[h]
	if !ok {
		profiles[h] = i
	} else if *p.work[first].posts == *p.work[i].posts {
		return first
	}
	return i
}

func (p *planner) traitsOf(i int, profiles map[uint64]int) traits {
	s, w, r := &p.sources[i], &p.work[i], p.route
	p.limit(r, i, coarse)
	t := traits{posts: p.sameProfile(i, profiles), coarseMin: r.minGap, coarseMax: r.maxGap}
	p.limit(r, i, 1)
	begin := p.startOf(i)
	t.weight, t.pending, t.minGap, t.maxGap = w.weight, begin.pending, r.minGap, r.maxGap
	t.split, t.first, t.last, t.only = w.split, begin.first, begin.last, begin.only
	t.hours, t.days = s.SkipHours, s.SkipDays
	if s.Window > 0 {
		t.items = s.room() * w.weight
	}
	return t
}

// once gives count's answer of sources that are alike, asking once for each price.
func (p *planner) once(count func(source int, price float64) int) func(source int, price float64) int {
	known, at := map[int]int{}, math.NaN()
	return func(i int, price float64) int {
		if price != at {
			clear(known)
			at = price
		}
		n, ok := known[p.alike[i]]
		if !ok {
			n = count(i, price)
			known[p.alike[i]] = n
		}
		return n
	}
}
