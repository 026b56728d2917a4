//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"diurna/store/storetest"
)

// cronDays are the days of somebody whose cron fetches at every step: six feeds on
// hosts of their own that post every two hours, and a look at eight and at eight.
// It gives the fetches that the plan made.
func cronDays(t *testing.T, step, span time.Duration) *life {
	t.Helper()
	l := newLife(t, "Europe/Berlin", "2027-03-01 09:00")
	for i := range 6 {
		f := l.web.alone(fmt.Sprint("feed", i)).every(2*time.Hour, l.start.Add(-48*time.Hour).Add(time.Duration(i)*7*time.Minute), l.start.Add(span))
		l.must(l.start, "add", f.url)
	}
	l.cron(l.start.Add(step), l.start.Add(span), step, "fetch")
	return l
}

// inTime checks that each feed was fetched by the plan, never twice within the
// hour, and the day's budget kept.
func (l *life) inTime(span time.Duration) {
	l.t.Helper()
	for i := range 6 {
		log := l.web.served(fmt.Sprint("feed", i))
		most := 2 * 6 * int((span+24*time.Hour)/(24*time.Hour))
		if least := int(span / (12 * time.Hour)); len(log) < 1+least || len(log) > most {
			l.t.Errorf("feed%d was fetched %d times in %v, want %d to %d", i, len(log), span, least+1, most)
		}
		for k := 1; k < len(log); k++ {
			if gap := log[k].at.Sub(log[k-1].at); gap < 59*time.Minute {
				l.t.Errorf("feed%d was fetched %v after the time before", i, gap)
			}
		}
	}
	all := l.web.served("")
	l.t.Logf("%d fetches in %v", len(all), span)
}

// TestCronCarriesThePlan: `diurna fetch` from cron fetches what is due, whatever
// the step.
func TestCronCarriesThePlan(t *testing.T) {
	for _, step := range []time.Duration{60 * time.Minute, 10 * time.Minute} {
		span := 24 * time.Hour
		if step < time.Hour {
			span = time.Duration(storetest.Size(8, 12)) * time.Hour
		}
		t.Run(step.String(), func(t *testing.T) {
			t.Parallel()
			cronDays(t, step, span).inTime(span)
		})
	}
}

// TestAbsenceIsMadeUpForOnce: after days without a step each feed is fetched once
// by the next one, and after a clock that was wrong within half an hour.
func TestAbsenceIsMadeUpForOnce(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		gone  func(l *life)
		first bool // all of it by the first step
	}{
		"an absence":                     {func(l *life) { l.clock.until(l.clock.now().Add(75 * time.Hour)) }, true},
		"a clock set forward":            {func(l *life) { l.clock.jump(75 * time.Hour) }, true},
		"a clock ahead for years":        {func(l *life) { l.ahead(10 * 365 * 24 * time.Hour) }, false},
		"a clock ahead for thirty hours": {func(l *life) { l.ahead(30 * time.Hour) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := cronDays(t, time.Hour, 5*time.Hour)
			c.gone(l)
			before, now := len(l.web.served("")), l.clock.now()
			l.must(now, "fetch")
			if n := len(l.web.served("")) - before; c.first && n != 6 {
				t.Errorf("the first step made %d fetches, want 6", n)
			}
			l.cron(now.Add(10*time.Minute), now.Add(50*time.Minute), 10*time.Minute, "fetch")
			if n := len(l.web.served("")) - before; n != 6 {
				t.Errorf("the steps of fifty minutes made %d fetches, want 6", n)
			}
		})
	}
}

// ahead sets the clock ahead, steps once, sets it back, and lets two days go by.
func (l *life) ahead(d time.Duration) {
	l.t.Helper()
	l.clock.jump(d)
	l.must(l.clock.now(), "fetch")
	l.clock.jump(-d)
	l.clock.until(l.clock.now().Add(48 * time.Hour))
}

// TestDoctorNamesAnAbandonedPlan: a library that nobody fetches for is not good.
func TestDoctorNamesAnAbandonedPlan(t *testing.T) {
	t.Parallel()
	l := cronDays(t, time.Hour, 3*time.Hour)
	if r := l.run(l.clock.now(), "doctor"); r.code != 0 || strings.Contains(r.out, "carried out") {
		t.Errorf("while cron fetches: %+v", r)
	}
	for _, cache := range []bool{true, false} {
		if !cache {
			if err := os.Remove(filepath.Join(l.home, ".cache/diurna/cache.db")); err != nil {
				t.Fatal(err)
			}
		}
		r := l.run(l.start.Add(60*time.Hour), "doctor")
		text := strings.Join(strings.Fields(r.out), " ")
		if r.code != 3 || !strings.Contains(text, "the plan has not run since ") || !strings.Contains(text, "; 6 feeds are overdue") || !strings.Contains(text, "diurna run") {
			t.Errorf("after days without a fetch, with a cache %v: %+v", cache, r)
		}
	}
	l.must(l.clock.now(), "fetch")
	l.must(l.clock.now().Add(40*time.Minute), "fetch")
	if r := l.run(l.clock.now(), "doctor"); r.code != 0 {
		t.Errorf("after a fetch: %+v", r)
	}
}

// TestWhoFailedLastIsAskedLast: a feed that its host refuses does not keep the
// healthy one beside it from being asked.
func TestWhoFailedLastIsAskedLast(t *testing.T) {
	t.Parallel()
	for _, wait := range []string{"", "3600"} {
		l := newLife(t, "Europe/Berlin", "2027-03-01 09:00")
		span := 96 * time.Hour
		good := l.web.feed("good").every(2*time.Hour, l.start.Add(-48*time.Hour), l.start.Add(span))
		bad := l.web.feed("bad").every(time.Hour, l.start.Add(-48*time.Hour), l.start.Add(span))
		l.must(l.start, "add", good.url)
		l.must(l.start, "add", bad.url)
		bad.change(func(f *lifeFeed) { f.answer = func(time.Time) (int, string) { return 429, wait } })
		l.cron(l.start.Add(time.Hour), l.start.Add(span), time.Duration(storetest.Size(2, 1))*time.Hour, "fetch")
		all, refused := l.web.served(""), len(l.web.served("bad"))-1
		asked := len(l.web.served("good"))
		t.Logf("Retry-After %q: the healthy feed was asked %d times, the refused one %d", wait, asked, refused)
		if asked < 12 || refused < 3 || refused > 9 {
			t.Errorf("Retry-After %q: the healthy feed was asked %d times in four days, the refused one %d", wait, asked, refused)
		}
		rest := time.Hour
		if wait == "" {
			rest = 4 * time.Hour
		}
		for i := 1; i < len(all); i++ {
			if gap := all[i].at.Sub(all[i-1].at); all[i-1].status == 429 && gap < rest {
				t.Errorf("the host was asked %v after it answered 429", gap)
			}
		}
	}
}
