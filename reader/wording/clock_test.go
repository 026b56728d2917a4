package wording

import (
	"encoding/json"
	"testing"
	"time"
)

// A clock writes for people as the functions do, and for programs one stamp.
func TestClock(t *testing.T) {
	east := time.FixedZone("", 2*3600)
	defer func(was *time.Location) { time.Local = was }(time.Local)
	time.Local = east
	now := time.Date(2026, 12, 30, 10, 40, 0, 0, east)
	later := time.Date(2026, 12, 30, 9, 5, 0, 0, time.UTC)
	for _, c := range []struct {
		exact                  bool
		t                      time.Time
		when, due, day, layout string
	}{
		{false, later, "today 11:05", "11:05", "30 Dec", "11h05"},
		{true, later, "2026-12-30T11:05:00+02:00", "2026-12-30T11:05:00+02:00", "2026-12-30T11:05:00+02:00", "2026-12-30T11:05:00+02:00"},
		{false, time.Time{}, "", "", "0001-01-01", ""},
		{true, time.Time{}, "", "", "", ""},
	} {
		k := Clock{Now: now, Exact: c.exact}
		if when, due, day, layout := k.When(c.t), k.Due(c.t), k.Day(c.t), k.Layout(c.t, "15h04"); when != c.when || due != c.due || day != c.day || layout != c.layout {
			t.Errorf("%v, exact %v: %q, %q, %q, %q", c.t, c.exact, when, due, day, layout)
		}
	}
	got, err := json.Marshal([]Moment{{later}, {}})
	if want := `["2026-12-30T11:05:00+02:00",null]`; err != nil || string(got) != want {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
}

func TestLengths(t *testing.T) {
	for d, want := range map[time.Duration]string{0: "a minute", 89 * time.Second: "a minute", 90 * time.Second: "2 minutes", 59 * time.Minute: "59 minutes", 60 * time.Minute: "an hour", 89 * time.Minute: "an hour",
		90 * time.Minute: "2 hours", 149 * time.Minute: "2 hours", 150 * time.Minute: "3 hours", 48 * time.Hour: "2 days", 59 * time.Hour: "2 days", 60 * time.Hour: "3 days"} {
		if got := Spoken(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
	for s, want := range map[int32]string{-1: "", 0: "", 9: "0:09", 2530: "42:10", 3599: "59:59", 3600: "1:00:00", 3723: "1:02:03"} {
		if got := Played(s); got != want {
			t.Errorf("%d seconds: %q, want %q", s, got, want)
		}
	}
	for n, want := range map[int64]string{-1: "unknown", 0: "0 bytes", 1023: "1023 bytes", 1024: "1 KB", 1535: "1 KB", 1536: "2 KB", 1 << 20: "1 MB", 10<<30 - 1<<20: "10239 MB", 10 << 30: "10 GB"} {
		if got := Size(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
	for v, want := range map[float64]string{0: "0.0", .25: "0.2", 2.96: "3.0", -1.5: "-1.5"} {
		if got := Tenth(v); got != want {
			t.Errorf("%v: %q, want %q", v, got, want)
		}
	}
	if got := Plural(3, "query"); got != "3 queries" {
		t.Errorf("%q", got)
	}
}
