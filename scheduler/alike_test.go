package scheduler

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"
)

// TestAlikeSourcesShareOneAnswer plans for sources of few kinds with and without the
// sharing of answers among those that are alike.
func TestAlikeSourcesShareOneAnswer(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	now := time.Date(2026, 3, 2, 7, 11, 0, 0, time.UTC)
	for trial := range 40 {
		var posts [2]Profile
		for h := range posts[0].Rate {
			posts[0].Rate[h], posts[1].Rate[h] = r.Float64()*r.Float64()/10, r.Float64()/20
		}
		var sources []Source
		for i := range 40 {
			s := Source{ID: fmt.Sprint(i), Posts: &posts[r.IntN(2)], LastFetch: now.Add(-5 * time.Hour)}
			// Each trait by itself, and most sources as they come.
			switch r.IntN(9) {
			case 0:
				s.Window = 10
			case 1:
				s.Weight = 3
			case 2:
				s.Lost = 2
			case 3:
				s.SkipHours = 0xfff00
			case 4:
				s.MinPoll = 3 * time.Hour
			case 5:
				s.LastFetch = now.Add(-23 * time.Hour)
			case 6:
				s.LastFetch = time.Time{}
			}
			s.Asked = r.IntN(8) == 0
			sources = append(sources, s)
		}
		b := Budget{PerDay: 20 + r.IntN(150), Used: r.IntN(60), DayEnds: now.Add(time.Duration(1+r.IntN(23)) * time.Hour)}
		shared, alone := newPlanner(nil, sources, b, Options{}, now), newPlanner(nil, sources, b, Options{}, now)
		alone.apart = true
		if got, want := shared.plan(), alone.plan(); !reflect.DeepEqual(got, want) {
			t.Fatalf("trial %d: with answers shared\n%+v\neach for itself\n%+v", trial, got, want)
		}
		groups := map[int]bool{}
		for _, n := range shared.alike {
			groups[n] = true
		}
		if len(groups) == len(sources) {
			t.Errorf("trial %d: no source is like another one", trial)
		}
	}
}
