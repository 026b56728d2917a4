package scheduler

import "slices"

// tail is what the end of the budget's day leaves of a source's best paths:
// today's price does not move it, so it is solved once for all prices tried.
type tail struct {
	cut   int         // fetches from here to the split are today's last
	queue []candidate // next fetches for what lies before cut
	worth []float64   // cost to go after a fetch in the slots from cut to the split
	at    int         // best first fetch at the split or later; -1: none
	cost  float64     // of it; see enter
}

// tailOf solves the slots that today's price does not reach.
func (r *router) tailOf(s start, p prices) *tail {
	split := min(p.split, r.n)
	out := &tail{cut: max(split-r.minGap, 0)}
	out.queue = slices.Clone(r.down(r.end(), r.n, out.cut, p))
	out.worth = slices.Clone(r.worth[out.cut:split])
	early := false
	for b := s.first; b < split && !early; b++ {
		early = r.free(b)
	}
	out.at, out.cost = r.enterFrom(max(s.first, split), r.n, early, s, p)
	return out
}

// countBefore is the number of fetches before the split on the best path, t
// being the tail for the same source, start and later price. Posts need to be
// loaded up to the split.
func (r *router) countBefore(t *tail, s start, p prices) int {
	split := min(p.split, r.n)
	copy(r.worth[t.cut:split], t.worth)
	for k := t.cut; k < split; k++ {
		r.next[k] = int32(r.n) // the split or later: no matter which
	}
	r.down(append(r.queue[:0], t.queue...), t.cut, 0, p)
	if s.only {
		return r.count(s.first, split)
	}
	at, top := r.enterFrom(s.first, split-1, false, s, p)
	if at < 0 || t.at >= 0 && t.cost < top {
		return 0
	}
	return r.count(at, split)
}
