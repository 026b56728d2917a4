package reader

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"sync"
	"time"

	"diurna/reader/model"
	"diurna/scheduler"
	"diurna/store"
)

// replanAfter is how long a plan serves while nothing but fetching happens. The
// exact plan of 300 feeds takes a good part of a second, and what one more
// fetch taught moves it little.
const replanAfter = 30 * time.Minute

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
func openedToday(feeds []store.Feed, now time.Time) int {
	n := 0
	for i := range feeds {
		_, opened := fetchedToday(&feeds[i].Poll, now)
		n += opened
	}
	return n
}

// schedule is the plan for these feeds: the one at hand or a new one. tx is the
// library's newest commit before the feeds were read.
func (r *Reader) schedule(ctx context.Context, feeds []store.Feed, asked map[FeedID]bool, tx uint64, now time.Time) (scheduler.Schedule, error) {
	b := r.mind
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.fold(ctx, r.store, r.now()); err != nil {
		return scheduler.Schedule{}, err
	}
	sources := r.sources(feeds, asked, r.interest.Weights(ctx), now)
	budget, err := r.budget(ctx, feeds, now)
	if err != nil {
		return scheduler.Schedule{}, err
	}
	key := planKey(sources, &budget, len(b.looks), openedToday(feeds, now))
	if age := now.Sub(b.memo.made); key == b.memo.key && age >= 0 && age < r.replan {
		return b.memo.schedule, nil
	}
	for i := range sources {
		sources[i].Posts = b.of(feedOf(&sources[i]), now)
	}
	plan := scheduler.Plan(b.looking(now), sources, budget, r.planOptions(), now)
	plan.Slots = slices.Clone(plan.Slots) // the planner's own array is many times as long
	b.memo = planMemo{plan, now, key}
	r.keepPlan(ctx, plan.Slots, feeds, budget.PerDay-budget.Used-max(0, plan.Kept), tx, now)
	return plan, nil
}

// nextSlot is when a feed that was just settled is fetched next: where the plan
// being carried out has it, else where its own state has it.
func (r *Reader) nextSlot(f *store.Feed, now time.Time, p *store.Poll) time.Time {
	r.mind.mu.Lock()
	defer r.mind.mu.Unlock()
	id := f.ID.String()
	for _, s := range r.mind.memo.schedule.Slots {
		if s.ID == id && p.Err == "" && stands(&s, p, now) {
			return s.At
		}
	}
	at, _ := nextFetch(f, p)
	return at
}

// stands reports whether a slot of a plan is still to come: it is neither done nor
// before what the server asks for since. What a wrong clock left binds nothing.
func stands(s *scheduler.Slot, p *store.Poll, now time.Time) bool {
	return s.At.After(lastFetch(p, now)) && (!s.At.Before(p.NotBefore) || p.NotBefore.After(now.Add(model.MaxServerWait)))
}

// planned says what is due now and what comes next. A slot is done when its
// feed was fetched since, and void when a rule between us and the publisher
// forbids it by now. once is true where this process does not go on to carry the
// plan out: then all that came due before is due now.
func (r *Reader) planned(ctx context.Context, feeds []store.Feed, tx uint64, once bool) ([]job, due, error) {
	now := r.now()
	asked, err := r.askedFor(ctx, feeds)
	if err != nil {
		return nil, due{}, err
	}
	var late []*store.Feed
	var noted map[string]plannedNext
	if once {
		noted = r.notedPlan(ctx)
		late = r.overdue(ctx, feeds, now) // before the new plan is noted
	}
	plan, err := r.schedule(ctx, feeds, asked, tx, now)
	if err != nil {
		return nil, due{}, err
	}
	budget, err := r.budget(ctx, feeds, now)
	if err != nil {
		return nil, due{}, err
	}
	// The plan may be some minutes old: what was spent since is counted anew.
	left := budget.PerDay - budget.Used
	jobs, chosen := r.atOnce(feeds, asked, &left, now)
	left -= max(0, plan.Kept)
	order := orderOnHosts(feeds, now)
	for _, f := range late {
		if why, _ := r.early(f, now, false); why != "" || left <= 0 || order.yields(f, now) || chosen[f.ID.String()] {
			continue
		}
		left--
		chosen[f.ID.String()] = true
		jobs = append(jobs, job{feed: f, first: f.Poll.LastOK.IsZero() && f.Items == 0, before: noted[f.ID.String()].Look})
	}
	byID := make(map[string]*store.Feed, len(feeds))
	for i := range feeds {
		byID[feeds[i].ID.String()] = &feeds[i]
	}
	var later due
	for _, s := range plan.Slots {
		f := byID[s.ID]
		if f == nil || !lastFetch(&f.Poll, now).Before(s.At) || chosen[s.ID] {
			continue
		}
		if s.At.After(now) {
			return jobs, sooner(later, due{at: s.At, feed: r.asFeed(f).Title}), nil
		}
		if why, at := r.early(f, now, asked[f.ID]); why != "" {
			later = sooner(later, due{at: at, feed: r.asFeed(f).Title}) // the fetch before came late
			continue
		}
		if left <= 0 || !asked[f.ID] && order.yields(f, now) {
			continue
		}
		left--
		chosen[s.ID] = true
		jobs = append(jobs, job{feed: f, first: f.Poll.LastOK.IsZero() && f.Items == 0, byHand: asked[f.ID], before: lookOf(&s)})
	}
	// Nothing more is planned for today: look again when the plan is stale.
	return jobs, sooner(later, due{at: now.Add(replanAfter)}), nil
}

