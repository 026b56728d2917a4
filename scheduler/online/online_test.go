package online

import (
	"bufio"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
)

const floor = 1e-4 // items an hour

func mended() *Periodic { return &Periodic{Floor: floor} }

// The periodic estimator finds a feed's hours from counts alone, revives an hour
// that was silent, and never reaches zero; the single one finds the rate.
func TestOnlineEstimators(t *testing.T) {
	p := mended()
	s := &Single{PerHour: 1, Floor: floor}
	hours := func(d, h int) float64 { // 4 posts an hour from 6 to 12, later from 18 to 24
		if d < 60 && h >= 6 && h < 12 || d >= 60 && h >= 18 {
			return 4
		}
		return 0
	}
	at := int64(1_800_000_000) / day * day
	check := func(low, high int) {
		t.Helper()
		if p.PerHour[high] < 10*p.PerHour[low] || p.PerHour[low] < floor {
			t.Errorf("hour %d has %v, hour %d has %v", low, p.PerHour[low], high, p.PerHour[high])
		}
	}
	for d := range 160 {
		for h := range 24 {
			p.Observe(at, at+3600, hours(d, h))
			s.Observe(1, hours(d, h))
			at += 3600
		}
		if d == 59 {
			check(20, 8)
		}
	}
	check(8, 20)
	if s.PerHour < 0.3 || s.PerHour > 4 {
		t.Errorf("single: %v an hour, mean is 1", s.PerHour)
	}
	if e := p.Expect(at, at+day); math.Abs(e-24) > 6 {
		t.Errorf("a day's expectation %v, want 24", e)
	}
}

// On feeds with at least ten posts a day the periodic estimator predicts what a
// fetch will find better than the single one (Horincar 2012, Figure 10): one
// fetch in 1, 4 and 8 hours, error after four weeks of learning.
func TestPeriodicBeatsSingle(t *testing.T) {
	posts := trace(t)
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
func onlineErrors(posts []int64, hours int64) (rough, fine float64) {
	begin := posts[0] / day * day
	step := hours * 3600
	one := Single{PerHour: 1, Floor: floor}
	many := mended()
	j, n, sum := 0, 0.0, 0.0
	for from := begin; from+step <= begin+98*day; from += step {
		count := 0
		for j < len(posts) && posts[j] < from+step {
			count++
			j++
		}
		if from >= begin+28*day {
			x := float64(count)
			rough += sq(one.PerHour*float64(hours) - x)
			fine += sq(many.Expect(from, from+step) - x)
			sum += x
			n++
		}
		one.Observe(float64(hours), float64(count))
		many.Observe(from, from+step, float64(count))
	}
	mean := math.Max(sum/n, 1e-9)
	return math.Sqrt(rough/n) / mean, math.Sqrt(fine/n) / mean
}

func sq(x float64) float64 { return x * x }

// trace reads the posts of the real traces by source, where they are.
func trace(t *testing.T) map[string][]int64 {
	t.Helper()
	f, err := os.Open("../../../shared/data/traces/posts.csv")
	if err != nil {
		t.Skip("the traces are not beside the project")
	}
	defer f.Close()
	out := map[string][]int64{}
	for sc := bufio.NewScanner(f); sc.Scan(); {
		id, at, _ := strings.Cut(sc.Text(), ",")
		if n, err := strconv.ParseInt(at, 10, 64); err == nil {
			out[id] = append(out[id], n)
		}
	}
	return out
}

// The printed update keeps an hour at 0 for good, and learns nothing where nothing is
// expected; the rate of Eq. 5 as printed is 0 for good after one empty probe.
func TestPrinted(t *testing.T) {
	p := Periodic{Whole: true}
	p.PerHour[3] = 1
	for range 50 {
		p.Observe(0, day, 24)
	}
	if p.PerHour[3] < 20 || p.PerHour[4] != 0 {
		t.Errorf("as printed: %v", p.PerHour)
	}
	zero := Periodic{}
	zero.Observe(0, hour, 5)
	if zero.Expect(0, day) != 0 {
		t.Error("an update divided by an expectation of 0")
	}
	// Two half hours of an hour move it no more than the whole does.
	half, whole, printed := mended(), mended(), mended()
	printed.Whole = true
	for _, q := range []*Periodic{half, whole, printed} {
		q.PerHour[0], q.PerHour[1] = 1, 1
	}
	half.Observe(hour-60, 2*hour, 9)
	printed.Observe(hour-60, 2*hour, 9)
	whole.Observe(hour, 2*hour, 9)
	if d := half.PerHour[0] - 1; d > .02*(whole.PerHour[1]-1)*2 || printed.PerHour[0] < half.PerHour[0]+.01 {
		t.Errorf("a minute of an hour moved it to %v, as printed to %v", half.PerHour[0], printed.PerHour[0])
	}

	l, m := Learner{Rate: 1, Printed: true}, Learner{Rate: 1, Floor: .01}
	for i := range 400 {
		at := float64(2 * i)
		l.Observe(at, 2, 1)
		m.Observe(at, 2, 1)
	}
	if math.Abs(l.Rate-.5) > 1e-3 || math.Abs(m.Rate-.5) > .01 {
		t.Errorf("one item in two hours: %v as printed, %v", l.Rate, m.Rate)
	}
	l.Observe(1000, 2, 0)
	m.Observe(1000, 2, 0)
	if l.Rate > 1e-5 || m.Rate < .45 {
		t.Errorf("after an empty probe: %v as printed, %v", l.Rate, m.Rate)
	}
}

// TestRefine is Eq. 10 computed by hand: a channel that is like no other keeps its rate.
func TestRefine(t *testing.T) {
	got := Refine([]float64{4, 1, 2}, []float64{1, .5, 0, .5, 1, 0, 0, 0, 1})
	for i, want := range []float64{3, 2, 2} {
		if math.Abs(got[i]-want) > 1e-12 {
			t.Errorf("the rates are %v", got)
		}
	}
}

// Greedy takes the highest rates each time; Fair takes every channel as often as its
// rate says, and m different ones.
func TestGreedyAndFair(t *testing.T) {
	rates := []float64{1, 6, 3, 3}
	if got := Greedy(rates, []int64{0, 0, 5, 4}, 2); got[0] != 1 || got[1] != 3 {
		t.Errorf("greedy takes %v", got)
	}
	if got := Greedy(rates, make([]int64, 4), 9); len(got) != 4 {
		t.Errorf("greedy takes %v", got)
	}
	r := rand.New(rand.NewPCG(1, 1))
	times := make([]float64, 4)
	const n = 20000
	for range n {
		times[Fair(rates, 1, r)[0]]++
		three := Fair(rates, 3, r)
		if len(three) != 3 || three[0] == three[1] || three[1] == three[2] || three[0] == three[2] {
			t.Fatalf("fair takes %v", three)
		}
	}
	for i, x := range times {
		if want := rates[i] / 13; math.Abs(x/n-want) > .015 {
			t.Errorf("channel %d is drawn %.3f of the times, want %.3f", i, x/n, want)
		}
	}
}
