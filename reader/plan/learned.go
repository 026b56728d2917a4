package plan

import (
	"context"
	"fmt"
	"slices"
	"time"

	"diurna/scheduler"
	"diurna/store"
)

// Habits are what was learned of the reader and of one feed, for a day.
type Habits struct {
	Looks  int        // of the last 28 days
	ByHour [7][24]int // looks by weekday, Monday first, and hour, of the same days
	Shown  int        // index of the feed it is about; -1: none
	Learned
}

// Learned is what was learned of a feed's posts.
type Learned struct {
	Posts   int // posts learned from
	PerWeek float64
	Hours   [24]float64 // posts expected in each local hour
	Shape   string      // even, peaks or waves; "" with fewer than 120 posts in 84 days
}

// Habits returns what was learned as far as the facts were folded: of one of the feeds,
// or of the one that posts most where id is 0. day is the first moment of the day.
func (p *Planner) Habits(feeds []store.FeedID, id store.FeedID, day, now time.Time) Habits {
	b := p.habits
	b.mu.Lock()
	defer b.mu.Unlock()
	out := Habits{Shown: -1, ByHour: scheduler.Heat(b.looks, now.Unix()-rhythmDays*86400, now.Unix()+1)}
	for _, day := range out.ByHour {
		for _, n := range day {
			out.Looks += n
		}
	}
	most := -1.0
	for i, feed := range feeds {
		if feed == id {
			out.Shown = i
			break
		}
		rate := 0.0
		if prof := b.of(feed, now); prof != nil {
			rate = prof.PerDay()
		}
		if id == 0 && rate > most {
			out.Shown, most = i, rate
		}
	}
	if out.Shown >= 0 {
		out.Learned = b.learned(feeds[out.Shown], day, now)
	}
	return out
}

// Learned returns what was learned of a feed's posts, for the day that begins at day.
func (p *Planner) Learned(id store.FeedID, day, now time.Time) Learned {
	p.habits.mu.Lock()
	defer p.habits.mu.Unlock()
	return p.habits.learned(id, day, now)
}

func (b *habits) learned(id store.FeedID, day, now time.Time) Learned {
	prof := b.of(id, now)
	if prof == nil {
		return Learned{}
	}
	return Learned{Posts: prof.Events, PerWeek: 7 * prof.PerDay(), Hours: localHours(prof, day), Shape: b.shape(id, now)}
}

// Rates returns how often feeds post, in items of the last 28 days.
func (p *Planner) Rates(ctx context.Context, now time.Time) (map[store.FeedID]int, error) {
	b := p.habits
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.fold(ctx, p.lib, now); err != nil {
		return nil, err
	}
	out := make(map[store.FeedID]int, len(b.posts))
	for id, log := range b.posts {
		out[id] = len(recent(slices.Clone(log.times), rhythmDays, now.Unix()))
	}
	return out, nil
}

// LastLook is the number of the newest look's fact, 0 for none, as far as the
// facts were folded.
func (p *Planner) LastLook() uint64 {
	p.habits.mu.Lock()
	defer p.habits.mu.Unlock()
	return p.habits.look
}

// LastFetch is how a feed's last fetch went. Bytes and Took are known only of
// one that brought something or failed in a new way.
type LastFetch struct {
	At    time.Time // zero: never
	New   int       // items
	Bytes int64     // on the wire
	Took  time.Duration
	Same  bool // answered "not changed"
}

// FetchesOf is when a feed was fetched, as far as the log tells: what brought
// something, the checks in between that brought nothing, those since, and the
// last of all.
func (p *Planner) FetchesOf(ctx context.Context, id store.FeedID) ([]int64, LastFetch, error) {
	var times []int64
	var last LastFetch
	_, err := p.lib.Facts(ctx, 0, func(f *store.Fact) error {
		if f.Kind == store.Fetched && f.Feed == id {
			x := f.Fetch()
			times = append(append(times, x.Checks...), f.At.Unix())
			last = LastFetch{At: f.At, New: int(x.New), Bytes: x.Bytes, Took: time.Duration(x.Millis) * time.Millisecond}
		}
		return nil
	})
	if err != nil {
		return nil, last, fmt.Errorf("read the log: %w", err)
	}
	feeds, err := p.lib.Feeds(ctx)
	if err != nil {
		return nil, last, fmt.Errorf("read the feeds: %w", err)
	}
	for i := range feeds {
		poll := &feeds[i].Poll
		if feeds[i].ID != id || poll.LastFetch.IsZero() {
			continue
		}
		times = append(append(times, poll.Checks...), poll.LastFetch.Unix())
		if poll.LastFetch.Sub(last.At) > time.Minute { // filed a moment after the answer
			last = LastFetch{At: poll.LastFetch, Same: poll.Outcome == store.AnswerSame}
		}
	}
	slices.Sort(times)
	// A fetch and its filing are a moment apart, and both are noted.
	return slices.CompactFunc(times, func(a, b int64) bool { return max(a, b)-min(a, b) < 60 }), last, nil
}

var shapeWords = map[scheduler.Shape]string{
	scheduler.ShapeUniform: "even", scheduler.ShapePeaks: "peaks", scheduler.ShapeWaves: "waves",
}
