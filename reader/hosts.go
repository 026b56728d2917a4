package reader

import (
	"context"
	"errors"
	"sort"
	"sync"

	"diurna/reader/fetch"
	"diurna/reader/model"
	"diurna/reader/poll"
	"diurna/reader/watch"
	"diurna/store"
)

// singlesAtOnce is how many feeds that are alone at their hosts are fetched, or wait for
// it, at the same time.
const singlesAtOnce = 64

// askHosts fetches the jobs, which are sorted by host.
func (r *refresher) askHosts(ctx context.Context, queues [][]job, answers chan<- pendingResult) {
	w := &fetchRound{answers: answers, shared: watch.NewRound(), hand: make(inHand, documentsAtOnce)}
	var all sync.WaitGroup
	single := make(chan job)
	for _, queue := range queues {
		if len(queue) == 1 {
			continue
		}
		// One goroutine for each connection; the client decides when it may go.
		next := make(chan job, len(queue))
		for _, j := range queue {
			next <- j
		}
		close(next)
		for range min(r.opts.Net.PerHost, len(queue)) {
			all.Go(func() { r.fetchAll(ctx, next, w) })
		}
	}
	// A feed alone at its host hardly ever waits for its turn, so a few goroutines do for
	// all of them: 1,000 take 16 MB.
	for range min(max(singlesAtOnce, r.opts.Net.HostsAtOnce), len(queues)) {
		all.Go(func() {
			for j := range single {
				next := make(chan job, 1)
				next <- j
				close(next)
				r.fetchAll(ctx, next, w)
			}
		})
	}
	for _, queue := range queues {
		if len(queue) == 1 {
			single <- queue[0]
		}
	}
	close(single)
	all.Wait()
}

// fetchRound is what the goroutines that fetch have in common.
type fetchRound struct {
	answers chan<- pendingResult
	shared  *watch.Round
	hand    inHand
}

func (r *refresher) fetchAll(ctx context.Context, next <-chan job, w *fetchRound) {
	for j := range next {
		if ctx.Err() != nil {
			return
		}
		hostWide, ended := r.fetchOne(ctx, j, w)
		if ended {
			return
		}
		if hostWide {
			// An answer 429 or 503 holds for all feeds of the host.
			for j := range next {
				w.answers <- pendingResult{job: j, skipped: model.Rule{Kind: model.RuleHost, Why: "the host asked us to wait"}}
			}
		}
	}
}

// fetchOne fetches a job and passes its answer on. ended: it was cancelled before it began,
// so the others will be as well.
func (r *refresher) fetchOne(ctx context.Context, j job, w *fetchRound) (hostWide, ended bool) {
	room := &place{all: w.hand}
	defer room.giveBack()
	g := pendingResult{job: j, forceFull: poll.Doubtful(j.feed, r.now())}
	known := &j.feed.Poll
	if g.forceFull {
		known = nil
	}
	if !watch.Is(j.feed) {
		if r.askFeed(context.WithValue(ctx, inHandKey{}, room), &g, known); g.skipped.Forbids() {
			w.answers <- g
			return false, false
		}
	} else if !r.fetchPage(ctx, &g, w.shared) {
		return false, false // nobody fetched it after all
	}
	if g.broken != nil && ctx.Err() != nil {
		if g.h.Result.Took == 0 {
			return false, true
		}
		g.broken, g.stopped = nil, true // as below: what else came is kept
	}
	var fe *fetch.Error
	if errors.As(g.h.Err, &fe) && fe.Kind == fetch.KindCanceled {
		if g.h.Result.Took == 0 {
			return false, true
		}
		g.stopped = true // not failed; but the publisher has seen the request
	}
	if g.forceFull && fe != nil && fe.Kind == fetch.KindNotAsked {
		// The host still asks to wait: comply for another two weeks.
		g.h.Err, g.h.Same = nil, true
		g.h.Result.NotModified, g.h.Result.URL = true, j.feed.Poll.ValidatorsFor
	}
	if !g.h.Same && g.h.Err == nil {
		g.arriving()
	}
	w.answers <- g
	return g.h.Result.HostWide && model.SameHost(g.h.Result.URL, j.feed.URL), false
}

// hourKey is the context key of what to do when a feed's turn at its host has come.
type hourKey struct{}

// askFeed fetches a feed. One that waited for its host until an hour in which it
// asks not to be fetched is skipped.
func (r *refresher) askFeed(ctx context.Context, g *pendingResult, known *store.Poll) {
	f, sure := g.job.feed, g.job.byHand
	own, stop := context.WithCancel(ctx)
	defer stop()
	own = context.WithValue(own, hourKey{}, func() {
		now := r.now()
		if !sure && poll.NextAllowed(&f.Poll, now).After(now) {
			g.skipped = poll.HourRule
			stop()
		}
		sure = true // what began is carried on, redirects too
	})
	g.h = r.web.Feed(own, f.URL, known, f.AllowPrivate, f.LastPost)
}

// failedLast sorts the jobs of one host: the healthy ones in the order given, then the
// failing ones, longest ago first.
func failedLast(queue []job) {
	sort.SliceStable(queue, func(i, j int) bool {
		a, b := &queue[i].feed.Poll, &queue[j].feed.Poll
		if x, y := a.Tries > 0, b.Tries > 0; !x || !y {
			return !x && y
		}
		return a.LastFetch.Unix() < b.LastFetch.Unix()
	})
}
