package reader

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"time"

	"diurna/reader/fetch"
	"diurna/reader/fulltext"
	"diurna/reader/match"
	"diurna/reader/model"
	"diurna/reader/poll"
	"diurna/reader/rules"
	"diurna/reader/trends"
	"diurna/reader/watch"
	"diurna/reader/web"
	"diurna/reader/wording"
	"diurna/store"
)

// Results are filed in groups: a transaction for each feed would spend more
// time in fsync than on the net.
const (
	groupWait  = 100 * time.Millisecond
	groupItems = 200
	groupBytes = 512 << 10
	quietWait  = 2 * time.Second // "not changed" alone is filed this late at most
)

// news signals the screen that something was filed. Signals merge: looking once is enough.
type news struct{ ch chan struct{} }

func newNews() *news { return &news{ch: make(chan struct{}, 1)} }

func (n *news) tell() {
	select {
	case n.ch <- struct{}{}:
	default:
	}
}

// job is one feed to fetch.
type job struct {
	feed   *store.Feed // as it was read; not changed
	first  bool        // nothing was ever filed for it
	all    bool        // bring every item unread
	opened bool        // fetched because the screen was opened: a token
	look   uint64      // number of the fact of the look that started this fetch, 0 for none
	waiter bool        // a watched page that only takes what another watch fetches
	byHand bool        // somebody asked for this feed
	before int64       // the usual look that the plan fetches it for, unix s; 0: none
}

// pendingResult is a job with its answer, waiting to be filed.
type pendingResult struct {
	job job
	h   web.Answer
	// arrivals are the document's items with their keys, hashed once by the goroutine that
	// fetched them: one goroutine files for all.
	arrivals []match.Entry
	// overlap: the document shares items with the library, so it is this feed
	overlap   bool
	skipped   model.Rule  // why it was not asked
	forceFull bool        // asked without validators, to see whether "not changed" is true
	poll      *store.Poll // what was filed of its fetching
	stopped   bool        // in the middle: nothing is kept but that it was asked
	lost      bool        // it showed none of the items known before

	called []rules.Called // new items that a rule of config.toml fits
	visit  *watch.Visit   // of a watched page
	broken error          // the library's: the fetch ends
}

func (g *pendingResult) arriving() []match.Entry {
	if g.arrivals == nil {
		g.arrivals = match.Entries(&g.h.Doc, match.SharedIDs(g.job.feed.Poll.SharedIDs))
	}
	return g.arrivals
}

func (g *pendingResult) items() int { return len(g.h.Doc.Items) }

func (g *pendingResult) bytes() int {
	n := 0
	for i := range g.h.Doc.Items {
		n += len(g.h.Doc.Items[i].ContentHTML) + len(g.h.Doc.Items[i].SummaryHTML) + 256
	}
	if g.visit != nil {
		n += g.visit.Bytes()
	}
	return n
}

// feedList is all feeds as they were read. tx is the library's newest commit before
// that; 0: not known.
type feedList struct {
	feeds []store.Feed
	tx    uint64
}

// readFeeds reads all feeds.
func (r *refresher) readFeeds(ctx context.Context) (feedList, error) {
	list := feedList{tx: r.store.Tx(ctx)}
	var err error
	list.feeds, err = r.store.Feeds(ctx)
	return list, err
}

