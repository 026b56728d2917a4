package reader

import (
	"context"
	"fmt"
	"slices"

	"diurna/store"
)

// Freshness says how many of the new items were already published but not here
// yet when the reader looked, and what other ways of fetching would have
// missed at the same looks. All of the last 28 days.
type Freshness struct {
	New    int     // dated items that came after their feed's first fetch
	Missed int     // of them, not here yet at one look or more
	Evenly float64 // missed with as many fetches of each feed, evenly spaced; mean over 24 phases
	Hourly float64 // missed with hourly polling; the same mean
}

// arrivedItem is one new item: published, and here since.
type arrivedItem struct{ published, here int64 }

// phases is over how many starting points evenly spaced polling is averaged:
// where it happens to start should not decide.
const phases = 24

// Freshness counts over the facts.
func (r *Reader) Freshness(ctx context.Context) (Freshness, error) {
	now := r.now()
	from := now.AddDate(0, 0, -statDays)
	looks, items, err := r.newsOfPeriod(ctx, from.Unix())
	if err != nil {
		return Freshness{}, err
	}
	feeds, err := r.store.Feeds(ctx)
	if err != nil {
		return Freshness{}, fmt.Errorf("read the feeds: %w", err)
	}
	var out Freshness
	for i := range feeds {
		f := &feeds[i]
		fetches := 0
		for _, d := range f.Poll.Days {
			if d.Day > int32(now.Unix()/86400)-statDays {
				fetches += int(d.Requests)
			}
		}
		start := max(from.Unix(), f.Subscribed.Unix())
		for _, it := range items[f.ID] {
			out.New++
			if lookBetween(looks, it.published, it.here) {
				out.Missed++
			}
			out.Evenly += missedEvery(looks, it, start, now.Unix(), fetches)
			out.Hourly += missedEvery(looks, it, start, now.Unix(), int(now.Unix()-start)/3600)
		}
	}
	return out, nil
}

// newsOfPeriod reads the looks and, by feed, the dated new items since from.
// The items of a first fetch were there before the reader was.
func (r *Reader) newsOfPeriod(ctx context.Context, from int64) ([]int64, map[FeedID][]arrivedItem, error) {
	var looks []int64
	items := map[FeedID][]arrivedItem{}
	known := map[FeedID]bool{}
	_, err := r.store.Facts(ctx, 0, func(f *store.Fact) error {
		at := f.At.Unix()
		switch {
		case f.Kind == store.Looked && at >= from:
			looks = append(looks, at)
		case f.Kind == store.Arrived:
			first := !known[f.Feed]
			known[f.Feed] = true
			for _, rel := range f.Nums {
				if !first && rel != store.Dateless && at+rel >= from {
					items[f.Feed] = append(items[f.Feed], arrivedItem{min(at+rel, at), at})
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("read the log: %w", err)
	}
	slices.Sort(looks)
	return looks, items, nil
}

// lookBetween reports whether the reader looked after an item was published
// and before it was here.
func lookBetween(looks []int64, published, here int64) bool {
	i, _ := slices.BinarySearch(looks, published)
	return i < len(looks) && looks[i] < here
}

// missedEvery is the share of phases in which n evenly spaced fetches between
// start and end would have brought the item after a look only.
func missedEvery(looks []int64, it arrivedItem, start, end int64, n int) float64 {
	if n < 1 || end <= start {
		return 0
	}
	every := max((end-start)/int64(n), 1)
	missed := 0
	for p := range int64(phases) {
		offset := start + every*p/phases
		// The first fetch at or after publication.
		k := max((it.published-offset+every-1)/every, 0)
		if lookBetween(looks, it.published, offset+k*every) {
			missed++
		}
	}
	return float64(missed) / phases
}
