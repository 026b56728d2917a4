package replay

import (
	"math"
	"testing"

	"diurna/scheduler"
)

// On feeds with at least ten posts a day the periodic estimator predicts what a
// fetch will find better than the single one (Horincar 2012, Figure 10): one
// fetch in 1, 4 and 8 hours, error after four weeks of learning.
func TestPeriodicBeatsSingle(t *testing.T) {
	posts, _ := traces(t)
	for _, hours := range []int64{1, 4, 8} {
		single, periodic, feeds := 0.0, 0.0, 0
		for _, s := range posts {
			if len(s.Posts) < 10*14*7 {
				continue
			}
			feeds++
			a, b := onlineErrors(s.Posts, hours)
			single += a
			periodic += b
		}
		better := 100 * (1 - periodic/single)
		t.Logf("every %d h on %d feeds: %.1f %% less error", hours, feeds, better)
		if want := map[int64]float64{1: 8, 4: 16, 8: 16}[hours]; better < want {
			t.Errorf("every %d h: only %.1f %% less error", hours, better)
		}
	}
}

// onlineErrors is each estimator's root mean square error, relative to the
// feed's mean count so that every feed weighs the same.
func onlineErrors(posts []int64, hours int64) (single, periodic float64) {
	begin := monday(posts[0])
	step := hours * 3600
	one := scheduler.Single{PerHour: 1}
	many := scheduler.Periodic{}
	j, n, sum := 0, 0.0, 0.0
	for from := begin; from+step <= begin+14*weekSeconds; from += step {
		count := 0
		for j < len(posts) && posts[j] < from+step {
			count++
			j++
		}
		if from >= begin+4*weekSeconds {
			x := float64(count)
			single += sq(one.PerHour*float64(hours) - x)
			periodic += sq(many.Expect(from, from+step) - x)
			sum += x
			n++
		}
		one.Observe(float64(hours), count)
		many.Observe(from, from+step, count)
	}
	mean := math.Max(sum/n, 1e-9)
	return math.Sqrt(single/n) / mean, math.Sqrt(periodic/n) / mean
}

func sq(x float64) float64 { return x * x }
