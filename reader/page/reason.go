package page

import (
	"math"
	"strings"

	"diurna/reader/kind"
)

// Reason says why a row counts as its class.
func (r Row) Reason() string {
	var names []string
	loud := false
	for k := kind.Text; k <= kind.Token; k++ {
		if r.kinds&(1<<k) != 0 {
			names = append(names, k.String())
			loud = loud || !k.Quiet()
		}
	}
	what := strings.Join(names, ", ")
	if r.Asked {
		return "set to be reported"
	}
	switch r.Class {
	case Menu:
		return "navigation or furniture"
	case Order:
		return "the same words elsewhere"
	case Links:
		return "another link or image"
	case Date:
		return "a date of the page itself"
	case Volatile:
		if r.learned {
			return "by its history: it changes by itself"
		} else if what == "" || loud {
			return "by its history: it was here before, or changes at most fetches"
		}
		return "by what it is: " + what
	}
	if what == "" {
		return "text"
	}
	return what
}

// Alone is what the changed words of a row would score by themselves, in points.
func (r Row) Alone() float64 {
	cat := map[Class]string{Content: CatWords, Menu: CatMenu, Order: CatOrder, Links: CatLinks, Date: CatDates, Volatile: CatVolatile}[r.Class]
	count := r.Words.Added + r.Words.Deleted
	if r.Class != Content && r.Class != Menu {
		count = max(count, 1)
	}
	return round(DefaultWeights()[cat] * math.Log2(1+float64(count)))
}
