package rhythm

import (
	"strings"
	"testing"
	"time"

	"diurna/reader"
)

// TestSumsSayOnce: what a server asked to wait for stands once in the row of a fetch.
func TestSumsSayOnce(t *testing.T) {
	noon := time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC)
	later := noon.Add(time.Hour)
	p := &reader.FeedPlan{Fetches: []reader.PlannedFetch{
		{At: later, Why: "you look at 13:00; server says not before 12:40", NotBefore: noon.Add(40 * time.Minute), NotBeforeBy: reader.Wait{Cause: reader.WaitServer, Header: "max-age=3600"}},
		{At: later, Why: "you look at 13:00", NotBefore: noon.Add(40 * time.Minute), NotBeforeBy: reader.Wait{}},
	}}
	for _, row := range sumRows(p, noon)[2:] {
		if n := strings.Count(row, "not before"); n != 1 {
			t.Errorf("%d times in %q", n, row)
		}
	}
}

// TestSumsAreColumns: the numbers of planned fetches stand below each other, also where a
// time is as long as "tomorrow 07:40".
func TestSumsAreColumns(t *testing.T) {
	noon := time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC)
	p := &reader.FeedPlan{Fetches: []reader.PlannedFetch{{At: noon.Add(time.Hour), Why: "WHY"}, {At: noon.AddDate(0, 0, 1), Why: "WHY"}}}
	rows := sumRows(p, noon)
	if a, b := strings.Index(rows[2], "WHY"), strings.Index(rows[3], "WHY"); a != b {
		t.Errorf("the reasons stand at %d and %d:\n%s\n%s", a, b, rows[2], rows[3])
	}
}
