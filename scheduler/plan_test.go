package scheduler

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var noon = time.Date(2026, 11, 20, 12, 2, 17, 0, time.UTC)

// bumps is a profile with Gaussian peaks at the given hours.
func bumps(perDay float64, hours ...float64) *Profile {
	s := sample{days: 28}
	for _, h := range hours {
		s.add(int(h*12), 28*perDay/float64(len(hours)))
	}
	smoothed := smooth(&s.hist, 40*time.Minute)
	return &Profile{Days: 28, Rate: s.rates(&smoothed)}
}

func someSources(n int) []Source {
	out := make([]Source, n)
	for i := range out {
		out[i] = Source{ID: fmt.Sprintf("s%03d", i), Host: fmt.Sprintf("h%d.example", i%7),
			Posts: bumps(0.2+float64(i%13), float64(i%24), float64((i*5)%24)), Weight: 0.1 + float64(i%5),
			LastFetch: noon.Add(-time.Duration(60+i%500) * time.Minute)}
	}
	return out
}

func TestPlanSpendsTheBudgetAndNoMore(t *testing.T) {
	for _, policy := range []PlanFor{PlanForOpening, PlanForBoth, PlanForLooks} {
		src := someSources(40)
		b := Budget{PerDay: 240}
		got := Plan(bumps(3, 8, 20), src, b, Options{PlanFor: policy}, noon)
		want := []int{160, 200, 240}[policy]
		sum := 0
		for _, n := range got.Shares {
			sum += n
		}
		if sum != want || got.Kept != 240-want || len(got.Unpaid) > 0 {
			t.Errorf("policy %d: shares add up to %d, unpaid %v", policy, sum, got.Unpaid)
		}
		if n := len(got.Slots); n != want {
			t.Errorf("policy %d: %d slots", policy, n)
		}
	}
}

func TestPlanIsTheSameAgainLater(t *testing.T) {
	src := someSources(7)
	reader := bumps(3, 8, 19)
	b := Budget{PerDay: 35, DayEnds: noon.Truncate(24 * time.Hour).Add(24 * time.Hour)}
	o := Options{PlanFor: PlanForLooks}
	now := b.DayEnds
	plan := func() Schedule { return Plan(reader, src, b, o, now) }
	carryOut := func(slot Slot) {
		src[slot.Source].LastFetch, now = slot.At, slot.At.Add(time.Second)
		b.Used++
	}
	// Live through most of a day, so that every source is on plan.
	b.DayEnds = b.DayEnds.Add(24 * time.Hour)
	for now.Before(b.DayEnds.Add(-14 * time.Hour)) {
		carryOut(plan().Slots[0])
	}
	first := plan()
	for k, want := range first.Slots {
		if !want.At.Before(b.DayEnds) {
			if k < 10 {
				t.Errorf("%d fetches left of the day", k)
			}
			break
		}
		got := plan().Slots[0]
		if !got.At.Equal(want.At) || got.ID != want.ID {
			t.Fatalf("slot %d became %v %s, was %v %s", k, got.At, got.ID, want.At, want.ID)
		}
		carryOut(got)
	}
	if b.Used != 35 {
		t.Errorf("%d of 35 used", b.Used)
	}
}

func TestShiftedByThreeHours(t *testing.T) {
	const shift = 3 * time.Hour
	var posts, moved []int64
	for d := range 28 {
		for h := range 5 {
			at := noon.Unix() - int64(d)*86400 - int64(h*h)*3000
			posts = append(posts, at)
			moved = append(moved, at+int64(shift.Seconds()))
		}
	}
	plan := func(posts []int64, now time.Time, reader *Profile) Schedule {
		src := []Source{{ID: "a", Host: "x"}, {ID: "b", Host: "x", LastFetch: now.Add(-7 * time.Hour)}}
		for i := range src {
			src[i].Posts = LearnPosts(posts, 0, now.Unix())
		}
		return Plan(reader, src, Budget{PerDay: 11}, Options{PlanFor: PlanForLooks}, now)
	}
	a := plan(posts, noon, bumps(3, 8, 20))
	b := plan(moved, noon.Add(shift), bumps(3, 11, 23))
	if len(a.Slots) != len(b.Slots) || len(a.Slots) < 10 {
		t.Fatalf("%d and %d slots", len(a.Slots), len(b.Slots))
	}
	for k := range a.Slots {
		if d := b.Slots[k].At.Sub(a.Slots[k].At); d != shift {
			t.Errorf("slot %d moved by %v", k, d)
		}
	}
}