// sooner is the one of two that comes first; one without a time never comes.
func sooner(a, b due) due {
	if a.at.IsZero() || !b.at.IsZero() && b.at.Before(a.at) {
		return b
	}
	return a
}

// refresh is what is fetched because the reader came to the screen: the feeds
// for which that saves more misses than a fetch costs in the plan.
func (r *Reader) refresh(ctx context.Context, feeds []store.Feed) ([]job, error) {
	now := r.now()
	b := r.mind
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.fold(ctx, r.store, r.now()); err != nil {
		return nil, err
	}
	sources := r.sources(feeds, nil, r.interest.Weights(ctx), now)
	for i := range sources {
		sources[i].Posts = b.of(feedOf(&sources[i]), now)
	}
	budget, err := r.budget(ctx, feeds, now)
	if err != nil {
		return nil, err
	}
	slots := scheduler.Refresh(b.looking(now), sources, budget, r.planOptions(), now)
	var jobs []job
	for _, s := range slots {
		for i := range feeds {
			if feeds[i].ID.String() != s.ID {
				continue
			}
			if why, _ := r.early(&feeds[i], now, false); why == "" {
				jobs = append(jobs, job{feed: &feeds[i], opened: true})
			}
		}
	}
	return jobs, nil
}

// atOnce is what does not wait for its slot: feeds never fetched, and those
// that somebody asked for. The client keeps the hosts' gaps. What a person asks
// for counts in the day's budget and is not refused for its sake; a first fetch
// waits until the budget pays it.
func (r *Reader) atOnce(feeds []store.Feed, asked map[FeedID]bool, left *int, now time.Time) ([]job, map[string]bool) {
	var jobs []job
	chosen := map[string]bool{}
	for i := range feeds {
		f := &feeds[i]
		if model.IsPiped(f.URL) || !asked[f.ID] && !f.Poll.LastFetch.IsZero() || f.Poll.Gone && !asked[f.ID] {
			continue
		}
		if why, _ := r.early(f, now, asked[f.ID]); why == "" && (asked[f.ID] || *left > 0) {
			*left--
			chosen[f.ID.String()] = true
			jobs = append(jobs, job{feed: f, first: f.Poll.LastOK.IsZero() && f.Items == 0, byHand: asked[f.ID]})
		}
	}
	return jobs, chosen
}

// plannedNext is where a feed's next fetch stands in the plan.
type plannedNext struct {
	At     int64            `json:"at"` // unix s
	Reason scheduler.Reason `json:"reason"`
	Look   int64            `json:"look,omitempty"` // the usual look it stands before, unix s
}

// notedPlan reads what keepPlan left; nil if there is nothing to read.
func (r *Reader) notedPlan(ctx context.Context) map[string]plannedNext {
	b, err := r.store.Cache().Get(ctx, planBucket, nextKey)
	if err != nil || b == nil {
		return nil
	}
	var next map[string]plannedNext
	if json.Unmarshal(b, &next) != nil {
		return nil
	}
	return next
}

func (r *Reader) planOptions() scheduler.Options {
	return scheduler.Options{PlanFor: r.opts.PlanFor, Memory: &r.mind.daily, MinPoll: max(r.opts.Net.MinPoll, time.Second),
		MinManual: max(r.opts.Net.MinManual, time.Second), HostGap: max(r.opts.Net.PerHostEvery, 1)} // 0 would mean the default
}

