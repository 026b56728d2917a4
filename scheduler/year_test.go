package scheduler

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"
)

// feedInAYear is a made-up publisher: when it posts and how much it shows.
type feedInAYear struct {
	posts  []int64
	window int
	known  int // posts fetched or lost, by index into posts
	lost   int
	noted  int // fetches at which the loss was seen
	gaps   time.Duration
}

func publishers(start time.Time) []*feedInAYear {
	r := rand.New(rand.NewPCG(11, 12))
	out := make([]*feedInAYear, 5)
	for i := range out {
		out[i] = &feedInAYear{window: 20}
	}
	for d := range 368 {
		zero := start.Unix() + int64(d-2)*day
		for k := range 200 { // evenly spaced: 20 items are 2.4 hours
			out[0].posts = append(out[0].posts, zero+int64(k)*432)
		}
		if d < 10 || d > 45 { // silent for five weeks
			out[1].posts = append(out[1].posts, zero+7*3600+r.Int64N(3600))
		}
		if d%30 == 17 { // a burst of 60 within an hour
			for range 60 {
				out[2].posts = append(out[2].posts, zero+13*3600+r.Int64N(3600))
			}
		}
		out[2].posts = append(out[2].posts, zero+r.Int64N(day))
		for range 6 {
			out[3].posts = append(out[3].posts, zero+6*3600+r.Int64N(6*3600))
		}
		if d%9 == 0 {
			out[4].posts = append(out[4].posts, zero+r.Int64N(day))
		}
	}
	for _, f := range out {
		slices.Sort(f.posts)
	}
	return out
}

// fetch shows the latest items that fit the window.
func (f *feedInAYear) fetch(now time.Time) {
	n, _ := slices.BinarySearch(f.posts, now.Unix())
	fresh := n - f.known
	if fresh > f.window && f.known > 0 {
		f.lost += fresh - f.window
	}
	if Saturated(min(n, f.window), min(fresh, f.window), f.known) {
		f.noted++
	}
	f.known = n
}

// A year of planning and fetching (45 days unless DIURNA_SOAK is set), planned again every eight hours: the budget is
// never exceeded, no server rule or δ is broken, a silent feed is still fetched,
// windows of 20 items at 200 posts a day lose nothing, losses from bursts show.
func TestYear(t *testing.T) {
	start := time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)
	feeds := publishers(start)
	src := make([]Source, len(feeds))
	for i, f := range feeds {
		src[i] = Source{ID: fmt.Sprint(i), Window: f.window}
	}
	src[3].SkipHours = 1<<9 | 1<<10
	var looks []Event
	reader := LearnLooks(nil, start.Unix(), start.Unix())
	b := Budget{PerDay: 50, DayEnds: start.Add(24 * time.Hour)}
	step := time.Minute            // the first documents are news: plan again at once
	end := start.AddDate(0, 0, 45) // a year takes ten seconds, and minutes with -race
	if os.Getenv("DIURNA_SOAK") != "" {
		end = start.AddDate(1, 0, 0)
	}
	for now := start; now.Before(end); now, step = now.Add(step), 8*time.Hour {
		if !now.Before(b.DayEnds) {
			b.Used, b.DayEnds = 0, b.DayEnds.Add(24*time.Hour)
			looks = append(looks, Event{Unix: now.Unix() - 4*3600}, Event{Unix: now.Unix() - 16*3600})
			reader = LearnLooks(looks, start.Unix(), now.Unix())
		}
		for i, f := range feeds {
			known := f.posts[max(0, f.known-6000):f.known]
			if len(known) > 0 {
				src[i].Posts = LearnPosts(known, max(known[0], start.Unix()-5000), now.Unix())
			}
		}
		plan := Plan(reader, src, b, Options{PlanFor: PlanForLooks}, now)
		for _, s := range plan.Slots {
			if !s.At.Before(now.Add(step)) {
				break
			}
			liveSlot(t, feeds, src, s)
			if b.Used++; b.Used > b.PerDay {
				t.Fatalf("%v: %d fetches today", s.At, b.Used)
			}
		}
	}
	if feeds[0].lost > 0 {
		t.Errorf("%d of 200 a day were lost", feeds[0].lost)
	}
	for i, f := range feeds {
		if f.gaps > 25*time.Hour {
			t.Errorf("feed %d was not fetched for %v", i, f.gaps)
		}
	}
	if f := feeds[2]; f.lost == 0 || f.noted < 1 {
		t.Errorf("bursts: %d lost, noted %d times", f.lost, f.noted)
	}
}

// liveSlot carries out one planned fetch and checks what may not be broken.
func liveSlot(t *testing.T, feeds []*feedInAYear, src []Source, s Slot) {
	t.Helper()
	last := src[s.Source].LastFetch
	if !last.IsZero() {
		gap := s.At.Sub(last)
		if gap < time.Hour {
			t.Fatalf("feed %d at %v, %v after the last", s.Source, s.At, gap)
		}
		feeds[s.Source].gaps = max(feeds[s.Source].gaps, gap)
	}
	if src[s.Source].SkipHours&(1<<s.At.Hour()) != 0 {
		t.Fatalf("feed %d in a skipped hour: %v", s.Source, s.At)
	}
	feeds[s.Source].fetch(s.At)
	src[s.Source].LastFetch = s.At
}
