//go:build linux

package main

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// lookMade is one look as the person who made it wrote it down, on the publishers'
// clock: the key or command, and when the refresh that it started had ended.
type lookMade struct{ at, done time.Time }

// missedByLog is what the publisher's log and the person's say of a feed.
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
