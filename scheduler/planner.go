package scheduler

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"time"
)

const (
	defaultMinPoll   = 60 * time.Minute
	defaultMinManual = 10 * time.Minute
	defaultHostGap   = 5 * time.Second
	defaultCatchUp   = 30 * time.Minute
	minInterval      = 15 * time.Minute
	windowShare      = 0.6 // Horincar 2012: a saturated window has lost items
	lossWeight       = 1.5 // a loss makes a source's gains count so many times: a fifth more fetches
	maxLosses        = 5   // more make no difference
)

// planner is one call of Plan: the sources on a common grid of slots that begins
// at grid and covers 24 hours.
type planner struct {
	o       Options
	b       Budget
	now     time.Time
	grid    time.Time
	turn    int       // slot of the UTC day that the grid begins with
	looks   []float64 // by slot, to a day after the budget's day ends
	sources []Source
	work    []work

	route *router
	short bool    // what is left today pays no more than floors
	price prices  // what a fetch costs; its split is set for each source
	under float64 // the lower end of the bracket around price.today
	kept  int     // of the budget, for looks still to come today
	need  int     // fetches a day that pay every floor
	alike []int   // by source: equal numbers mean equal traits
	apart bool    // no answers are shared: for a test
}

// work is what a plan derives for one source.
type work struct {
	posts     *[Slots]float64 // by slot of the UTC day
	pending   float64         // posts expected since the last fetch, until the grid begins
	weight    float64
	minGap    time.Duration
	jitter    time.Duration // constant for a source, below one slot
	notBefore time.Time     // everything that forbids an earlier fetch
	by        string
	forbidden []bool
	floor     int    // fetches a day that come before expected gain
	most      int    // fetches a day that δ leaves room for
	share     int    // fetches planned for the coming 24 hours
	fixed     bool   // slots are given: an interval, a retry
	slots     []Slot // those of a fixed source
	forced    int    // fetches today that come before expected gain
	today     int    // fetches today
	cheap     bool   // at the lower end of the bracket of prices
	split     int    // slots before it belong to the budget's day
	tail      *tail  // what lies beyond the split, once solved
}

func newPlanner(reader *Profile, sources []Source, b Budget, o Options, now time.Time) *planner {
	o.MinPoll = cmp.Or(o.MinPoll, defaultMinPoll)
	o.MinManual = cmp.Or(o.MinManual, defaultMinManual)
	o.HostGap = cmp.Or(o.HostGap, defaultHostGap)
	o.CatchUp = cmp.Or(o.CatchUp, defaultCatchUp)
	if b.DayEnds.IsZero() {
		b.DayEnds = now.Add(24 * time.Hour)
	}
	p := &planner{o: o, b: b, now: now, grid: now.Truncate(SlotLength), sources: slices.Clone(sources)}
	p.turn = utcSlot(p.grid.Unix())
	p.looks = make([]float64, Slots+max(slotsOf(b.DayEnds.Sub(p.grid)), 1))
	for k := range p.looks {
		p.looks[k] = 1.0 / Slots
		if reader != nil {
			// The zone of each slot, not of now: a change of summer time
			// within the horizon moves the looks after it.
			p.looks[k] = reader.Rate[localSlot(p.slotTime(k))]
		}
	}
	p.route = newRouter(p.looks)
	p.work = make([]work, len(sources))
	for i := range sources {
		p.work[i] = p.derive(&p.sources[i])
	}
	return p
}

// onePost is the rate of a source of which nothing is known: one post a day.
var onePost = func() (out [Slots]float64) {
	for k := range out {
		out[k] = 1.0 / Slots
	}
	return out
}()

// lambda is the posts expected in slot k of the horizon, 0 <= k < Slots.
func (p *planner) lambda(w *work, k int) float64 { return w.posts[(k+p.turn)%Slots] }

// total is the posts expected in a day.
func (w *work) total() float64 {
	sum := 0.0
	for _, l := range w.posts {
		sum += l
	}
	return sum
}

