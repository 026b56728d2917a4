package reader

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"diurna/scheduler"
	"diurna/store"
)

// Freshness says how many of the new items were already published but not here
// yet when the reader looked, and what other ways of fetching would have
// missed at the same looks. All of the last 28 days.
type Freshness struct {
	Looks       int     // in these days; 0: nothing can have been missed
	New         int     // dated items that came after their feed's first fetch
	Missed      int     // of them, not here yet at the moment of one look or more
	MissedAfter int     // of those, not brought by the refresh that the look started either
	Evenly      float64 // missed at the look with as many requests to each feed, evenly spaced; mean over 24 phases
	Hourly      float64 // missed at the look with hourly polling; the same mean

	Requests       int // made, of the same feeds and days
	HourlyRequests int // that hourly polling would have made

	byFeed map[FeedID]missedItems
}

// missedItems are the new items of one feed that a look missed.
type missedItems struct{ atLook, after int }

// moment is a place in the log. Facts of one millisecond are told apart by their
// numbers: what a look starts is filed after it.
type moment struct {
	ms int64 // Unix
	no uint64
}

func (m moment) compare(o moment) int {
	return cmp.Or(cmp.Compare(m.ms, o.ms), cmp.Compare(m.no, o.no))
}

// arrivedItem is one new item: when it was published and when the fetch that
// brought it began (Unix ms), since when it is here, and the look whose refresh
// that fetch was, 0 for none.
type arrivedItem struct {
	published, asked int64
	here             moment
	look             uint64
}

// Freshness counts over the facts.
func (r *Reader) Freshness(ctx context.Context) (Freshness, error) {
	now := r.now()
	from := now.AddDate(0, 0, -statDays)
	news, err := r.newsOfPeriod(ctx, from, now)
	if err != nil {
		return Freshness{}, err
	}
	feeds, err := r.store.Feeds(ctx)
	if err != nil {
		return Freshness{}, fmt.Errorf("read the feeds: %w", err)
	}
	out := Freshness{Looks: len(news.looks), byFeed: map[FeedID]missedItems{}}
	looks := make([]int64, len(news.looks))
	for i, l := range news.looks {
		looks[i] = l.ms
	}
	for i := range feeds {
		f := &feeds[i]
		start := max(from.UnixMilli(), f.Subscribed.UnixMilli())
		hours, requests := int((now.UnixMilli()-start)/time.Hour.Milliseconds()), fetchStats(f, now).Requests
		out.Requests += requests
		out.HourlyRequests += hours
		posts := news.count(f.ID, &out)
		out.Evenly += scheduler.NotHereEvenly(posts, looks, start, now.UnixMilli(), requests)
		out.Hourly += scheduler.NotHereEvenly(posts, looks, start, now.UnixMilli(), hours)
	}
	return out, nil
}

// newsLog is what happened in a period: looks, and by feed the dated new items
// and when it was asked (Unix ms), all ascending but the items.
type newsLog struct {
	looks []moment
	when  map[uint64]moment // of a look, by its number
	items map[FeedID][]arrivedItem
	asked map[FeedID][]int64
}

// newsOfPeriod reads it from the facts. The items of a first fetch were there
// before the reader was, and the date of a page's change is that of its fetch.
func (r *Reader) newsOfPeriod(ctx context.Context, from, now time.Time) (newsLog, error) {
	n := newsLog{when: map[uint64]moment{}, items: map[FeedID][]arrivedItem{}, asked: map[FeedID][]int64{}}
	known := map[FeedID]bool{}
	brought := map[FeedID]int{} // items whose Fetched fact is still to come
	_, err := r.store.Facts(ctx, 0, func(f *store.Fact) error {
		at := moment{f.At.UnixMilli(), f.No}
		switch {
		case f.At.After(now): // a past that is being played
		case f.Kind == store.Looked && !f.At.Before(from):
			n.looks = append(n.looks, at)
			n.when[f.No] = at
		case f.Kind == store.Fetched:
			n.fetched(f, brought[f.Feed])
			delete(brought, f.Feed)
		case f.Kind == store.Arrived:
			first := !known[f.Feed]
			known[f.Feed] = true
			if first || f.IsPageChange() {
				break
			}
			for _, rel := range f.Nums {
				if published := (f.At.Unix() + rel) * 1000; rel != store.Dateless && published >= from.UnixMilli() {
					n.items[f.Feed] = append(n.items[f.Feed], arrivedItem{published: min(published, at.ms), asked: at.ms, here: at})
					brought[f.Feed]++
				}
			}
		}
		return nil
	})
	if err != nil {
		return n, fmt.Errorf("read the log: %w", err)
	}
	slices.SortFunc(n.looks, moment.compare)
	for _, times := range n.asked {
		ascending(times)
	}
	return n, nil
}

// fetched takes in a Fetched fact that brought the last k items of its feed.
func (n *newsLog) fetched(f *store.Fact, k int) {
	x := f.Fetch()
	for _, c := range x.Checks {
		n.asked[f.Feed] = append(n.asked[f.Feed], c*1000)
	}
	began := f.At.UnixMilli() - x.Millis
	n.asked[f.Feed] = append(n.asked[f.Feed], began)
	items := n.items[f.Feed]
	for i := len(items) - k; i < len(items); i++ {
		items[i].asked, items[i].look = began, f.Ref
	}
}

// count adds up what of a feed's new items was missed, and returns since when
// each can have been fetched (Unix ms, ascending).
func (n *newsLog) count(id FeedID, out *Freshness) []int64 {
	var missed missedItems
	items := n.items[id]
	posts := make([]int64, 0, len(items))
	for _, it := range items {
		from := n.appeared(id, it)
		posts = append(posts, from)
		if !n.lookBetween(from, it.here) {
			continue
		}
		missed.atLook++
		// Of the looks before the item was here, only that one found it after its
		// refresh which started the fetch that brought it.
		until := it.here
		if l, ok := n.when[it.look]; ok && l.compare(until) < 0 {
			until = l
		}
		if n.lookBetween(from, until) {
			missed.after++
		}
	}
	ascending(posts)
	out.New += len(items)
	out.Missed += missed.atLook
	out.MissedAfter += missed.after
	out.byFeed[id] = missed
	return posts
}

// appeared is when an item can have been fetched first, Unix ms. Many publishers
// date their items long before they show them: what a fetch that began after that
// date did not bring was not there yet, and no other way of fetching would have
// brought it.
func (n *newsLog) appeared(id FeedID, it arrivedItem) int64 {
	times := n.asked[id]
	i, _ := slices.BinarySearch(times, it.asked)
	if i == 0 {
		return it.published
	}
	return max(it.published, times[i-1])
}

// lookBetween reports whether the reader looked at or after an item was published
// (Unix ms) and before it was here.
func (n *newsLog) lookBetween(published int64, here moment) bool {
	i, _ := slices.BinarySearchFunc(n.looks, moment{ms: published}, moment.compare)
	return i < len(n.looks) && n.looks[i].compare(here) < 0
}
