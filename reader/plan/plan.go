// Package plan decides when each feed is fetched: it learns the reader's habits and
// those of the feeds, keeps the day's budget, and leaves the plan in the cache for
// the process that carries it out.
//
// Start with New, then Due for what is fetched now and Schedule for the whole plan.
package plan

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"time"

	"diurna/reader/model"
	"diurna/scheduler"
	"diurna/store"
)

// Library is what the planner needs of the store.
type Library interface {
	Facts(ctx context.Context, after uint64, visit func(*store.Fact) error) (last uint64, err error)
	Feeds(ctx context.Context) ([]store.Feed, error)
	Meta(ctx context.Context, key string) ([]byte, error)
	Act(ctx context.Context, now time.Time, scope string, changes ...store.Change) (store.Done, error)
	Tx(ctx context.Context) uint64
	Cache() *store.Cache
}

// Rules say of a feed what the planner cannot decide: what was agreed with its
// publisher, and how its fetches went.
type Rules interface {
	// Early says why a feed must not be fetched now, and until when; "": it may.
	Early(f *store.Feed, now time.Time, byHand bool) (why string, next time.Time)
	// Floor is the least time between two fetches.
	Floor(f *store.Feed) time.Duration
	// Today counts the fetches since the reader's midnight, and those of them that
	// opening the screen caused.
	Today(f *store.Feed, now time.Time) (fetched, opened int)
	// Lost counts the fetches of the last 28 days that showed nothing known.
	Lost(f *store.Feed, now time.Time) int
	// Unreached reports whether the last try did not leave this machine.
	Unreached(f *store.Feed) bool
}

// Options of a Planner.
type Options struct {
	Version                               string
	PerDay                                int // fetches per feed and day
	PlanFor                               scheduler.PlanFor
	MinPoll, MinManual, MinRetry, HostGap time.Duration
}

// Planner plans the fetches of a library. Its methods are safe for use by several
// goroutines.
type Planner struct {
	lib      Library
	rules    Rules
	weights  func(context.Context) map[string]float64
	opts     Options
	habits   *habits
	requests *requests
	Replan   time.Duration // ReplanAfter, but where a test has half a year to get through
}

// New returns a Planner. It reads nothing. weights returns what an item of each feed
// is worth, nil where all are worth the same.
func New(lib Library, rules Rules, weights func(context.Context) map[string]float64, o Options) *Planner {
	return &Planner{lib: lib, rules: rules, weights: weights, opts: o, habits: newHabits(), requests: newRequests(), Replan: ReplanAfter}
}

// Job is a feed to fetch.
type Job struct {
	Feed   *store.Feed
	First  bool  // nothing was ever filed for it
	Opened bool  // because the screen was opened
	ByHand bool  // somebody asked for it
	Before int64 // the usual look that the plan fetches it for, unix s; 0: none
}

// Next is the next fetch of the plan.
type Next struct {
	At   time.Time
	Feed *store.Feed // nil: only the plan is made anew
}

// Forget makes the next plan a new one.
func (p *Planner) Forget() { p.habits.forgetPlan() }

// ReplanAfter is how long a plan serves while nothing but fetching happens. The
// exact plan of 300 feeds takes a good part of a second, and what one more
// fetch taught moves it little.
const ReplanAfter = 30 * time.Minute

// planMemo is the plan that is being carried out.
type planMemo struct {
	schedule scheduler.Schedule
	made     time.Time
	key      uint64 // of all that makes a plan anew: see planKey
}

// planKey changes when feeds come, go, fall ill or are asked for, when the
// reader looks or a look had feeds refreshed, with the budget and with the day.
func planKey(sources []scheduler.Source, b *scheduler.Budget, looks, opened int) uint64 {
	h := fnv.New64a()
	fmt.Fprint(h, looks, opened, b.DayEnds.Unix(), b.PerDay)
	for i := range sources {
		s := &sources[i]
		fmt.Fprint(h, s.ID, s.Asked, s.LastFetch.IsZero(), s.Retry.Unix(), s.Interval, s.Weight, s.Lost)
	}
	return h.Sum64()
}

