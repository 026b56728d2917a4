//go:build linux

package main

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// lookMade is one look as the user who made it wrote it down, on the publishers'
// clock: the key or command, and when the refresh that it started had ended.
type lookMade struct{ at, done time.Time }

// missedByLog is what the publisher's log and the user's say of a feed.
type missedByLog struct{ new, atLook, after int }

// missed counts from the log of a feed alone: of the posts after its first answer
// which were served at all, those that were out and not served at a look, and
// those not served when the refresh of that look had ended either.
func (w *lifeWeb) missed(name string, looks []lookMade) (m missedByLog) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f := w.feeds["/"+name]
	served := make([]time.Time, len(f.posts))
	first := -1
	for _, a := range w.log {
		if a.feed != name || a.status != 200 {
			continue
		}
		from := 0
		if f.window > 0 {
			from = max(0, a.posts-f.window)
		}
		for i := from; i < a.posts; i++ {
			if served[i].IsZero() {
				served[i] = a.at
			}
		}
		if first < 0 {
			first = a.posts
		}
	}
	for i := max(first, 0); i < len(f.posts); i++ {
		got, out := served[i], f.posts[i]
		if got.IsZero() {
			continue
		}
		m.new++
		// A look that found the post is none that missed it.
		if slices.ContainsFunc(looks, func(l lookMade) bool { return !out.After(l.at) && got.After(l.at) }) {
			m.atLook++
		}
		if slices.ContainsFunc(looks, func(l lookMade) bool { return !out.After(l.at) && got.After(l.done) }) {
			m.after++
		}
	}
	return m
}

// TestLedger: the count from the log is right where it can be seen at a glance.
func TestLedger(t *testing.T) {
	day := time.Date(2027, 3, 8, 0, 0, 0, 0, time.UTC)
	at := func(hour int) time.Time { return day.Add(time.Duration(hour) * time.Hour) }
	w := &lifeWeb{feeds: map[string]*lifeFeed{}}
	w.feeds["/f"] = &lifeFeed{posts: []time.Time{at(1), at(4), at(6), at(9), at(11), at(30)}}
	w.log = []lifeServed{{at(2), "f", 200, 1}, {at(5), "f", 200, 2}, {at(7), "f", 503, 3}, {at(8).Add(time.Second), "f", 200, 3}, {at(12), "f", 200, 5}, {at(13), "f", 304, 5}}
	// 4 comes before the look at 8, 6 by its refresh, 9 after the look at 10; nobody looks between 11 and 12.
	looks := []lookMade{{at(8), at(8).Add(time.Minute)}, {at(10), at(10)}}
	if got, want := fmt.Sprint(w.missed("f", looks)), "{4 2 1}"; got != want {
		t.Errorf("new, at the look, after: %v, want %v", got, want)
	}
}

// TestThreeDays: what stats says was missed in three days of cron is, to the item,
// what follows from the logs: a publisher that fails for half a day, a slow one, a
// clock that is ahead for a while, and posts within the second of a look. The whole
// is TestFourWeeks.
func TestThreeDays(t *testing.T) {
	t.Parallel()
	l := newLife(t, "Europe/Berlin", "2027-03-26 06:00") // clocks are set forward in its second night
	from, to := l.start.Add(-200*time.Hour), l.start.Add(72*time.Hour)
	fast := l.web.alone("fast").every(47*time.Minute, from, to)
	slow := l.web.alone("slow").every(3*time.Hour, from.Add(11*time.Minute), to)
	slow.delay = 2500 * time.Millisecond
	fails := l.web.alone("fails").every(100*time.Minute, from.Add(23*time.Minute), to)
	feeds := []*lifeFeed{fast, slow, fails}
	for _, f := range feeds {
		l.must(l.start, "add", f.url)
	}
	fails.change(func(f *lifeFeed) {
		f.answer = func(at time.Time) (int, string) {
			if at.After(l.at("2027-03-26 14:00")) && at.Before(l.at("2027-03-27 03:00")) {
				return 500, ""
			}
			return 0, ""
		}
	})
	var looks []lookMade
	look := func() {
		fast.post(l.clock.truth().Truncate(time.Millisecond))
		time.Sleep(2 * time.Millisecond)
		at := l.clock.truth()
		l.onTerminal(l.clock.now(), "items", "unread")
		looks = append(looks, lookMade{at, at}) // it starts no refresh
		fast.post(l.clock.truth().Truncate(time.Millisecond).Add(time.Millisecond))
	}
	for hour := 1; hour < 71; hour++ {
		at := l.start.Add(time.Duration(hour) * time.Hour)
		switch hour {
		case 3, 14, 27, 38, 51, 62:
			l.clock.until(at.Add(-20 * time.Minute))
			look()
		case 44:
			l.clock.misset(3 * time.Hour)
			l.must(l.clock.now(), "fetch")
			l.clock.misset(-3 * time.Hour)
			look()
		}
		l.must(at, "fetch")
	}
	l.must(l.clock.now(), "items", "unread") // into a pipe: no look
	var sum missedByLog
	for _, f := range feeds {
		m := l.web.missed(f.name, looks)
		sum = missedByLog{sum.new + m.new, sum.atLook + m.atLook, sum.after + m.after}
	}
	fresh := l.json(l.clock.now(), "stats")[0]["freshness"].(map[string]any)
	got := fmt.Sprint(fresh["new"], fresh["missed"], fresh["missed_after"], fresh["looks"])
	if want := fmt.Sprint(sum.new, sum.atLook, sum.after, len(looks)); got != want || sum.atLook == 0 || sum.atLook == sum.new {
		t.Errorf("stats says %s of new, missed, missed after, looks; the logs say %s", got, want)
	}
	t.Logf("%d new, %d missed, %d looks", sum.new, sum.atLook, len(looks))
}
