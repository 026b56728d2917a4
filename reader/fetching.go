package reader

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"diurna/reader/model"
	"diurna/store"
)

func (r *refresher) fetch(ctx context.Context, q FetchRequest, progress func(Progress)) (FetchReport, error) {
	if !r.store.Exists() {
		return FetchReport{}, nil
	}
	if progress == nil {
		progress = func(Progress) {}
	}
	if !q.All && len(q.Feeds) == 0 && r.plan.NothingDue(ctx, r.now()) {
		return FetchReport{}, nil
	}
	if lock := r.inFlight.held(); lock != nil {
		defer r.nudge() // what comes changes the plan
		return r.fetchNow(ctx, lock, q, progress)
	}
	var served FetchReport // by a holder that went away before it was done
	lock, err := r.store.FetchLock(r.opts.Role)
	if errors.Is(err, store.ErrBusy) {
		if _, role := lock.Holder(); serving[role] {
			var done bool
			if served, done, err = r.fetchElsewhere(ctx, lock, q, progress); done || err != nil {
				r.nameNext(ctx, &served)
				return served, err
			}
		}
		err = r.await(ctx, lock, progress) // another fetch runs: what it brings is not due again afterwards
	}
	if err != nil {
		return FetchReport{}, fmt.Errorf("wait for the other fetch: %w", err)
	}
	defer lock.Release()
	report, err := r.fetchNow(ctx, lock, q, progress)
	r.learn(ctx)
	report = served.and(report)
	r.nameNext(ctx, &report)
	return report, err
}

// and joins both reports: feeds that the first has settled are not counted again.
func (rep FetchReport) and(more FetchReport) FetchReport {
	settled := map[FeedID]bool{}
	for _, res := range rep.Results {
		settled[res.Feed] = true
	}
	for _, res := range more.Results {
		if !settled[res.Feed] {
			rep.count(res)
		}
	}
	return rep
}

// nudge makes the running fetcher look at the plan again.
func (r *refresher) nudge() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// fetchNow fetches while this process holds fetch.lock.
func (r *refresher) fetchNow(ctx context.Context, lock *store.FetchLock, q FetchRequest, progress func(Progress)) (FetchReport, error) {
	// Read after the lock was taken: what its last holder fetched is not due again.
	known, err := r.readFeeds(ctx)
	if errors.Is(err, store.ErrNone) {
		return FetchReport{}, nil
	}
	if err != nil {
		return FetchReport{}, fmt.Errorf("read the feeds: %w", err)
	}
	var jobs []job
	var report FetchReport
	if !q.All && len(q.Feeds) == 0 {
		if jobs, _, err = r.planned(ctx, known.feeds, known.tx, r.inFlight.held() == nil); err != nil {
			return FetchReport{}, err
		}
	} else {
		jobs, report = r.choose(known.feeds, q, r.now())
	}
	report, err = r.gatherReport(ctx, lock, jobs, known, report, progress)
	if !errors.Is(err, errStoodBack) {
		return report, err
	}
	rest, err := r.fetch(ctx, q, progress) // by whoever has the lock now
	return report.and(rest), err
}

// choose sorts the feeds into those to fetch now and those that a rule holds back, which
// are already in the report.
func (r *refresher) choose(feeds []store.Feed, q FetchRequest, now time.Time) ([]job, FetchReport) {
	var jobs []job
	var report FetchReport
	byHand := len(q.Feeds) > 0
	for i := range feeds {
		f := &feeds[i]
		switch {
		case byHand && !slices.Contains(q.Feeds, f.ID):
			continue
		case f.Poll.Gone && !byHand, model.IsPiped(f.URL):
			continue
		case !byHand && !q.All && f.Poll.NextFetch.After(now):
			continue // not due; says nothing, as every feed is that most of the time
		}
		if rule, next := r.opts.rules().Early(f, now, byHand); rule.Forbids() {
			report.count(FetchResult{Feed: f.ID, Title: r.asFeed(f).Title, Outcome: OutcomeEarly, Rule: rule.Kind, Why: rule.Why, Next: next})
			continue
		}
		jobs = append(jobs, job{feed: f, first: f.Poll.LastOK.IsZero() && f.Items == 0, byHand: byHand})
	}
	return jobs, report
}

// count takes a settled feed into the report.
func (rep *FetchReport) count(res FetchResult) {
	rep.Results = append(rep.Results, res)
	rep.New += res.New
	switch res.Outcome {
	case OutcomeEarly:
		rep.Early++
		if res.Rule == RuleServer {
			rep.Waiting++
		}
		return
	case OutcomeFailed:
		rep.Failed++
	}
	rep.Fetched++
}

func (r *refresher) gatherReport(ctx context.Context, lock *store.FetchLock, jobs []job, known feedList, report FetchReport, progress func(Progress)) (FetchReport, error) {
	progress(Progress{Total: len(jobs)})
	done := 0
	err := r.gather(ctx, lock, jobs, known, func(res FetchResult) {
		report.count(res)
		done++
		progress(Progress{Done: done, Total: max(len(jobs), done), Result: &report.Results[len(report.Results)-1]})
	})
	r.keepOpening(ctx, jobs, report.Results)
	if err == nil && ctx.Err() != nil && done < len(jobs) {
		err = ctx.Err() // stopped: what came is kept, the rest was not asked for
	}
	return report, err
}

// nameNext says when each feed that was fetched, or held back, is fetched next, by the plan
// made with that result: the same time that WhyFeed names. If no plan can be made, the
// fetch does not count as failed.
func (r *refresher) nameNext(ctx context.Context, rep *FetchReport) {
	if len(rep.Results) == 0 {
		return
	}
	next, err := r.plan.NextFetches(ctx, r.now())
	if err != nil {
		return
	}
	for i := range rep.Results {
		res := &rep.Results[i]
		if at := next[res.Feed]; !at.IsZero() || res.Outcome != OutcomeEarly {
			res.Next = at
		}
	}
}