func feedOf(s *scheduler.Source) FeedID {
	id, _ := ParseFeedID(s.ID)
	return id
}

// sources describes the feeds as the planner sees them. A feed that is gone is
// no source. A feed without a weight of its own, as a new one, gets the mean.
func (r *Reader) sources(feeds []store.Feed, asked map[FeedID]bool, weights map[string]float64, now time.Time) []scheduler.Source {
	var list []scheduler.Source
	usual := meanWeight(weights)
	for i := range feeds {
		f, p := &feeds[i], &feeds[i].Poll
		if p.Gone && !asked[f.ID] || model.IsPiped(f.URL) {
			continue
		}
		s := scheduler.Source{
			ID: f.ID.String(), Host: model.HostKey(f.URL), Window: p.Window, LastFetch: p.LastFetch,
			NotBefore: p.NotBefore, NotBeforeBy: p.NotBeforeBy.String(),
			SkipHours: mask(p.SkipHours, 24), SkipDays: uint8(mask(p.SkipDays, 7)),
			Interval: intervalOf(f), Asked: asked[f.ID], Weight: cmp.Or(weights[f.ID.String()], usual),
			Lost: len(lossesOf(p, now)),
		}
		// A clock that was wrong once must not bind for ever.
		s.LastFetch = lastFetch(p, now)
		if s.NotBefore.After(now.Add(model.MaxServerWait)) {
			s.NotBefore, s.NotBeforeBy = time.Time{}, ""
		}
		if bare := s.LastFetch.Add(r.floor(f)); s.Interval == 0 && r.floor(f) >= bareWait && bare.After(s.NotBefore) {
			s.NotBefore, s.NotBeforeBy = bare, store.Wait{Cause: store.WaitNoValidators}.String()
		}
		if s.Interval == 0 {
			s.MinPoll = r.floor(f)
		}
		s.Fetched, _ = fetchedToday(p, now)
		if p.Tries > 0 && !s.Asked {
			s.Retry = p.NextFetch
			if s.Retry.After(now.Add(model.MaxServerWait)) {
				s.Retry = now
			}
			if p.NoNetwork {
				s.LastFetch = s.Retry.Add(-24 * time.Hour) // the last try cost nobody anything
			}
		}
		list = append(list, s)
	}
	return list
}

// meanWeight is the mean of the learned weights, 0 if there are none.
func meanWeight(weights map[string]float64) float64 {
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

func mask(bits []int, most int) uint32 {
	var m uint32
	for _, b := range bits {
		if b >= 0 && b < most {
			m |= 1 << b
		}
	}
	return m
}

// intervalOf is the interval set by hand for one feed, 0 for none.
func intervalOf(f *store.Feed) time.Duration {
	d, err := time.ParseDuration(f.Attrs["interval"])
	if err != nil || d <= 0 {
		return 0
	}
	return max(d, 15*time.Minute)
}

// wants remembers which feeds were asked for, and up to which fact it has read.
type wants struct {
	mu    sync.Mutex
	seen  uint64
	asked map[FeedID]time.Time
	look  bool // the reader came to the screen; not answered yet
}

func (w *wants) noteLook() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.look = true
}

func (w *wants) takeLook() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	look := w.look
	w.look = false
	return look
}

func newWants() *wants { return &wants{asked: map[FeedID]time.Time{}} }

// askedFor returns the feeds that some process asked to be fetched and that
// have no newer result yet.
func (r *Reader) askedFor(ctx context.Context, feeds []store.Feed) (map[FeedID]bool, error) {
	last := map[FeedID]time.Time{}
	for i := range feeds {
		last[feeds[i].ID] = feeds[i].Poll.LastFetch
	}
	w := r.wants
	w.mu.Lock()
	defer w.mu.Unlock()
	now := r.now()
	seen, err := r.store.Facts(ctx, w.seen, func(f *store.Fact) error {
		if f.Kind == store.Asked && !f.At.After(now.Add(time.Hour)) { // a fact dated by a clock that was ahead would count for years
			for _, n := range f.Nums {
				w.asked[FeedID(n)] = f.At
			}
		}
		return nil
	})
	if err != nil && !errors.Is(err, store.ErrNone) {
		return nil, fmt.Errorf("read what was asked for: %w", err)
	}
	w.seen = max(seen, w.seen)
	open := map[FeedID]bool{}
	for id, at := range w.asked {
		if t, ok := last[id]; !ok || t.After(at) {
			delete(w.asked, id)
			continue
		}
		open[id] = true
	}
	return open, nil
}
