package reader

import (
	"context"
	"fmt"
	"time"

	"diurna/store"
)

// lookEvery is how often the library is read while another process fetches for
// us, should the folder's watch miss a commit.
const lookEvery = time.Second

// serving are the roles that stay and fetch what others ask for.
var serving = map[string]bool{"screen": true, "run": true}

// fetchElsewhere lets the process that holds fetch.lock fetch what q names: it
// files the wish as a fact and follows the library until each feed has a newer
// result. When the holder goes away first, done is false and the rest is the
// caller's to do.
func (r *Reader) fetchElsewhere(ctx context.Context, lock *store.FetchLock, q FetchRequest, progress func(Progress)) (rep FetchReport, done bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	watch, err := r.store.Watch(ctx)
	if err != nil {
		return rep, false, fmt.Errorf("watch the library: %w", err)
	}
	feeds, err := r.store.Feeds(ctx)
	if err != nil {
		return rep, false, fmt.Errorf("read the feeds: %w", err)
	}
	asked := r.now()
	jobs, rep := r.choose(feeds, q, asked)
	rep.Elsewhere = true
	if len(jobs) == 0 || !q.All && len(q.Feeds) == 0 {
		return rep, true, nil // what is due the holder fetches by itself
	}
	wish := store.Fact{Kind: store.Asked}
	open := map[FeedID]store.Feed{}
	for _, j := range jobs {
		wish.Nums = append(wish.Nums, int64(j.feed.ID))
		open[j.feed.ID] = j.feed
	}
	if err := r.store.Note(ctx, asked, wish); err != nil {
		return rep, false, fmt.Errorf("ask for a fetch: %w", err)
	}
	progress(Progress{Total: len(jobs)})
	for len(open) > 0 {
		select {
		case <-ctx.Done():
			return rep, true, ctx.Err()
		case <-watch:
		case <-time.After(lookEvery):
			if pid, _ := lock.Holder(); pid == 0 {
				return rep, false, nil
			}
		}
		if err := r.collect(ctx, open, &rep, asked, len(jobs), progress); err != nil {
			return rep, true, err
		}
	}
	return rep, true, nil
}

// collect moves the feeds that have a newer result by now into the report.
func (r *Reader) collect(ctx context.Context, open map[FeedID]store.Feed, rep *FetchReport, asked time.Time, total int, progress func(Progress)) error {
	feeds, err := r.store.Feeds(ctx)
	if err != nil {
		return fmt.Errorf("read the feeds: %w", err)
	}
	live, plan := map[FeedID]bool{}, r.notedPlan(ctx)
	for i := range feeds {
		f := &feeds[i]
		live[f.ID] = true
		before, ok := open[f.ID]
		if !ok || f.Poll.LastFetch.Before(asked.Truncate(time.Second)) {
			continue
		}
		delete(open, f.ID)
		res := FetchResult{Feed: f.ID, Title: r.asFeed(f).Title, Outcome: "not changed", New: f.Items - before.Items,
			Next: r.asFeed(f).planned(plan).NextFetch, Since: f.Poll.Since}
		switch {
		case f.Poll.Err != "":
			res.Outcome, res.Err = "failed", f.Poll.Err
		case res.New > 0:
			res.Outcome = "new"
		default:
			res.Why = untoldAt(&f.Poll, f.Poll.LastFetch)
		}
		rep.count(res)
		progress(Progress{Done: rep.Fetched, Total: total, Result: &rep.Results[len(rep.Results)-1]})
	}
	for id := range open {
		if !live[id] {
			delete(open, id) // unsubscribed meanwhile
		}
	}
	return nil
}
