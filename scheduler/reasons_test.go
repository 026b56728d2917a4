package scheduler

import (
	"slices"
	"testing"
	"time"
)

func next(t *testing.T, s Schedule, i int) Slot {
	t.Helper()
	slot, ok := s.Next(i)
	if !ok {
		t.Fatalf("source %d has no slot", i)
	}
	return slot
}

func TestReasons(t *testing.T) {
	ago := func(h float64) time.Time { return noon.Add(-time.Duration(h * float64(time.Hour))) }
	src := []Source{
		{ID: "look", Posts: bumps(8, 9, 15), LastFetch: ago(2)},
		{ID: "window", Posts: evenPosts(200), Window: 20, LastFetch: ago(1.1)},
		{ID: "daily", Posts: bumps(.05, 7), Weight: .01, LastFetch: ago(20)},
		{ID: "first", Posts: bumps(3, 9)},
		{ID: "retry", Posts: bumps(3, 9), Retry: noon.Add(3 * time.Hour), LastFetch: ago(4)},
		{ID: "asked", Posts: bumps(3, 9), Asked: true, LastFetch: ago(.1)},
		{ID: "interval", Posts: bumps(3, 9), Interval: 20 * time.Minute, LastFetch: ago(.2)},
		{ID: "max-age", Posts: bumps(3, 9), NotBefore: noon.Add(5 * time.Hour), NotBeforeBy: "max-age 3600", LastFetch: ago(2)},
	}
	got := Plan(bumps(3, 8, 18), src, Budget{PerDay: 104}, Options{PlanFor: PlanForLooks}, noon)
	for i, want := range []Reason{ReasonLook, ReasonWindow, ReasonDaily, ReasonFirst, ReasonRetry, ReasonAsked, ReasonAsked, ReasonLook} {
		if i == 2 {
			continue // its one slot is asserted below, under a budget that gives it one
		}
		if s := next(t, got, i); s.Reason != want {
			t.Errorf("%s: reason %s, want %s (%+v)", src[i].ID, s.Reason, want, s)
		}
	}
	if s := next(t, got, 1); s.Fill > 0.65 || s.Expected > 13 {
		t.Errorf("window: %.1f items expected, fill %.2f", s.Expected, s.Fill)
	}
	if s := next(t, got, 3); s.At.Sub(noon) > time.Minute {
		t.Errorf("first fetch at %v", s.At)
	}
	if s := next(t, got, 4); !s.At.Equal(noon.Add(3 * time.Hour)) {
		t.Errorf("retry at %v", s.At)
	}
	if s := next(t, got, 5); !s.At.Equal(ago(.1).Add(10*time.Minute)) || s.NotBeforeBy != "min_poll" {
		t.Errorf("asked at %v by %q: ten minutes after the last", s.At, s.NotBeforeBy)
	}
	if s := next(t, got, 6); s.At.Sub(ago(.2)) != 20*time.Minute || got.Shares[6] != 72 {
		t.Errorf("interval at %v, share %d", s.At, got.Shares[6])
	}
	if s := next(t, got, 7); s.At.Before(src[7].NotBefore) || s.NotBeforeBy != "max-age 3600" {
		t.Errorf("max-age: %v %q", s.At, s.NotBeforeBy)
	}
	named := 0
	for _, s := range got.Slots {
		if s.Source == 0 && !s.Look.IsZero() {
			named++
			if h := s.Look.Hour(); s.Look.Before(s.At.Add(-SlotLength)) || (h < 6 || h > 8) && (h < 16 || h > 18) {
				t.Errorf("look: %+v", s)
			}
		}
	}
	if named < 2 {
		t.Errorf("%d fetches name the look they stand before", named)
	}
	low := Plan(bumps(3, 8, 18), src[:3], Budget{PerDay: 40}, Options{PlanFor: PlanForLooks}, noon)
	if s := next(t, low, 2); low.Shares[2] == 1 && s.Reason != ReasonDaily {
		t.Errorf("daily: share %d, %+v", low.Shares[2], s)
	}
	// One fetch a day may pay for itself.
	few := Plan(bumps(3, 8, 18), src[:2], Budget{PerDay: 20}, Options{PlanFor: PlanForLooks}, noon)
	if s := next(t, few, 0); few.Shares[0] != 1 || s.Reason != ReasonLook {
		t.Errorf("few: share %d, %+v", few.Shares[0], s)
	}
}

