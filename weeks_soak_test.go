//go:build linux && soak

package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// weeks is a life of weeks by cron, with the notes of its reader.
type weeks struct {
	*life
	rnd    *rand.Rand
	usual  []time.Time // looks to be made
	looks  []lookMade
	events []event
	wrong  [][2]time.Time // when the clock was wrong, on the publishers' clock
	off    [][2]time.Time // when the machine was off
	fails  [][2]time.Time // of the feed "flaky"
	steps  int
}

// event is something that happens at a moment of the user's clock.
type event struct {
	at time.Time
	do func()
}

// plan puts an event in its place.
func (w *weeks) plan(text string, do func()) {
	w.events = append(w.events, event{w.at(text), do})
}

// go on to a moment: cron at every step, the events at theirs.
func (w *weeks) goOn(to time.Time, step time.Duration) {
	slices.SortStableFunc(w.events, func(a, b event) int { return a.at.Compare(b.at) })
	for at := w.clock.now().Truncate(step).Add(step); at.Before(to); at = w.clock.now().Truncate(step).Add(step) {
		for len(w.events) > 0 && !w.events[0].at.After(at) {
			e := w.events[0]
			w.events = w.events[1:]
			w.clock.until(e.at)
			e.do()
		}
		if at.After(w.clock.now()) {
			w.must(at, "fetch")
			w.steps++
		}
	}
}

// quiet waits until the publishers have had no request for a while.
func (w *weeks) quiet() {
	n, since := len(w.web.served("")), time.Now()
	for end := since.Add(time.Minute); time.Since(since) < 500*time.Millisecond && time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if k := len(w.web.served("")); k != n {
			n, since = k, time.Now()
		}
	}
}

// key presses a key that is a look.
func (w *weeks) key(p *person, key string) {
	at := w.clock.truth()
	if _, err := p.tty.WriteString(key); err != nil {
		w.t.Fatal(err)
	}
	w.quiet()
	w.looks = append(w.looks, lookMade{at, w.clock.truth()})
}

// perDay counts the requests of each of the user's days, from midnight to midnight.
func (w *lifeWeb) perDay() map[string]int {
	days := map[string]int{}
	for _, s := range w.served("") {
		days[s.at.In(w.clock.zone).Format(time.DateOnly)]++
	}
	return days
}

// daily adds posts at these minutes of each day, each up to an hour late and with
// milliseconds; none falls into the two minutes after one of the looks.
func (f *lifeFeed) daily(rnd *rand.Rand, from time.Time, days int, looks []time.Time, minutes ...int) *lifeFeed {
	for d := range days {
		for _, m := range minutes {
			at := time.Date(from.Year(), from.Month(), from.Day()+d, 0, m, 0, 0, from.Location()).Add(time.Duration(rnd.Int64N(int64(time.Hour)))).Truncate(time.Millisecond)
			for _, l := range looks {
				if gap := at.Sub(l); gap > -time.Minute && gap < 2*time.Minute {
					at = at.Add(4 * time.Minute)
				}
			}
			f.post(at)
		}
	}
	return f
}

// grouped is a number as the program writes it.
func grouped(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d,%03d", n/1000, n%1000)
}