// openedToday is how many fetches of today a look started.
func openedToday(rules Rules, feeds []store.Feed, now time.Time) int {
	n := 0
	for i := range feeds {
		_, opened := rules.Today(&feeds[i], now)
		n += opened
	}
	return n
}

// Schedule is the plan for these feeds: the one at hand or a new one. tx is the
// library's newest commit before the feeds were read.
func (p *Planner) Schedule(ctx context.Context, feeds []store.Feed, asked map[store.FeedID]bool, tx uint64, now time.Time) (scheduler.Schedule, error) {
	b := p.habits
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.fold(ctx, p.lib, now); err != nil {
		return scheduler.Schedule{}, err
	}
	sources := p.sources(feeds, asked, p.weights(ctx), now)
	budget, err := p.Budget(ctx, feeds, now)
	if err != nil {
		return scheduler.Schedule{}, err
	}
	key := planKey(sources, &budget, len(b.looks), openedToday(p.rules, feeds, now))
	if age := now.Sub(b.memo.made); key == b.memo.key && age >= 0 && age < p.Replan {
		return b.memo.schedule, nil
	}
	for i := range sources {
		sources[i].Posts = b.of(feedOf(&sources[i]), now)
	}
	made := scheduler.Plan(b.looking(now), sources, budget, p.planOptions(), now)
	made.Slots = slices.Clone(made.Slots) // the planner's own array is many times as long
	b.memo = planMemo{made, now, key}
	p.keepPlan(ctx, made.Slots, feeds, budget.PerDay-budget.Used-max(0, made.Kept), tx, now)
	return made, nil
}

// NextSlot is when a feed that was just settled is fetched next: where the plan
// being carried out has it, else where its own state has it.
func (p *Planner) NextSlot(f *store.Feed, now time.Time, poll *store.Poll) time.Time {
	p.habits.mu.Lock()
	defer p.habits.mu.Unlock()
	id := f.ID.String()
	for _, s := range p.habits.memo.schedule.Slots {
		if s.ID == id && poll.Err == "" && Stands(&s, poll, now) {
			return s.At
		}
	}
	at, _ := NextFetch(f, poll)
	return at
}

// Stands reports whether a slot of a plan is still to come: it is neither done nor
// before what the server asks for since. What a wrong clock left binds nothing.
func Stands(s *scheduler.Slot, p *store.Poll, now time.Time) bool {
	return s.At.After(lastFetch(p, now)) && (!s.At.Before(p.NotBefore) || p.NotBefore.After(now.Add(model.MaxServerWait)))
}

// Due says what is due now and what comes next. A slot is done when its
// feed was fetched since, and void when a rule between us and the publisher
// forbids it by now. once is true where this process does not go on to carry the
// plan out: then all that came due before is due now.
func (p *Planner) Due(ctx context.Context, feeds []store.Feed, tx uint64, once bool, now time.Time) ([]Job, Next, error) {
	asked, err := p.Requested(ctx, feeds, now)
	if err != nil {
		return nil, Next{}, err
	}
	var late []*store.Feed
	var noted map[string]Noted
	if once {
		noted = p.Noted(ctx)
		late = p.overdue(ctx, feeds, now) // before the new plan is noted
	}
	s, err := p.Schedule(ctx, feeds, asked, tx, now)
	if err != nil {
		return nil, Next{}, err
	}
	budget, err := p.Budget(ctx, feeds, now)
	if err != nil {
		return nil, Next{}, err
	}
	// The plan may be some minutes old: what was spent since is counted anew.
	left := budget.PerDay - budget.Used
	jobs, chosen := p.atOnce(feeds, asked, &left, now)
	left -= max(0, s.Kept)
	order := orderOnHosts(feeds, now)
	for _, f := range late {
		if why, _ := p.rules.Early(f, now, false); why != "" || left <= 0 || order.yields(f, now) || chosen[f.ID.String()] {
			continue
		}
		left--
		chosen[f.ID.String()] = true
		jobs = append(jobs, Job{Feed: f, First: f.Poll.LastOK.IsZero() && f.Items == 0, Before: noted[f.ID.String()].Look})
	}
	byID := make(map[string]*store.Feed, len(feeds))
	for i := range feeds {
		byID[feeds[i].ID.String()] = &feeds[i]
	}
	var later Next
	for _, slot := range s.Slots {
		f := byID[slot.ID]
		if f == nil || !lastFetch(&f.Poll, now).Before(slot.At) || chosen[slot.ID] {
			continue
		}
		if slot.At.After(now) {
			return jobs, sooner(later, Next{slot.At, f}), nil
		}
		if why, at := p.rules.Early(f, now, asked[f.ID]); why != "" {
			later = sooner(later, Next{at, f}) // the fetch before came late
			continue
		}
		if left <= 0 || !asked[f.ID] && order.yields(f, now) {
			continue
		}
		left--
		chosen[slot.ID] = true
		jobs = append(jobs, Job{Feed: f, First: f.Poll.LastOK.IsZero() && f.Items == 0, ByHand: asked[f.ID], Before: lookOf(&slot)})
	}
	// Nothing more is planned for today: look again when the plan is stale.
	return jobs, sooner(later, Next{At: now.Add(ReplanAfter)}), nil
}