// drawSource makes any source a caller could hand over.
func drawSource(t *rapid.T, i int) Source {
	minutes := func(name string, lo, hi int) time.Time {
		return noon.Add(time.Duration(rapid.IntRange(lo, hi).Draw(t, name)) * time.Minute)
	}
	s := Source{ID: fmt.Sprint(i), Host: rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "host")}
	s.Posts = bumps(rapid.Float64Range(0.01, 300).Draw(t, "rate"), rapid.Float64Range(0, 23.9).Draw(t, "peak"))
	s.Weight = rapid.Float64Range(0, 2).Draw(t, "weight")
	s.Window = rapid.SampledFrom([]int{0, 10, 20, 100}).Draw(t, "window")
	if rapid.Bool().Draw(t, "fetched") {
		s.LastFetch = minutes("last", -4000, 0)
	}
	switch rapid.IntRange(0, 6).Draw(t, "kind") {
	case 0:
		s.NotBefore, s.NotBeforeBy = minutes("notBefore", -100, 2000), "Retry-After"
	case 1:
		s.SkipHours = uint32(rapid.IntRange(0, 1<<24-1).Draw(t, "skipHours"))
	case 2:
		s.Interval = time.Duration(rapid.IntRange(1, 3000).Draw(t, "interval")) * time.Minute
	case 3:
		s.Retry = minutes("retry", -100, 2000)
	case 4:
		s.Asked = true
	case 5:
		s.SkipDays = uint8(rapid.IntRange(0, 127).Draw(t, "skipDays"))
	}
	return s
}

func TestPlanKeepsEveryRule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var src []Source
		for i := range rapid.IntRange(1, 8).Draw(t, "sources") {
			src = append(src, drawSource(t, i))
		}
		b := Budget{PerDay: rapid.IntRange(0, 60).Draw(t, "M"), DayEnds: noon.Add(time.Duration(rapid.IntRange(1, 24).Draw(t, "ends")) * time.Hour)}
		b.Used = rapid.IntRange(0, b.PerDay).Draw(t, "used")
		o := Options{PlanFor: rapid.SampledFrom([]PlanFor{PlanForOpening, PlanForBoth, PlanForLooks}).Draw(t, "policy")}
		before := append([]Source(nil), src...)
		got := Plan(bumps(3, 8, 20), src, b, o, noon)
		if !reflect.DeepEqual(src, before) {
			t.Fatal("the sources were changed")
		}
		checkRules(t, got, src, b)
	})
}

func checkRules(t *rapid.T, got Schedule, src []Source, b Budget) {
	today, after := 0, 0
	last := map[int]time.Time{}
	host := map[string]time.Time{}
	for i, s := range got.Slots {
		f := src[s.Source]
		if s.At.Before(noon) || i > 0 && s.At.Before(got.Slots[i-1].At) {
			t.Fatalf("slot %d out of order or past: %v", i, s.At)
		}
		if s.At.Before(f.NotBefore) {
			t.Fatalf("%s at %v, server says not before %v", s.ID, s.At, f.NotBefore)
		}
		gap := time.Hour
		if f.Interval > 0 {
			gap = max(f.Interval, 15*time.Minute)
		}
		if f.Asked && last[s.Source].IsZero() {
			gap = 10 * time.Minute
		}
		prev := later(last[s.Source], f.LastFetch)
		if !prev.IsZero() && s.At.Sub(prev) < gap-6*time.Minute || s.At.Sub(f.LastFetch) < gap && !f.LastFetch.IsZero() {
			t.Fatalf("%s at %v, %v after the fetch before", s.ID, s.At, s.At.Sub(prev))
		}
		last[s.Source] = s.At
		u := s.At.UTC()
		if f.SkipHours&(1<<24-1) != 1<<24-1 && f.SkipHours&(1<<u.Hour()) != 0 {
			t.Fatalf("%s in skipped hour %v", s.ID, u)
		}
		if f.SkipDays != 127 && f.SkipDays&(1<<u.Weekday()) != 0 {
			t.Fatalf("%s on skipped day %v", s.ID, u)
		}
		if f.Host != "" && s.At.Sub(host[f.Host]) < 5*time.Second {
			t.Fatalf("host %s twice within 5 s", f.Host)
		}
		host[f.Host] = s.At
		if s.At.Before(b.DayEnds) {
			today++
		} else {
			after++
		}
		if s.Nth < 1 || s.Of < s.Nth || s.Expected < 0 || s.Reason == "" {
			t.Fatalf("slot %+v", s)
		}
	}
	if today > max(0, b.PerDay-b.Used-got.Kept) || after > b.PerDay {
		t.Fatalf("%d today and %d after, budget %+v", today, after, b)
	}
	if got.Kept > max(b.PerDay-b.Used, 0) || got.Kept > (b.PerDay+2)/3 {
		t.Fatalf("%d of %+v kept", got.Kept, b)
	}
	if len(got.Unpaid) > 0 != (got.Needed > b.PerDay) {
		t.Fatalf("unpaid %v, needed %d of %d", got.Unpaid, got.Needed, b.PerDay)
	}
}
