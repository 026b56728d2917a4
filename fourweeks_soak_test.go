//go:build linux && soak

package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Four weeks of somebody whose cron fetches every ten minutes, played by real
// processes: go test -tags soak -run TestFourWeeks .

// screen is a look at the screen, of one or two keys.
func (w *weeks) screen() {
	p := w.sit(w.clock.now())
	w.quiet()
	// What comes out at this very moment was out before the look.
	w.web.feeds["/instant"].post(w.clock.truth().Truncate(time.Millisecond))
	time.Sleep(2 * time.Millisecond)
	w.key(p, "j")
	p.press("k")
	p.leave()
}

// printed is a look at what a command prints on a terminal.
func (w *weeks) printed() {
	id := w.json(w.clock.now(), "items", "unread")[0]["id"].(string) // by a pipe: none
	at := w.clock.truth()
	args := []string{"items", "unread"}
	if w.rnd.IntN(2) == 0 {
		args = []string{"show", id}
	}
	w.onTerminal(w.clock.now(), args...)
	w.looks = append(w.looks, lookMade{at, at})
	// What comes out now, within the same second most often, was not out at the look.
	w.web.feeds["/instant"].post(w.clock.truth().Truncate(time.Millisecond).Add(time.Millisecond))
}

// look is one of the usual looks.
func (w *weeks) look() {
	if w.rnd.IntN(3) == 0 {
		w.printed()
		return
	}
	w.screen()
}

// publish subscribes to the feeds of this life.
func (w *weeks) publish() {
	from, days := w.start.AddDate(0, 0, -20), 20+29
	between := func(at time.Time, list [][2]time.Time) bool {
		return slices.ContainsFunc(list, func(p [2]time.Time) bool { return at.After(p[0]) && at.Before(p[1]) })
	}
	w.fails = [][2]time.Time{{w.at("2027-03-17 03:00"), w.at("2027-03-20 11:00")}}
	busy := [][2]time.Time{{w.at("2027-03-24 05:00"), w.at("2027-03-25 13:00")}}
	put := func(f *lifeFeed, minutes ...int) *lifeFeed { return f.daily(w.rnd, from, days, w.usual, minutes...) }
	all := []*lifeFeed{
		put(w.web.alone("morning"), 380, 420, 440),
		put(w.web.alone("wire"), 30, 90, 190, 270, 350, 410, 480, 530, 590, 660, 720, 790, 840, 900, 960, 1020, 1080, 1130, 1170, 1230, 1290, 1380),
		put(w.web.alone("evening"), 1080, 1160, 1200),
		put(w.web.alone("slow"), 200, 500, 800, 1100).change(func(f *lifeFeed) { f.delay = 2500 * time.Millisecond }),
		put(w.web.alone("instant"), 300, 1000),
		put(w.web.alone("flaky"), 60, 300, 430, 700, 1000, 1150).change(func(f *lifeFeed) {
			f.answer = func(at time.Time) (int, string) {
				if between(at, w.fails) {
					return 500, ""
				}
				return 0, ""
			}
		}),
		put(w.web.feed("busy"), 100, 460, 1190).change(func(f *lifeFeed) {
			f.answer = func(at time.Time) (int, string) {
				if between(at, busy) {
					return 429, "7200"
				}
				return 0, ""
			}
		}),
		put(w.web.feed("beside"), 470),
		put(w.web.feed("third"), 1180),
		put(w.web.alone("bare"), 400, 1100).change(func(f *lifeFeed) { f.bare = true }),
		put(w.web.alone("narrow"), 10, 70, 130, 200, 260, 330, 400, 450, 500, 560, 620, 680, 740, 800, 860, 920, 980, 1040, 1100, 1160, 1200, 1260, 1320, 1400).change(func(f *lifeFeed) { f.window = 20 }),
		put(w.web.alone("weekly"), 600),
	}
	all[11].change(func(f *lifeFeed) {
		f.posts = slices.DeleteFunc(f.posts, func(at time.Time) bool { return at.Weekday() != time.Thursday })
	})
	for _, f := range all {
		w.must(w.start, "add", f.url)
	}
}

// habits are two looks a day, about 8:00 and 20:30, but for three days away.
func (w *weeks) habits() {
	for d := range 28 {
		day := w.start.AddDate(0, 0, d)
		for _, m := range []int{8 * 60, 20*60 + 30} {
			if m += int(20 * w.rnd.NormFloat64()); d >= 12 && d < 15 {
				continue
			}
			at := time.Date(day.Year(), day.Month(), day.Day(), 0, m, w.rnd.IntN(60), w.rnd.IntN(1e9), day.Location())
			if at.After(w.start.Add(time.Hour)) {
				w.usual = append(w.usual, at)
			}
		}
	}
}

