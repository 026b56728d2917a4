package model

import "time"

// DayBegins returns the last midnight where the reader is.
func DayBegins(now time.Time) time.Time {
	y, m, d := now.Date()
	return midnight(y, m, d, now.Location())
}

// DayEnds returns the next midnight where the reader is.
func DayEnds(now time.Time) time.Time {
	y, m, d := now.Date()
	return midnight(y, m, d+1, now.Location())
}

// midnight is the first moment of a day: where clocks are set forward at
// midnight there is no 0:00, and where they are set back there may be two.
func midnight(y int, m time.Month, d int, in *time.Location) time.Time {
	day := time.Date(y, m, d, 12, 0, 0, 0, in).Day()
	t := time.Date(y, m, d, 0, 0, 0, 0, in)
	if before := t.Add(-time.Hour); before.Day() == day {
		return before
	}
	if t.Day() != day {
		return t.Add(time.Hour)
	}
	return t
}
