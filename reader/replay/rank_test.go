package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"

	"diurna/store/storetest"
)

// users is how many people the bands are tried with; DIURNA_USERS=2000 narrows
// them as the reference does.
func users() (n int, band float64) {
	if n, err := strconv.Atoi(os.Getenv("DIURNA_USERS")); err == nil && n >= 2000 {
		return n, .08
	}
	return 300, .20
}

func run(t *testing.T, o RankOptions) map[string]RankTotal {
	t.Helper()
	r, err := Rank(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]RankTotal{}
	for _, x := range r.Totals {
		out[x.World+" "+x.Strategy] = x
	}
	return out
}

// numbers skips a test that takes a few seconds of people.
func numbers(t *testing.T) {
	t.Helper()
	if testing.Short() || underRace {
		t.Skip("a few seconds of people: run without -short and -race")
	}
}

// TestPaperBands is Table 3.1's world: clicks in turns 10, 30 and 100 and the
// error after the last, as computed by two other programs.
func TestPaperBands(t *testing.T) {
	numbers(t)
	n, band := users()
	got := run(t, RankOptions{Worlds: []string{"paper"}, Strategies: []string{"random", "greedy", "paper-10", "paper-20", "ours"}, Users: n, Seed: 1})
	for name, want := range map[string][4]float64{
		"random": {1.83, 1.81, 1.82, 4.58}, "greedy": {4.37, 4.67, 4.69, 8.77},
		"paper-10": {4.35, 5.00, 5.23, 7.77}, "paper-20": {4.06, 4.99, 5.37, 6.55},
	} {
		x := got["paper "+name]
		for i, v := range []float64{x.At10, x.At30, x.AtEnd, *x.MAE} {
			if math.Abs(v-want[i]) > band {
				t.Errorf("%s: value %d is %.2f, want %.2f ± %.2f", name, i, v, want[i], band)
			}
		}
	}
	if storetest.Size(0, 1) == 0 {
		return
	}
	for seed := range uint64(3) {
		x := run(t, RankOptions{Worlds: []string{"paper"}, Strategies: []string{"ours"}, Users: n, Seed: seed + 1})["paper ours"]
		if x.Clicks < 490 {
			t.Errorf("ours reaches %.1f with seed %d, wanted 490", x.Clicks, seed+1)
		}
	}
}

// TestPaperDrift: the totals of the printed model, and what ours reaches with its
// settings chosen by the log.
func TestPaperDrift(t *testing.T) {
	numbers(t)
	got := run(t, RankOptions{Worlds: []string{"paper-drift"}, Strategies: []string{"greedy", "paper-10", "paper-20", "ours"}, Users: 300, Seed: 1})
	for name, want := range map[string]float64{"greedy": 526.8, "paper-10": 594.9, "paper-20": 633.4} {
		if x := got["paper-drift "+name]; math.Abs(x.Clicks-want) > 4+x.CI95/2 {
			t.Errorf("%s: %.1f, want %.1f ± 4", name, x.Clicks, want)
		}
	}
	x := got["paper-drift ours"]
	if x.Clicks < 664 {
		t.Errorf("ours reaches %.1f ± %.1f, wanted 664", x.Clicks, x.CI95)
	}
	for i, n := range x.Recovery {
		// Before the first drift nothing is forgotten: it takes longer to be believed.
		if n < 0 || n > 12 && i > 0 || n > 20 {
			t.Errorf("after drift %d ours needs %d turns", i+1, n)
		}
	}
	if len(x.Recovery) != 4 {
		t.Errorf("%d drifts", len(x.Recovery))
	}
}

// TestForgetOnShow is the paper's λ = 10 with .9 kept of what is shown: 664.4.
func TestForgetOnShow(t *testing.T) {
	numbers(t)
	w := rankWorlds[1]
	lives, err := w.play(context.Background(), "paper-10-keep-.9", 300, 1)
	if err != nil {
		t.Fatal(err)
	}
	x, _ := summarise(&w, "", lives)
	if math.Abs(x.Clicks-664.4) > 4+x.CI95/2 {
		t.Errorf("%.1f, want 664.4 ± 4", x.Clicks)
	}
}

// TestReaderWorlds: where naive Bayes or the printed model orders better, ours is near them; 100
// people are known to 2 %.
func TestReaderWorlds(t *testing.T) {
	numbers(t)
	for name, x := range run(t, RankOptions{Worlds: []string{"folders", "folders-flat"}, Strategies: []string{"ours"}, Users: storetest.Size(15, 100)}) {
		if least := map[string]float64{"folders ours": 748, "folders-flat ours": 615}[name]; x.Clicks < least {
			t.Errorf("%s reaches %.1f, wanted %.0f", name, x.Clicks, least)
		}
	}
	got := run(t, RankOptions{Worlds: []string{"reader", "reader-drift"}, Strategies: []string{"greedy", "paper-10", "ours"}, Users: storetest.Size(20, 100), Seed: 1})
	if ours, greedy := got["reader ours"].Clicks, got["reader greedy"].Clicks; ours < .98*greedy {
		t.Errorf("without drift ours reaches %.1f, greedy %.1f", ours, greedy)
	}
	if ours, paper := got["reader-drift ours"].Clicks, got["reader-drift paper-10"].Clicks; ours < 1.05*paper {
		t.Errorf("with drift ours reaches %.1f, the paper's λ = 10 %.1f", ours, paper)
	}
}

