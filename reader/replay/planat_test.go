package replay

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// Shifting everything by three hours shifts every slot by exactly that, whatever
// zone the looks and the moment are written in.
func TestPlanAtShifts(t *testing.T) {
	const inFlight = 3 * 3600
	posts, people := Synthetic(1)
	at := time.Unix(syntheticStart+40*daySeconds+51_000, 0)
	paris, west := time.FixedZone("", 3600), time.FixedZone("", -7*3600)
	for i, who := range people {
		for _, zone := range []*time.Location{time.UTC, paris, west} {
			a := PlanAt(posts, []Person{who}, at.In(zone), 0, nil)
			later, them := clone(posts, []Person{who})
			for i := range later {
				for k := range later[i].Posts {
					later[i].Posts[k] += inFlight
				}
			}
			for k := range them[0].Looks {
				them[0].Looks[k].Unix += inFlight
			}
			moved := PlanAt(later, them, at.In(zone).Add(inFlight*time.Second), 0, nil)
			if len(a.Fetches) != len(moved.Fetches) || len(a.Fetches) < 40 {
				t.Fatalf("person %d: %d and %d fetches", i, len(a.Fetches), len(moved.Fetches))
			}
			for k, s := range a.Fetches {
				m := moved.Fetches[k]
				if d := m.At.Sub(s.At); d != inFlight*time.Second || m.Source != s.Source || m.Reason != s.Reason || m.Nth != s.Nth {
					t.Errorf("person %d, fetch %d of %s moved by %v", i, k, s.Source, d)
				}
			}
		}
	}
}

func clone(posts []Source, people []Person) ([]Source, []Person) {
	var a []Source
	for _, s := range posts {
		a = append(a, Source{s.ID, append([]int64(nil), s.Posts...)})
	}
	var b []Person
	for _, p := range people {
		b = append(b, Person{p.ID, append(p.Looks[:0:0], p.Looks...)})
	}
	return a, b
}

// The zone of a look decides, however its time was written and whatever zone the
// moment of planning is asked in: the same instants are the same plan.
func TestPlanAtZones(t *testing.T) {
	var utc, own, posts strings.Builder
	start := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	zone := time.FixedZone("", -6*3600)
	for d := range 30 {
		for _, h := range []int{8, 20} {
			look := time.Date(2026, 3, 2+d, h, 3, 0, 0, zone)
			fmt.Fprintf(&utc, "u,%d,-360\n", look.Unix())
			fmt.Fprintf(&own, "%s\n", look.Format(time.RFC3339))
		}
		for h := range 24 {
			fmt.Fprintf(&posts, "%s\n", start.AddDate(0, 0, d).Add(time.Duration(h)*time.Hour).Format(time.RFC3339))
		}
	}
	feed, err := ReadPosts(strings.NewReader(posts.String()))
	if err != nil || len(feed) != 1 || len(feed[0].Posts) != 30*24 {
		t.Fatal(err, feed)
	}
	at := start.AddDate(0, 0, 29).Add(14 * time.Hour)
	var plans []TracePlan
	for _, text := range []string{utc.String(), own.String()} {
		people, err := ReadAccesses(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, z := range []*time.Location{time.UTC, zone} {
			plans = append(plans, PlanAt(feed, people, at.In(z), 2, nil))
		}
	}
	near := 0
	for _, f := range plans[0].Fetches {
		if h := f.At.In(zone).Hour(); h == 7 || h == 19 || h == 8 && f.At.In(zone).Minute() < 10 {
			near++
		}
	}
	if near < 2 {
		t.Errorf("not before the looks at 8:03 and 20:03: %+v", plans[0].Fetches)
	}
	for i, p := range plans[1:] {
		if len(p.Fetches) != len(plans[0].Fetches) {
			t.Fatalf("plan %d differs", i+1)
		}
		for k := range p.Fetches {
			if !p.Fetches[k].At.Equal(plans[0].Fetches[k].At) {
				t.Errorf("plan %d, fetch %d: %v, want %v", i+1, k, p.Fetches[k].At, plans[0].Fetches[k].At)
			}
		}
	}
}

// What comes after the moment changes nothing: not a post, not a look, not a
// source that begins later.
func TestPlanAtLooksNotAhead(t *testing.T) {
	posts, people := Synthetic(2)
	at := time.Unix(syntheticStart+30*daySeconds+40_000, 0).UTC()
	want := fmt.Sprintf("%+v", PlanAt(posts, people, at, 3, nil))
	past, them := clone(posts, people)
	for i := range past {
		for len(past[i].Posts) > 0 && past[i].Posts[len(past[i].Posts)-1] >= at.Unix() {
			past[i].Posts = past[i].Posts[:len(past[i].Posts)-1]
		}
	}
	for i := range them {
		for len(them[i].Looks) > 0 && them[i].Looks[len(them[i].Looks)-1].Unix >= at.Unix() {
			them[i].Looks = them[i].Looks[:len(them[i].Looks)-1]
		}
	}
	past = append(past, Source{"zz", []int64{at.Unix() + 5}})
	if got := fmt.Sprintf("%+v", PlanAt(past, them, at, 3, nil)); got != want {
		t.Errorf("the plan knows what comes:\n%s\n%s", want, got)
	}
}

func TestReadRows(t *testing.T) {
	for _, c := range []struct{ in, id, wrong string }{
		{"source_id,unix_time\na,1767571200\n", "a", ""},
		{"a\t1767571200", "a", ""},
		{"1767571200", "", ""},
		{"2026-01-05T01:00:00+01:00", "", ""},
		{"2026-01-05 00:00,b", "b", ""},
		{"17,1767571200.75", "17", ""},
		{"# made by hand\n\n\"a\",\"2026-01-05T00:00:00Z\"", "a", ""},
		{"a,1767571200\na,soon\n", "", `line 2: time "soon"`},
		{"a,1767571200\n\na,-5\n", "", "line 3"},
		{"a,99999999999999\n", "", "line 1"},
		{"never\nsoon", "", "line 2"},
	} {
		got, err := ReadPosts(strings.NewReader(c.in))
		if c.wrong != "" {
			if err == nil || !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("%q: %v, want %s", c.in, err, c.wrong)
			}
			continue
		}
		if err != nil || len(got) != 1 || got[0].ID != c.id || got[0].Posts[0] != syntheticStart {
			t.Errorf("%q: %+v, %v", c.in, got, err)
		}
	}
	for in, offset := range map[string]int32{
		"u,1767571200,-360": -21600, "1767571200,-360": -21600, "1767571200,60": 3600, "u,1767571200": 0, "1767571200": 0,
		"u,2026-01-05T02:00:00+02:00": 7200, "2026-01-05T02:00:00+02:00": 7200, "u,2026-01-05T02:00:00+02:00,60": 3600,
	} {
		got, err := ReadAccesses(strings.NewReader(in))
		if err != nil || len(got) != 1 || got[0].Looks[0].Offset != offset || got[0].Looks[0].Unix != syntheticStart {
			t.Errorf("%q: %+v, %v", in, got, err)
		}
	}
	if _, err := ReadAccesses(strings.NewReader("u,1767571200,9999")); err == nil || !strings.Contains(err.Error(), "line 1: offset") {
		t.Error(err)
	}
}
