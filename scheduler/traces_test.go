package scheduler

import (
	"encoding/csv"
	"math"
	"os"
	"strconv"
	"testing"
)

// trace reads a shared trace by its first column, or skips.
func trace(t *testing.T, name string) map[string][]Event {
	t.Helper()
	f, err := os.Open("../../shared/data/traces/" + name)
	if err != nil {
		t.Skip("the traces are not beside the project")
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]Event{}
	for _, row := range rows[1:] {
		e := Event{}
		if e.Unix, err = strconv.ParseInt(row[1], 10, 64); err != nil {
			t.Fatal(err)
		}
		if len(row) > 2 {
			minutes, err := strconv.Atoi(row[2])
			if err != nil {
				t.Fatal(err)
			}
			e.Offset = int32(minutes) * 60
		}
		out[row[0]] = append(out[row[0]], e)
	}
	return out
}

// TestPopulationHours derives the 24 numbers that are shipped for readers of whom
// nothing is known: each person's looks by local hour as shares of their own
// total, then the mean over people, so that nobody counts for being busy.
func TestPopulationHours(t *testing.T) {
	people := trace(t, "accesses.csv")
	var mean [24]float64
	for _, signs := range people {
		var hours [24]float64
		looks := 0.0
		for i, e := range signs {
			// A look is the first sign after ten idle minutes.
			if i == 0 || e.Unix-signs[i-1].Unix >= 600 {
				hours[(e.Unix+int64(e.Offset))%day/3600]++
				looks++
			}
		}
		for h, n := range hours {
			mean[h] += 1000 * n / looks / float64(len(people))
		}
	}
	for h, want := range populationHours {
		if got := math.Round(mean[h]*10) / 10; math.Abs(got-want) > 0.05 {
			t.Errorf("hour %d: %.1f per mille, shipped %.1f", h, got, want)
		}
	}
}
