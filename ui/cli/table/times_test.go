package table

import (
	"testing"
	"time"
)

func init() { time.Local = friday.Location() }

func TestTimes(t *testing.T) {
	at := func(d time.Duration) time.Time { return friday.Add(d) }
	const day = 24 * time.Hour
	for _, c := range []struct {
		t          time.Time
		when, next string
	}{
		{time.Time{}, "-", "-"},
		{at(-18 * time.Minute), "today 10:31", "now"},
		{at(-day), "yesterday", "now"},
		{at(-8 * day), "12 Nov", "now"},
		{time.Date(2025, 11, 2, 9, 0, 0, 0, time.UTC), "2025-11-02", "now"},
		{at(46 * time.Minute), "today 11:35", "11:35"},
		{at(21 * time.Hour), "tomorrow 07:49", "tomorrow 07:49"},
		{at(48 * time.Hour), "22 Nov", "22 Nov"},
		{at(60 * day), "2027-01-19", "2027-01-19"},
		{at(-18 * time.Minute).UTC(), "today 10:31", "now"}, // in the zone of now, wherever it comes from
	} {
		if got := When(c.t, friday); got != c.when {
			t.Errorf("when(%v) = %q, want %q", c.t, got, c.when)
		}
		if got := Due(c.t, friday); got != c.next {
			t.Errorf("due(%v) = %q, want %q", c.t, got, c.next)
		}
	}
	if got := Stamp(friday); got != "2026-11-20T10:49:00+01:00" {
		t.Errorf("stamp = %q", got)
	}
}

var friday = time.Date(2026, 11, 20, 10, 49, 0, 0, time.FixedZone("", 3600))
