package reader

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"time"

	"diurna/scheduler"
	"diurna/store"
)

func (r *Reader) rhythm(ctx context.Context, id FeedID, at time.Time) (Rhythm, error) {
	feeds, err := r.feeds(ctx)
	if err != nil {
		return Rhythm{}, err
	}
	out := Rhythm{Day: dayBegins(at), Each: r.opts.PerDay}
	plan, err := r.Plan(ctx)
	if err != nil {
		return Rhythm{}, err
	}
	out.Feeds, out.Hourly = plan.Feeds, 24*plan.Feeds
	own, err := r.ownBudget(ctx)
	if err != nil {
		return Rhythm{}, err
	}
	out.Own = own > 0
	if out.Freshness, err = r.Freshness(ctx); err != nil {
		return Rhythm{}, err
	}
	i := r.believed(&out, feeds, id, at)
	if i >= 0 {
		out.Feed = feeds[i]
		if err := r.dayOf(ctx, &out, plan.Fetches); err != nil {
			return Rhythm{}, err
		}
	}
	plan.Fetches = nil
	out.Budget = plan
	return out, nil
}

// believed fills in what was learned, and says which feed is shown: id, or the
// one that posts most; -1 for none.
func (r *Reader) believed(out *Rhythm, feeds []Feed, id FeedID, at time.Time) int {
	b := r.mind
	b.mu.Lock()
	defer b.mu.Unlock()
	now := r.now()
	out.ByHour = scheduler.Heat(b.looks, now.Unix()-statDays*86400, now.Unix()+1)
	for _, day := range out.ByHour {
		for _, n := range day {
			out.Looks += n
		}
	}
	chosen, most := -1, -1.0
	for i := range feeds {
		if feeds[i].Key == id {
			chosen = i
			break
		}
		rate := 0.0
		if p := b.of(feeds[i].Key, now); p != nil {
			rate = p.PerDay()
		}
		if id == 0 && rate > most {
			chosen, most = i, rate
		}
	}
	if chosen < 0 {
		return -1
	}
	prof := b.of(feeds[chosen].Key, now)
	if prof == nil {
		return chosen
	}
	out.Posts, out.PerWeek = prof.Events, 7*prof.PerDay()
	out.Hours = localHours(prof, dayBegins(at))
	out.Shape = b.shape(feeds[chosen].Key)
	return chosen
}

// localHours turns a profile by UTC time of day into posts expected in each hour
// of a day that begins at from. On the days of a change of summer time an hour
// counts twice or not at all.
func localHours(p *scheduler.Profile, from time.Time) (hours [24]float64) {
	for t, end := from, from.AddDate(0, 0, 1); t.Before(end); t = t.Add(scheduler.SlotLength) {
		slot := (t.Unix()%86400 + 86400) % 86400 / int64(scheduler.SlotLength/time.Second)
		hours[t.Hour()] += p.Rate[slot]
	}
	return hours
}

// shape classifies a feed's posts of the last 28 days.
func (b *beliefs) shape(id FeedID) string {
	var counts [24]float64
	if log := b.posts[id]; log != nil {
		for _, t := range log.times {
			counts[time.Unix(t, 0).UTC().Hour()]++
		}
	}
	return shapeWords[scheduler.ShapeOf(counts)]
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
	made, last, err := r.fetchesOf(ctx, out.Feed.Key)
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

// fetchesOf is when a feed was fetched, as far as the log tells: what brought
// something, the checks in between that brought nothing, those since, and the
// last of all.
func (r *Reader) fetchesOf(ctx context.Context, id FeedID) ([]int64, LastFetch, error) {
	var times []int64
	var last LastFetch
	_, err := r.store.Facts(ctx, 0, func(f *store.Fact) error {
		if f.Kind == store.Fetched && f.Feed == id {
			x := f.Fetch()
			times = append(append(times, x.Checks...), f.At.Unix())
			last = LastFetch{At: f.At, New: int(x.New), Bytes: x.Bytes, Took: time.Duration(x.Millis) * time.Millisecond, Status: int(x.Status)}
		}
		return nil
	})
	if err != nil {
		return nil, last, fmt.Errorf("read the log: %w", err)
	}
	feeds, err := r.store.Feeds(ctx)
	if err != nil {
		return nil, last, fmt.Errorf("read the feeds: %w", err)
	}
	for i := range feeds {
		p := &feeds[i].Poll
		if feeds[i].ID != id || p.LastFetch.IsZero() {
			continue
		}
		times = append(append(times, p.Checks...), p.LastFetch.Unix())
		if p.LastFetch.Sub(last.At) > time.Minute { // filed a moment after the answer
			last = LastFetch{At: p.LastFetch, Status: p.Status, Same: p.Outcome == store.AnswerSame}
		}
	}
	ascending(times)
	// A fetch and its filing are a moment apart, and both are noted.
	return slices.CompactFunc(times, func(a, b int64) bool { return max(a, b)-min(a, b) < 60 }), last, nil
}

// ascending sorts times, unix s.
func ascending(times []int64) {
	sort.Slice(times, func(i, j int) bool { return times[i] < times[j] })
}
