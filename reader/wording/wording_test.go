package wording

import (
	"testing"
	"time"
)

func TestNumbers(t *testing.T) {
	for n, want := range map[int]string{0: "0", 7: "7", 999: "999", 1000: "1,000", 1234567: "1,234,567", -12: "-12", -123: "-123", -1234: "-1,234"} {
		if got := Count(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
	for _, c := range []struct {
		n          int
		what, want string
	}{{1, "item", "1 item"}, {0, "item", "0 items"}, {2000, "item", "2,000 items"}, {2, "match", "2 matches"}, {3, "pass", "3 passes"}} {
		if got := Plural(c.n, c.what); got != c.want {
			t.Errorf("%d %s: %q, want %q", c.n, c.what, got, c.want)
		}
	}
}

func TestTimes(t *testing.T) {
	east := time.FixedZone("", 2*3600)
	now := time.Date(2026, 12, 30, 10, 40, 0, 0, east)
	for _, c := range []struct {
		t         time.Time
		when, due string
	}{
		{time.Time{}, "", ""},
		{now, "today 10:40", "now"},
		{now.Add(-time.Hour), "today 09:40", "now"},
		{now.Add(time.Hour).UTC(), "today 11:40", "11:40"},
		{time.Date(2026, 12, 29, 23, 59, 0, 0, east), "yesterday", "now"},
		{time.Date(2026, 12, 29, 22, 30, 0, 0, time.UTC), "today 00:30", "now"},
		{time.Date(2026, 12, 28, 23, 59, 0, 0, east), "28 Dec", "now"},
		{time.Date(2025, 12, 31, 0, 0, 0, 0, east), "2025-12-31", "now"},
		{time.Date(2026, 12, 31, 7, 5, 0, 0, east), "tomorrow 07:05", "tomorrow 07:05"},
		{time.Date(2027, 1, 1, 0, 0, 0, 0, east), "2027-01-01", "2027-01-01"},
	} {
		if got := When(c.t, now); got != c.when {
			t.Errorf("%v is %q, want %q", c.t, got, c.when)
		}
		if got := Due(c.t, now); got != c.due {
			t.Errorf("%v is due %q, want %q", c.t, got, c.due)
		}
	}
	if got := Day(time.Date(2026, 3, 4, 5, 6, 0, 0, time.UTC), now); got != "4 Mar" {
		t.Errorf("day %q", got)
	}
}

func TestSize(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 61204: "61,204", -1234567: "-1,234,567"} {
		if got := Count(n); got != want {
			t.Errorf("count(%d) = %q, want %q", n, got, want)
		}
	}
	for n, want := range map[int64]string{0: "0 bytes", 18 << 10: "18 KB", 184 << 20: "184 MB", 31 << 30: "31 GB", 2 << 30: "2048 MB"} {
		if got := Size(n); got != want {
			t.Errorf("size(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestShare(t *testing.T) {
	for _, c := range []struct {
		part float64
		ok   bool
		want string
	}{{0, false, "-"}, {0, true, "0 %"}, {.0001, true, "<1 %"}, {.01, true, "1 %"}, {.255, true, "26 %"}, {.9999, true, "99 %"}, {1, true, "100 %"}} {
		if got := Share(c.part, c.ok); got != c.want {
			t.Errorf("%v: %q, want %q", c.part, got, c.want)
		}
	}
}

func TestSome(t *testing.T) {
	for want, names := range map[string][]string{"": nil, "a": {"a"}, "a, b, c": {"a", "b", "c"}, "a, b, c and 2 more": {"a", "b", "c", "d", "e"}} {
		if got := Some(names); got != want {
			t.Errorf("%v: %q, want %q", names, got, want)
		}
	}
}