// TestFourWeeks: what stats and Rhythm say of four weeks is what the publishers'
// log and the user's own notes of the looks say, to the item.
func TestFourWeeks(t *testing.T) {
	w := &weeks{life: newLife(t, "Europe/Berlin", "2027-03-08 06:00"), rnd: rand.New(rand.NewPCG(4, 28))}
	w.config("[net]\nallow_private = [\"127.0.0.0/8\"]\nper_host_every = \"200ms\"\n")
	w.habits()
	w.publish()
	night := w.at("2027-03-22 12:00") // from this noon on a screen stays open to the next
	for _, at := range w.usual {
		if at.Before(night) || at.After(night.Add(24*time.Hour)) {
			w.events = append(w.events, event{at, w.look})
		}
	}
	w.plan("2027-03-10 13:05", func() { w.onTerminal(w.clock.now(), "unread") }) // none: it is a status bar's
	w.plan("2027-03-12 10:02", w.killed)
	w.plan("2027-03-18 15:03", w.failing)
	w.plan("2027-03-22 19:40", w.overNight)
	w.plan("2027-03-27 01:12", w.asleep)
	w.plan("2027-03-30 10:11", w.wrongClock)
	began := time.Now()
	end := w.at("2027-04-05 05:40")
	w.goOn(end.Add(-12*time.Hour), 10*time.Minute)
	w.goOn(end, 10*time.Minute)
	w.compare()
	w.manners()
	t.Logf("%d steps of cron, %d looks, %d requests in %v", w.steps, len(w.looks), len(w.web.served("")), time.Since(began).Round(time.Second))
}

// killed is a screen that is killed, and a machine that is off for hours.
func (w *weeks) killed() {
	p := w.sit(w.clock.now())
	w.quiet()
	w.key(p, "j")
	_ = p.screen.Process.Signal(syscall.SIGKILL)
	p.leave()
	from := w.clock.truth()
	w.clock.until(w.clock.now().Add(5 * time.Hour))
	w.off = append(w.off, [2]time.Time{from, w.clock.truth()})
}

// failing asks doctor in the middle of a feed's failing.
func (w *weeks) failing() {
	log := w.web.served("flaky")
	since := log[slices.IndexFunc(log, func(s lifeServed) bool { return s.status == 500 })].at
	r := w.run(w.clock.now(), "doctor")
	if text := strings.Join(strings.Fields(r.out), " "); since.In(w.clock.zone).Day() != w.clock.now().Day()-1 || r.code != 3 || !strings.Contains(text, "flaky 500 server error since yesterday") || strings.Contains(text, "carried out") {
		w.t.Errorf("flaky fails since %v; doctor: %d\n%s", since, r.code, r.out)
	}
}

// overNight is a screen that is open from an evening to a noon; the machine sleeps
// for seven hours of it.
func (w *weeks) overNight() {
	p := w.sit(w.clock.now())
	w.quiet()
	steps := func(to time.Time) { // no faster, or requests under way would run into their time limits
		for at := w.clock.now(); at.Before(to); at = at.Add(10 * time.Minute) {
			w.clock.until(at)
			w.quiet()
		}
		w.clock.until(to)
		w.quiet()
	}
	steps(w.at("2027-03-22 20:25"))
	w.key(p, "j")
	steps(w.at("2027-03-22 23:50"))
	from := w.clock.truth()
	w.suspend(7 * time.Hour) // no signal tells of it
	w.off = append(w.off, [2]time.Time{from, w.clock.truth()})
	steps(w.at("2027-03-23 07:58"))
	w.key(p, "k")
	steps(w.at("2027-03-23 11:30"))
	w.key(p, "j") // leaving is a look too
	p.leave()
}

// asleep is a machine that sleeps for two days; doctor sees that nobody fetched.
func (w *weeks) asleep() {
	from := w.clock.truth()
	w.clock.until(w.at("2027-03-29 06:03"))
	w.off = append(w.off, [2]time.Time{from, w.clock.truth()})
	w.events = slices.DeleteFunc(w.events, func(e event) bool { return e.at.Before(w.clock.now()) })
	if r := w.run(w.clock.now(), "doctor"); r.code != 3 || !strings.Contains(strings.Join(strings.Fields(r.out), " "), "the plan has not run since ") {
		w.t.Errorf("after a sleep of two days doctor says %d\n%s", r.code, r.out)
	}
}

