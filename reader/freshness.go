package reader

import (
	"context"
	"fmt"
	"slices"

	"diurna/scheduler"
	"diurna/store"
)

// Freshness says how many of the new items were already published but not here
// yet when the reader looked, and what other ways of fetching would have
// missed at the same looks. All of the last 28 days.
type Freshness struct {
	New    int     // dated items that came after their feed's first fetch
	Missed int     // of them, not here yet at one look or more
	Evenly float64 // missed with as many requests to each feed, evenly spaced; mean over 24 phases
	Hourly float64 // missed with hourly polling; the same mean

	Requests       int // made, of the same feeds and days
	HourlyRequests int // that hourly polling would have made

	missed map[FeedID]int
}

// arrivedItem is one new item: published, and here since.
type arrivedItem struct{ published, here int64 }

// Freshness counts over the facts.
func (r *Reader) Freshness(ctx context.Context) (Freshness, error) {
	now := r.now()
	from := now.AddDate(0, 0, -statDays)
	news, err := r.newsOfPeriod(ctx, from.Unix(), now.Unix())
	if err != nil {
		return Freshness{}, err
	}
	feeds, err := r.store.Feeds(ctx)
	if err != nil {
		return Freshness{}, fmt.Errorf("read the feeds: %w", err)
	}
	out := Freshness{missed: map[FeedID]int{}}
	for i := range feeds {
		f := &feeds[i]
		start := max(from.Unix(), f.Subscribed.Unix())
		hours, requests := int(now.Unix()-start)/3600, fetchStats(f, now).Requests
		out.Requests += requests
		out.HourlyRequests += hours
		items := news.items[f.ID]
		posts := make([]int64, 0, len(items))
		for _, it := range items {
			it.published = news.appeared(f, it)
			posts = append(posts, it.published)
			out.New++
			if lookBetween(news.looks, it.published, it.here) {
				out.missed[f.ID]++
				out.Missed++
			}
		}
		ascending(posts)
		out.Evenly += scheduler.NotHereEvenly(posts, news.looks, start, now.Unix(), requests)
		out.Hourly += scheduler.NotHereEvenly(posts, news.looks, start, now.Unix(), hours)
	}
	return out, nil
}

// news is what happened in a period: looks, and by feed the dated new items and
// the fetches, all ascending.
type newsLog struct {
	looks   []int64
	items   map[FeedID][]arrivedItem
	fetches map[FeedID][]int64
}

// newsOfPeriod reads it from the facts. The items of a first fetch were there
// before the reader was.
func (r *Reader) newsOfPeriod(ctx context.Context, from, now int64) (newsLog, error) {
	out := newsLog{items: map[FeedID][]arrivedItem{}, fetches: map[FeedID][]int64{}}
	known := map[FeedID]bool{}
	_, err := r.store.Facts(ctx, 0, func(f *store.Fact) error {
		at := f.At.Unix()
		switch {
		case at > now: // a past that is being played
		case f.Kind == store.Looked && at >= from:
			out.looks = append(out.looks, at)
		case f.Kind == store.Fetched:
			out.fetches[f.Feed] = append(append(out.fetches[f.Feed], f.Fetch().Checks...), at)
		case f.Kind == store.Arrived:
			first := !known[f.Feed]
			known[f.Feed] = true
			for _, rel := range f.Nums {
				if !first && rel != store.Dateless && at+rel >= from {
					out.items[f.Feed] = append(out.items[f.Feed], arrivedItem{min(at+rel, at), at})
				}
			}
		}
		return nil
	})
	if err != nil {
		return out, fmt.Errorf("read the log: %w", err)
	}
	ascending(out.looks)
	for _, times := range out.fetches {
		ascending(times)
	}
	return out, nil
}

// appeared is when an item can have been fetched first. Many publishers date
// their items long before they show them: what a fetch after that date did not
// bring was not there yet, and no other way of fetching would have brought it.
// A fetch and what it brought are filed within a minute of each other.
func (n *newsLog) appeared(f *store.Feed, it arrivedItem) int64 {
	times := n.fetches[f.ID]
	i, _ := slices.BinarySearch(times, it.here-60)
	if i == 0 {
		return it.published
	}
	return max(it.published, times[i-1])
}

// lookBetween reports whether the reader looked after an item was published
// and before it was here.
func lookBetween(looks []int64, published, here int64) bool {
	i, _ := slices.BinarySearch(looks, published)
	return i < len(looks) && looks[i] < here
}
