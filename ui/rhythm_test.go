package ui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"diurna/reader"
	"diurna/reader/wording"
	"diurna/ui/lastrow"
	"diurna/ui/macro"
	"diurna/ui/stack"
)

// Rhythm of the fake: looks at breakfast and in the evening, a feed that posts
// in the morning, a few fetches of the day.
func (f *fake) Rhythm(_ context.Context, feed reader.FeedID, at, _ time.Time) (reader.Rhythm, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if feed == 0 {
		feed = 1
	}
	d := reader.Rhythm{Day: wording.Midnight(at), Feeds: len(f.feeds), Each: 6, Hourly: 24 * len(f.feeds), Looks: 58,
		Budget: reader.Plan{PerDay: 6 * len(f.feeds), Used: 17, Kept: 9, Feeds: len(f.feeds)}}
	if f.perDay > 0 {
		d.Budget.PerDay, d.Own, d.Budget.Kept = f.perDay, true, 0
		if f.perDay < len(f.feeds) {
			d.Budget.Needed = len(f.feeds)
		}
	}
	for day := range 7 {
		d.ByHour[day][8], d.ByHour[day][21], d.ByHour[day][13] = 6+day%3, 8-day%2, day%2
	}
	d.ByHour[5], d.ByHour[6][10] = [24]int{9: 1, 10: 3, 11: 7, 12: 4}, 5
	i := slices.IndexFunc(f.feeds, func(x reader.Feed) bool { return x.Key == feed })
	if i < 0 {
		return d, nil
	}
	d.Feed = f.feeds[i]
	d.Feed.NotBefore, d.Feed.NotBeforeBy = noon.Add(42*time.Minute), reader.Wait{Cause: reader.WaitServer, Header: "max-age=3600"}
	d.Posts, d.PerWeek, d.Shape, d.Words = 71, 9, "peaks", 34
	for h := range 24 {
		d.Hours[h] = 0.004
	}
	for h, n := range map[int]float64{6: .05, 7: .2, 8: .3, 9: .3, 10: .2, 11: .1} {
		d.Hours[h] = n
	}
	clockAt := func(h, m int) time.Time {
		return wording.Midnight(at).Add(time.Duration(h)*time.Hour + time.Duration(m)*time.Minute)
	}
	d.Fetched = []time.Time{clockAt(0, 4), clockAt(6, 50), clockAt(7, 55), clockAt(10, 31)}
	d.Last = reader.LastFetch{At: clockAt(10, 31), New: 2, Bytes: 18000, Took: 300 * time.Millisecond}
	for _, h := range []int{15, 18, 21} {
		d.Planned = append(d.Planned, reader.PlannedFetch{At: wording.Midnight(noon).Add(time.Duration(h)*time.Hour + 50*time.Minute), Key: feed, Feed: d.Feed.Title, Nth: 5, Of: 7, Expected: 1.1,
			Reason: "look", Why: fmt.Sprintf("you look at %d:00", h+1)})
	}
	d.Freshness = reader.Freshness{Looks: 58, New: 3212, Missed: 41, MissedAfter: 19, Evenly: 68, Hourly: 12, Requests: 41310, HourlyRequests: 192864}
	return d, nil
}

func (f *fake) WhyFeed(ctx context.Context, id reader.FeedID, _ time.Time) (reader.FeedPlan, error) {
	d, _ := f.Rhythm(ctx, id, noon, noon)
	return reader.FeedPlan{Feed: d.Feed, Fetches: d.Planned, Share: 7, PerDay: d.Budget.PerDay, Posts: d.Posts, PerWeek: d.PerWeek,
		Window: 20, Shape: d.Shape, Hours: d.Hours, Last: d.Last, At: noon}, nil
}

func (f *fake) SetBudget(_ context.Context, perDay int, _ time.Time) (reader.BudgetChange, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	before := f.perDay
	if before == 0 {
		before = 6 * len(f.feeds)
	}
	f.perDay = perDay
	out := reader.BudgetChange{Step: 1, PerDay: perDay, Before: before, Own: perDay > 0, Feeds: len(f.feeds), Each: 6}
	if out.PerDay == before && out.Own {
		out.Step = 0
	}
	if perDay == 0 {
		out.PerDay = 6 * len(f.feeds)
	} else if perDay < len(f.feeds) {
		out.Needed = len(f.feeds)
	}
	return out, nil
}

