package replay

import (
	"context"
	"diurna/store/storetest"
	"os"
	"strings"
	"testing"
	"time"
)

// traces reads the shared traces, or skips.
func traces(t *testing.T) ([]Source, []Person) {
	t.Helper()
	const dir = "../../../shared/data/traces/"
	f, err := os.Open(dir + "posts.csv")
	if err != nil {
		t.Skip("the traces are not beside the project")
	}
	defer f.Close()
	posts, err := ReadPosts(f)
	if err != nil {
		t.Fatal(err)
	}
	g, err := os.Open(dir + "accesses.csv")
	if err != nil {
		t.Skip("the traces are not beside the project")
	}
	defer g.Close()
	people, err := ReadAccesses(g)
	if err != nil {
		t.Fatal(err)
	}
	return posts, people
}

// Delays on all 229 sources; the other intervals behave alike and take longer.
func TestDelaysOnTraces(t *testing.T) {
	if storetest.Size(0, 1) == 0 {
		t.Skip("a second of traces: run with -tags soak")
	}
	posts, people := traces(t)
	o := ScheduleOptions{Posts: posts, People: people}
	if err := o.fill(); err != nil {
		t.Fatal(err)
	}
	a, err := newAxis(o)
	if err != nil {
		t.Fatal(err)
	}
	if got := a.delay(policyCombined, 24); got.Minutes > 245 {
		t.Errorf("combined, once a day: %.0f minutes", got.Minutes)
	}
	if os.Getenv("DIURNA_SOAK") == "" {
		return
	}
	for hours, most := range map[int]float64{6: 63, 8: 83, 12: 123} {
		if got := a.delay(policyCombined, hours); got.Minutes > most {
			t.Errorf("combined every %d h: %.0f minutes", hours, got.Minutes)
		}
		if got := a.delay(policyOurs, hours); got.PerFeed > 1.5*float64(hours)*30 {
			t.Errorf("ours every %d h: %.0f minutes per feed", hours, got.PerFeed)
		}
	}
}

// The figures of the miss table, with margins for the sample.
func TestMissesOnTraces(t *testing.T) {
	if os.Getenv("DIURNA_SOAK") == "" {
		t.Skip("takes a minute; set DIURNA_SOAK=1")
	}
	posts, people := traces(t)
	r, err := Schedule(context.Background(), ScheduleOptions{Posts: posts, People: people,
		Policies: []string{policyOurs, policyDataOnly, policyTokens}, Samples: -1})
	if err != nil {
		t.Fatal(err)
	}
	for m, want := range map[int]float64{2: 35, 3: 32, 4: 30, 5: 28} {
		if got := rowOf(t, r, policyOurs, m); got.Fewer < want {
			t.Errorf("%d a day: %.1f %% fewer missed", m, got.Fewer)
		}
	}
	if got := rowOf(t, r, policyTokens, 3); got.Fewer < 55 || got.Opens > 41 {
		t.Errorf("tokens: %.1f %% fewer missed, %.1f %% of looks refresh", got.Fewer, got.Opens)
	}
	for _, c := range r.Cold {
		if c.Fewer < 0 || c.Day == 3 && c.Fewer < 25 {
			t.Errorf("day %d: %.1f %% fewer missed", c.Day, c.Fewer)
		}
	}
}

// TestAsRunOnTraces prints the as-run table on the open traces: five samples, both
// with feeds of each person's own and with feeds that all share.
func TestAsRunOnTraces(t *testing.T) {
	if os.Getenv("DIURNA_SOAK") == "" {
		t.Skip("takes a minute; set DIURNA_SOAK=1")
	}
	posts, people := traces(t)
	a, err := newAxis(ScheduleOptions{Posts: posts, People: people, LookGap: 10 * time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := a.asRun(context.Background(), ScheduleOptions{Samples: asRunSamples})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	ScheduleReport{AsRun: rows}.asRunTable(&b)
	t.Log(b.String())
	for _, r := range rows {
		t.Logf("%+v: %.1f %.1f", r, fewer(float64(r.Missed), r.Uniform), fewer(float64(r.MissedAfter), r.Uniform))
		if r.MostADay > 0 || r.Requests > r.Allowed {
			t.Errorf("sample %d: more requests than allowed: %+v", r.Sample, r)
		}
	}
}
