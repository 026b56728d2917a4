package table

import (
	"cmp"
	"time"

	"diurna/reader/wording"
)

// When is a time for people, "-" for none.
func When(t, now time.Time) string { return cmp.Or(wording.When(t, now), "-") }

// Due is when something comes, "-" for never.
func Due(t, now time.Time) string { return cmp.Or(wording.Due(t, now), "-") }

// Stamp is a time for scripts, "" for none.
func Stamp(t time.Time) string { return wording.Stamp(t) }