// TestRhythmScreens compares the view with its pictures: three sizes, four
// themes, the ASCII form, other days and the boxes.
func TestRhythmScreens(t *testing.T) {
	shots := []struct {
		name string
		keys []string
	}{
		{"rhythm", []string{"6"}}, {"rhythm-yesterday", []string{"6", "<"}}, {"rhythm-scrolled", []string{"6", "space"}},
		{"rhythm-budget", []string{"6", "B", "ctrl+u", "3"}}, {"rhythm-unpaid", []string{"6", "B", "ctrl+u", "3", "enter"}},
		{"rhythm-feed", []string{"6", "/", "h", "a", "r", "enter"}}, {"rhythm-sums", []string{"6", "w"}}, {"why-feed", []string{"2", "j", "j", "w"}},
		{"help-rhythm", []string{"6", "?"}},
	}
	for _, size := range sizes {
		for _, s := range shots {
			t.Run(fmt.Sprintf("%s-%dx%d", s.name, size[0], size[1]), func(t *testing.T) {
				d := newDesk(t, newFake(), size[0], size[1])
				d.press(s.keys...)
				compare(t, d, size[0], size[1])
			})
		}
		for _, theme := range []string{"16", "dark", "light", "mono"} {
			t.Run(fmt.Sprintf("rhythm-%s-%dx%d", theme, size[0], size[1]), func(t *testing.T) {
				d := newDesk(t, newFake(), size[0], size[1], func(o *Options) { o.Config.Theme = theme })
				d.m.Scene.Th = d.m.look.theme()
				d.press("6")
				golden.RequireEqual(t, d.m.View().Content)
			})
		}
	}
	t.Run("rhythm-ascii-80x24", func(t *testing.T) {
		d := newDesk(t, newFake(), 80, 24, func(o *Options) { o.Config.ASCII = true })
		d.press("6")
		for _, r := range d.screen() {
			if r > '~' {
				t.Errorf("%q in the ASCII form", r)
			}
		}
		compare(t, d, 80, 24)
	})
}

// TestRhythmKeys: the budget is set and set back, a wrong one is refused, days
// end where nothing is known, and an answer to an older question is dropped.
func TestRhythmKeys(t *testing.T) {
	lib := newFake()
	d := newDesk(t, lib, 80, 24)
	d.press("6", "B", "ctrl+u", "1", "2", "enter")
	if lib.perDay != 12 || !strings.Contains(d.screen(), "12 fetches a day, before 36.") {
		t.Errorf("budget %d:\n%s", lib.perDay, d.screen())
	}
	if d.press("B", "ctrl+u", "x", "enter"); lib.perDay != 12 || !strings.Contains(d.screen(), `"x" is not a number`) {
		t.Errorf("budget %d:\n%s", lib.perDay, d.screen())
	}
	if d.press("B", "ctrl+u", "enter"); lib.perDay != 0 {
		t.Errorf("budget %d", lib.perDay)
	}
	feed, _ := d.m.rhythm.About()
	d.press("/", "z", "z", "enter")
	if now, _ := d.m.rhythm.About(); !strings.Contains(d.screen(), `There is no feed "zz"`) || now != feed {
		t.Errorf("%s", d.screen())
	}
	d.press(">", ">")
	if !strings.Contains(d.screen(), "Sat 21 Nov") || !strings.Contains(d.screen(), "the last 28 days") {
		t.Errorf("tomorrow is the last day:\n%s", d.screen())
	}
	for range 40 {
		d.press("<")
	}
	if !strings.Contains(d.screen(), "Fri 23 Oct") {
		t.Errorf("28 days back is the first:\n%s", d.screen())
	}
	_, cmd := d.m.Update(keyMsg(">"))
	old := macro.Gather(cmd)
	d.press("<")
	shown := d.screen()
	for _, msg := range old {
		d.m.Update(msg)
	}
	if d.screen() != shown {
		t.Error("an old answer was taken")
	}
	if d.press("q"); len(d.m.Over) != 0 || d.m.At != stack.Rhythm {
		t.Error("q at the top leaves the program and nothing else")
	}
}

// TestRhythmLinear: the same in lines of words and signs.
func TestRhythmLinear(t *testing.T) {
	golden.RequireEqual(t, spoken(t, newFake(), "6", "w", "q", "<", "B", "3", "Q"))
}

// TestRhythmOfNothing: no feed, no look, no fetch.
func TestRhythmOfNothing(t *testing.T) {
	lib := newFake()
	lib.feeds = nil
	d := newDesk(t, lib, 80, 24)
	d.press("6")
	if !strings.Contains(d.screen(), "Nothing is subscribed") {
		t.Errorf("%s", d.screen())
	}
	d.press("w", "i", "r", "space", "G", "g")
}

// TestLossIsSaid: sentence 17 stands in the last row when a round brings it,
// also when newer words came before it was read.
func TestLossIsSaid(t *testing.T) {
	d := newDesk(t, newFake(), 80, 24)
	const lost = "City Cycling: none of the items known at 09:40 was left at 16:10; some were lost in between. It is fetched more often now."
	e := d.m.fetch
	e.Plan.Tell(reader.Event{At: noon, Progress: reader.Progress{Done: 1, Total: 2, Result: &reader.FetchResult{Outcome: reader.OutcomeNew, Lost: lost}}})
	e.Plan.Tell(reader.Event{At: noon, Progress: reader.Progress{Done: 2, Total: 2, Result: &reader.FetchResult{Outcome: reader.OutcomeNotChanged}}})
	d.m.Update(<-e.Plan.News)
	if d.m.last.Last(lastrow.Notice) != lost {
		t.Errorf("said %q", d.m.last.Last(lastrow.Notice))
	}
}
