package scheduler

import (
	"math"
	"testing"
)

// single estimates one rate from what fetches find (Horincar 2012, section 4.1):
// a baseline.
type single struct{ perHour float64 }

func (s *single) observe(hours float64, items int) {
	a := smoothing(hours)
	s.perHour = max(a*float64(items)/hours+(1-a)*s.perHour, minRate)
}

// periodic estimates a rate for each UTC hour of the day from what fetches find
// (Horincar 2012, section 4.2).
type periodic struct{ perHour [24]float64 }

// smoothing is α by the hours since the last fetch: .02-.05 at an hour, .05-.1
// at 4-8 hours, .2 at a day.
func smoothing(hours float64) float64 {
	return min(max(0.035*math.Pow(hours, 0.55), 0.02), 0.2)
}

// covered is how many hours of [from, to) fall into each hour of the UTC day.
func covered(from, to int64) (out [24]float64) {
	for t := from; t < to; {
		next := min(t-t%3600+3600, to)
		out[t%day/3600] += float64(next-t) / 3600
		t = next
	}
	return out
}

func (p *periodic) expect(from, to int64) float64 {
	sum := 0.0
	for h, c := range covered(from, to) {
		sum += c * max(p.perHour[h], minRate)
	}
	return sum
}

// observe gives each hour its expected share of what came. The printed update
// divides by an expectation that may be 0, never revives an hour that reached 0,
// and moves an hour of which the interval touched a minute as much as the rest:
// rates have a floor here, and an hour moves by the part of it that was covered.
func (p *periodic) observe(from, to int64, items int) {
	div := p.expect(from, to)
	a := smoothing(float64(to-from) / 3600)
	for h, c := range covered(from, to) {
		step := 1 - math.Pow(1-a, c)
		rate := max(p.perHour[h], minRate)
		p.perHour[h] = max(step*rate*float64(items)/div+(1-step)*rate, minRate)
	}
}

// The periodic estimator finds a feed's hours from counts alone, revives an hour
// that was silent, and never reaches zero; the single one finds the rate.
func TestOnlineEstimators(t *testing.T) {
	p := &periodic{}
	s := &single{perHour: 1}
	hours := func(d, h int) int { // 4 posts an hour from 6 to 12, later from 18 to 24
		if d < 60 && h >= 6 && h < 12 || d >= 60 && h >= 18 {
			return 4
		}
		return 0
	}
	at := int64(1_800_000_000) / day * day
	check := func(low, high int) {
		t.Helper()
		if p.perHour[high] < 10*p.perHour[low] || p.perHour[low] < minRate {
			t.Errorf("hour %d has %v, hour %d has %v", low, p.perHour[low], high, p.perHour[high])
		}
	}
	for d := range 160 {
		for h := range 24 {
			p.observe(at, at+3600, hours(d, h))
			s.observe(1, hours(d, h))
			at += 3600
		}
		if d == 59 {
			check(20, 8)
		}
	}
	check(8, 20)
	if s.perHour < 0.3 || s.perHour > 4 {
		t.Errorf("single: %v an hour, mean is 1", s.perHour)
	}
	if e := p.expect(at, at+day); math.Abs(e-24) > 6 {
		t.Errorf("a day's expectation %v, want 24", e)
	}
}

// On feeds with at least ten posts a day the periodic estimator predicts what a
// fetch will find better than the single one (Horincar 2012, Figure 10): one
// fetch in 1, 4 and 8 hours, error after four weeks of learning.
func TestPeriodicBeatsSingle(t *testing.T) {
	posts := trace(t, "posts.csv")
	for _, hours := range []int64{1, 4, 8} {
		rough, fine, feeds := 0.0, 0.0, 0
		for _, s := range posts {
			if len(s) < 10*14*7 {
				continue
			}
			feeds++
			a, b := onlineErrors(s, hours)
			rough += a
			fine += b
		}
		better := 100 * (1 - fine/rough)
		t.Logf("every %d h on %d feeds: %.1f %% less error", hours, feeds, better)
		if want := map[int64]float64{1: 8, 4: 16, 8: 16}[hours]; better < want {
			t.Errorf("every %d h: only %.1f %% less error", hours, better)
		}
	}
}

// onlineErrors is each estimator's root mean square error, relative to the
// feed's mean count so that every feed weighs the same.
func onlineErrors(posts []Event, hours int64) (rough, fine float64) {
	begin := posts[0].Unix / day * day
	step := hours * 3600
	one := single{perHour: 1}
	many := periodic{}
	j, n, sum := 0, 0.0, 0.0
	for from := begin; from+step <= begin+98*day; from += step {
		count := 0
		for j < len(posts) && posts[j].Unix < from+step {
			count++
			j++
		}
		if from >= begin+28*day {
			x := float64(count)
			rough += sq(one.perHour*float64(hours) - x)
			fine += sq(many.expect(from, from+step) - x)
			sum += x
			n++
		}
		one.observe(float64(hours), count)
		many.observe(from, from+step, count)
	}
	mean := math.Max(sum/n, 1e-9)
	return math.Sqrt(rough/n) / mean, math.Sqrt(fine/n) / mean
}

func sq(x float64) float64 { return x * x }
