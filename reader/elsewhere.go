package reader

import (
	"context"
	"fmt"
	"time"

	"diurna/reader/watch"
	"diurna/store"
)

// lookEvery is how often the library is read while another process fetches for this one, in
// case watching the folder misses a commit.
const lookEvery = time.Second

// serving are the roles of processes that keep running and fetch what others ask for.
var serving = map[string]bool{"screen": true, "run": true}

// fetchElsewhere lets the process that holds fetch.lock fetch what q names: it files the
// request as a fact and follows the library until each feed has a newer result. When the
// holder ends first, done is false and the caller fetches the rest.
func (r *refresher) fetchElsewhere(ctx context.Context, lock *store.FetchLock, q FetchRequest, progress func(Progress)) (rep FetchReport, done bool, err error) {
	if err := stopped(lock); err != nil {
		return rep, true, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	watch, err := r.store.Watch(ctx)
	if err != nil {
		return rep, false, fmt.Errorf("watch the library: %w", err)
	}
	snapshot, err := r.store.Snapshot(ctx, store.Unread, 0)
	if err != nil {
		return rep, false, fmt.Errorf("read the feeds: %w", err)
	}
	asked := r.now()
	jobs, rep := r.choose(snapshot.Feeds, q, asked)
	rep.Elsewhere = true
	if len(jobs) == 0 || !q.All && len(q.Feeds) == 0 {
		return rep, true, nil // what is due the holder fetches by itself
	}
	wish := store.Fact{Kind: store.Asked}
	w := wished{at: asked, after: snapshot.Totals.Facts, total: len(jobs), open: map[FeedID]store.Feed{}}
	for _, j := range jobs {
		wish.Nums = append(wish.Nums, int64(j.feed.ID))
		w.open[j.feed.ID] = *j.feed
	}
	if err := r.store.Note(ctx, asked, wish); err != nil {
		return rep, false, fmt.Errorf("ask for a fetch: %w", err)
	}
	progress(Progress{Total: len(jobs)})
	silence := silence{since: time.Now()}
	for len(w.open) > 0 {
		select {
		case <-ctx.Done():
			return rep, true, ctx.Err()
		case <-watch:
			silence = silence.broken()
		case <-time.After(lookEvery):
			if pid, _ := lock.Holder(); pid == 0 {
				return rep, false, nil
			}
			if err := silence.endure(lock, Progress{Done: rep.Fetched, Total: len(jobs)}, progress); err != nil {
				return rep, true, err
			}
		}
		if err := r.collect(ctx, &w, &rep, progress); err != nil {
			return rep, true, err
		}
	}
	return rep, true, nil
}

// A holder that works commits what it fetches; one request may take 30 s. One that was
// stopped by a signal commits nothing and keeps its lock.
const (
	tellSilence   = 10 * time.Second
	endureSilence = tellSilence + 30*time.Second
)

// stopped returns an error if a signal has stopped the process that fetches: until it is
// continued it fetches nothing and keeps others from fetching.
func stopped(lock *store.FetchLock) error {
	pid := lock.Stopped()
	if pid == 0 {
		return nil
	}
	_, role := lock.Holder()
	return &said{fmt.Sprintf("pid %d (%s), the fetching process, is stopped; kill -CONT %d resumes it", pid, role, pid), ErrBusy}
}

// silence is the time since the fetching process last committed something.
type silence struct {
	since    time.Time
	reported bool
}

func (s silence) broken() silence { return silence{since: time.Now(), reported: s.reported} }

// endure says once which process is waited for, and ends the wait when waiting is of no
// use.
func (s *silence) endure(lock *store.FetchLock, at Progress, progress func(Progress)) error {
	if err := stopped(lock); err != nil {
		return err
	}
	quiet := time.Since(s.since)
	if quiet < tellSilence || s.reported && quiet < endureSilence {
		return nil
	}
	pid, role := lock.Holder()
	if pid == 0 {
		return nil // it ended just now
	}
	if quiet >= endureSilence {
		return &said{fmt.Sprintf("pid %d (%s) is fetching but has not responded for %.0f s; it may be stopped", pid, role, quiet.Seconds()), ErrBusy}
	}
	s.reported, at.Waiting = true, fmt.Sprintf("pid %d (%s)", pid, role)
	progress(at)
	return nil
}

// await waits until this process holds fetch.lock.
func (r *refresher) await(ctx context.Context, lock *store.FetchLock, progress func(Progress)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	watch, err := r.store.Watch(ctx)
	if err != nil {
		return fmt.Errorf("watch the library: %w", err)
	}
	held := make(chan error, 1)
	go func() { held <- lock.Wait(ctx) }()
	silence := silence{since: time.Now()}
	for {
		select {
		case err := <-held:
			return err
		case <-watch:
			silence = silence.broken()
		case <-time.After(lookEvery):
			if err := silence.endure(lock, Progress{}, progress); err != nil {
				cancel()
				if <-held == nil {
					return nil // it came in the last moment
				}
				return err
			}
		}
	}
}

// wished is what another process was asked to fetch.
type wished struct {
	at    time.Time
	after uint64                // the newest fact then
	open  map[FeedID]store.Feed // without a newer result yet, as they were
	total int
}

// collect moves the feeds that have a newer result into the report.
func (r *refresher) collect(ctx context.Context, w *wished, rep *FetchReport, progress func(Progress)) error {
	feeds, err := r.store.Feeds(ctx)
	if err != nil {
		return fmt.Errorf("read the feeds: %w", err)
	}
	edited, err := r.editedAfter(ctx, w.after)
	if err != nil {
		return err
	}
	live, plan := map[FeedID]bool{}, r.plan.Noted(ctx)
	for i := range feeds {
		f := &feeds[i]
		live[f.ID] = true
		before, ok := w.open[f.ID]
		if !ok || f.Poll.LastFetch.Before(w.at.Truncate(time.Second)) {
			continue
		}
		delete(w.open, f.ID)
		res := FetchResult{Feed: f.ID, Title: r.asFeed(f).Title, Outcome: OutcomeNotChanged, New: f.Items - before.Items, Edited: edited[f.ID],
			Next: planned(r.asFeed(f), plan).NextFetch, Since: f.Poll.Since}
		switch {
		case f.Poll.Err != "":
			res.Outcome, res.Err = OutcomeFailed, f.Poll.Err
		case res.New > 0:
			res.Outcome = OutcomeNew
		case res.Edited > 0:
			res.Outcome = OutcomeEdited
		default:
			res.Why = watch.SuppressedAt(&f.Poll, f.Poll.LastFetch)
		}
		rep.count(res)
		progress(Progress{Done: rep.Fetched, Total: w.total, Result: &rep.Results[len(rep.Results)-1]})
	}
	for id := range w.open {
		if !live[id] {
			delete(w.open, id) // unsubscribed meanwhile
		}
	}
	return nil
}

// editedAfter counts the items that publishers edited after a fact, by feed.
func (r *refresher) editedAfter(ctx context.Context, after uint64) (map[FeedID]int, error) {
	edited := map[FeedID]int{}
	_, err := r.store.Facts(ctx, after, func(f *store.Fact) error {
		if f.Kind == store.Edited {
			edited[f.Feed] += len(f.Items)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read what was edited: %w", err)
	}
	return edited, nil
}
