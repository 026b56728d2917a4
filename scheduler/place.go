package scheduler

import (
	"hash/fnv"
	"math"
	"slices"
	"time"
)

// optimal places a source's share where it saves most misses from now on: the
// slots of its best daily cycle, corrected for what really happened. The last
// slot of the coming 24 hours stays; those before it are the best path from the
// last fetch when every fetch costs what the allocation found the last one of
// this source to be worth. On plan that gives the cycle back, since any better
// path would make a better cycle; after a fetch by hand, a night asleep or a
// server's not-before it gives the best that is left, and it keeps to it.
func (p *planner) optimal(i int) []Slot {
	s, w := &p.sources[i], &p.work[i]
	w.curve.at(w.share)
	cycle := w.curve.fetches[w.share]
	first := p.firstSlot(i)
	slots := cycle
	if !s.LastFetch.IsZero() {
		slots = p.path(i, first, cycle[len(cycle)-1])
	}
	if gap := slotsOf(s.MinPoll); s.MinPoll > w.minGap && s.Interval == 0 {
		slots = apart(slots, gap)
	}
	return p.explain(i, slots, first)
}

// apart keeps of ascending slots those at least gap after the one kept before.
func apart(slots []int, gap int) []int {
	var out []int
	for _, k := range slots {
		if len(out) == 0 || k-out[len(out)-1] >= gap {
			out = append(out, k)
		}
	}
	return out
}

// firstSlot is the first slot whose moment, jitter included, is permitted.
func (p *planner) firstSlot(i int) int {
	w := &p.work[i]
	t := later(w.notBefore, p.now).Sub(p.grid) - w.jitter
	if t <= 0 {
		return 0
	}
	return slotsOf(t)
}

// price is what a fetch must save to be made: between the gain of the share's
// last fetch and that of the one after it, so that exactly the share is optimal.
func (c *curve) price(share int) float64 {
	next := 0.0
	if share < c.high {
		next = c.at(share) - c.at(share+1)
	}
	if share < 2 {
		return 2 * next
	}
	// Not the middle: there the cycles of one fetch less and one more, where
	// they cross, make paths of exactly equal price, and rounding would choose.
	const low = 0.618
	return low*next + (1-low)*(c.at(share-1)-c.at(share))
}

// path chooses slots in [first, tail) after the last fetch, and appends tail.
func (p *planner) path(i, first, tail int) []int {
	w := &p.work[i]
	if first >= tail {
		return []int{tail}
	}
	st := w.curve.solve
	c, lim, price := st.c, st.lim, w.curve.price(w.share)
	dist, key, from := st.cur, st.key, make([]int32, tail+1)
	for b := first; b <= tail; b++ {
		// What is pending when the grid begins is missed by every look
		// before b, on top of the posts since.
		dist[b], from[b] = c.arc(0, b)+w.pending*c.cum[b], -1
		if lim != nil {
			dist[b] += lim.node[b]
			if over := w.pending + c.lam[b] - lim.maxItems; over > 0 {
				dist[b] += over * lim.perItem * lim.price
			}
		}
		top, at, v, x := dist[b], from[b], c.v[b], c.x[b]
		for q, z := range c.z[first:b] {
			d := key[first+q] + z*v + x
			if d < top && lim != nil {
				d = dist[first+q] + c.limited(first+q, b, lim)
			}
			if d < top {
				top, at = d, int32(first+q)
			}
		}
		dist[b], from[b] = top, at
		dist[b] += price
		key[b] = dist[b] + c.y[b]
	}
	var out []int
	for at := int32(tail); at >= 0; at = from[at] {
		out = append(out, int(at))
	}
	slices.Reverse(out)
	return out
}

// explain makes slots of slot numbers, with reason and quantities. Slots that
// the constraints cannot hold apart (a window that would need more fetches than
// δ permits) are dropped, never squeezed.
func (p *planner) explain(i int, at []int, first int) []Slot {
	s, w := &p.sources[i], &p.work[i]
	last := s.LastFetch
	var out []Slot
	for j, k := range at {
		t := p.slotTime(k).Add(w.jitter)
		if k < first || t.Before(p.now) || w.forbidden != nil && w.forbidden[k%Slots] {
			continue
		}
		if !last.IsZero() && t.Sub(last) < w.minGap && last.After(s.LastFetch) {
			continue
		}
		slot := p.slot(i, t, ReasonLook, last)
		next := at[0] + Slots
		if j+1 < len(at) {
			next = at[j+1]
		}
		p.look(&slot, k, next)
		switch {
		case s.Window > 0 && slot.Expected > 0.9*s.room():
			slot.Reason = ReasonWindow
		case w.share == 1:
			slot.Reason = ReasonDaily
		}
		if w.share > 1 {
			slot.Gain = w.curve.gain(w.share - 1)
		}
		out = append(out, slot)
		last = t
	}
	return out
}

// look names the look a fetch stands before: where looks are densest between
// this fetch and the next, provided the reader has a rhythm at all.
func (p *planner) look(slot *Slot, k, next int) {
	mean, top := 0.0, 0.0
	for _, u := range p.looks {
		mean += u / Slots
	}
	at := -1
	for j := k; j < min(next, k+Slots); j++ {
		if u := p.looks[j%Slots]; u > top*1.02 {
			top, at = u, j
		}
	}
	if at < 0 || top < 1.2*mean {
		return
	}
	slot.Look = p.slotTime(at)
	sum := 0.0
	for j := at - 6; j < at+6; j++ {
		sum += p.looks[(j+Slots)%Slots]
	}
	slot.LookChance = 1 - math.Exp(-sum)
}

// jitter keeps the libraries of the world from asking at the same second. It is
// one number per source, below a slot, so that re-planning never moves it, and
// it only delays: publishers post on the full hour, not before it.
func jitter(seed uint64, id string) time.Duration {
	h := fnv.New64a()
	var b [8]byte
	for i := range b {
		b[i] = byte(seed >> (8 * i))
	}
	h.Write(b[:])
	h.Write([]byte(id))
	return time.Duration(h.Sum64()%uint64(SlotLength/time.Second)) * time.Second
}

// utcSlot is the slot of the UTC day that a moment falls into.
func utcSlot(unix int64) int {
	s := unix % 86400
	if s < 0 {
		s += 86400
	}
	return int(s / int64(SlotLength/time.Second))
}

// localSlot is the slot of the local day.
func localSlot(t time.Time) int {
	_, offset := t.Zone()
	return utcSlot(t.Unix() + int64(offset))
}
