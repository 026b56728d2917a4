package scheduler

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// shares are kappa, the part of the budget kept for opening the screen, and
// alpha, what a post that a refresh brings counts beside one that was here.
func (f PlanFor) shares() (kappa, alpha float64) {
	switch f {
	case PlanForLooks:
		return 0, 0
	case PlanForBoth:
		return .17, .3
	}
	return 1.0 / 3, 1
}

// Reserve returns how many of a day's perDay fetches are kept for opening the
// screen when the day begins.
func (f PlanFor) Reserve(perDay int) int { return f.reserve(perDay, 1) }

func (f PlanFor) reserve(perDay int, part float64) int {
	kappa, _ := f.shares()
	return int(kappa*float64(perDay)*min(max(part, 0), 1) + 1e-9)
}

// reserve is what is kept of a day's budget while part of its looks is to come.
func (p *planner) reserve(part float64) int { return p.o.PlanFor.reserve(p.b.PerDay, part) }

// looksLeft is the part of the day's looks still expected before the budget's day ends.
func (p *planner) looksLeft() float64 {
	left, all := 0.0, 0.0
	for k, u := range p.looks {
		if k < len(p.looks)-Slots {
			left += u
		} else {
			all += u
		}
	}
	return left / all
}

// aim makes the router ready for source i.
func (p *planner) aim(i int) *router { return p.aimTo(i, p.route.n) }

// aimTo is aim for what lies before slot end alone.
func (p *planner) aimTo(i, end int) *router {
	r, s, w := p.route, &p.sources[i], &p.work[i]
	r.loadTo(end, w.posts[:], p.turn, w.weight)
	p.limit(r, i, 1)
	r.forbidden = w.forbidden
	p.price.split = w.split
	if s.Window > 0 {
		r.maxItems = s.room() * w.weight
	}
	return r
}

// limit sets the gaps of source i on a grid of step slots.
func (p *planner) limit(r *router, i, step int) {
	s, w := &p.sources[i], &p.work[i]
	r.maxItems = 0
	r.minGap = max((slotsOf(max(w.minGap, s.MinPoll))+step-1)/step, 1)
	r.maxGap = Slots / step
	if s.Lost > 0 {
		r.maxGap /= max(w.floor, 1)
	}
	// Who may be fetched once a day at most needs some room for when.
	r.maxGap = max(r.maxGap, r.minGap+r.minGap/8+1)
}

// begin is the first fetch of source i on its best path; len(p.looks): none.
func (p *planner) begin(i int, at prices) (int, float64) {
	return p.route.enter(p.startOf(i), at)
}

func (p *planner) startOf(i int) start {
	s, w := &p.sources[i], &p.work[i]
	if head := p.head(i); head != nil {
		k := int(head[0].At.Sub(p.grid) / SlotLength)
		return start{first: k, last: k, only: true}
	} else if s.Asked || s.LastFetch.IsZero() {
		return start{first: p.route.n, last: p.route.n}
	}
	back := p.grid.Sub(s.LastFetch.Add(-w.jitter).Truncate(SlotLength)) / SlotLength
	return start{pending: w.pending * w.weight, first: p.firstSlot(i), last: p.route.maxGap - int(back)}
}

// fetchesAt is how many fetches source i is worth before the day ends.
func (p *planner) fetchesAt(i int, price float64) int {
	w := &p.work[i]
	p.price.today = price
	if w.tail == nil {
		w.tail = p.aim(i).tailOf(p.startOf(i), p.price)
	}
	return p.aimTo(i, w.split).countBefore(w.tail, p.startOf(i), p.price)
}