func (p *planner) slotTime(k int) time.Time {
	return p.grid.Add(time.Duration(k) * SlotLength)
}

// derive reads off one source what the plan needs, whatever the policy.
func (p *planner) derive(in *Source) work {
	s := p.sane(in)
	w := work{weight: s.Weight, minGap: p.o.MinPoll, jitter: jitter(p.o.Seed, s.ID)}
	if w.weight <= 0 {
		w.weight = 1
	}
	w.weight *= math.Pow(lossWeight, float64(min(max(s.Lost, 0), maxLosses)))
	w.posts = &onePost
	if s.Posts != nil {
		w.posts = &s.Posts.Rate
	}
	w.pending = p.pendingAt(s, &w)
	if s.Interval > 0 {
		w.minGap = max(s.Interval, minInterval)
	}
	w.most = max(int(24*time.Hour/w.minGap), 1)
	if s.MinPoll > w.minGap && s.Interval == 0 {
		// Not the gap of the cycle: a fetch a day that may never come sooner
		// than the day before would slip past its slot and lose a day.
		w.most = max(int(24*time.Hour/s.MinPoll), 1)
	}
	w.floor = p.floorOf(s, &w)
	w.fixed = s.Interval > 0 || !s.Retry.IsZero() && !s.Asked
	w.forbidden = p.skipped(s)
	w.notBefore, w.by = s.NotBefore, s.NotBeforeBy
	wait := w.minGap
	if s.Asked {
		wait = min(wait, p.o.MinManual)
	}
	if !s.LastFetch.IsZero() && s.LastFetch.Add(wait).After(w.notBefore) {
		w.notBefore, w.by = s.LastFetch.Add(wait), "min_poll"
	}
	if !w.notBefore.After(p.now) {
		w.notBefore, w.by = time.Time{}, ""
	}
	return w
}

// sane takes back a last fetch that lies ahead: the clock was set back. Up to a
// day is believed, so that δ holds; beyond that it is no evidence.
func (p *planner) sane(s *Source) *Source {
	if s.LastFetch.Sub(p.now) > 24*time.Hour {
		s.LastFetch = p.now.Add(-24 * time.Hour)
	}
	return s
}

// pendingAt is ∫λ from the slot of the last fetch to the beginning of the grid,
// negative for a fetch since. Whole slots, with the jitter taken off: a fetch
// made a few seconds after its planned moment is a fetch on plan, and planning
// again must not move the others by a slot.
func (p *planner) pendingAt(s *Source, w *work) float64 {
	if s.LastFetch.IsZero() {
		return 0
	}
	gap := p.grid.Sub(s.LastFetch.Add(-w.jitter).Truncate(SlotLength))
	if gap <= 0 {
		return -float64(min(-gap/SlotLength, 1)) * p.lambda(w, 0)
	}
	days := gap / (24 * time.Hour)
	sum := w.total() * float64(days)
	rest := gap % (24 * time.Hour)
	for k := Slots - 1; rest > 0; k-- {
		share := min(float64(rest)/float64(SlotLength), 1)
		sum += share * p.lambda(w, k)
		rest -= SlotLength
	}
	return sum
}

// floorOf is what a source gets before any expected gain is compared.
func (p *planner) floorOf(s *Source, w *work) int {
	if !s.Retry.IsZero() {
		return 1
	}
	if s.Interval > 0 {
		return max(int(24*time.Hour/w.minGap), 1)
	}
	floor := 1
	if s.Window > 0 {
		floor = max(1, int(math.Ceil(w.total()/s.room()-1e-9)))
	}
	if s.Lost > 0 {
		// Its posts came quicker than their rate says, so it gets more than a
		// mean share, whatever its window.
		mean := max(p.b.PerDay-p.reserve(1), 0) / max(len(p.sources), 1)
		floor = max(floor, mean+min(s.Lost, maxLosses))
	}
	return min(floor, w.most)
}

