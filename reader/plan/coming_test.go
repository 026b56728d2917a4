package plan

import (
	"testing"
	"time"

	"diurna/scheduler"
	"diurna/store"
)

// A feed that posted thrice its usual in the last day is expected to go on; the forecast
// is the same one until something is learned or fetched, so that the planner may keep what
// it worked out. A feed that fails, or was never fetched, is expected to post as usual.
func TestForecastFollowsFetches(t *testing.T) {
	const hour, id = 3600, store.FeedID(7)
	now := time.Unix(1_704_672_000, 0)
	log := &postLog{since: now.Unix() - 28*24*hour}
	for at := log.since + hour; at < now.Unix(); at += 4 * hour {
		log.times = append(log.times, at)
	}
	for i := range int64(12) {
		log.times = append(log.times, now.Unix()-(2*i+1)*hour)
	}
	b := newHabits()
	b.posts[id] = log
	s := scheduler.Source{ID: id.String(), LastFetch: now.Add(-time.Hour)}
	usual, busy := b.of(id, now), b.coming(&s, now)
	if busy.PerDay() < 1.3*usual.PerDay() {
		t.Errorf("%.2f a day expected, usually %.2f", busy.PerDay(), usual.PerDay())
	}
	if b.coming(&s, now.Add(time.Hour)) != busy {
		t.Error("another forecast although nothing happened")
	}
	s.LastFetch, now = now.Add(time.Hour), now.Add(time.Hour)
	calmer := b.coming(&s, now)
	if calmer == busy || calmer.PerDay() >= busy.PerDay() {
		t.Errorf("%.2f a day expected after a fetch without news, %.2f before", calmer.PerDay(), busy.PerDay())
	}
	s.Retry = now
	if b.coming(&s, now) != usual {
		t.Error("silent because its fetches fail")
	}
	s.Retry, s.LastFetch = time.Time{}, time.Time{}
	if b.coming(&s, now) != usual {
		t.Error("a forecast before the first fetch")
	}
	if later := now.Add(relearnAfter + time.Hour); b.of(id, later) == usual || b.posts[id].coming != nil {
		t.Error("the forecast outlives what it was made of")
	}
	if s.ID = store.FeedID(8).String(); b.coming(&s, now) != nil {
		t.Error("something is known of a feed without posts")
	}
}