// trade finds the prices and how many fetches each source gets today.
func (p *planner) trade() {
	p.need = 0
	var open []int // sources whose slots hang on expected gain
	top := 0.0
	for i := range p.work {
		w := &p.work[i]
		p.need += w.floor
		w.split = max(slotsOf(p.b.DayEnds.Sub(p.grid)-w.jitter), 0)
		if w.fixed {
			p.fix(i)
			continue
		}
		open = append(open, i)
		r := p.aim(i)
		top = max(top, 2*(r.lam[r.n]+max(w.pending, 0)*w.weight)*r.cum[r.n]+1)
	}
	p.group(open)
	p.price.later = p.knownPrice(open, top)
	fetchesAt := p.once(p.fetchesAt)
	for _, i := range open {
		p.work[i].forced = fetchesAt(i, top)
	}
	need := 0
	for i := range p.work {
		need += p.work[i].forced
	}
	left := max(p.b.PerDay-p.b.Used, 0)
	p.kept = max(0, min(p.reserve(p.looksLeft()), left-need, p.b.PerDay-p.need))
	if p.short = need >= left; p.short {
		p.price.today, p.under = top, top
		p.payFloors(left)
		return
	}
	for i := range p.work {
		p.work[i].today = p.work[i].forced
		if p.work[i].fixed {
			left -= p.work[i].forced
		}
	}
	p.sell(open, left-p.kept, top)
}

// sell deals out want fetches among the open sources.
func (p *planner) sell(open []int, want int, top float64) {
	fetchesAt := p.once(p.fetchesAt)
	m := market{sources: len(open), top: top, count: func(n int, price float64) int { return fetchesAt(open[n], price) }}
	under, over := m.clear(want, p.price.later)
	for n, got := range m.deal(want) {
		w := &p.work[open[n]]
		w.today, w.cheap = got, got != m.low[n]
		if w.cheap && got != m.high[n] {
			w.forced = -1 // between the two: see routed
		}
	}
	p.price.today, p.under = over, under
}

// dayShare is how many of a whole day's fetches are placed by expected gain.
func (p *planner) dayShare() int {
	want := p.b.PerDay - p.reserve(1)
	for i := range p.work {
		if p.work[i].fixed {
			want -= p.work[i].floor
		}
	}
	return max(want, 0)
}

// dailyPrice is the price at which a whole day's budget is used, day after day:
// what fetches after the end of this one cost. It is searched on a coarse grid,
// in the middle of three days.
func (p *planner) dailyPrice(open []int, top float64) float64 {
	const slots = Slots / coarse
	base := len(p.looks) - Slots
	looks := make([]float64, 3*slots)
	for k := range looks {
		for j := range coarse {
			looks[k] += p.looks[base+k%slots*coarse+j]
		}
	}
	r, lambda := newRouter(looks), make([]float64, slots)
	want, guess := p.dayShare(), 0.0
	for _, i := range open {
		guess += math.Sqrt(p.work[i].total() * p.work[i].weight * r.cum[slots] / 2)
	}
	guess = math.Pow(guess/math.Max(float64(want), 1), 2)
	count := p.once(func(i int, price float64) int {
		clear(lambda)
		for k := range Slots {
			lambda[k/coarse] += p.lambda(&p.work[i], (base+k)%Slots)
		}
		r.loadTo(r.n, lambda, 0, p.work[i].weight)
		p.limit(r, i, coarse)
		if s := &p.sources[i]; s.Window > 0 {
			r.maxItems = s.room() * p.work[i].weight
		}
		r.solve(prices{len(looks), price, price})
		return r.count(int(r.next[0]), 2*slots) - r.count(int(r.next[0]), slots)
	})
	m := market{sources: len(open), top: top, count: func(n int, price float64) int { return count(open[n], price) }}
	_, over := m.clear(want, guess)
	return over
}

// routed is the slots of a source whose fetches hang on expected gain.
func (p *planner) routed(i int) []Slot {
	w := &p.work[i]
	r := p.aim(i)
	at := p.price
	if w.cheap {
		at.today = p.under
	}
	r.solve(at)
	var slots []int
	if w.forced < 0 {
		slots = r.exactly(p.startOf(i), w.today, at)
		if n := len(slots); n > 0 {
			b := int(r.next[slots[n-1]])
			for b < w.split {
				b = int(r.next[b])
			}
			slots = r.path(slots, b, Slots)
		}
	} else {
		b, _ := p.begin(i, at)
		left := w.today
		for ; b < Slots; b = int(r.next[b]) {
			if b < w.split {
				if left--; left < 0 {
					continue // a floor that the budget does not pay
				}
			}
			slots = append(slots, b)
		}
	}
	head := p.head(i)
	if head == nil {
		return p.explain(i, slots, p.firstSlot(i))
	}
	if len(slots) == 0 || w.split > 0 && w.today == 0 && head[0].At.Before(p.b.DayEnds) {
		return nil
	}
	return p.ahead(i, p.explain(i, slots[1:], slots[0]+1), head)
}

