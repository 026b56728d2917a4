//go:build linux && soak

package main

import (
	"fmt"
	"testing"
	"time"
)

// The whole lives of carried_test.go: go test -tags soak -run TestTwoDays .

// TestTwoDaysOfCron: the plan is carried out at any step, and costs no more
// fetches at a short one.
func TestTwoDaysOfCron(t *testing.T) {
	const span = 48 * time.Hour
	for _, step := range []time.Duration{5, 7, 10, 60} {
		t.Run(fmt.Sprint(step), func(t *testing.T) { cronDays(t, step*time.Minute, span).inTime(span) })
	}
}

// TestTwoDaysOfALongProcess: `run` and the screen carry the plan out over machines
// that sleep and clocks that jump; cron takes it over where they end.
func TestTwoDaysOfALongProcess(t *testing.T) {
	for name, begin := range map[string]func(l *life) (end func()){
		"run": func(l *life) func() { _, end := l.begin(l.clock.now(), "run"); return end },
		"screen": func(l *life) func() {
			p := l.sit(l.clock.now())
			return p.leave
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := cronDays(t, time.Hour, 2*time.Hour)
			end := begin(l)
			day := func(what string, least int) {
				t.Helper()
				before := len(l.web.served(""))
				l.pass(l.clock.now().Add(24*time.Hour), 2*time.Minute, 20*time.Millisecond)
				if n := len(l.web.served("")) - before; n < least || n > 2*36 {
					t.Errorf("%s: %d fetches in a day, want %d to 72", what, n, least)
				} else {
					t.Logf("%s: %d fetches in a day", what, n)
				}
			}
			day("a day", 12)
			l.suspend(7 * time.Hour)
			day("after a sleep", 12)
			l.clock.jump(-3 * time.Hour)
			day("after a clock set back", 12)
			end()
			before := len(l.web.served(""))
			l.cron(l.clock.now().Add(time.Hour), l.clock.now().Add(24*time.Hour), 10*time.Minute, "fetch")
			if n := len(l.web.served("")) - before; n < 12 || n > 72 {
				t.Errorf("cron after it made %d fetches in a day", n)
			}
		})
	}
}
