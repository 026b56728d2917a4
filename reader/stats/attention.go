package stats

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"sort"
	"strings"
	"time"

	"diurna/reader/model"
	"diurna/store"
)

// Attention is what a feed posted and what of it was opened. An item that a search
// found and opened is left out, as in ranking: that says nothing about the feed.
type Attention struct {
	Posts   int // dated within 28 days
	Offered int // items that arrived, stood on screen or were opened in 28 days
	Opened  int // of them, opened in 28 days
}

// Share is how much of what was offered was opened, 0 to 1; ok is false if nothing
// was offered.
func (a Attention) Share() (share float64, ok bool) {
	if a.Offered == 0 {
		return 0, false
	}
	return float64(a.Opened) / float64(a.Offered), true
}

// Worth is the share of a feed's items that is opened, as far as is known: to what was
// counted comes one item of which so much was opened as is the mean of all feeds, which
// is a Beta prior taken from the feeds themselves (empirical Bayes, Robbins 1956). So a
// feed that was never opened comes before one that was read a little as soon as three
// items or so of it were left, and one of which nothing was offered stands at the mean.
func (a Attention) Worth(mean float64) float64 {
	return (float64(a.Opened) + mean) / float64(a.Offered+1)
}

// WorthLess compares two feeds: first the one that is less worth keeping, of equal
// ones that which posts more.
func (a Attention) WorthLess(b Attention, mean float64) int {
	return cmp.Or(cmp.Compare(a.Worth(mean), b.Worth(mean)), cmp.Compare(b.Posts, a.Posts))
}

// MeanShare is how much was opened of all that was offered, above 0 and below 1: one
// more opened and one more left than were counted, so that a library in which nothing
// was opened yet puts feeds in order too.
func MeanShare(all iter.Seq[*Attention]) float64 {
	var sum Attention
	for a := range all {
		sum.Opened, sum.Offered = sum.Opened+a.Opened, sum.Offered+a.Offered
	}
	return float64(sum.Opened+1) / float64(sum.Offered+2)
}

// FeedOrder is an order of the rows of `stats --feeds`.
type FeedOrder uint8

// The orders, each with what is least worth keeping first.
const (
	ByWorth  FeedOrder = iota
	ByPosts            // most first
	ByOpened           // fewest first
	ByShare            // smallest first, unknown last
	ByLast             // never opened first, then the longest ago
	ByName
)

var feedOrders = [...]string{ByWorth: "worth", ByPosts: "posts", ByOpened: "opened", ByShare: "share", ByLast: "last", ByName: "name"}

// FeedOrders are the words for the orders.
func FeedOrders() []string { return feedOrders[:] }

// ParseFeedOrder reads the word for an order.
func ParseFeedOrder(word string) (FeedOrder, bool) {
	i := slices.Index(feedOrders[:], word)
	return FeedOrder(max(i, 0)), i >= 0
}

// Sort puts rows in order. Equal ones stand by Worth, then by name.
func (o FeedOrder) Sort(rows []FeedStats) {
	mean := MeanShare(func(yield func(*Attention) bool) {
		for i := range rows {
			if !yield(&rows[i].Attention) {
				return
			}
		}
	})
	sort.SliceStable(rows, func(i, j int) bool {
		x, y := &rows[i], &rows[j]
		a, b := x.Attention, y.Attention
		by := 0
		switch o {
		case ByWorth:
		case ByPosts:
			by = cmp.Compare(b.Posts, a.Posts)
		case ByOpened:
			by = cmp.Compare(a.Opened, b.Opened)
		case ByShare:
			by = cmp.Compare(shareOrMore(a), shareOrMore(b))
		case ByLast:
			by = x.LastOpened.Compare(y.LastOpened)
		case ByName:
			by = byName(x, y)
		}
		return cmp.Or(by, a.WorthLess(b, mean), byName(x, y)) < 0
	})
}

func byName(x, y *FeedStats) int {
	return cmp.Compare(strings.ToLower(x.Feed.Title), strings.ToLower(y.Feed.Title))
}

// shareOrMore is the share, or more than any where it is not known.
func shareOrMore(a Attention) float64 {
	if share, ok := a.Share(); ok {
		return share
	}
	return 2
}

// attention counts it from the facts.
type attention struct {
	from    time.Time
	known   map[store.FeedID]bool // its first items came: they were there before the subscription
	byFeed  map[store.FeedID]*Attention
	offered map[store.ItemID]bool // within the period; true: opened
}

func attentionSince(from time.Time) *attention {
	return &attention{from: from, known: map[store.FeedID]bool{}, byFeed: map[store.FeedID]*Attention{}, offered: map[store.ItemID]bool{}}
}

func (a *attention) of(id store.FeedID) *Attention {
	if a.byFeed[id] == nil {
		a.byFeed[id] = &Attention{}
	}
	return a.byFeed[id]
}

// visit takes in the next fact.
func (a *attention) visit(f *store.Fact) {
	recent := f.At.After(a.from)
	switch f.Kind {
	case store.Shown:
		if recent {
			a.offer(f.Items)
		}
	case store.Opened:
		if f.Field == model.FromSearch {
			return
		}
		for i := 0; recent && i < len(f.Items); i++ {
			a.offered[f.Items[i]] = true
		}
	case store.Arrived:
		a.arrived(f, recent)
	}
}

func (a *attention) offer(items []store.ItemID) {
	for _, id := range items {
		if _, known := a.offered[id]; !known {
			a.offered[id] = false
		}
	}
}

func (a *attention) arrived(f *store.Fact, recent bool) {
	later := a.known[f.Feed]
	a.known[f.Feed] = true
	if recent && later {
		a.offer(f.Items)
	}
	for _, rel := range f.Nums {
		if rel != store.Dateless && f.At.Add(time.Duration(rel)*time.Second).After(a.from) || rel == store.Dateless && recent && later {
			a.of(f.Feed).Posts++
		}
	}
}

// sum gives the counts by feed.
func (a *attention) sum() map[store.FeedID]*Attention {
	for id, opened := range a.offered {
		n := a.of(id.Feed())
		n.Offered++
		if opened {
			n.Opened++
		}
	}
	clear(a.offered)
	return a.byFeed
}

// Attention counts for all feeds of which the facts tell something, in one pass.
func (c *Counter) Attention(ctx context.Context, now time.Time) (map[store.FeedID]*Attention, error) {
	a := attentionSince(now.AddDate(0, 0, -statDays))
	if _, err := c.store.Facts(ctx, 0, func(f *store.Fact) error { a.visit(f); return nil }); err != nil {
		return nil, fmt.Errorf("read the log: %w", err)
	}
	return a.sum(), nil
}