// payFloors spends what is left today on floors: intervals set by hand, first
// fetches and retries, windows, then one a day. Within a class who waited
// longest is paid first, so that a budget below the number of sources still
// reaches every one in turn.
func (p *planner) payFloors(left int) {
	for _, i := range p.inOrder() {
		w := &p.work[i]
		w.today = min(w.forced, left)
		left -= w.today
	}
}

// inOrder is the sources by the precedence of their floors.
func (p *planner) inOrder() []int {
	order := make([]int, len(p.work))
	for i := range order {
		order[i] = i
	}
	class := func(i int) int {
		s := &p.sources[i]
		switch {
		case s.Asked || s.Interval > 0:
			return 0
		case s.LastFetch.IsZero() || !s.Retry.IsZero():
			return 1
		case p.work[i].floor > 1:
			return 2
		}
		return 3
	}
	sort.SliceStable(order, func(i, j int) bool {
		a, b := order[i], order[j]
		return cmp.Or(cmp.Compare(class(a), class(b)), p.sources[a].LastFetch.Compare(p.sources[b].LastFetch)) < 0
	})
	return order
}

// unpaid is the sources whose floors a day's budget does not reach.
func (p *planner) unpaid() []int {
	left := p.b.PerDay
	var out []int
	for _, i := range p.inOrder() {
		if left -= p.work[i].floor; left < 0 {
			out = append(out, i)
			left = 0
		}
	}
	slices.Sort(out)
	return out
}

// gain is what the j-th of a source's fetches saves, those beside it staying.
func (p *planner) gain(i int, at []int, j int) float64 {
	r, k := p.route, at[j]
	next := int(r.next[k])
	if j+1 < len(at) {
		next = at[j+1]
	}
	if j > 0 {
		return r.arc(at[j-1], next) - r.arc(at[j-1], k) - r.arc(k, next)
	}
	w := &p.work[i]
	return (r.lam[k] + w.pending*w.weight) * (r.cum[next] - r.cum[k])
}

// refresh is what an opened screen is worth fetching.
func (p *planner) refresh() []Slot {
	p.trade()
	_, alpha := p.o.PlanFor.shares()
	left := p.b.PerDay - p.b.Used
	type offer struct {
		i     int
		value float64
	}
	var list []offer
	for i := range p.sources {
		w, s := &p.work[i], &p.sources[i]
		if w.fixed && w.forced > 0 {
			left -= w.forced
		}
		if !w.notBefore.IsZero() || !s.Retry.IsZero() || s.LastFetch.IsZero() || w.forbidden != nil && w.forbidden[0] {
			continue
		}
		r := p.aim(i)
		r.solve(p.price)
		st := p.startOf(i)
		st.pending = w.weight * p.expected(i, s.LastFetch, p.now)
		st.first = max(st.first, 1)
		_, wait := r.enter(st, p.price)
		if v := alpha*st.pending + wait - r.worth[0]; v > p.price.today {
			list = append(list, offer{i, v})
		}
	}
	sort.SliceStable(list, func(a, b int) bool { return list[a].value > list[b].value })
	var out []Slot
	for _, c := range list[:max(min(left, len(list)), 0)] {
		s := p.slot(c.i, p.now, ReasonOpen, p.sources[c.i].LastFetch)
		s.Nth = p.sources[c.i].Fetched + 1
		s.Of = s.Nth
		out = append(out, s)
	}
	return p.paceHosts(out)
}
