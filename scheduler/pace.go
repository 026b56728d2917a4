package scheduler

import (
	"cmp"
	"sort"
	"time"
)

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
	// A plan made again after each fetch must go on where the one before was, or
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