// room is how many new items a window may hold at a fetch. Items that were lost
// came quicker than the rate says, so each loss takes a fifth of the room that is
// left, down to a fifth of the window.
func (s *Source) room() float64 {
	share := max(windowShare*math.Pow(0.8, float64(max(s.Lost, 0))), 0.2)
	return share * float64(s.Window)
}

// skipped marks the slots in which the feed itself asks not to be fetched. All
// hours or all days are no wish but a mistake of the publisher.
func (p *planner) skipped(s *Source) []bool {
	hours, days := s.SkipHours&(1<<24-1), s.SkipDays&(1<<7-1)
	if hours == 1<<24-1 {
		hours = 0
	}
	if days == 1<<7-1 {
		days = 0
	}
	if hours == 0 && days == 0 {
		return nil
	}
	out := make([]bool, len(p.looks))
	for k := range out {
		t := p.slotTime(k).UTC()
		out[k] = hours&(1<<t.Hour()) != 0 || days&(1<<t.Weekday()) != 0
	}
	return out
}

func (p *planner) plan() Schedule {
	p.trade()
	out := Schedule{PerDay: p.b.PerDay, Used: p.b.Used, Kept: p.kept, Needed: p.need, Unpaid: p.unpaid()}
	var all []Slot
	for i := range p.sources {
		all = append(all, p.place(i)...)
	}
	all = p.within(all)
	for _, s := range all {
		p.work[s.Source].share++
	}
	all = p.pace(all)
	for i := range p.work {
		out.Shares = append(out.Shares, p.work[i].share)
	}
	p.number(all)
	out.Slots = all
	return out
}

// within drops, last first, what would be too much for the day after.
func (p *planner) within(slots []Slot) []Slot {
	byTime(slots)
	left := p.b.PerDay - p.reserve(1)
	return slices.DeleteFunc(slots, func(s Slot) bool {
		if s.At.Before(p.b.DayEnds) {
			return false
		}
		left--
		return left < 0
	})
}

// place turns what a source gets into slots.
func (p *planner) place(i int) []Slot {
	w := &p.work[i]
	if !w.fixed {
		return p.routed(i)
	}
	left := w.today
	return slices.DeleteFunc(w.slots, func(s Slot) bool {
		if !s.At.Before(p.b.DayEnds) {
			return false
		}
		left--
		return left < 0
	})
}

// fix gives a source its slots where they do not hang on expected gain.
func (p *planner) fix(i int) {
	s, w := &p.sources[i], &p.work[i]
	switch {
	case !s.Retry.IsZero() && !s.Asked:
		w.slots = p.at(i, later(s.Retry, w.notBefore), ReasonRetry)
	case s.Interval > 0:
		w.slots = p.spaced(i, w.minGap, ReasonAsked)
		if head := p.head(i); head != nil {
			w.slots = p.ahead(i, w.slots, head)
		}
	}
	w.forced = 0
	for _, slot := range w.slots {
		if slot.At.Before(p.b.DayEnds) {
			w.forced++
		}
	}
}

// head is the fetch that a source gets at the earliest permitted moment because
// the reader asked for it or nothing is known of it yet; nil: no such source.
func (p *planner) head(i int) []Slot {
	s := &p.sources[i]
	switch {
	case s.Asked:
		return p.at(i, p.work[i].notBefore, ReasonAsked)
	case s.LastFetch.IsZero():
		return p.at(i, p.work[i].notBefore, ReasonFirst)
	}
	return nil
}

// at is the single slot of a source at t, if t lies within the horizon.
func (p *planner) at(i int, t time.Time, why Reason) []Slot {
	t = p.permitted(i, later(t, p.now))
	if t.Sub(p.grid) >= 24*time.Hour {
		return nil
	}
	return []Slot{p.slot(i, t, why, p.sources[i].LastFetch)}
}

