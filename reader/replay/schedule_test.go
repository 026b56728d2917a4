package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"diurna/scheduler"
	"diurna/store/storetest"
)

func replayed(t *testing.T, o ScheduleOptions) ScheduleReport {
	t.Helper()
	if o.Samples == 0 {
		o.Samples = -1 // the running planner has a test of its own
	}
	r, err := Schedule(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func rowOf(t *testing.T, r ScheduleReport, policy string, m int) MissRow {
	t.Helper()
	for _, row := range r.Miss {
		if row.Policy == policy && row.PerDay == m {
			return row
		}
	}
	t.Fatalf("no row %s %d", policy, m)
	return MissRow{}
}

func TestSyntheticReport(t *testing.T) {
	o := ScheduleOptions{Pairs: storetest.Size(2, 24), Budgets: []int{2, 4}, Seed: 3}
	r := replayed(t, o)
	a, _ := json.Marshal(r)
	b, _ := json.Marshal(replayed(t, o))
	if !bytes.Equal(a, b) {
		t.Error("the same options give another report")
	}
	for _, m := range o.Budgets {
		base := rowOf(t, r, policyUniform, m)
		if base.Fewer != 0 || base.Missed <= 0 || base.Looks == 0 || base.Posts == 0 {
			t.Errorf("uniform: %+v", base)
		}
		for _, name := range Policies() {
			if name == policyTokens && m < 2 {
				continue
			}
			row := rowOf(t, r, name, m)
			if name == policyTokens {
				if row.Fetches > base.Fetches || row.Fetches < base.Fetches*95/100 {
					t.Errorf("tokens: %d fetches beside %d", row.Fetches, base.Fetches)
				}
				row.Fetches = base.Fetches
			}
			if row.Fetches != base.Fetches || row.Fetches != m*7*(r.Weeks-1)*r.Sources*r.People || row.Looks != base.Looks || row.Posts != base.Posts {
				t.Errorf("%s: %+v beside uniform %+v", name, row, base)
			}
			if row.Missed < 0 || row.Once > 100 || math.IsNaN(row.Fewer) {
				t.Errorf("%s: %+v", name, row)
			}
		}
		// What cannot be otherwise if each does what it says.
		order := []string{policyClairvoyant, policyHindsight, policyOurs, policyDataOnly, policyUniform}
		for i := 1; i < len(order); i++ {
			if x, y := rowOf(t, r, order[i-1], m), rowOf(t, r, order[i], m); x.Missed > y.Missed {
				t.Errorf("%d a day: %s misses %.0f, %s only %.0f", m, x.Policy, x.Missed, y.Policy, y.Missed)
			}
		}
	}
	var text strings.Builder
	if err := r.WriteText(&text); err != nil || !strings.Contains(text.String(), "a sample: ") {
		t.Errorf("%v\n%s", err, text.String())
	}
	checkDelays(t, r)
}

// The running planner, replayed: what it spends and what it misses.
func TestAsRun(t *testing.T) {
	posts, people := Synthetic(3)
	a, err := newAxis(ScheduleOptions{Posts: posts, People: people[:2], LookGap: 10 * time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	a.weeks = asRunFrom + 1
	for _, f := range []scheduler.PlanFor{scheduler.PlanForOpening, scheduler.PlanForLooks} {
		x, err := a.asRunSample(context.Background(), a.households(1, 0, true), 3, f)
		if err != nil {
			t.Fatal(err)
		}
		if f == scheduler.PlanForOpening {
			if again, _ := a.asRunSample(context.Background(), a.households(1, 0, true), 3, f); x != again {
				t.Errorf("%+v, then %+v", x, again)
			}
		}
		if x.MostADay > 0 || x.Requests > x.Allowed || 10*x.Requests < 9*x.Allowed || x.MissedAfter > x.Missed || float64(x.Missed) >= x.Uniform || x.Missed == 0 {
			t.Errorf("as run for %d: %+v", f, x)
		}
		if f == scheduler.PlanForOpening && 10*x.MissedAfter > 8*x.Missed {
			t.Errorf("a refresh brings too little: %+v", x)
		}
	}
}

// The table weighs samples by what even spacing misses, and lists each.
func TestAsRunTablePools(t *testing.T) {
	var b strings.Builder
	ScheduleReport{AsRun: []AsRunRow{
		{PerDay: 3, Sample: 1, Missed: 10, MissedAfter: 5, Uniform: 100, Hourly: 20, Requests: 9, Allowed: 10},
		{PerDay: 3, Sample: 2, Missed: 200, MissedAfter: 100, Uniform: 300, Hourly: 60, Requests: 10, Allowed: 10},
		{PerDay: 6, Sample: 1, Missed: 1, Uniform: 2, Allowed: 1},
	}}.asRunTable(&b)
	for _, want := range []string{"at the look 47.5 61.7 90.0 33.3", "after the refresh 73.8 80.8 95.0 66.7",
		"hourly polling, at the look 80.0 80.0 80.0 80.0", "requests made 95.0 % of those allowed"} {
		if got := strings.Join(strings.Fields(b.String()), " "); !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, b.String())
		}
	}
}

func checkDelays(t *testing.T, r ScheduleReport) {
	t.Helper()
	by := map[string]DelayRow{}
	for _, d := range r.Delay {
		if d.Hours == 6 {
			by[d.Policy] = d
		}
	}
	if u := by[policyUniform].Minutes; math.Abs(u-180) > 2 {
		t.Errorf("uniform every 6 hours waits %.0f minutes", u)
	}
	if by[policyCombined].Minutes >= by[policyAllocation].Minutes || by[policyRetrieval].Minutes >= by[policyUniform].Minutes {
		t.Errorf("combined %v allocation %v retrieval %v", by[policyCombined], by[policyAllocation], by[policyRetrieval])
	}
	if by[policyOurs].PerFeed > 1.5*by[policyUniform].PerFeed {
		t.Errorf("ours: %.0f minutes per feed", by[policyOurs].PerFeed)
	}
	for name, d := range by {
		if d.Fetches != by[policyUniform].Fetches {
			t.Errorf("%s makes %d fetches, uniform %d", name, d.Fetches, by[policyUniform].Fetches)
		}
	}
}

// What a week shows may not depend on what comes after it.
func TestNothingLooksAhead(t *testing.T) {
	o := ScheduleOptions{Pairs: storetest.Size(2, 12), Budgets: []int{3}, Policies: []string{policyOurs, policyPrinted, policyCombined, policyCGM03, policyTokens, policyClairvoyant}}
	long := replayed(t, o)
	o.Until = time.Unix(syntheticStart, 0).AddDate(0, 0, 7*6+3)
	short := replayed(t, o)
	if short.Weeks != 6 {
		t.Fatalf("%d weeks", short.Weeks)
	}
	var kept []WeekRow
	for _, w := range long.Weekly {
		if w.Week < 6 {
			kept = append(kept, w)
		}
	}
	if !slices.Equal(kept, short.Weekly) {
		t.Error("weekly rows changed")
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for _, o := range []ScheduleOptions{
		{Policies: []string{"nonsense"}},
		{Budgets: []int{0}},
		{Budgets: []int{25}},
		{Posts: []Source{{ID: "a", Posts: []int64{5}}}},
		{Posts: []Source{{ID: "a", Posts: []int64{5, 6}}}, People: []Person{{ID: "p", Looks: []scheduler.Event{{Unix: 7}}}}},
	} {
		if _, err := Schedule(context.Background(), o); err == nil {
			t.Errorf("%+v was accepted", o)
		}
	}
	long := []Source{{ID: "a", Posts: []int64{5, 1 << 39}}}
	far := []Person{{ID: "p", Looks: []scheduler.Event{{Unix: 7}, {Unix: 1 << 39}}}}
	if _, err := Schedule(context.Background(), ScheduleOptions{Posts: long, People: far}); err == nil {
		t.Error("a trace of ages was accepted")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Schedule(ctx, ScheduleOptions{Pairs: 6}); err == nil {
		t.Error("an ended context gave a report")
	}
}

// planted is a reader of one kind for 12 weeks, and feeds without any shape.
func planted(kind string, people int) ([]Source, []Person) {
	var posts []Source
	for i, rate := range []float64{2, 8, 30} {
		r := rand.New(rand.NewPCG(uint64(i), 5))
		posts = append(posts, Source{ID: string(rune('a' + i)), Posts: habit{perDay: rate, flat: 1}.times(r)})
	}
	var out []Person
	for n := range people {
		r := rand.New(rand.NewPCG(uint64(n), 6))
		p := Person{ID: kind + string(rune('a'+n))}
		for d := range int64(84) {
			zero := int64(syntheticStart) + d*daySeconds
			if kind == "punctual" { // 8:00 and 20:00, ten minutes either way
				for _, h := range []int64{8, 20} {
					p.Looks = append(p.Looks, scheduler.Event{Unix: zero + h*3600 - 600 + r.Int64N(1200)})
				}
				continue
			}
			for range 3 {
				p.Looks = append(p.Looks, scheduler.Event{Unix: zero + r.Int64N(daySeconds)})
			}
		}
		slices.SortFunc(p.Looks, func(a, b scheduler.Event) int { return int(a.Unix - b.Unix) })
		out = append(out, p)
	}
	return posts, out
}

// after28 is how many percent fewer ours misses than uniform from week 4 on.
func after28(r ScheduleReport, m int) float64 {
	missed, even := 0.0, 0.0
	for _, w := range r.Weekly {
		if w.Policy == policyOurs && w.PerDay == m && w.Week >= 4 {
			missed, even = missed+w.Missed, even+w.Uniform
		}
	}
	return fewer(missed, even)
}

func TestPlantedReaders(t *testing.T) {
	posts, people := planted("punctual", 3)
	r := replayed(t, ScheduleOptions{Posts: posts, People: people, Full: true, Budgets: []int{2, 3}, Policies: []string{policyOurs}})
	for _, m := range []int{2, 3} {
		if got := after28(r, m); got < 85 {
			t.Errorf("punctual, %d a day: %.1f %% fewer missed", m, got)
		}
	}
	posts, people = planted("none", 6)
	r = replayed(t, ScheduleOptions{Posts: posts, People: people, Full: true, Budgets: []int{2, 3}, Policies: []string{policyOurs}})
	for _, m := range []int{2, 3} {
		if got := after28(r, m); math.Abs(got) > 5 {
			t.Errorf("no rhythm, %d a day: %.1f %% fewer missed", m, got)
		}
	}
}

func TestBestOfDayEqualsEnumeration(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for range 300 {
		n, m := 1+r.IntN(7), 1+r.IntN(3)
		here := make([]int32, n)
		at := int32(r.IntN(5))
		have := at
		for i := range here {
			at += int32(r.IntN(4))
			here[i] = at
		}
		best := math.Inf(1)
		for set := range 1 << n {
			fetches, missed, known := 0, 0.0, have
			for i := range here {
				if set&(1<<i) != 0 {
					fetches++
					known = here[i]
				}
				missed += float64(here[i] - known)
			}
			if fetches <= m {
				best = min(best, missed)
			}
		}
		if got, _ := bestOfDay(here, m, have); got.missed != best {
			t.Fatalf("%v, %d fetches, %d known: %v, want %v", here, m, have, got.missed, best)
		}
	}
}

func FuzzReadTraces(f *testing.F) {
	f.Add("source_id,unix_time\na,1767571200\na,1767571300\n")
	f.Add("user_id,unix_time,utc_offset\nu,1767571200,-360\n")
	f.Add("a,1,2\nb,x,3")
	f.Fuzz(func(t *testing.T, s string) {
		posts, err := ReadPosts(strings.NewReader(s))
		if err == nil {
			for _, p := range posts {
				if !slices.IsSorted(p.Posts) || len(p.Posts) == 0 {
					t.Errorf("%+v", p)
				}
			}
		}
		people, err2 := ReadAccesses(strings.NewReader(s))
		if n := len(posts) * len(people); err != nil || err2 != nil || n == 0 || n > 4 {
			return
		}
		// Whatever was read is either played or refused, within bounds.
		o := ScheduleOptions{Posts: posts, People: people, Pairs: 1, Budgets: []int{2}, Policies: []string{policyOurs}}
		if span(posts, people) < 20*weekSeconds {
			o.Samples = -1
			_, _ = Schedule(context.Background(), o)
		}
	})
}

func span(posts []Source, people []Person) int64 {
	lo, hi := int64(math.MaxInt64), int64(0)
	for _, s := range posts {
		lo, hi = min(lo, s.Posts[0]), max(hi, s.Posts[len(s.Posts)-1])
	}
	for _, p := range people {
		lo, hi = min(lo, p.Looks[0].Unix), max(hi, p.Looks[len(p.Looks)-1].Unix)
	}
	return hi - lo
}
