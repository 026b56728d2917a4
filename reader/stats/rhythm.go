package stats

import (
	"context"
	"sort"
	"time"

	"diurna/reader/model"
	"diurna/reader/plan"
	"diurna/store"
)

// Rhythm is when the reader looks and when one feed posts and is fetched, on one
// day. Times of day are local.
type Rhythm struct {
	Looks  int        // of the last 28 days
	ByHour [7][24]int // looks by weekday, Monday first, and hour, of the same days
	Day    time.Time  // midnight of the day shown

	Feed    model.Feed // Key 0: there is none
	Posts   int        // posts learned from
	PerWeek float64
	Shape   string      // even, peaks or waves; "" with fewer than 120 posts in 84 days
	Hours   [24]float64 // posts expected in each hour of the day
	Fetched []time.Time // fetches of Day
	Last    plan.LastFetch
	Planned []plan.PlannedFetch // of the next 24 hours
	Words   int                 // median of its newest items; -1: it has too few

	Feeds     int
	Budget    plan.Plan // Fetches is empty
	Own       bool      // the budget was set by hand
	Each      int       // fetches per feed and day, where none is set
	Hourly    int       // requests a day that hourly polling would send
	Freshness Freshness
}

// Rhythm reads what the view Rhythm shows of the day that holds at, for one
// feed; 0: the one that posts most.
func (c *Counter) Rhythm(ctx context.Context, id store.FeedID, at, now time.Time) (Rhythm, error) {
	feeds, err := c.lib.Feeds(ctx)
	if err != nil {
		return Rhythm{}, err
	}
	out := Rhythm{Day: model.DayBegins(at), Each: c.plan.EachPerDay()}
	p, err := c.plan.Plan(ctx, now)
	if err != nil {
		return Rhythm{}, err
	}
	out.Feeds, out.Hourly = p.Feeds, 24*p.Feeds
	own, err := c.plan.OwnBudget(ctx)
	if err != nil {
		return Rhythm{}, err
	}
	out.Own = own > 0
	if out.Freshness, err = c.Freshness(ctx, now); err != nil {
		return Rhythm{}, err
	}
	ids := make([]store.FeedID, len(feeds))
	for i := range feeds {
		ids[i] = feeds[i].Key
	}
	h := c.plan.Habits(ids, id, model.DayBegins(at), now)
	out.Looks, out.ByHour = h.Looks, h.ByHour
	out.Posts, out.PerWeek, out.Hours, out.Shape = h.Posts, h.PerWeek, h.Hours, h.Shape
	if h.Shown >= 0 {
		out.Feed = feeds[h.Shown]
		if err := c.dayOf(ctx, &out, p.Fetches); err != nil {
			return Rhythm{}, err
		}
		if out.Words, err = c.words(ctx, out.Feed.Key); err != nil {
			return Rhythm{}, err
		}
	}
	p.Fetches = nil
	out.Budget = p
	return out, nil
}

const (
	newestItems = 20 // of a feed whose length is looked at
	fewestItems = 5
	teaserWords = 100
)

// Teasers reports whether the texts of the feed are too short to be whole: half of its
// newest items have fewer than 100 words.
func (r *Rhythm) Teasers() bool { return r.Feed.Key != 0 && r.Words >= 0 && r.Words < teaserWords }

// words is how long the texts of a feed's newest items are.
func (c *Counter) words(ctx context.Context, id store.FeedID) (int, error) {
	rows, err := c.store.Rows(ctx, store.RowQuery{Which: store.All, Feed: id, Limit: newestItems})
	if err != nil || len(rows) < fewestItems {
		return -1, err
	}
	sort.Slice(rows, func(i, j int) bool { return rows[i].Words < rows[j].Words })
	return int(rows[len(rows)/2].Words), nil
}

// dayOf fills in the fetches of the day shown: made and planned.
func (c *Counter) dayOf(ctx context.Context, out *Rhythm, planned []plan.PlannedFetch) error {
	from, end := out.Day, out.Day.AddDate(0, 0, 1)
	for _, p := range planned {
		if p.Key != out.Feed.Key {
			continue
		}
		out.Planned = append(out.Planned, p)
	}
	made, last, err := c.plan.FetchesOf(ctx, out.Feed.Key)
	if err != nil {
		return err
	}
	for _, t := range made {
		if at := time.Unix(t, 0).In(from.Location()); !at.Before(from) && at.Before(end) {
			out.Fetched = append(out.Fetched, at)
		}
	}
	out.Last = last
	return nil
}