// ahead puts a fetch before the others, and drops those it comes too close to.
func (p *planner) ahead(i int, slots, head []Slot) []Slot {
	w := &p.work[i]
	for _, s := range slots {
		if s.At.Sub(head[0].At) >= w.minGap {
			head = append(head, s)
		}
	}
	if len(head) > 1 {
		head[1].Expected = p.expected(i, head[0].At, head[1].At)
		head[1].Fill = p.fill(i, head[1].Expected)
	}
	return head
}

// permitted is the first moment from t on that skipHours and skipDays leave free.
func (p *planner) permitted(i int, t time.Time) time.Time {
	f := p.work[i].forbidden
	if f == nil {
		return t
	}
	k := int(t.Sub(p.grid) / SlotLength)
	for j := k; j < Slots; j++ {
		if !f[j] {
			return later(t, p.slotTime(j))
		}
	}
	return p.grid.Add(24 * time.Hour)
}

// spaced is the policy Even, and what an interval set by hand asks for: every
// step after the last fetch. Steps that were slept through are not made up for.
func (p *planner) spaced(i int, step time.Duration, why Reason) []Slot {
	s, w := &p.sources[i], &p.work[i]
	next := p.now
	if !s.LastFetch.IsZero() {
		next = later(s.LastFetch.Add(step), p.now)
	}
	next = later(next, w.notBefore)
	var out []Slot
	last := s.LastFetch
	end := p.now.Add(24 * time.Hour)
	for next = p.permitted(i, next); next.Before(end); next = p.permitted(i, next.Add(step)) {
		if next.Sub(p.grid) >= 24*time.Hour {
			break
		}
		out = append(out, p.slot(i, next, why, last))
		last = next
	}
	return out
}

// slot fills in the quantities that explain a fetch at t.
func (p *planner) slot(i int, t time.Time, why Reason, last time.Time) Slot {
	w := &p.work[i]
	out := Slot{At: t, Source: i, ID: p.sources[i].ID, Reason: why, NotBefore: w.notBefore, NotBeforeBy: w.by}
	out.Expected = p.expected(i, last, t)
	out.Fill = p.fill(i, out.Expected)
	return out
}

func (p *planner) fill(i int, expected float64) float64 {
	if n := p.sources[i].Window; n > 0 {
		return expected / float64(n)
	}
	return 0
}

// expected is ∫λ from the fetch at last (zero or before the grid: what is
// pending) to t, which lies within the horizon.
func (p *planner) expected(i int, last, t time.Time) float64 {
	w := &p.work[i]
	sum, from := 0.0, last.Sub(p.grid)
	if last.IsZero() || from <= 0 {
		sum, from = max(w.pending, 0), 0
	}
	to := t.Sub(p.grid)
	for k := int(from / SlotLength); k < Slots; k++ {
		a, b := time.Duration(k)*SlotLength, time.Duration(k+1)*SlotLength
		if a >= to {
			break
		}
		sum += p.lambda(w, k) * float64(min(b, to)-max(a, from)) / float64(SlotLength)
	}
	return sum
}

// number counts each source's fetches of its day.
func (p *planner) number(slots []Slot) {
	made := make([]int, len(p.sources))
	passed := make([]bool, len(p.sources))
	for i := range p.sources {
		made[i] = p.sources[i].Fetched
	}
	for k := range slots {
		s := &slots[k]
		if !s.At.Before(p.b.DayEnds) && !passed[s.Source] {
			passed[s.Source], made[s.Source] = true, 0
		}
		made[s.Source]++
		s.Nth, s.Of = made[s.Source], max(p.work[s.Source].share, made[s.Source])
	}
}

func slotsOf(d time.Duration) int { return int((d + SlotLength - 1) / SlotLength) }

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func byTime(slots []Slot) {
	sort.SliceStable(slots, func(i, j int) bool {
		a, b := &slots[i], &slots[j]
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Source, b.Source)) < 0
	})
}
