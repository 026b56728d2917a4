package plan

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"sync"
	"time"

	"diurna/scheduler"
	"diurna/store"
)

// habits are what the facts say about rhythm: when the reader looks and when
// each feed posts. They fold from the log, are kept in memory only, and differ
// from fold(all facts) by nothing but the tail not yet read.
type habits struct {
	mu    sync.Mutex
	last  uint64 // number of the newest fact folded in
	since int64  // the library's first day, unix s
	looks []scheduler.Event
	look  uint64 // number of the newest look's fact, 0 for none
	posts map[store.FeedID]*postLog

	reader    *scheduler.Profile // learned from so many looks, at that time
	ofLooks   int
	learnedAt int64

	memo  planMemo
	daily scheduler.Memory
	novel *novelty // nil: all items count
}

// postLog is what is known of one feed's posts, and the profile learned from it.
type postLog struct {
	since   int64   // when observation began: the oldest dated item of the first fetch
	times   []int64 // of the last scheduler.WindowDays, unix s
	profile *scheduler.Profile
	learned int64   // when profile was made, unix s
	novel   []int64 // of times those of novel items, where only they count

	coming *scheduler.Profile // the forecast made of profile; nil: none yet
	seen   int64              // the fetch that coming goes by, unix s
}

// rhythmDays is how far back rhythm is shown.
const rhythmDays = 28

// relearnAfter is how long a profile serves when nothing new was posted: the
// window moves on by then.
const relearnAfter = 6 * time.Hour

func newHabits() *habits { return &habits{posts: map[store.FeedID]*postLog{}} }

// forgetPlan makes the next plan a new one.
func (b *habits) forgetPlan() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.memo = planMemo{}
}

// fold takes in the facts that came since the last call. now
// bounds the time that is learned from, which facts of a clock that was ahead would
// otherwise end.
func (b *habits) fold(ctx context.Context, s Library, now time.Time) error {
	last, err := s.Facts(ctx, b.last, func(f *store.Fact) error {
		if b.since == 0 {
			b.since = f.At.Unix()
		}
		switch f.Kind {
		case store.Looked:
			_, offset := f.At.Zone()
			b.look = f.No
			b.looks = append(b.looks, scheduler.Event{Unix: f.At.Unix(), Offset: int32(offset)})
		case store.Arrived:
			b.arrived(f, now)
		}
		return nil
	})
	if err != nil && !errors.Is(err, store.ErrNone) {
		return fmt.Errorf("read the log: %w", err)
	}
	b.last = max(b.last, last)
	if b.novel == nil {
		return nil
	}
	lack := b.novel.lack
	b.novel.lack = nil
	sort.SliceStable(lack, func(i, j int) bool { return lack[i].at < lack[j].at })
	for part := range slices.Chunk(lack, 512) {
		if err := b.judge(ctx, s, part, now); err != nil {
			return err
		}
	}
	return nil
}

func (b *habits) arrived(f *store.Fact, until time.Time) {
	log := b.posts[f.Feed]
	first := log == nil
	if first {
		log = &postLog{since: f.At.Unix()}
		b.posts[f.Feed] = log
	}
	log.profile = nil
	now := f.At.Unix()
	for i, rel := range f.Nums {
		at := now
		if rel != store.Dateless {
			at = min(now+rel, now)
		} else if first {
			continue // an undated item of a first fetch says nothing of when
		}
		if first && at < log.since {
			log.since = at
		}
		log.times = append(log.times, at)
		if b.novel != nil && i < len(f.Items) && at >= until.Unix()-scheduler.WindowDays*86400 {
			b.novel.lack = append(b.novel.lack, arrival{f.Items[i], f.Feed, at})
		}
	}
	log.times = recent(log.times, scheduler.WindowDays, min(now, until.Unix()))
}

// recent drops what is older than so many days.
func recent(times []int64, days, now int64) []int64 {
	from := now - days*86400
	return slices.DeleteFunc(times, func(t int64) bool { return t < from })
}

// looking returns the profile of the reader's looks.
func (b *habits) looking(now time.Time) *scheduler.Profile {
	if b.reader == nil || b.ofLooks != len(b.looks) || now.Unix()-b.learnedAt > int64(relearnAfter.Seconds()) {
		b.reader = scheduler.LearnLooks(b.looks, min(b.since, now.Unix()), now.Unix())
		b.ofLooks, b.learnedAt = len(b.looks), now.Unix()
	}
	return b.reader
}

// of returns the profile of a feed's posts, learned again where that is due; nil
// where nothing is known.
func (b *habits) of(id store.FeedID, now time.Time) *scheduler.Profile {
	log := b.posts[id]
	if log == nil {
		return nil
	}
	if log.profile == nil || now.Unix()-log.learned > int64(relearnAfter.Seconds()) {
		log.profile, log.learned = scheduler.LearnPosts(log.times, log.since, now.Unix()), now.Unix()
		log.coming = nil
	}
	return log.profile
}

// coming returns what a source is expected to post in the 24 hours after now; nil where
// nothing is known. The forecast serves as long as the profile and the fetch it was made
// of, so that the planner meets the same rates again. A feed whose fetches fail has not
// been seen to fall silent: it is expected to post as it typically does.
func (b *habits) coming(s *scheduler.Source, now time.Time) *scheduler.Profile {
	id := feedOf(s)
	typical := b.of(id, now)
	if typical == nil || s.LastFetch.IsZero() || !s.Retry.IsZero() {
		return typical
	}
	log, seen := b.posts[id], s.LastFetch.Unix()
	if log.coming == nil || log.seen != seen {
		times := log.times
		if b.novel != nil {
			times = log.novel
			typical = scheduler.LearnPosts(times, log.since, now.Unix())
		}
		log.coming = scheduler.ForecastPosts(typical, times, log.since, seen, now.Unix())
		log.seen = seen
	}
	return log.coming
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

// shape classifies a feed's posts of the last 28 days, or of all days that are kept
// where those are too few.
func (b *habits) shape(id store.FeedID, now time.Time) string {
	shape := scheduler.ShapeUnknown
	for _, days := range [...]int64{rhythmDays, scheduler.WindowDays} {
		var counts [24]float64
		if log := b.posts[id]; log != nil && shape == scheduler.ShapeUnknown {
			for _, t := range recent(slices.Clone(log.times), days, now.Unix()) {
				counts[time.Unix(t, 0).UTC().Hour()]++
			}
			shape = scheduler.ShapeOf(counts)
		}
	}
	return shapeWords[shape]
}