// wrongClock is ahead by three hours for fifty minutes, in which cron fetches, and
// is put right while what came then still lies ahead.
func (w *weeks) wrongClock() {
	from := w.clock.truth()
	w.clock.misset(3 * time.Hour)
	for range 5 {
		w.must(w.clock.now().Add(10*time.Minute), "fetch")
	}
	w.clock.misset(-3 * time.Hour)
	w.clock.until(w.clock.now().Add(time.Minute))
	w.screen()
	w.wrong = append(w.wrong, [2]time.Time{from, w.clock.truth().Add(3 * time.Hour)})
}

// compare holds what the program says against the logs.
func (w *weeks) compare() {
	t := w.t
	w.clock.until(w.at("2027-04-05 05:45"))
	p := w.sit(w.clock.now())
	w.quiet()
	w.key(p, "6")
	var sum missedByLog
	by := map[string]missedByLog{}
	for name := range w.web.feeds {
		m := w.web.missed(name[1:], w.looks)
		by[name[1:]] = m
		sum = missedByLog{sum.new + m.new, sum.atLook + m.atLook, sum.after + m.after}
	}
	t.Logf("the publishers' log: %d new, %d missed at a look, %d after its refresh, %d looks", sum.new, sum.atLook, sum.after, len(w.looks))
	said := fmt.Sprintf("Of %s new items in 28 days, %d were missing at the look, %d after its refresh.", grouped(sum.new), sum.atLook, sum.after)
	p.until("Rhythm is shown", func() bool { return strings.Contains(p.text(0), "Did it help?") })
	p.press("G")
	if text := strings.Join(strings.Fields(p.look()), " "); !strings.Contains(text, said) {
		t.Errorf("Rhythm does not say %q but\n%s", said, text)
	}
	p.leave()
	var stats struct {
		Looks     int
		Freshness struct {
			New, Missed, Looks int
			After              int `json:"missed_after"`
		}
	}
	if err := json.Unmarshal([]byte(w.must(w.clock.now(), "stats", "--json")), &stats); err != nil {
		t.Fatal(err)
	}
	if f := stats.Freshness; f.New != sum.new || f.Missed != sum.atLook || f.After != sum.after || f.Looks != len(w.looks) || stats.Looks != len(w.looks) {
		t.Errorf("stats --json says %+v; the logs say %+v, %d looks", stats, sum, len(w.looks))
	}
	text := w.must(w.clock.now(), "stats")
	m := regexp.MustCompile(`missing at the look: (\S+) of (\S+) new items \(\S+ %\); after its refresh: (\S+) `).FindStringSubmatch(text)
	if want := []string{grouped(sum.atLook), grouped(sum.new), grouped(sum.after)}; m == nil || !slices.Equal(m[1:], want) {
		t.Errorf("stats says %q, want %q", text, want)
	}
	for _, f := range w.json(w.clock.now(), "stats", "--feeds") {
		m := by[f["feed"].(string)]
		if f["missed"].(float64) != float64(m.atLook) || f["missed_after"].(float64) != float64(m.after) {
			t.Errorf("stats --feeds says of %v: %v missed at the look, %v after; the log says %+v", f["feed"], f["missed"], f["missed_after"], m)
		}
	}
}

// manners holds the requests against the rules.
func (w *weeks) manners() {
	t := w.t
	touches := func(from, to time.Time, list [][2]time.Time) bool {
		return slices.ContainsFunc(list, func(p [2]time.Time) bool { return from.Before(p[1]) && to.After(p[0]) })
	}
	most := 6 * len(w.web.feeds)
	for day, n := range w.web.perDay() {
		if n > most {
			t.Errorf("%s: %d requests, the budget is %d", day, n, most)
		}
	}
	for name := range w.web.feeds {
		log := w.web.served(name[1:])
		for i := 1; i < len(log); i++ {
			a, b := log[i-1], log[i]
			gap := b.at.Sub(a.at)
			if gap < 59*time.Minute && !touches(a.at, b.at, w.wrong) {
				t.Errorf("%s was asked at %v and %v later", name, a.at.In(w.clock.zone), gap)
			}
			if a.status == 429 && gap < 2*time.Hour {
				t.Errorf("%s asked for two hours and was asked after %v", name, gap)
			}
			if gap > 26*time.Hour && !touches(a.at, b.at, w.off) && !touches(a.at, b.at, w.fails) {
				t.Errorf("%s was not asked for %v after %v", name, gap, a.at.In(w.clock.zone))
			}
		}
	}
	if r := w.run(w.clock.now(), "doctor"); r.code != 0 {
		t.Errorf("doctor in the end: %d\n%s", r.code, r.out)
	}
}