// A source that lost items is fetched more.
func TestLossesRaiseTheFloor(t *testing.T) {
	src := []Source{{ID: "a", Posts: evenPosts(60), Window: 20, LastFetch: noon.Add(-2 * time.Hour)}}
	prev := 0
	for lost := range 4 {
		src[0].Lost = lost
		got := Plan(nil, src, Budget{PerDay: 5}, Options{}, noon)
		if got.Needed <= prev || got.Needed > 20 {
			t.Errorf("%d losses: %d fetches needed, before %d", lost, got.Needed, prev)
		}
		prev = got.Needed
	}
}

func evenPosts(perDay float64) *Profile {
	out := &Profile{Days: 28}
	for k := range out.Rate {
		out.Rate[k] = perDay / Slots
	}
	return out
}

// Just before the look: a reader at 8:00 and 18:00 sharp and a feed that posts all
// day must be served right before, not after.
func TestFetchesStandBeforeLooks(t *testing.T) {
	var looks []Event
	for d := range int64(28) {
		for _, h := range []int64{8, 18} {
			looks = append(looks, Event{Unix: noon.Unix() - (d+1)*86400 + (h-12)*3600})
		}
	}
	reader := LearnLooks(looks, noon.Unix()-28*86400, noon.Unix())
	got := Plan(reader, []Source{{ID: "a", Posts: evenPosts(12), LastFetch: noon.Add(-4 * time.Hour)}}, Budget{PerDay: 2}, Options{PlanFor: PlanForLooks}, noon)
	for i, h := range []int{18, 32} {
		want := noon.Truncate(24 * time.Hour).Add(time.Duration(h) * time.Hour)
		if early := want.Sub(got.Slots[i].At); early < 0 || early > 45*time.Minute {
			t.Errorf("fetch %d at %v, look at %v", i, got.Slots[i].At, want)
		}
		if got.Slots[i].Reason != ReasonLook {
			t.Errorf("reason %s", got.Slots[i].Reason)
		}
	}
}

func TestBudgetBelowFloors(t *testing.T) {
	src := someSources(10)
	src[3].LastFetch = noon.Add(-90 * time.Hour)
	src[4].Posts, src[4].Window = bumps(100, 3), 20
	got := Plan(nil, src, Budget{PerDay: 15}, Options{}, noon)
	floor := got.Shares[4]
	if len(got.Unpaid) == 0 || got.Needed < 18 || floor < 4 {
		t.Fatalf("unpaid %v needed %d window share %d", got.Unpaid, got.Needed, floor)
	}
	if got.Shares[3] < 1 || slices.Contains(got.Unpaid, 3) {
		t.Errorf("who waited longest is not paid: shares %v", got.Shares)
	}
	if len(got.Slots) > 15 {
		t.Errorf("%d slots of 15", len(got.Slots))
	}
	again := Plan(nil, src, Budget{PerDay: got.Needed}, Options{}, noon)
	if len(again.Unpaid) > 0 {
		t.Errorf("the budget it names leaves %v unpaid", again.Unpaid)
	}
}

