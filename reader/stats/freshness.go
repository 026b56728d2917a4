package stats

import (
	"cmp"
	"context"
	"fmt"
	"maps"
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

	byFeed map[store.FeedID]missedItems
}

// missedItems are the new items of one feed that a look missed.
type missedItems struct{ atLook, after int }

// lookFact is a look: the number of its fact, and the latest moment of a look up
// to it (Unix ms).
type lookFact struct {
	no     uint64
	latest int64
}

// arrivedItem is one new item: when it was published and when the fetch that
// brought it began (Unix ms), the fact with which it came, and the look whose
// refresh that fetch was, 0 for none. Whether it was here at a look follows from
// the numbers of the facts: what a look starts is filed after it, and their order
// stays when a clock is set back.
type arrivedItem struct {
	id               store.ItemID
	published, asked int64
	here, look       uint64
}

// Freshness counts over the facts.
func (c *Counter) Freshness(ctx context.Context, now time.Time) (Freshness, error) {
	news, err := c.newsOfPeriod(ctx, now.AddDate(0, 0, -statDays), now)
	if err != nil {
		return Freshness{}, err
	}
	feeds, err := c.store.Feeds(ctx)
	if err != nil {
		return Freshness{}, fmt.Errorf("read the feeds: %w", err)
	}
	return news.freshness(feeds), nil
}

// freshness counts what happened in the period.
func (n *newsLog) freshness(feeds []store.Feed) Freshness {
	out := Freshness{Looks: len(n.looks), byFeed: map[store.FeedID]missedItems{}}
	for i := range feeds {
		f := &feeds[i]
		start := max(n.from.UnixMilli(), f.Subscribed.UnixMilli())
		hours, requests := int((n.now.UnixMilli()-start)/time.Hour.Milliseconds()), fetchStats(f, n.now).Requests
		out.Requests += requests
		out.HourlyRequests += hours
		posts := n.count(f.ID, &out)
		out.Evenly += scheduler.NotHereEvenly(posts, n.times, start, n.now.UnixMilli(), requests)
		out.Hourly += scheduler.NotHereEvenly(posts, n.times, start, n.now.UnixMilli(), hours)
	}
	return out
}

// filedWithin is how long after an answer its facts may be written. No feed is
// asked twice within that time.
const filedWithin = time.Minute

// newsLog is what happened in a period, by feed the dated new items and when it
// answered with a document at earliest (Unix ms, ascending).
type newsLog struct {
	from, now time.Time
	looks     []lookFact // by number
	times     []int64    // of the looks, Unix ms, ascending
	items     map[store.FeedID][]arrivedItem
	asked     map[store.FeedID][]int64

	known   map[store.FeedID]bool
	brought map[store.FeedID]int // items whose Fetched fact is still to come
}

func newsSince(from, now time.Time) *newsLog {
	return &newsLog{from: from, now: now, items: map[store.FeedID][]arrivedItem{}, asked: map[store.FeedID][]int64{}, known: map[store.FeedID]bool{}, brought: map[store.FeedID]int{}}
}

// newsOfPeriod reads it from the facts.
func (c *Counter) newsOfPeriod(ctx context.Context, from, now time.Time) (*newsLog, error) {
	n := newsSince(from, now)
	if _, err := c.store.Facts(ctx, 0, func(f *store.Fact) error { n.visit(f); return nil }); err != nil {
		return nil, fmt.Errorf("read the log: %w", err)
	}
	return n, c.finish(ctx, n)
}

// visit takes in the next fact. The items of a first fetch were there before the
// reader was, and the date of a page's change is that of its fetch.
func (n *newsLog) visit(f *store.Fact) {
	switch {
	case f.At.After(n.now): // a past that is being played
	case f.Kind == store.Looked && !f.At.Before(n.from):
		n.looked(f)
	case f.Kind == store.Fetched:
		n.fetched(f, n.brought[f.Feed])
		delete(n.brought, f.Feed)
	case f.Kind == store.Arrived:
		first := !n.known[f.Feed]
		n.known[f.Feed] = true
		if first || f.IsPageChange() {
			return
		}
		for i, rel := range f.Nums {
			if published := (f.At.Unix() + rel) * 1000; rel != store.Dateless && published >= n.from.UnixMilli() {
				at := f.At.UnixMilli()
				n.items[f.Feed] = append(n.items[f.Feed], arrivedItem{id: f.Items[i], published: min(published, at), asked: at, here: f.No})
				n.brought[f.Feed]++
			}
		}
	}
}

// finish puts times in order after the last fact and makes them exact where it matters.
func (c *Counter) finish(ctx context.Context, n *newsLog) error {
	slices.Sort(n.times)
	for _, times := range n.asked {
		slices.Sort(times)
	}
	return c.toTheMillisecond(ctx, n)
}

// looked takes in a look.
func (n *newsLog) looked(f *store.Fact) {
	l := lookFact{f.No, f.At.UnixMilli()}
	n.times = append(n.times, l.latest)
	if k := len(n.looks); k > 0 {
		l.latest = max(l.latest, n.looks[k-1].latest)
	}
	n.looks = append(n.looks, l)
}

// toTheMillisecond reads when items were published of which a look was made within
// the same second, for the facts tell only that.
func (c *Counter) toTheMillisecond(ctx context.Context, n *newsLog) error {
	close := map[store.ItemID]*arrivedItem{}
	for _, items := range n.items {
		for i := range items {
			it := &items[i]
			k, _ := slices.BinarySearch(n.times, it.published)
			if k < len(n.times) && n.times[k] < it.published+1000 {
				close[it.id] = it
			}
		}
	}
	stored, err := c.store.Items(ctx, slices.Collect(maps.Keys(close)))
	if err != nil {
		return fmt.Errorf("read when items were published: %w", err)
	}
	for i := range stored {
		it := close[stored[i].ID]
		if at := stored[i].Published.UnixMilli(); it != nil && at/1000 == it.published/1000 {
			it.published = at
		}
	}
	return nil
}

// fetched takes in a Fetched fact that brought the last k items of its feed. What
// failed says nothing of what was out.
func (n *newsLog) fetched(f *store.Fact, k int) {
	x := f.Fetch()
	for _, c := range x.Checks {
		n.asked[f.Feed] = append(n.asked[f.Feed], c*1000)
	}
	if x.Answer == store.AnswerFailed {
		return
	}
	began := f.At.Add(-filedWithin).UnixMilli() - x.Millis
	n.asked[f.Feed] = append(n.asked[f.Feed], began)
	items := n.items[f.Feed]
	for i := len(items) - k; i < len(items); i++ {
		items[i].asked, items[i].look = began, f.Ref
	}
}

// count adds up what of a feed's new items was missed, and returns since when
// each can have been fetched (Unix ms, ascending).
func (n *newsLog) count(id store.FeedID, out *Freshness) []int64 {
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
		if it.look != 0 {
			until = min(until, it.look)
		}
		if n.lookBetween(from, until) {
			missed.after++
		}
	}
	slices.Sort(posts)
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
func (n *newsLog) appeared(id store.FeedID, it arrivedItem) int64 {
	times := n.asked[id]
	i, _ := slices.BinarySearch(times, it.asked)
	if i == 0 {
		return it.published
	}
	return max(it.published, times[i-1])
}

// lookBetween reports whether the reader looked at or after an item was published
// (Unix ms) and before the fact with a number.
func (n *newsLog) lookBetween(published int64, before uint64) bool {
	i, _ := slices.BinarySearchFunc(n.looks, before, func(l lookFact, no uint64) int { return cmp.Compare(l.no, no) })
	return i > 0 && n.looks[i-1].latest >= published
}
