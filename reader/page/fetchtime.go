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

// ofFetch reports whether words of both sides say when the page was fetched: all
// their numbers are of that day or time of day.
func (n *analysis) ofFetch(wa, wb []string) bool {
	f0, f1 := n.o.Fetched[0], n.o.Fetched[1]
	if f0.IsZero() || f1.IsZero() || !kind.HasDigits(wa) || !kind.HasDigits(wb) {
		return false
	}
	ta, tb, oka, okb := kind.ClockIn(wa), kind.ClockIn(wb), false, false
	if ta >= 0 && tb >= 0 {
		went := int(f1.Sub(f0).Minutes()+.5) - (tb - ta)
		went = ((went % 1440) + 1440) % 1440
		if went > kind.ClockSlack && went < 1440-kind.ClockSlack {
			return false
		}
	} else if slices.ContainsFunc(wa, kind.IsClock) || slices.ContainsFunc(wb, kind.IsClock) {
		return false // from when to when
	}
	for day := -1; day <= 1; day++ { // zones
		oka = oka || kind.OfDay(wa, f0.UTC().AddDate(0, 0, day))
		okb = okb || kind.OfDay(wb, f1.UTC().AddDate(0, 0, day))
	}
	return oka && okb
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
