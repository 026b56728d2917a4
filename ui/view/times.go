package view

import (
	"fmt"
	"time"

	"diurna/reader/wording"
)

// Times are written so that nothing on the screen ages: never "3 h ago".

// Clock is the five cells of a time under a day heading.
func Clock(t time.Time) string { return t.Format("15:04") }

// Short is the time in lists without headings: the clock for today, the day of
// the week for six days, the day, the year. At most five cells.
func Short(t, now time.Time) string {
	if t.IsZero() {
		return ""
	}
	t = t.In(now.Location())
	today := wording.Midnight(now)
	switch {
	case !t.Before(today):
		return t.Format("15:04")
	case !t.Before(today.AddDate(0, 0, -6)):
		return t.Format("Mon")
	case t.Year() == now.Year():
		return t.Format("2Jan")
	}
	return t.Format("2006")
}

// DayHead names a day above its rows; the year only when it is another one.
func DayHead(t, now time.Time) string {
	if t.Year() != now.Year() {
		return t.Format("Mon 2 Jan 2006")
	}
	return t.Format("Mon 2 Jan")
}

// BytesOf writes a length in bytes, "" for an unknown one.
func BytesOf(n int64) string {
	switch {
	case n <= 0:
		return ""
	case n < 1<<20:
		return fmt.Sprintf("%d KB", (n+1023)/1024)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
}

// Stamp is the moment of an act: "10:42" today, else day and clock.
func Stamp(t, now time.Time) string {
	t = t.In(now.Location())
	if !t.Before(wording.Midnight(now)) {
		return t.Format("today 15:04")
	}
	if t.Year() == now.Year() {
		return t.Format("2 Jan 15:04")
	}
	return t.Format("2006-01-02")
}

// StepTime is when a step was done, in the sentence that names it.
func StepTime(t, now time.Time) string {
	t = t.In(now.Location())
	if !t.Before(wording.Midnight(now)) {
		return Clock(t)
	}
	return Stamp(t, now)
}

// Moment is a day and a clock, as row 1 of a diff has them.
func Moment(t, now time.Time) string {
	if t.IsZero() {
		return ""
	}
	t = t.In(now.Location())
	if t.Year() != now.Year() {
		return t.Format("2 Jan 2006 15:04")
	}
	return t.Format("Mon 2 Jan 15:04")
}
