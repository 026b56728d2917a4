package cli

import (
	"cmp"
	"strconv"
	"time"

	"diurna/reader/wording"
)

// when is a time for people, "-" for none.
func when(t, now time.Time) string { return cmp.Or(wording.When(t, now), "-") }

// due is when something comes, "-" for never.
func due(t, now time.Time) string { return cmp.Or(wording.Due(t, now), "-") }

// stamp is a time for scripts, "" for none.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339)
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
