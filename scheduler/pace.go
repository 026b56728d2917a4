package scheduler

import (
	"cmp"
	"math"
	"sort"
	"time"
)

// fence keeps what is planned before the budget's day ends within what is left
// of it. Shares add up to the budget, but fetches by hand, a changed plan or a
// slot made up for may not. What falls away falls away in reverse precedence.
func (p *planner) fence(slots []Slot) []Slot {
	byTime(slots)
	left := p.b.PerDay - p.b.Used - max(0, p.b.Tokens-p.b.TokensUsed)
	var today, rest []Slot
	for _, s := range slots {
		if s.At.Before(p.b.DayEnds) {
			today = append(today, s)
		} else {
			rest = append(rest, s)
		}
	}
	today = p.best(today, left)
	rest = p.best(rest, p.b.PerDay-p.b.Tokens)
	out := append(today, rest...)
	byTime(out)
	return out
}

// best keeps at most n slots, the last in precedence dropped first.
func (p *planner) best(slots []Slot, n int) []Slot {
	if n < 0 {
		n = 0
	}
	if len(slots) <= n {
		return slots
	}
	class := func(s Slot) int {
		switch s.Reason {
		case ReasonAsked:
			return 0
		case ReasonFirst, ReasonRetry:
			return 1
		case ReasonWindow:
			return 2
		case ReasonDaily:
			return 3
		}
		return 4
	}
	sort.SliceStable(slots, func(i, j int) bool {
		a, b := &slots[i], &slots[j]
		return cmp.Or(cmp.Compare(class(*a), class(*b)), cmp.Compare(b.Gain, a.Gain), a.At.Compare(b.At)) < 0
	})
	return slots[:n]
}

// pace spreads what has become late and keeps requests to one host apart. Both
// only ever delay, so nothing the constraints forbid comes of it.
func (p *planner) pace(slots []Slot) []Slot {
	p.spread(slots)
	byTime(slots)
	free := map[string]time.Time{}
	for k := range slots {
		host := p.sources[slots[k].Source].Host
		if host == "" {
			continue
		}
		if t := free[host]; slots[k].At.Before(t) {
			slots[k].At = p.permitted(slots[k].Source, t)
		}
		free[host] = slots[k].At.Add(p.o.HostGap)
	}
	byTime(slots)
	return slots
}

// spread draws apart the fetches that fall due at once because the machine slept
// or the program was not running: most valuable first, over CatchUp at most.
// First fetches and what the reader asked for do not wait.
func (p *planner) spread(slots []Slot) {
	var late []int
	for k, s := range slots {
		if s.Reason == ReasonFirst || s.Reason == ReasonAsked && p.sources[s.Source].Asked {
			continue
		}
		if s.At.Sub(p.now) < SlotLength && p.overdue(s) {
			late = append(late, k)
		}
	}
	if len(late) == 0 {
		return
	}
	sort.SliceStable(late, func(i, j int) bool {
		x, y := slots[late[i]], slots[late[j]]
		return cmp.Or(cmp.Compare(p.work[y.Source].weight*y.Expected, p.work[x.Source].weight*x.Expected),
			cmp.Compare(x.Source, y.Source)) < 0
	})
	step := min(p.o.CatchUp/time.Duration(len(late)), 30*time.Second)
	// A plan made anew after each fetch must go on where the one before was, or
	// "the first of the late ones now" would be all of them now.
	first := p.now
	for i := range p.sources {
		if t := p.sources[i].LastFetch; !t.After(p.now) {
			first = later(first, t.Add(step))
		}
	}
	for n, k := range late {
		slots[k].At = p.permitted(slots[k].Source, later(slots[k].At, first.Add(time.Duration(n)*step)))
	}
}

// overdue says that a slot due now should have been before now.
func (p *planner) overdue(s Slot) bool {
	src, w := &p.sources[s.Source], &p.work[s.Source]
	if src.LastFetch.IsZero() || !src.Retry.IsZero() {
		return true
	}
	return p.now.Sub(src.LastFetch) > 24*time.Hour/time.Duration(max(w.share, 1))
}

// refresh deals out the tokens of an opened screen.
func (p *planner) refresh() []Slot {
	p.yield()
	left := min(p.b.Tokens-p.b.TokensUsed, p.b.PerDay-p.b.Used)
	if left <= 0 {
		return nil
	}
	// Looks still to come today, this one not counted.
	ahead := 0.0
	for k, u := range p.looks {
		if t := p.slotTime(k); t.After(p.now) && t.Before(p.b.DayEnds) {
			ahead += u
		}
	}
	n := min(int(math.Ceil(float64(left)/(1+ahead))), left)
	type cand struct {
		i     int
		value float64
	}
	var list []cand
	for i := range p.sources {
		w, s := &p.work[i], &p.sources[i]
		if !w.notBefore.IsZero() || !s.Retry.IsZero() || s.LastFetch.IsZero() {
			continue
		}
		if w.forbidden != nil && w.forbidden[0] {
			continue
		}
		list = append(list, cand{i, w.weight * p.expected(i, s.LastFetch, p.now)})
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].value > list[j].value })
	var out []Slot
	for _, c := range list[:min(n, len(list))] {
		s := p.slot(c.i, p.now, ReasonOpen, p.sources[c.i].LastFetch)
		s.Nth = p.sources[c.i].Fetched + 1
		s.Of = s.Nth
		out = append(out, s)
	}
	return p.paceHosts(out)
}

// paceHosts is pace without the spreading: the reader is looking.
func (p *planner) paceHosts(slots []Slot) []Slot {
	free := map[string]time.Time{}
	for k := range slots {
		host := p.sources[slots[k].Source].Host
		if host == "" {
			continue
		}
		slots[k].At = later(slots[k].At, free[host])
		free[host] = slots[k].At.Add(p.o.HostGap)
	}
	return slots
}
