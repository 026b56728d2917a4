package scheduler

import (
	"hash/fnv"
	"time"
)

// firstSlot is the first slot whose moment, jitter included, is permitted.
func (p *planner) firstSlot(i int) int {
	w := &p.work[i]
	t := later(w.notBefore, p.now).Sub(p.grid) - w.jitter
	if t <= 0 {
		return 0
	}
	return slotsOf(t)
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
		next := len(p.looks)
		if j+1 < len(at) {
			next = at[j+1]
		}
		p.look(&slot, k, min(next, k+Slots))
		slot.Gain = p.gain(i, at, j)
		switch {
		case s.Window > 0 && slot.Expected > 0.9*s.room():
			slot.Reason = ReasonWindow
		case p.short && len(at) == 1, !p.short && slot.Gain < p.price.at(k)*(1-1e-9):
			slot.Reason = ReasonDaily // it does not pay for itself
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
	for j := k; j < next; j++ {
		if u := p.looks[j%Slots]; u > top*1.02 {
			top, at = u, j
		}
	}
	if at < 0 || top < 1.2*mean {
		return
	}
	slot.Look = p.slotTime(at)
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
