package reader

import (
	"context"
	"time"

	"diurna/reader/interest"
	"diurna/reader/plan"
	"diurna/reader/rules"
	"diurna/reader/search"
	"diurna/reader/stories"
	"diurna/reader/sweep"
	"diurna/reader/watch"
	"diurna/reader/web"
	"diurna/store"
)

// refresher fetches feeds and watched pages, by the plan or when asked, and files the
// answers. A process has one; copies for another date share its state.
type refresher struct {
	store    *store.Store
	opts     *Options
	web      *web.Client
	plan     *plan.Planner
	interest *interest.Ranker
	texts    *search.Searcher
	stories  *stories.Keeper
	rules    *rules.Keeper
	pages    *watch.Pages
	now      func() time.Time

	news       *news
	inFlight   *inFlight
	compareSem *watch.Turns
	wake       chan struct{} // the running fetcher looks at the plan again
	sweep      time.Duration // sweep.After, but where a test has half a year to get through
}

// newRefresher returns a refresher that can plan; the copies that on returns can also
// fetch.
func newRefresher(s *store.Store, o *Options, learning *interest.Ranker, texts *search.Searcher, kept *rules.Keeper) *refresher {
	r := &refresher{store: s, opts: o, interest: learning, texts: texts, stories: stories.New(s, time.Now), rules: kept, news: newNews(), inFlight: newShift(),
		wake: make(chan struct{}, 1), compareSem: watch.NewTurns(), sweep: sweep.After}
	r.plan = r.newPlanner()
	return r
}

// learn brings the caches up to date with what was filed. Stories are left out: they take a
// third of the cost of a first fetch, and are grouped when they are shown.
func (r *refresher) learn(ctx context.Context) {
	r.interest.Learn(ctx, r.now())
	r.texts.Keep(ctx)
}

// on returns a refresher that shares everything but its connections, its watched pages and
// its clock.
func (r *refresher) on(client *web.Client, lib watch.Library, now func() time.Time) *refresher {
	one := *r
	one.web, one.now = client, now
	one.pages = watch.New(watch.Parts{Store: r.store, Library: lib, Web: client, Fetcher: pageFetcher{&one}, Turns: r.compareSem, Rules: r.opts.rules(),
		Second: r.opts.Net.SecondFetch, Now: now})
	return &one
}

func (r *refresher) asFeed(s *store.Feed) Feed { return describeFeed(s, r.now()) }