// sooner is the one of two that comes first; one without a time never comes.
func sooner(a, b Next) Next {
	if a.At.IsZero() || !b.At.IsZero() && b.At.Before(a.At) {
		return b
	}
	return a
}

// Refresh is what is fetched because the reader came to the screen: the feeds
// for which that saves more misses than a fetch costs in the plan.
func (p *Planner) Refresh(ctx context.Context, feeds []store.Feed, now time.Time) ([]Job, error) {
	b := p.habits
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.fold(ctx, p.lib, now); err != nil {
		return nil, err
	}
	sources := p.sources(feeds, nil, p.weights(ctx), now)
	for i := range sources {
		sources[i].Posts = b.of(feedOf(&sources[i]), now)
	}
	budget, err := p.Budget(ctx, feeds, now)
	if err != nil {
		return nil, err
	}
	slots := scheduler.Refresh(b.looking(now), sources, budget, p.planOptions(), now)
	var jobs []Job
	for _, s := range slots {
		for i := range feeds {
			if feeds[i].ID.String() != s.ID {
				continue
			}
			if why, _ := p.rules.Early(&feeds[i], now, false); why == "" {
				jobs = append(jobs, Job{Feed: &feeds[i], Opened: true})
			}
		}
	}
	return jobs, nil
}

// atOnce is what does not wait for its slot: feeds never fetched, and those
// that somebody asked for. The client keeps the hosts' gaps. What a person asks
// for counts in the day's budget and is not refused for its sake; a first fetch
// waits until the budget pays it.
func (p *Planner) atOnce(feeds []store.Feed, asked map[store.FeedID]bool, left *int, now time.Time) ([]Job, map[string]bool) {
	var jobs []Job
	chosen := map[string]bool{}
	for i := range feeds {
		f := &feeds[i]
		if model.IsPiped(f.URL) || !asked[f.ID] && !f.Poll.LastFetch.IsZero() || f.Poll.Gone && !asked[f.ID] {
			continue
		}
		if why, _ := p.rules.Early(f, now, asked[f.ID]); why == "" && (asked[f.ID] || *left > 0) {
			*left--
			chosen[f.ID.String()] = true
			jobs = append(jobs, Job{Feed: f, First: f.Poll.LastOK.IsZero() && f.Items == 0, ByHand: asked[f.ID]})
		}
	}
	return jobs, chosen
}

// Noted is where a feed's next fetch stands in the plan.
type Noted struct {
	At     int64            `json:"at"` // unix s
	Reason scheduler.Reason `json:"reason"`
	Look   int64            `json:"look,omitempty"` // the usual look it stands before, unix s
}

