package reader

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"diurna/reader/sweep"
	"diurna/store"
)

// Event is one thing that the running fetcher reports: a feed that was settled, the
// progress of a round, or what it waits for.
type Event struct {
	At       time.Time
	Progress Progress // of the present round; Total 0: nothing runs
	Waiting  string   // another process fetches: "pid 4211 (screen)"; this one takes over when that one ends
	Next     time.Time
	Say      string // a sentence for the user
	Err      error  // the library's: the round was not kept
}

// busyRest is how long the fetcher rests when all that is due is being fetched already:
// looking again at once would be a busy loop.
const busyRest = time.Minute

// settleRest is how long the fetcher rests after the library refused a round, so that a
// full disk is not tried in a loop.
const settleRest = time.Minute

// run is Reader.Run.
func (r *refresher) run(ctx context.Context, tell func(Event)) error {
	if tell == nil {
		tell = func(Event) {}
	}
	lock, err := r.holdFetchLock(ctx, tell)
	if err != nil {
		return err
	}
	defer lock.Release()
	r.inFlight.hold(lock)
	defer r.inFlight.hold(nil)
	watch, err := r.store.Watch(ctx)
	if err != nil {
		return fmt.Errorf("watch the library: %w", err)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go r.resumed(ctx)
	r.serve(ctx, watch, tell)
	return nil
}

// serve is the fetcher's loop: a round, then sleep.
func (r *refresher) serve(ctx context.Context, watch <-chan uint64, tell func(Event)) {
	for ctx.Err() == nil {
		var next time.Time
		err := r.regain(ctx, tell)
		if err == nil {
			next, err = r.round(ctx, tell)
		}
		if err != nil && ctx.Err() == nil {
			tell(Event{At: r.now(), Err: err})
			next = r.now().Add(settleRest)
		}
		r.learn(ctx)
		r.stories.Keep(ctx)
		r.sleep(ctx, next, watch)
	}
}

func (r *refresher) holdFetchLock(ctx context.Context, tell func(Event)) (*store.FetchLock, error) {
	lock, err := r.store.FetchLock(r.opts.Role)
	if !errors.Is(err, store.ErrBusy) {
		return lock, err
	}
	return lock, r.waitFor(ctx, lock, tell)
}

// waitFor waits until the lock's holder releases it, and says who that is. A holder that is
// not known yet, or has just released it, is asked for once more before the wait, so that
// nobody waits without a message.
func (r *refresher) waitFor(ctx context.Context, lock *store.FetchLock, tell func(Event)) error {
	for range 100 {
		if err := lock.Try(); !errors.Is(err, store.ErrBusy) {
			return err
		}
		if pid, role := lock.Holder(); pid != 0 {
			tell(Event{At: r.now(), Waiting: fmt.Sprintf("pid %d (%s)", pid, role)})
			break
		}
	}
	return lock.Wait(ctx)
}

// regain makes sure, before each round, that this process still holds fetch.lock. Where the
// lock's file was removed, it locks the new one, or stands back for the process that did.
func (r *refresher) regain(ctx context.Context, tell func(Event)) error {
	lock := r.inFlight.lock
	if lock == nil || lock.Held() {
		return nil
	}
	if err := r.waitFor(ctx, lock, tell); err != nil {
		return fmt.Errorf("take fetch.lock again: %w", err)
	}
	return nil
}

// round fetches what is due now and says when to come again.
func (r *refresher) round(ctx context.Context, tell func(Event)) (time.Time, error) {
	known, err := r.readFeeds(ctx)
	if err != nil && !errors.Is(err, store.ErrNone) {
		return time.Time{}, err
	}
	jobs, next, err := r.planned(ctx, known.feeds, known.tx, false)
	if err != nil {
		return time.Time{}, err
	}
	if r.plan.TakeLook() {
		more, err := r.plan.Refresh(ctx, known.feeds, r.now())
		if err != nil {
			return time.Time{}, err
		}
		jobs = append(jobs, jobsOf(more)...) // one that stands in both is claimed once
		look := r.plan.LastLook()
		for i := range jobs {
			jobs[i].look = look // what is due anyway comes with this refresh
		}
	}
	if len(jobs) == 0 {
		tell(Event{At: r.now(), Next: next})
		return next, nil
	}
	rep, err := r.gatherReport(ctx, r.inFlight.lock, jobs, known, FetchReport{}, func(p Progress) { tell(Event{At: r.now(), Progress: p}) })
	if errors.Is(err, errStoodBack) {
		return r.now(), nil // regain comes first
	}
	if rep.Fetched == 0 {
		// All of them are being fetched by hand right now; that fetch wakes this loop.
		return r.now().Add(busyRest), err
	}
	return r.now(), err // look at the plan again: what came changed it
}

// sleep waits for the time, for a request of this process or for another process's commit,
// whichever is first. With nothing to wait for it sleeps until it is woken.
func (r *refresher) sleep(ctx context.Context, until time.Time, watch <-chan uint64) {
	var alarm <-chan time.Time
	if !until.IsZero() {
		t := time.NewTimer(time.Until(until))
		defer t.Stop()
		alarm = t.C
	}
	// A round leaves garbage behind, on the screen too, which loads its list again: 40 MB
	// with 50,000 items. It is given back once nothing happens, as nothing else would
	// collect it for hours.
	quiet := time.NewTimer(r.sweep)
	defer quiet.Stop()
	for {
		select {
		case <-quiet.C:
			if again := sweep.Free(sweep.After); again > 0 {
				quiet.Reset(again)
			}
			continue
		case <-ctx.Done():
		case <-alarm:
		case <-watch:
			r.news.tell() // the screen looks again as well
		case <-r.wake:
		}
		return
	}
}

// inFlight is what the fetching goroutines of one process share: fetch.lock, where this
// process holds it all the time, and which feeds are being fetched.
type inFlight struct {
	filing sync.Mutex // held while a group is filed

	mu    sync.Mutex
	lock  *store.FetchLock // nil: nobody here fetches by the plan; changed by run alone
	going map[FeedID]bool
}

func newShift() *inFlight { return &inFlight{going: map[FeedID]bool{}} }

func (s *inFlight) hold(lock *store.FetchLock) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lock = lock
}