// TestEqualChances: where all topics are alike no strategy can be better than
// chance, or worse.
func TestEqualChances(t *testing.T) {
	theta, err := ParseTheta("30x.3")
	if err != nil {
		t.Fatal(err)
	}
	got := run(t, RankOptions{Own: &RankWorld{Theta: theta, Rows: 7}, Users: storetest.Size(40, 100), Seed: 3})
	if len(got) != len(rankStrategies) {
		t.Fatalf("%d strategies", len(got))
	}
	random := got["own random"]
	for name, x := range got {
		if math.Abs(x.Clicks-random.Clicks) > x.CI95+random.CI95 {
			t.Errorf("%s reaches %.2f ± %.2f, random %.2f ± %.2f", name, x.Clicks, x.CI95, random.Clicks, random.CI95)
		}
	}
}

// TestGreedyIsLambdaZero: click for click, in a world with drift.
func TestGreedyIsLambdaZero(t *testing.T) {
	r, err := Rank(context.Background(), RankOptions{Worlds: []string{"paper-drift"}, Strategies: []string{"paper-0", "greedy"}, Users: 20})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(r.Curves[0].Clicks, r.Curves[1].Clicks) || !slices.Equal(r.Curves[0].MAE, r.Curves[1].MAE) {
		t.Error("λ = 0 lives another life than greedy")
	}
}

func TestSeeds(t *testing.T) {
	o := RankOptions{Worlds: []string{"paper"}, Users: storetest.Size(12, 60), Seed: 1}
	var one, again bytes.Buffer
	for _, w := range []*bytes.Buffer{&one, &again} {
		r, err := Rank(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.WriteJSON(w); err != nil {
			t.Fatal(err)
		}
		if err := r.WriteText(w); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(one.Bytes(), again.Bytes()) {
		t.Error("the same seed gives other bytes")
	}
	first := run(t, o)
	o.Seed = 2
	for name, x := range run(t, o) {
		y := first[name]
		if math.Abs(x.Clicks-y.Clicks) > x.CI95+y.CI95 {
			t.Errorf("%s: %.1f ± %.1f with seed 2, %.1f ± %.1f with 1", name, x.Clicks, x.CI95, y.Clicks, y.CI95)
		}
		if x.Clicks == y.Clicks {
			t.Errorf("%s does not know the seed", name)
		}
	}
	var shape struct {
		Totals []struct {
			World, Strategy string
			Clicks          *float64 `json:"total_clicks"`
			CI95            *float64 `json:"ci95"`
		}
		Curves []struct{ Clicks []float64 }
	}
	if err := json.NewDecoder(bytes.NewReader(one.Bytes())).Decode(&shape); err != nil {
		t.Fatal(err)
	}
	if len(shape.Totals) != 9 || shape.Totals[0].Clicks == nil || shape.Totals[8].CI95 == nil || len(shape.Curves[8].Clicks) != 100 {
		t.Errorf("the JSON holds %+v", shape.Totals)
	}
}

func TestRankRefuses(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	for _, o := range []RankOptions{
		{Worlds: []string{"moon"}}, {Strategies: []string{"oracle"}}, {Strategies: []string{"paper-x"}}, {Strategies: []string{"paper--1"}},
		{Own: &RankWorld{}}, {Own: &RankWorld{Theta: []float64{.5}, Rows: 2}}, {Own: &RankWorld{Theta: []float64{2}, Rows: 1}},
		{Own: &RankWorld{Theta: []float64{.5, .5}, Rows: 1, Folder: []int{1}}}, {Own: &RankWorld{Theta: []float64{.5}, Rows: 1, Folder: []int{-1}}},
	} {
		if _, err := Rank(ctx, o); err == nil {
			t.Errorf("%+v is taken", o)
		}
	}
	stop()
	if _, err := Rank(ctx, RankOptions{}); err == nil {
		t.Error("runs on after its end")
	}
	for _, bad := range []string{"", "x", "2", "-1", "0x.5", "3x", "NaN", "9999x.1,9x.1"} {
		if _, err := ParseTheta(bad); err == nil {
			t.Errorf("%q is a world", bad)
		}
	}
	if got, err := ParseTheta("2x.5, 1"); err != nil || !slices.Equal(got, []float64{.5, .5, 1}) {
		t.Errorf("%v %v", got, err)
	}
}

// TestBetaQuantile: the quantile of Beta(a, 1) is known.
func TestBetaQuantile(t *testing.T) {
	for _, a := range []float64{1, 3, 40} {
		for _, level := range []float64{.01, .5, .993} {
			for _, guess := range []float64{0, .3, 1} {
				if got, want := betaQuantile(a, 1, level, guess), math.Pow(level, 1/a); math.Abs(got-want) > 1e-8 {
					t.Errorf("quantile %v of Beta(%v, 1) from %v: %v, want %v", level, a, guess, got, want)
				}
			}
		}
	}
}
