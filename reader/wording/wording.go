// Package wording puts numbers and times into words, one way in the whole program.
// Nothing it writes ages: never how long ago, since a line that is read later must
// still be true.
//
// Call Count and Plural for numbers, When and Due for times.
package wording

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Count writes a number with its thousands separated: "1,200", "-45".
func Count(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Some joins the first of several names and counts the others: "a, b, c and 4 more".
func Some(names []string) string {
	const most = 3
	if n := len(names) - most; n > 0 {
		return strings.Join(names[:most], ", ") + " and " + Count(n) + " more"
	}
	return strings.Join(names, ", ")
}

// Plural is "1 item", "20 items", "2 matches", "3 queries".
func Plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	if stem, ok := strings.CutSuffix(what, "ry"); ok {
		what = stem + "rie"
	}
	if strings.HasSuffix(what, "s") || strings.HasSuffix(what, "ch") {
		what += "e"
	}
	return Count(n) + " " + what + "s"
}

// Midnight is the beginning of t's day, in t's zone.
func Midnight(t time.Time) time.Time {
	y, m, d := t.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, t.Location())
}

// When is a time in now's zone: "today 10:31", "yesterday", "12 Nov",
// "2025-11-02", and to come "tomorrow 07:40", then dates. It is "" for no time.
func When(t, now time.Time) string {
	if t.IsZero() {
		return ""
	}
	t = t.In(now.Location())
	today := Midnight(now)
	switch {
	case t.Before(today.AddDate(0, 0, -1)), !t.Before(today.AddDate(0, 0, 2)):
		return Day(t, now)
	case t.Before(today):
		return "yesterday"
	case t.Before(today.AddDate(0, 0, 1)):
		return t.Format("today 15:04")
	}
	return t.Format("tomorrow 15:04")
}

// Due is when something comes: "now", the bare clock today, then as When.
func Due(t, now time.Time) string {
	switch {
	case t.IsZero():
		return ""
	case !t.After(now):
		return "now"
	case t.In(now.Location()).Before(Midnight(now).AddDate(0, 0, 1)):
		return t.In(now.Location()).Format("15:04")
	}
	return When(t, now)
}

// Day is a date in now's zone: "2 Nov", or "2025-11-02" in another year.
func Day(t, now time.Time) string {
	t = t.In(now.Location())
	if t.Year() != now.Year() {
		return t.Format("2006-01-02")
	}
	return t.Format("2 Jan")
}

// Spoken is a duration as one says it: "an hour", "40 minutes", "2 days".
func Spoken(d time.Duration) string {
	switch m := int(d.Round(time.Minute).Minutes()); {
	case m <= 1:
		return "a minute"
	case m < 60:
		return fmt.Sprintf("%d minutes", m)
	case m < 90:
		return "an hour"
	case m < 48*60:
		return fmt.Sprintf("%d hours", (m+30)/60)
	default:
		return fmt.Sprintf("%d days", (m+12*60)/(24*60))
	}
}

// Played is how long sound or film of so many seconds plays: "42:10", "1:02:03"; "" for
// none.
func Played(seconds int32) string {
	switch h, m, s := seconds/3600, seconds/60%60, seconds%60; {
	case seconds <= 0:
		return ""
	case h > 0:
		return fmt.Sprintf("%d:%02d:%02d", h, m, s)
	default:
		return fmt.Sprintf("%d:%02d", m, s)
	}
}

// Size writes a number of bytes: "18 KB", "184 MB", "31 GB".
func Size(n int64) string {
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

// Tenth writes a number with one digit behind the point.
func Tenth(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }

// Share writes a part of something, 0 to 1, in percent: "7 %"; "-" if there is nothing
// it could be a part of. What is more than nothing is not written as 0, nor less than
// all as 100.
func Share(part float64, ok bool) string {
	switch {
	case !ok:
		return "-"
	case part > 0 && part < .01:
		return "<1 %"
	}
	return strconv.Itoa(int(min(part*100+.5, 99+part))) + " %"
}
