package scheduler

import "hash/maphash"

// knownPrice is dailyPrice, remembered.
func (p *planner) knownPrice(open []int, top float64) float64 {
	m := p.o.Memory
	if m == nil {
		return p.dailyPrice(open, top)
	}
	if key := p.dayKey(open); key != m.key {
		m.key, m.price = key, p.dailyPrice(open, top)
	}
	return m.price
}

// memorySeed makes keys comparable within a process.
var memorySeed = maphash.MakeSeed()

// dayKey is a hash of all that dailyPrice reads.
func (p *planner) dayKey(open []int) uint64 {
	var h maphash.Hash
	h.SetSeed(memorySeed)
	base := len(p.looks) - Slots
	maphash.WriteComparable(&h, [3]int{p.dayShare(), (p.turn + base) % Slots, len(open)})
	maphash.WriteComparable(&h, [Slots]float64(p.looks[base:]))
	for _, i := range open {
		s, w := &p.sources[i], &p.work[i]
		maphash.WriteComparable(&h, *w.posts)
		maphash.WriteComparable(&h, [3]float64{w.weight, float64(max(w.minGap, s.MinPoll)), s.room()})
		maphash.WriteComparable(&h, [3]int{s.Window, s.Lost, w.floor})
	}
	return h.Sum64()
}