// gather fetches the jobs, which were chosen from known, from a few hosts at once with one
// connection each, and files the answers. settled is called from one goroutine, after the
// commit that keeps a feed's result. It returns when all goroutines it started have ended;
// an error is the library's, never a feed's, or errStoodBack.
func (r *refresher) gather(ctx context.Context, lock *store.FetchLock, jobs []job, known feedList, settled func(FetchResult)) error {
	ctx, stop := context.WithCancelCause(ctx)
	cancel := func() { stop(nil) }
	defer cancel()
	ctx = context.WithValue(ctx, dutyKey{}, duty{lock, stop})
	if settled == nil {
		settled = func(FetchResult) {}
	}
	jobs, busy := r.inFlight.claim(jobs)
	defer r.inFlight.done(jobs)
	for i := range busy {
		settled(r.skippedResult(&pendingResult{job: busy[i], skipped: model.Rule{Kind: model.RuleFetching, Why: "it is being fetched right now"}}))
	}
	jobs, riders, err := r.freshen(ctx, jobs, known)
	defer func() { r.inFlight.done(riders) }()
	if err != nil {
		return err
	}
	jobs = append(jobs, riders...)
	answers := make(chan pendingResult)
	go func() {
		r.askHosts(ctx, byHost(jobs), answers)
		close(answers)
	}()
	var fresh []fulltext.Fresh
	err = r.fileAll(ctx, cancel, answers, func(res FetchResult) {
		settled(res)
		fresh = append(fresh, wholeTexts(jobs, &res)...)
	})
	if err == nil {
		err = r.wholeTexts(ctx, fresh)
	}
	if err == nil && context.Cause(ctx) == errStoodBack {
		err = errStoodBack
	}
	return err
}

// freshen reads the state of claimed feeds again, now that no other goroutine fetches them:
// what was fetched meanwhile is not fetched once more. Without a commit since they were
// read it is as known. riders want the same pages.
func (r *refresher) freshen(ctx context.Context, jobs []job, known feedList) (fresh, riders []job, err error) {
	if known.tx != 0 && known.tx == r.store.Tx(ctx) {
		return jobs, r.riders(jobs, known.feeds), nil
	}
	feeds, err := r.store.Feeds(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("read the feeds: %w", err)
	}
	now := make(map[FeedID]*store.Feed, len(feeds))
	for i := range feeds {
		now[feeds[i].ID] = &feeds[i]
	}
	for _, j := range jobs {
		if f := now[j.feed.ID]; f != nil && f.Poll.LastFetch.Equal(j.feed.Poll.LastFetch) {
			j.feed = f
			fresh = append(fresh, j)
		}
	}
	return fresh, r.riders(fresh, feeds), nil
}

// skippedResult is the result of a feed that was not fetched.
func (r *refresher) skippedResult(g *pendingResult) FetchResult {
	f := r.asFeed(g.job.feed)
	return FetchResult{Feed: f.Key, Title: f.Title, Outcome: OutcomeEarly, Rule: g.skipped.Kind, Why: g.skipped.Why, Next: f.NextFetch}
}

// byHost sorts the jobs into one queue per host, in the order given, except that feeds that
// failed come last.
func byHost(jobs []job) [][]job {
	at := map[string]int{}
	var queues [][]job
	for _, j := range jobs {
		k := model.HostKey(j.feed.URL)
		i, ok := at[k]
		if !ok {
			i = len(queues)
			at[k] = i
			queues = append(queues, nil)
		}
		queues[i] = append(queues[i], j)
	}
	for _, q := range queues {
		failedLast(q)
	}
	return queues
}

// fileAll takes answers until there are no more and files them in groups.
func (r *refresher) fileAll(ctx context.Context, stop func(), answers <-chan pendingResult, settled func(FetchResult)) error {
	var (
		group        []pendingResult
		items, bytes int
		failed       error
		timer        = time.NewTimer(time.Hour)
		armed        time.Duration
	)
	defer timer.Stop()
	flush := func() {
		if len(group) > 0 && failed == nil {
			// A cancelled fetch still keeps what has arrived.
			if failed = r.file(context.WithoutCancel(ctx), group, settled); failed != nil {
				stop() // the disk is full or worse: more requests would be wasted on both sides
			}
		}
		group, items, bytes, armed = group[:0:0], 0, 0, 0
		timer.Reset(time.Hour)
	}
	for {
		select {
		case g, ok := <-answers:
			if !ok {
				flush()
				return failed
			}
			if g.broken != nil && failed == nil {
				failed = g.broken
				stop()
			}
			if g.broken != nil {
				continue
			}
			if g.skipped.Forbids() {
				settled(r.skippedResult(&g))
				continue
			}
			group = append(group, g)
			items, bytes = items+g.items(), bytes+g.bytes()
			if items >= groupItems || bytes >= groupBytes {
				flush()
				continue
			}
			wait := quietWait
			if items > 0 {
				wait = groupWait
			}
			if armed == 0 || wait < armed {
				armed = wait
				timer.Reset(wait)
			}
		case <-timer.C:
			flush()
		}
	}
}

