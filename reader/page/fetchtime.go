package page

import (
	"slices"
	"strings"
	"time"

	"diurna/reader/feed/dates"
	"diurna/reader/kind"
)

// That a page shows when it was fetched can be seen without knowing its language:
// the time it shows advanced by as much as the clock did between two fetches.

// clockSlack is how far a clock on a page may be off, in minutes.
const clockSlack = 2

// ofFetch reports whether words of both sides say when the page was fetched: all
// their numbers are of that day or time of day.
func (n *analysis) ofFetch(wa, wb []string) bool {
	f0, f1 := n.o.Fetched[0], n.o.Fetched[1]
	if f0.IsZero() || f1.IsZero() || !hasDigits(wa) || !hasDigits(wb) {
		return false
	}
	ta, tb, oka, okb := clockIn(wa), clockIn(wb), false, false
	if ta >= 0 && tb >= 0 {
		went := int(f1.Sub(f0).Minutes()+.5) - (tb - ta)
		went = ((went % 1440) + 1440) % 1440
		if went > clockSlack && went < 1440-clockSlack {
			return false
		}
	} else if slices.ContainsFunc(wa, kind.IsClock) || slices.ContainsFunc(wb, kind.IsClock) {
		return false // from when to when
	}
	for day := -1; day <= 1; day++ { // zones
		oka = oka || ofDay(wa, f0.UTC().AddDate(0, 0, day))
		okb = okb || ofDay(wb, f1.UTC().AddDate(0, 0, day))
	}
	return oka && okb
}

// shownAt reports whether a short block of a page, whatever else it says, gives the day
// and the time at which it was fetched. Zones are whole half hours.
func shownAt(fetched time.Time, words []string, dates []bool) bool {
	at := clockIn(words)
	if fetched.IsZero() || at < 0 || len(words) > kind.ShortNotice+kind.Near {
		return false
	}
	off := (at - fetched.Minute() + 30*48) % 30
	var day []string
	for i, w := range words {
		if dates[i] && kind.HasDigit(w) && !kind.IsClock(w) {
			day = append(day, w)
		}
	}
	return len(day) > 0 && min(off, 30-off) <= clockSlack && (ofDay(day, fetched.UTC()) || ofDay(day, fetched.UTC().AddDate(0, 0, 1)) || ofDay(day, fetched.UTC().AddDate(0, 0, -1)))
}

// ahead reports whether words are a date after the day of the later fetch, which no
// page has been made on.
func (n *analysis) ahead(words []string) bool {
	fetched := n.o.Fetched[1]
	if fetched.IsZero() || len(words) > kind.ShortNotice {
		return false
	}
	at, _, ok := dates.Parse(strings.Join(words, " "))
	return ok && at.After(fetched.Add(36*time.Hour))
}

func hasDigits(words []string) bool { return slices.ContainsFunc(words, kind.HasDigit) }

// clockIn is the only time of day among words, in minutes; -1 without one.
func clockIn(words []string) int {
	out := -1
	for _, w := range words {
		if p := kind.Parts(w, ":"); kind.IsClock(w) && len(p) >= 2 {
			if out >= 0 {
				return -1
			}
			out = 60*p[0] + p[1]
		}
	}
	return out
}

// ofDay reports whether all numbers among words but times of day belong to a day.
func ofDay(words []string, day time.Time) bool {
	for _, w := range words {
		if !kind.HasDigit(w) || kind.IsClock(w) && len(kind.Parts(w, ":")) >= 2 {
			continue
		}
		if kind.IsDate(w) {
			for _, sep := range []string{".", "-", "/"} {
				for _, p := range kind.Parts(w, sep) {
					if p != day.Day() && p != int(day.Month()) && p != day.Year() && p != day.Year()%100 {
						return false
					}
				}
			}
			continue
		}
		if k := kind.ShortNumber(w); k != day.Day() && k != day.Year() && kind.LeadingNumber(w) != day.Day() && kind.YearIn(w) != day.Year() {
			return false
		}
	}
	return true
}
