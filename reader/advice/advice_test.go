package advice

import (
	"testing"

	"pgregory.net/rapid"
)

// TestGame checks the game by pencil, and its guards.
func TestGame(t *testing.T) {
	for _, c := range []struct {
		name     string
		p        [4]float64
		pu       float64
		interior bool
		improve  float64
		suggest  bool
	}{
		// den = .2+.9-.6-.8 = -.3: pa = (.2-.6)/-.3 > 1, so no mixed point; p3 wins.
		{"p3 is best", [4]float64{.2, .6, .8, .9}, .5, false, .9, true},
		// The closed form would say -.1 here.
		{"outside [0,1]", [4]float64{.1, .5, .2, .8}, .5, false, .8, true},
		{"p1 is best", [4]float64{.1, .8, .2, .5}, .5, false, .8, false},
		{"zero denominator", [4]float64{.5, .5, .5, .5}, .5, false, .5, false},
		{"p2 best but low", [4]float64{.1, .1, .4, .2}, .5, false, .4, false},
		// den = .9+.8-.3-.2 = 1.2: pa = .6/1.2, pu = .7/1.2; value (.06-.72)/-1.2 = .55.
		{"mixed, adjusts often", [4]float64{.9, .3, .2, .8}, .9, true, .55, true},
		{"mixed, adjusts seldom", [4]float64{.9, .3, .2, .8}, .1, true, .55, false},
		{"mixed, low value", [4]float64{.6, .1, .1, .6}, .9, true, .35, false},
		{"not a probability", [4]float64{2, .3, .2, .8}, .9, false, 0, false},
	} {
		v := Play(c.p, c.pu)
		if v.Interior != c.interior || v.Improve < c.improve-1e-9 || v.Improve > c.improve+1e-9 || v.Suggest != c.suggest {
			t.Errorf("%s: %+v", c.name, v)
		}
	}
}

func TestGameProperty(t *testing.T) {
	unit := rapid.Float64Range(0, 1)
	rapid.Check(t, func(t *rapid.T) {
		p := [4]float64{unit.Draw(t, "p0"), unit.Draw(t, "p1"), unit.Draw(t, "p2"), unit.Draw(t, "p3")}
		v := Play(p, unit.Draw(t, "pu"))
		if v.Improve < 0 || v.Improve > 1 || v.Suggest && v.Improve <= .5 {
			t.Fatalf("%+v", v)
		}
	})
}

func TestSuggest(t *testing.T) {
	base := Watched{Fetches: 40, Changed: 10, DaysSince: -1}
	if s, ok := Suggest(base); ok {
		t.Errorf("nothing to say, said %+v", s)
	}
	for _, c := range []struct {
		edit func(*Watched)
		want Kind
	}{
		{func(w *Watched) { w.Restless = "page served in # s" }, IgnoreBlock},
		{func(w *Watched) { w.Reported, w.Opened = 9, 1 }, RaiseThreshold},
		{func(w *Watched) { w.Changed = 40 }, AlwaysChanges},
		{func(w *Watched) { w.Changed = 0 }, RaiseInterval},
	} {
		w := base
		c.edit(&w)
		s, ok := Suggest(w)
		if !ok || s.Kind != c.want || s.Reason == "" {
			t.Errorf("%+v: %+v, %v; want %s", w, s, ok, c.want)
		}
		w.DaysSince = 3
		if _, ok := Suggest(w); ok {
			t.Errorf("%s: two suggestions in a week", c.want)
		}
		w.DaysSince, w.Accepted = 8, Rate{0, 30}
		if s, ok := Suggest(w); ok {
			t.Errorf("%s: suggested although it never helped: %+v", c.want, s)
		}
	}
}