// file keeps a group in one transaction and reports each feed as settled.
func (r *refresher) file(ctx context.Context, group []pendingResult, settled func(FetchResult)) error {
	// One group at a time: the waits that a group gives a host's other feeds are written
	// over their state as just read.
	r.inFlight.filing.Lock()
	defer r.inFlight.filing.Unlock()
	now := r.now()
	// The order of answers is chance; the facts need not keep it.
	sort.SliceStable(group, func(i, j int) bool { return group[i].job.feed.ID < group[j].job.feed.ID })
	pending := group
	tidings := false // "not changed" is nothing the screen need load its list for
	for try := 0; len(pending) > 0; try++ {
		filings, err := r.filings(ctx, pending, try > 0)
		if err != nil {
			return err
		}
		filed, err := r.store.File(ctx, now, filings)
		if err != nil {
			return fmt.Errorf("keep what came: %w", err)
		}
		var again []pendingResult
		r.texts.Filed(ctx, now, filings, filed, match.Corrected(filings, filed))
		trends.Touched(ctx, r.store.Cache(), match.Corrected(filings, filed))
		for i := range filings {
			tidings = tidings || filings[i].Outcome != nil || len(filings[i].Rekey) > 0
		}
		for i := range filed {
			if errors.Is(filed[i].Err, store.ErrStale) && try < 5 {
				again = append(again, pending[i]) // somebody filed this feed meanwhile: look again
				continue
			}
			if errors.Is(filed[i].Err, store.ErrStale) {
				// The items are given up, but not the time of the request: a feed whose
				// fetch leaves no trace would be fetched again at once.
				if _, err := r.store.File(ctx, now, []store.Filing{{Feed: filings[i].Feed, Poll: filings[i].Poll}}); err != nil {
					return fmt.Errorf("keep when a feed was asked: %w", err)
				}
			}
			if settled != nil && !pending[i].stopped {
				settled(r.outcome(&pending[i], &filings[i], &filed[i]))
			}
		}
		pending = again
	}
	if tidings {
		r.news.tell()
	}
	if err := r.tellHosts(ctx, now, group); err != nil {
		return err
	}
	return r.adopt(ctx, group)
}

// tellHosts holds back the other feeds of a host that asked to wait, with its number of
// refusals in a row, and lifts that when it answers again.
func (r *refresher) tellHosts(ctx context.Context, now time.Time, group []pendingResult) error {
	until := map[string]*store.Poll{} // by the host that said so, which a redirect may have led to
	calm := map[string]bool{}
	for i := range group {
		g := &group[i]
		if g.poll == nil {
			continue
		}
		host := model.HostKey(g.h.Result.URL)
		switch p := until[host]; {
		case g.h.Result.HostWide && (p == nil || p.NotBefore.Before(g.poll.NotBefore)):
			until[host] = g.poll
		case g.h.Err == nil && g.job.feed.Poll.BusyRun > 0:
			calm[host] = true
		}
	}
	if len(until) == 0 && len(calm) == 0 {
		return nil
	}
	feeds, err := r.store.Feeds(ctx)
	if err != nil {
		return fmt.Errorf("read the feeds: %w", err)
	}
	var filings []store.Filing
	for i := range feeds {
		f := &feeds[i]
		host := model.HostKey(f.URL)
		p, busy := until[host]
		switch run := f.Poll.BusyRun; {
		case busy && (run != p.BusyRun || f.Poll.NotBefore.Before(p.NotBefore)):
			f.Poll.BusyRun = p.BusyRun
			if f.Poll.NotBefore.Before(p.NotBefore) {
				f.Poll.NotBefore, f.Poll.NotBeforeBy = p.NotBefore, p.NotBeforeBy
			}
			if f.Poll.NextFetch.Before(p.NotBefore) {
				f.Poll.NextFetch = p.NotBefore
			}
		case !busy && calm[host] && run > 0:
			f.Poll.BusyRun = 0
		default:
			continue
		}
		filings = append(filings, store.Filing{Feed: f.ID, Poll: &f.Poll})
	}
	if _, err := r.store.File(ctx, now, filings); err != nil {
		return fmt.Errorf("keep the host's wish: %w", err)
	}
	return nil
}

