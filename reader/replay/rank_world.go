package replay

import (
	"fmt"
	"math/rand/v2"
	"sort"
	"strconv"
	"strings"

	"diurna/ranking"
)

// rankWorld makes people: theta draws one person's chances and folders, drift
// changes them in place.
type rankWorld struct {
	Name           string
	k, rows, turns int
	every          int // turns between drifts; 0: none
	theta          func(r *rand.Rand) (theta []float64, folder []int)
	drift          func(theta []float64, r *rand.Rand)
}

// The reader's worlds run longer than the paper's: 300 sessions are two months of
// five looks a day, with new interests every twelve days.
var rankWorlds = []rankWorld{
	{Name: "paper", k: 45, rows: 7, turns: 100, theta: paperTheta},
	{Name: "paper-drift", k: 45, rows: 7, turns: 150, every: 30, theta: paperTheta, drift: paperDrift},
	{Name: "reader", k: 120, rows: 20, turns: 300, theta: readerTheta},
	{Name: "reader-drift", k: 120, rows: 20, turns: 300, every: 60, theta: readerTheta, drift: readerDrift},
	{Name: "folders", k: 120, rows: 20, turns: 150, theta: folderTheta},
	{Name: "folders-flat", k: 120, rows: 20, turns: 150, theta: flatTheta},
}

func uniform(r *rand.Rand, low, high float64) float64 { return low + (high-low)*r.Float64() }

// paperTheta is Table 3.1: 7 strong topics, 13 medium ones, 25 of no interest.
func paperTheta(r *rand.Rand) ([]float64, []int) {
	theta := make([]float64, 45)
	for i, at := range r.Perm(45) {
		switch {
		case i < 7:
			theta[at] = uniform(r, .9, 1)
		case i < 20:
			theta[at] = uniform(r, .4, .7)
		}
	}
	return theta, nil
}

// paperDrift lets 2 of the 7 strong topics change places with 2 of no interest.
func paperDrift(theta []float64, r *rand.Rand) {
	exchange(theta, r, 2, func(x float64) bool { return x >= .9 }, func(x float64) bool { return x == 0 })
}

// exchange swaps n topics of one kind with n of another.
func exchange(theta []float64, r *rand.Rand, n int, one, other func(float64) bool) {
	var a, b []int
	for _, i := range r.Perm(len(theta)) {
		if one(theta[i]) {
			a = append(a, i)
		} else if other(theta[i]) {
			b = append(b, i)
		}
	}
	for i := range min(n, len(a), len(b)) {
		theta[a[i]], theta[b[i]] = theta[b[i]], theta[a[i]]
	}
}

// readerTheta is somebody with 120 feeds: Table 3.1's 7 and 13, less eagerly read
// than there, and 100 that are hardly ever opened.
func readerTheta(r *rand.Rand) ([]float64, []int) {
	theta := make([]float64, 120)
	for i, at := range r.Perm(120) {
		switch {
		case i < 7:
			theta[at] = uniform(r, .4, .9)
		case i < 20:
			theta[at] = uniform(r, .05, .4)
		default:
			theta[at] = uniform(r, .005, .05)
		}
	}
	return theta, nil
}

// readerDrift lets 2 of the most read feeds change places with 2 hardly ever read.
func readerDrift(theta []float64, r *rand.Rand) {
	exchange(theta, r, 2, func(x float64) bool { return x >= .4 }, func(x float64) bool { return x < .05 })
}

// folderTheta has 12 folders of 10 feeds: 2 folders are liked, 3 now and then.
func folderTheta(r *rand.Rand) ([]float64, []int) {
	theta, folder := make([]float64, 120), make([]int, 120)
	for i, f := range r.Perm(12) {
		low, high := .005, .05
		switch {
		case i < 2:
			low, high = .2, .7
		case i < 5:
			low, high = .03, .25
		}
		for j := range 10 {
			theta[f*10+j], folder[f*10+j] = uniform(r, low, high), f
		}
	}
	return theta, folder
}

// flatTheta has the feeds of folderTheta, dealt to the folders at random.
func flatTheta(r *rand.Rand) ([]float64, []int) {
	theta, folder := folderTheta(r)
	r.Shuffle(len(theta), func(i, j int) { theta[i], theta[j] = theta[j], theta[i] })
	return theta, folder
}

// ownWorld makes a world of the caller's.
func ownWorld(w *RankWorld) (rankWorld, error) {
	k := len(w.Theta)
	if k == 0 || w.Rows < 1 || w.Rows > k || w.Turns < 0 || w.Turns > 10000 || k > 10000 || w.Drift < 0 {
		return rankWorld{}, fmt.Errorf("a world needs 1 to 10000 topics, 1 to %d rows and at most 10000 turns", k)
	}
	for _, x := range w.Theta {
		if !(x >= 0 && x <= 1) {
			return rankWorld{}, fmt.Errorf("a chance lies between 0 and 1, not %v", x)
		}
	}
	if w.Folder != nil && len(w.Folder) != k {
		return rankWorld{}, fmt.Errorf("%d topics have %d folders", k, len(w.Folder))
	}
	for _, f := range w.Folder {
		if f < 0 || f >= k {
			return rankWorld{}, fmt.Errorf("a folder's number lies between 0 and %d, not %d", k-1, f)
		}
	}
	out := rankWorld{Name: w.Name, k: k, rows: w.Rows, turns: w.Turns, every: w.Drift}
	if out.Name == "" {
		out.Name = "own"
	}
	if out.turns == 0 {
		out.turns = 100
	}
	out.theta = func(*rand.Rand) ([]float64, []int) { return append([]float64(nil), w.Theta...), w.Folder }
	out.drift = endsDrift
	return out, nil
}

// endsDrift swaps the two largest chances with the two smallest.
func endsDrift(theta []float64, _ *rand.Rand) {
	order := make([]int, len(theta))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(i, j int) bool { return theta[order[i]] < theta[order[j]] })
	for n := range min(2, len(order)/2) {
		i, j := order[n], order[len(order)-1-n]
		theta[i], theta[j] = theta[j], theta[i]
	}
}

// ParseTheta reads a world's chances: numbers from 0 to 1 and repetitions, with
// commas between them ("7x.95, 13x.5, 25x0").
func ParseTheta(text string) ([]float64, error) {
	var out []float64
	for _, part := range strings.Split(text, ",") {
		part = strings.TrimSpace(part)
		times := 1
		if n, x, ok := strings.Cut(part, "x"); ok {
			var err error
			if times, err = strconv.Atoi(strings.TrimSpace(n)); err != nil || times < 1 || times > 10000 {
				return nil, fmt.Errorf("%q repeats a chance %q times", part, n)
			}
			part = strings.TrimSpace(x)
		}
		x, err := strconv.ParseFloat(part, 64)
		if err != nil || !(x >= 0 && x <= 1) {
			return nil, fmt.Errorf("%q is not a chance between 0 and 1", part)
		}
		if len(out)+times > 10000 {
			return nil, fmt.Errorf("more than 10000 topics")
		}
		for range times {
			out = append(out, x)
		}
	}
	return out, nil
}

// readingOf is the simulated people's chance of reading a row.
func readingOf(row int) float64 { return ranking.DefaultReading(row) }