// held is fetch.lock while this process holds it all the time, else nil.
func (s *inFlight) held() *store.FetchLock {
	s.mu.Lock()
	lock := s.lock
	s.mu.Unlock()
	if lock == nil || !lock.Held() {
		return nil
	}
	return lock
}

// duty is in the context of all that is fetched under fetch.lock.
type (
	dutyKey struct{}
	duty    struct {
		lock *store.FetchLock
		stop context.CancelCauseFunc
	}
)

// errStoodBack ends a fetch in the middle: the lock's file was removed, and another process
// holds the new one.
var errStoodBack = errors.New("fetch.lock is no longer ours")

// onDuty says, before each request, whether it may still be made.
func onDuty(ctx context.Context) error {
	if d, ok := ctx.Value(dutyKey{}).(duty); ok && d.lock != nil && !d.lock.Held() {
		d.stop(errStoodBack)
	}
	if turn, ok := ctx.Value(hourKey{}).(func()); ok {
		turn()
	}
	return ctx.Err()
}

// claim marks the jobs whose feed is not being fetched yet as being fetched; busy are the
// others.
func (s *inFlight) claim(jobs []job) (mine, busy []job) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, j := range jobs {
		if s.going[j.feed.ID] {
			busy = append(busy, j)
			continue
		}
		s.going[j.feed.ID] = true
		mine = append(mine, j)
	}
	return mine, busy
}

func (s *inFlight) done(jobs []job) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, j := range jobs {
		delete(s.going, j.feed.ID)
	}
}
