package cli

import (
	"strconv"
	"strings"
	"time"
)

// when is a time for people: "today 10:31", "yesterday", "12 Nov",
// "2025-11-02", and to come "tomorrow 07:40", "21 Nov". Never how long ago: a
// line that is read later must still be true.
func when(t, now time.Time) string {
	if t.IsZero() {
		return "-"
	}
	t = t.In(now.Location())
	today := dayStart(now)
	switch {
	case !t.Before(today.AddDate(0, 0, 2)), t.Year() != now.Year():
		if t.Year() != now.Year() {
			return t.Format("2006-01-02")
		}
		return t.Format("2 Jan")
	case !t.Before(today.AddDate(0, 0, 1)):
		return t.Format("tomorrow 15:04")
	case !t.Before(today):
		return t.Format("today 15:04")
	case !t.Before(today.AddDate(0, 0, -1)):
		return "yesterday"
	}
	return t.Format("2 Jan")
}

// due is when something comes: the bare clock today.
func due(t, now time.Time) string {
	switch {
	case t.IsZero():
		return "-"
	case !t.After(now):
		return "now"
	case t.In(now.Location()).Before(dayStart(now).AddDate(0, 0, 1)):
		return t.In(now.Location()).Format("15:04")
	}
	return when(t, now)
}

// day is the date alone.
func day(t, now time.Time) string {
	t = t.In(now.Location())
	if t.Year() != now.Year() {
		return t.Format("2006-01-02")
	}
	return t.Format("2 Jan")
}

func dayStart(t time.Time) time.Time {
	y, m, d := t.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, t.Location())
}

// stamp is a time for scripts, "" for none.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339)
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
	if strings.HasSuffix(what, "s") || strings.HasSuffix(what, "ch") {
		what += "e"
	}
	return count(n) + " " + what + "s"
}

// size writes a number of bytes: "18 KB", "184 MB", "31 GB".
func size(n int64) string {
	switch {
	case n < 0:
		return "unknown"
	case n < 1<<10:
		return strconv.FormatInt(n, 10) + " bytes"
	case n < 1<<20:
		return strconv.FormatInt((n+1<<9)>>10, 10) + " KB"
	case n < 10<<30:
		return strconv.FormatInt((n+1<<19)>>20, 10) + " MB"
	}
	return strconv.FormatInt((n+1<<29)>>30, 10) + " GB"
}
