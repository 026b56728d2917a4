package reader

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"diurna/scheduler"
	"diurna/store"
)

// planned asks the scheduler what is due and what comes next. The plan is a
// function of facts and time: nothing of it needs to be kept.
func (r *Reader) planned(ctx context.Context, feeds []store.Feed) ([]job, due, error) {
	now := r.now()
	asked, err := r.askedFor(ctx, feeds)
	if err != nil {
		return nil, due{}, err
	}
	sources, at := r.sources(feeds, asked, now)
	plan := scheduler.Plan(nil, sources, r.budget(feeds, now), r.planOptions(), now)
	r.keepPlan(ctx, plan.Slots, now)
	var jobs []job
	next := due{}
	chosen := map[int]bool{}
	for _, s := range plan.Slots {
		f := &feeds[at[s.Source]]
		if s.At.After(now) {
			if next.at.IsZero() {
				next = due{at: s.At, feed: r.asFeed(f).Title}
			}
			break
		}
		if !chosen[s.Source] {
			chosen[s.Source] = true
			jobs = append(jobs, job{feed: *f, first: f.Poll.LastOK.IsZero() && f.Items == 0})
		}
	}
	return jobs, next, nil
}

// plannedNext is where a feed's next fetch stands in the plan.
type plannedNext struct {
	At     int64            `json:"at"` // unix s
	Reason scheduler.Reason `json:"reason"`
}

// keepPlan leaves word in cache.db of when each feed is fetched next, for lists
// and other processes. It is written when something changed, and failing to
// write it costs nothing but those words.
func (r *Reader) keepPlan(ctx context.Context, slots []scheduler.Slot, now time.Time) {
	next := map[string]plannedNext{}
	for _, s := range slots {
		if _, ok := next[s.ID]; !ok && s.At.After(now) {
			next[s.ID] = plannedNext{s.At.Unix(), s.Reason}
		}
	}
	b, err := json.Marshal(next)
	if err != nil {
		return
	}
	w := r.wants
	w.mu.Lock()
	same := bytes.Equal(w.plan, b)
	w.plan = b
	w.mu.Unlock()
	if same {
		return
	}
	if err := r.store.Cache().Put(ctx, "plan", map[string][]byte{"next": b}); err != nil {
		slog.Debug("the plan could not be noted", "error", err)
	}
}

// notedPlan reads what keepPlan left; nil if there is nothing to read.
func (r *Reader) notedPlan(ctx context.Context) map[string]plannedNext {
	b, err := r.store.Cache().Get(ctx, "plan", "next")
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
	return scheduler.Options{Policy: scheduler.Even, MinPoll: r.opts.Net.MinPoll,
		MinManual: r.opts.Net.MinManual, HostGap: max(r.opts.Net.PerHostEvery, 0)}
}

// sources describes the feeds as the planner sees them; at[i] is the index of
// the i-th source in feeds. A feed that is gone is no source.
func (r *Reader) sources(feeds []store.Feed, asked map[FeedID]bool, now time.Time) (list []scheduler.Source, at []int) {
	today := int32(now.Unix() / 86400)
	for i := range feeds {
		f, p := &feeds[i], &feeds[i].Poll
		if p.Gone && !asked[f.ID] || taken(f.URL) {
			continue
		}
		s := scheduler.Source{
			ID: f.ID.String(), Host: hostKey(f.URL), Window: p.Window, LastFetch: p.LastFetch,
			NotBefore: p.NotBefore, NotBeforeBy: p.NotBeforeBy,
			SkipHours: mask(p.SkipHours, 24), SkipDays: uint8(mask(p.SkipDays, 7)),
			Interval: intervalOf(f), Asked: asked[f.ID],
		}
		if d := p.Days[int(today)%len(p.Days)]; d.Day == today {
			s.Fetched = int(d.Requests)
		}
		if p.Tries > 0 && !s.Asked {
			s.Retry = p.NextFetch
		}
		list, at = append(list, s), append(at, i)
	}
	return list, at
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

// budget is the day's allowance with what of it was used. Days begin at
// midnight UTC, as the counters of requests do.
func (r *Reader) budget(feeds []store.Feed, now time.Time) scheduler.Budget {
	b := scheduler.Budget{DayEnds: now.UTC().Truncate(24 * time.Hour).Add(24 * time.Hour)}
	today := int32(now.Unix() / 86400)
	for i := range feeds {
		if feeds[i].Poll.Gone || taken(feeds[i].URL) {
			continue
		}
		b.PerDay += r.opts.PerDay
		if d := feeds[i].Poll.Days[int(today)%len(feeds[i].Poll.Days)]; d.Day == today {
			b.Used += int(d.Requests)
		}
	}
	return b
}

// wants remembers which feeds were asked for, and up to which fact it has read.
type wants struct {
	mu    sync.Mutex
	seen  uint64
	asked map[FeedID]time.Time
	plan  []byte // as noted in cache.db
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
	seen, err := r.store.Facts(ctx, w.seen, func(f *store.Fact) error {
		if f.Kind == store.Asked {
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
