package ui

import (
	"fmt"
	"strconv"
	"time"
)

// Times are written so that nothing on the screen ages: never "3 h ago".

// dayStart is midnight before t, in t's zone.
func dayStart(t time.Time) time.Time {
	y, m, d := t.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, t.Location())
}

// clock is the five cells of a time under a day heading.
func clock(t time.Time) string { return t.Format("15:04") }

// short is the time in lists without headings: the clock for today, the day of
// the week for six days, the day, the year. At most five cells.
func short(t, now time.Time) string {
	if t.IsZero() {
		return ""
	}
	t = t.In(now.Location())
	today := dayStart(now)
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

// long is a time anywhere else: "today 10:31", "yesterday", "12 Nov",
// "2025-11-02". Times to come are "10:31" today, "tomorrow 07:40", then dates.
func long(t, now time.Time) string {
	if t.IsZero() {
		return ""
	}
	t = t.In(now.Location())
	today := dayStart(now)
	switch {
	case !t.Before(today.AddDate(0, 0, 2)):
		return t.Format("2 Jan")
	case !t.Before(today.AddDate(0, 0, 1)):
		return t.Format("tomorrow 15:04")
	case !t.Before(today):
		return t.Format("today 15:04")
	case !t.Before(today.AddDate(0, 0, -1)):
		return "yesterday"
	case t.Year() == now.Year():
		return t.Format("2 Jan")
	}
	return t.Format("2006-01-02")
}

// next is when something is due: the bare clock today.
func next(t, now time.Time) string {
	if t.IsZero() {
		return ""
	}
	if !t.After(now) {
		return "now"
	}
	t = t.In(now.Location())
	if t.Before(dayStart(now).AddDate(0, 0, 1)) {
		return clock(t)
	}
	return long(t, now)
}

// dayHead names a day above its rows; the year only when it is another one.
func dayHead(t, now time.Time) string {
	if t.Year() != now.Year() {
		return t.Format("Mon 2 Jan 2006")
	}
	return t.Format("Mon 2 Jan")
}

// count writes a number with thousands separated.
func count(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// plural is "1 item", "20 items".
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return count(n) + " " + what + "s"
}

// bytesOf writes a length in bytes, "" for an unknown one.
func bytesOf(n int64) string {
	switch {
	case n <= 0:
		return ""
	case n < 1<<20:
		return fmt.Sprintf("%d KB", (n+1023)/1024)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
}

// stamp is the moment of an act: "10:42" today, else day and clock.
func stamp(t, now time.Time) string {
	t = t.In(now.Location())
	if !t.Before(dayStart(now)) {
		return t.Format("today 15:04")
	}
	if t.Year() == now.Year() {
		return t.Format("2 Jan 15:04")
	}
	return t.Format("2006-01-02")
}

// stepTime is when a step was done, in the sentence that names it.
func stepTime(t, now time.Time) string {
	t = t.In(now.Location())
	if !t.Before(dayStart(now)) {
		return clock(t)
	}
	return stamp(t, now)
}
