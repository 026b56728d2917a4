package reader

import (
	"context"
	"fmt"
	"slices"
	"time"

	"diurna/reader/plan"
	"diurna/store"
)

// Rhythm reads what the view Rhythm shows of the day that holds at, for one
// feed; 0: the one that posts most.
func (r *Reader) Rhythm(ctx context.Context, id FeedID, at time.Time) (Rhythm, error) {
	feeds, err := r.Feeds(ctx)
	if err != nil {
		return Rhythm{}, err
	}
	out := Rhythm{Day: plan.DayBegins(at), Each: r.opts.PerDay}
	p, err := r.Plan(ctx)
	if err != nil {
		return Rhythm{}, err
	}
	out.Feeds, out.Hourly = p.Feeds, 24*p.Feeds
	own, err := r.plan.OwnBudget(ctx)
	if err != nil {
		return Rhythm{}, err
	}
	out.Own = own > 0
	if out.Freshness, err = r.Freshness(ctx); err != nil {
		return Rhythm{}, err
	}
	ids := make([]FeedID, len(feeds))
	for i := range feeds {
		ids[i] = feeds[i].Key
	}
	h := r.plan.Habits(ids, id, plan.DayBegins(at), r.now())
	out.Looks, out.ByHour = h.Looks, h.ByHour
	out.Posts, out.PerWeek, out.Hours, out.Shape = h.Posts, h.PerWeek, h.Hours, h.Shape
	if h.Shown >= 0 {
		out.Feed = feeds[h.Shown]
		if err := r.dayOf(ctx, &out, p.Fetches); err != nil {
			return Rhythm{}, err
		}
	}
	p.Fetches = nil
	out.Budget = p
	return out, nil
}

// dayOf fills in the fetches of the day shown: made and planned.
func (r *Reader) dayOf(ctx context.Context, out *Rhythm, planned []PlannedFetch) error {
	from, end := out.Day, out.Day.AddDate(0, 0, 1)
	for _, p := range planned {
		if p.Key != out.Feed.Key {
			continue
		}
		out.Share = p.Of
		out.Planned = append(out.Planned, p)
	}
	made, last, err := r.plan.FetchesOf(ctx, out.Feed.Key)
	if err != nil {
		return err
	}
	for _, t := range made {
		if at := time.Unix(t, 0).In(from.Location()); !at.Before(from) && at.Before(end) {
			out.Fetched = append(out.Fetched, at)
		}
	}
	out.Last = last
	stored, err := r.store.Feeds(ctx)
	if err != nil {
		return fmt.Errorf("read the feeds: %w", err)
	}
	if i := slices.IndexFunc(stored, func(f store.Feed) bool { return f.ID == out.Feed.Key }); i >= 0 {
		out.Window = stored[i].Poll.Window
	}
	return nil
}
