// Package plan decides when each feed is fetched: it learns the reader's habits and
// those of the feeds, keeps the day's budget, and leaves the plan in the cache for
// the process that carries it out.
//
// Start with New, then Due for what is fetched now and Schedule for the whole plan.
package plan

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
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
	Items(ctx context.Context, ids []store.ItemID) ([]store.Item, error)
	Act(ctx context.Context, now time.Time, scope string, changes ...store.Change) (store.Done, error)
	Tx(ctx context.Context) uint64
	Cache() *store.Cache
}

// Rules say of a feed what the planner cannot decide: what was agreed with its
// publisher, and how its fetches went.
type Rules interface {
	// Early is what forbids a fetch now, and until when.
	Early(f *store.Feed, now time.Time, byHand bool) (rule model.Rule, next time.Time)
	// Floor is the least time between two fetches.
	Floor(f *store.Feed) time.Duration
	// Today counts the fetches since the reader's midnight, and those of them that
	// opening the screen caused.
	Today(f *store.Feed, now time.Time) (fetched, opened int)
	// Lost counts the fetches of the last 28 days that showed nothing known.
	Lost(f *store.Feed, now time.Time) int
}

// Interest says which feeds the reader opens.
type Interest interface {
	// Weights returns what an item of each feed is worth, nil where all are worth the same.
	Weights(ctx context.Context) map[string]float64
	// OpenedOf returns how many items of a feed were opened and how many were shown.
	OpenedOf(ctx context.Context, feed store.FeedID, folder string) (opened, shown int, err error)
}

// Options of a Planner.
type Options struct {
	Version                               string
	PerDay                                int // fetches per feed and day
	PlanFor                               scheduler.PlanFor
	NovelOnly                             bool // what a feed is expected to post counts novel items only
	MinPoll, MinManual, MinRetry, HostGap time.Duration
	Changed                               func() // is called when the plan is another; must not block
}

// Planner plans the fetches of a library. Its methods are safe for use by several
// goroutines.
type Planner struct {
	lib      Library
	rules    Rules
	interest Interest
	describe func(f *store.Feed, now time.Time) model.Feed
	opts     Options
	habits   *habits
	requests *requests
	Replan   time.Duration // ReplanAfter, but where a test has half a year to get through
}

// New returns a Planner. It reads nothing. describe says how people know a feed.
func New(lib Library, rules Rules, interest Interest, describe func(f *store.Feed, now time.Time) model.Feed, o Options) *Planner {
	b := newHabits()
	if o.NovelOnly {
		b.novel = newNovelty()
	}
	return &Planner{lib: lib, rules: rules, interest: interest, describe: describe, opts: o, habits: b, requests: newRequests(), Replan: ReplanAfter}
}

// Job is a feed to fetch.
type Job struct {
	Feed   *store.Feed
	First  bool  // nothing was ever filed for it
	Opened bool  // because the screen was opened
	ByHand bool  // somebody asked for it
	Before int64 // the usual look that the plan fetches it for, unix s; 0: none
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
	key      uint64 // of all that makes a plan again: see planKey
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
	sources := p.sources(feeds, asked, p.interest.Weights(ctx), now)
	budget, err := p.Budget(ctx, feeds, now)
	if err != nil {
		return scheduler.Schedule{}, err
	}
	key := planKey(sources, &budget, len(b.looks), openedToday(p.rules, feeds, now))
	if age := now.Sub(b.memo.made); key == b.memo.key && age >= 0 && age < p.Replan {
		return b.memo.schedule, nil
	}
	for i := range sources {
		sources[i].Posts = b.coming(&sources[i], now)
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
