package reader

import (
	"context"
	"time"

	"diurna/reader/plan"
	"diurna/reader/poll"
	"diurna/store"
)

// rules are the settings in the form that the etiquette wants.
func (o *Options) rules() poll.Rules {
	return poll.Rules{MinPoll: o.Net.MinPoll, MinManual: o.Net.MinManual, MinRetry: o.Net.MinRetry, PerDay: o.PerDay}
}

func (r *refresher) newPlanner() *plan.Planner {
	n := &r.opts.Net
	return plan.New(r.store, r.opts.rules(), r.interest, describeFeed, plan.Options{Changed: r.nudge, Version: r.opts.Version, PerDay: r.opts.PerDay, PlanFor: r.opts.PlanFor, NovelOnly: r.opts.NovelOnly,
		MinPoll: n.MinPoll, MinManual: n.MinManual, MinRetry: n.MinRetry, HostGap: n.MinHostInterval})
}

// jobsOf turns the planner's jobs into fetches.
func jobsOf(list []plan.Job) []job {
	var jobs []job
	for _, j := range list {
		jobs = append(jobs, job{feed: j.Feed, first: j.First, opened: j.Opened, byHand: j.ByHand, before: j.Before})
	}
	return jobs
}

// planned says what is due now and when to ask again; see plan.Planner.Due.
func (r *refresher) planned(ctx context.Context, feeds []store.Feed, tx uint64, once bool) ([]job, time.Time, error) {
	jobs, next, err := r.plan.Due(ctx, feeds, tx, once, r.now())
	return jobsOf(jobs), next, err
}
