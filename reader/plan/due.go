package plan

import (
	"context"
	"diurna/reader/model"
	"diurna/scheduler"
	"diurna/store"
	"time"
)

// Due says what is due now and when to ask again. A slot is done when its
// feed was fetched since, and void when a rule between us and the publisher
// forbids it by now. once is true where this process does not go on to carry the
// plan out: then all that came due before is due now.
func (p *Planner) Due(ctx context.Context, feeds []store.Feed, tx uint64, once bool, now time.Time) ([]Job, time.Time, error) {
	asked, err := p.Requested(ctx, feeds, now)
	if err != nil {
		return nil, time.Time{}, err
	}
	var late []*store.Feed
	var noted map[string]Noted
	if once {
		noted = p.Noted(ctx)
		late = p.overdue(ctx, feeds, now) // before the new plan is noted
	}
	s, err := p.Schedule(ctx, feeds, asked, tx, now)
	if err != nil {
		return nil, time.Time{}, err
	}
	budget, err := p.Budget(ctx, feeds, now)
	if err != nil {
		return nil, time.Time{}, err
	}
	// The plan may be some minutes old: what was spent since is counted again.
	left := budget.PerDay - budget.Used
	jobs, chosen := p.atOnce(feeds, asked, &left, now)
	left -= max(0, s.Kept)
	order := orderOnHosts(feeds, now)
	for _, f := range late {
		if rule, _ := p.rules.Early(f, now, false); rule.Forbids() || left <= 0 || order.yields(f, now) || chosen[f.ID.String()] {
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
	var later time.Time
	for _, slot := range s.Slots {
		f := byID[slot.ID]
		if f == nil || !lastFetch(&f.Poll, now).Before(slot.At) || chosen[slot.ID] {
			continue
		}
		if slot.At.After(now) {
			return jobs, sooner(later, slot.At), nil
		}
		if rule, at := p.rules.Early(f, now, asked[f.ID]); rule.Forbids() {
			later = sooner(later, at) // the fetch before came late
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
	return jobs, sooner(later, now.Add(ReplanAfter)), nil
}

// sooner is the one of two that comes first; the zero time never comes.
func sooner(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
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
	sources := p.sources(feeds, nil, p.interest.Weights(ctx), now)
	for i := range sources {
		sources[i].Posts = b.coming(&sources[i], now)
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
			if rule, _ := p.rules.Early(&feeds[i], now, false); !rule.Forbids() {
				jobs = append(jobs, Job{Feed: &feeds[i], Opened: true})
			}
		}
	}
	return jobs, nil
}

// atOnce is what does not wait for its slot: feeds never fetched, and those
// that somebody asked for. The client keeps the hosts' gaps. What a user asks
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
		if rule, _ := p.rules.Early(f, now, asked[f.ID]); !rule.Forbids() && (asked[f.ID] || *left > 0) {
			*left--
			chosen[f.ID.String()] = true
			jobs = append(jobs, Job{Feed: f, First: f.Poll.LastOK.IsZero() && f.Items == 0, ByHand: asked[f.ID]})
		}
	}
	return jobs, chosen
}