// outcome says how the fetch of a feed ended.
func (r *refresher) outcome(g *pendingResult, f *store.Filing, done *store.Filed) FetchResult {
	res := FetchResult{
		Feed: g.job.feed.ID, Title: r.asFeed(g.job.feed).Title, Outcome: OutcomeNotChanged,
		New: done.New, Edited: len(f.Edited), Bytes: g.h.Result.WireBytes, Took: g.h.Result.Took,
	}
	for i := range f.Corrected {
		if f.Corrected[i].Retitled {
			res.Edited++
		}
	}
	if g.job.feed.GivenTitle == "" && f.FeedTitle != "" {
		res.Title = f.FeedTitle // as it is from now on
	}
	if g.visit != nil {
		res.Reported = g.visit.Notifications(res.Title, f, done)
	}
	res.Called, res.Reported = watch.CalledFor(g.called, res.Title, f, done, res.Reported)
	if f.Poll != nil {
		res.Since = f.Poll.Since
		if !f.Poll.Gone {
			res.Next = r.plan.NextSlot(g.job.feed, g.h.At, f.Poll)
		}
	}
	if was := &g.job.feed.Poll; g.h.Err == nil && watch.Is(g.job.feed) && was.Watch.State != store.PageFine {
		res.Back, res.Since = was.Err, was.Since
	}
	if f.Poll != nil && f.Poll.Partial && g.h.Err == nil {
		res.Err = f.Poll.Err // what came whole is filed all the same
	}
	switch {
	case g.h.Err != nil:
		res.Outcome, res.Err = OutcomeFailed, g.h.Err.Error()
		if e := (*fetch.Error)(nil); errors.As(g.h.Err, &e) {
			res.Kind = string(e.Kind)
		}
	case g.job.first:
		res.Outcome = OutcomeFirst
	case done.New > 0:
		res.Outcome = OutcomeNew
	case res.Edited > 0:
		res.Outcome = OutcomeEdited
	}
	if res.Outcome == OutcomeNotChanged && f.Poll != nil {
		res.Why = watch.SuppressedAt(f.Poll, g.h.At)
	}
	if f.Poll != nil {
		res.LeftOut = poll.LeftOut(f.Poll)
	}
	if g.lost && f.Poll != nil {
		fd := Feed{Title: res.Title, Settings: model.SettingsOf(g.job.feed.Attrs), Losses: poll.Losses(f.Poll, g.h.At)}
		res.Lost = fd.LossSentence(wording.Clock{Now: g.h.At})
	}
	return res
}

// Refused reports whether diurna itself did not fetch the feed, as its address is
// private and was not allowed.
func (f *FetchResult) Refused() bool { return fetch.Kind(f.Kind) == fetch.KindPrivate }

func (f *FetchResult) reachedNobody() bool {
	switch fetch.Kind(f.Kind) {
	case fetch.KindNoName, fetch.KindUnreachable, fetch.KindTimeout:
		return true
	}
	return false
}