// A night asleep: everything is overdue, and nothing comes as a burst.
func TestNoBurstAfterSleep(t *testing.T) {
	for _, policy := range []PlanFor{PlanForOpening, PlanForBoth, PlanForLooks} {
		src := someSources(120)
		for i := range src {
			src[i].LastFetch, src[i].Host = noon.Add(-14*time.Hour), ""
		}
		got := Plan(bumps(3, 8, 20), src, DailyBudget(120, DefaultPerSource), Options{PlanFor: policy}, noon)
		soon := map[time.Time]int{}
		for _, s := range got.Slots {
			if s.At.Sub(noon) < time.Hour {
				soon[s.At.Truncate(time.Minute)]++
			}
		}
		for minute, n := range soon {
			if n > 20 {
				t.Errorf("policy %d: %d fetches in the minute %v", policy, n, minute)
			}
		}
		per := map[int]int{}
		for _, s := range got.Slots {
			if s.At.Sub(noon) < 50*time.Minute {
				per[s.Source]++
			}
		}
		for i, n := range per {
			if n > 1 {
				t.Errorf("policy %d: source %d is made up for %d times", policy, i, n)
			}
		}
	}
}

func TestRefresh(t *testing.T) {
	src := someSources(30)
	for i := range src {
		src[i].LastFetch = noon.Add(-5 * time.Hour)
	}
	src[29].LastFetch = noon.Add(-20 * time.Minute) // δ
	src[28].NotBefore = noon.Add(time.Hour)
	src[12].Posts, src[12].Weight = bumps(300, 10), 1
	b := Budget{PerDay: 180, Used: 50, DayEnds: noon.Add(12 * time.Hour)}
	got := Refresh(bumps(3, 8, 20), src, b, Options{}, noon)
	if len(got) == 0 {
		t.Fatal("nothing is refreshed")
	}
	if got[0].Source != 12 || got[0].Reason != ReasonOpen {
		t.Errorf("first is %+v", got[0])
	}
	for _, s := range got {
		if s.Source >= 28 {
			t.Errorf("source %d may not be fetched now", s.Source)
		}
	}
	b.Used = 180
	if got := Refresh(bumps(3, 8, 20), src, b, Options{}, noon); len(got) != 0 {
		t.Errorf("%d refreshed without a budget", len(got))
	}
}

// Summer time ends within the horizon: the look moves by an hour against UTC, and
// the fetch goes with it.
func TestSummerTime(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip("no time zones here")
	}
	reader := bumps(2, 20)
	src := []Source{{ID: "a", Posts: bumps(24, 1, 7, 13, 19), LastFetch: time.Date(2026, 10, 24, 20, 0, 0, 0, zone)}}
	before := Plan(reader, src, Budget{PerDay: 1}, Options{}, time.Date(2026, 10, 24, 21, 0, 0, 0, zone))
	src[0].LastFetch = time.Date(2026, 10, 26, 20, 0, 0, 0, zone)
	after := Plan(reader, src, Budget{PerDay: 1}, Options{}, time.Date(2026, 10, 26, 21, 0, 0, 0, zone))
	a, b := before.Slots[0].At, after.Slots[0].At
	// Both stand before 20:00 local, in winter time.
	if a.Hour() != b.Hour() || a.Day() != 25 || b.Day() != 27 {
		t.Errorf("%v and %v", a, b)
	}
}

// The spreading goes on through plans made again after every fetch.
func TestNoBurstOverManyPlans(t *testing.T) {
	src := someSources(20)
	for i := range src {
		src[i].LastFetch, src[i].Host = noon.Add(-72*time.Hour), ""
	}
	now, made := noon, map[int]int{}
	var last time.Time
	for len(made) < len(src) {
		s := Plan(bumps(3, 8, 20), src, DailyBudget(20, DefaultPerSource), Options{}, now).Slots[0]
		if s.At.Sub(noon) > 6*time.Hour {
			break // the rest is planned for its own hour, not made up for
		}
		if gap := s.At.Sub(last); !last.IsZero() && made[s.Source] == 0 && gap < 25*time.Second && s.At.Sub(noon) < 5*time.Minute {
			t.Errorf("source %d follows the one before after %v", s.Source, gap)
		}
		if made[s.Source]++; made[s.Source] > 6 {
			t.Fatalf("source %d is fetched again and again", s.Source)
		}
		src[s.Source].LastFetch, last, now = s.At, s.At, s.At.Add(time.Millisecond)
	}
	if len(made) < 15 {
		t.Errorf("only %d of 20 were made up for within 6 hours", len(made))
	}
}
