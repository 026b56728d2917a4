package kind

import (
	"slices"
	"time"
)

// ClockSlack is how far a clock on a page may be off, in minutes.
const ClockSlack = 2

// ShownAt reports whether a short block of a page, whatever else it says, gives the day
// and the time at which it was fetched. Zones are whole half hours.
func ShownAt(fetched time.Time, words []string, dates []bool) bool {
	at := ClockIn(words)
	if fetched.IsZero() || at < 0 || len(words) > ShortNotice+Near {
		return false
	}
	off := (at - fetched.Minute() + 30*48) % 30
	var day []string
	for i, w := range words {
		if dates[i] && HasDigit(w) && !IsClock(w) {
			day = append(day, w)
		}
	}
	return len(day) > 0 && min(off, 30-off) <= ClockSlack && (OfDay(day, fetched.UTC()) || OfDay(day, fetched.UTC().AddDate(0, 0, 1)) || OfDay(day, fetched.UTC().AddDate(0, 0, -1)))
}

// HasDigits reports whether one of some words has a digit.
func HasDigits(words []string) bool { return slices.ContainsFunc(words, HasDigit) }

// ClockIn is the only time of day among words, in minutes; -1 without one.
func ClockIn(words []string) int {
	out := -1
	for _, w := range words {
		if p := Parts(w, ":"); IsClock(w) && len(p) >= 2 {
			if out >= 0 {
				return -1
			}
			out = 60*p[0] + p[1]
		}
	}
	return out
}

// OfDay reports whether all numbers among words but times of day belong to a day.
func OfDay(words []string, day time.Time) bool {
	for _, w := range words {
		if !HasDigit(w) || IsClock(w) && len(Parts(w, ":")) >= 2 {
			continue
		}
		if IsDate(w) {
			for _, sep := range []string{".", "-", "/"} {
				for _, p := range Parts(w, sep) {
					if p != day.Day() && p != int(day.Month()) && p != day.Year() && p != day.Year()%100 {
						return false
					}
				}
			}
			continue
		}
		if k := ShortNumber(w); k != day.Day() && k != day.Year() && LeadingNumber(w) != day.Day() && YearIn(w) != day.Year() {
			return false
		}
	}
	return true
}
