package reader

import (
	"context"

	"diurna/reader/watch"
	"diurna/store"
)

// pageFetcher fetches and files pages for a new watch.
type pageFetcher struct{ r *refresher }

// Claim marks a page as being fetched.
func (p pageFetcher) Claim(f *store.Feed) (done func(), ok bool) {
	mine, _ := p.r.inFlight.claim([]job{{feed: f}})
	return func() { p.r.inFlight.done(mine) }, len(mine) > 0
}

// FileVisit files the result of a visit.
func (p pageFetcher) FileVisit(ctx context.Context, v *watch.Visit, first bool) error {
	return p.r.file(ctx, []pendingResult{{job: job{feed: v.Feed(), first: first}, h: v.Answer(), visit: v}}, nil)
}

// Nudge makes the running fetcher look at the plan again.
func (p pageFetcher) Nudge() { p.r.nudge() }

// fetchPage fetches a watched page; false for a waiter that found nothing to take.
func (r *refresher) fetchPage(ctx context.Context, g *pendingResult, fl *watch.Round) bool {
	v := watch.NewVisit(g.job.feed)
	v.Full, v.Waiter, v.Look = g.forceFull, g.job.waiter, g.job.look
	ok := r.pages.Fetch(ctx, v, fl)
	g.visit, g.h, g.broken = v, v.Answer(), v.Err
	return ok
}

// riders are the watches that take what jobs fetch, claimed like them.
func (r *refresher) riders(jobs []job, feeds []store.Feed) []job {
	var going []*store.Feed
	for i := range jobs {
		going = append(going, jobs[i].feed)
	}
	var list []job
	for _, f := range watch.Riders(going, feeds) {
		list = append(list, job{feed: f, first: f.Poll.LastOK.IsZero() && f.Items == 0, waiter: true})
	}
	mine, _ := r.inFlight.claim(list)
	return mine
}