// Noted reads what keepPlan left; nil if there is nothing to read.
func (p *Planner) Noted(ctx context.Context) map[string]Noted {
	b, err := p.lib.Cache().Get(ctx, planBucket, nextKey)
	if err != nil || b == nil {
		return nil
	}
	var next map[string]Noted
	if json.Unmarshal(b, &next) != nil {
		return nil
	}
	return next
}

func (p *Planner) planOptions() scheduler.Options {
	o := &p.opts
	return scheduler.Options{PlanFor: o.PlanFor, Memory: &p.habits.daily, MinPoll: max(o.MinPoll, time.Second),
		MinManual: max(o.MinManual, time.Second), HostGap: max(o.HostGap, 1)} // 0 would mean the default
}

func feedOf(s *scheduler.Source) store.FeedID {
	id, _ := store.ParseFeedID(s.ID)
	return id
}

// sources describes the feeds as the planner sees them. A feed that is gone is
// no source. A feed without a weight of its own, as a new one, gets the mean.
func (p *Planner) sources(feeds []store.Feed, asked map[store.FeedID]bool, weights map[string]float64, now time.Time) []scheduler.Source {
	var list []scheduler.Source
	usual := MeanWeight(weights)
	for i := range feeds {
		f, poll := &feeds[i], &feeds[i].Poll
		if poll.Gone && !asked[f.ID] || model.IsPiped(f.URL) {
			continue
		}
		s := scheduler.Source{
			ID: f.ID.String(), Host: model.HostKey(f.URL), Window: poll.Window, LastFetch: poll.LastFetch,
			NotBefore: poll.NotBefore, NotBeforeBy: poll.NotBeforeBy.String(),
			SkipHours: Mask(poll.SkipHours, 24), SkipDays: uint8(Mask(poll.SkipDays, 7)),
			Interval: model.IntervalOf(f), Asked: asked[f.ID], Weight: cmp.Or(weights[f.ID.String()], usual),
			Lost: p.rules.Lost(f, now),
		}
		// A clock that was wrong once must not bind for ever.
		s.LastFetch = lastFetch(poll, now)
		if s.NotBefore.After(now.Add(model.MaxServerWait)) {
			s.NotBefore, s.NotBeforeBy = time.Time{}, ""
		}
		if bare := s.LastFetch.Add(p.rules.Floor(f)); s.Interval == 0 && p.rules.Floor(f) >= BareWait && bare.After(s.NotBefore) {
			s.NotBefore, s.NotBeforeBy = bare, store.Wait{Cause: store.WaitNoValidators}.String()
		}
		if s.Interval == 0 {
			s.MinPoll = p.rules.Floor(f)
		}
		s.Fetched, _ = p.rules.Today(f, now)
		if poll.Tries > 0 && !s.Asked {
			s.Retry = poll.NextFetch
			if s.Retry.After(now.Add(model.MaxServerWait)) {
				s.Retry = now
			}
			if p.rules.Unreached(f) {
				s.LastFetch = s.Retry.Add(-24 * time.Hour) // the last try cost nobody anything
			}
		}
		list = append(list, s)
	}
	return list
}

// MeanWeight is the mean of the learned weights, 0 if there are none.
func MeanWeight(weights map[string]float64) float64 {
	sum := 0
	for _, w := range weights {
		sum += int(math.Round(100 * w)) // whole hundredths add up the same in any order
	}
	if sum == 0 {
		return 0
	}
	return math.Round(float64(sum)/float64(len(weights))) / 100
}

// lastFetch is when a feed was fetched last; what lies in the future, by a clock
// that was wrong, counts as two days ago: overdue, and spread out with the
// others that are.
func lastFetch(p *store.Poll, now time.Time) time.Time {
	if p.LastFetch.After(now.Add(time.Hour)) {
		return now.Add(-48 * time.Hour)
	}
	return p.LastFetch
}

// Mask returns the bits below most as a set.
func Mask(bits []int, most int) uint32 {
	var m uint32
	for _, b := range bits {
		if b >= 0 && b < most {
			m |= 1 << b
		}
	}
	return m
}
