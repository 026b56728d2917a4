package scheduler

import (
	"math/rand/v2"
	"reflect"
	"testing"
	"time"
)

// oddSources are sources whose limits differ in every way that bears on a path.
func oddSources(r *rand.Rand, n int) []Source {
	out := someSources(n)
	for i := range out {
		s := &out[i]
		s.LastFetch = noon.Add(-time.Duration(r.IntN(40*60)) * time.Minute)
		s.Weight = 0.1 + 3*r.Float64()
		s.Window = r.IntN(3) * 7
		s.Lost = max(r.IntN(6)-3, 0)
		s.MinPoll = time.Duration(max(r.IntN(30)-15, 0)) * time.Hour
		if r.IntN(3) == 0 {
			s.SkipHours = uint32(r.IntN(1 << 24))
		}
		switch r.IntN(8) {
		case 0:
			s.LastFetch = time.Time{}
		case 1:
			s.Asked = true
		case 2:
			s.NotBefore = noon.Add(time.Duration(r.IntN(30*60)) * time.Minute)
		case 3:
			s.Interval = 3 * time.Hour
		}
	}
	return out
}

// The count from a source's tail is the count of its whole path.
func TestTailCountsAsTheWholePath(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	reader := bumps(3, 8, 20)
	for range 60 {
		ends := noon.Add(time.Duration(1+r.IntN(24*60)) * time.Minute)
		p := newPlanner(reader, oddSources(r, 12), Budget{PerDay: 40, DayEnds: ends}, Options{}, noon)
		p.price.later = 0.01 + r.Float64()
		for i := range p.work {
			p.work[i].split = max(slotsOf(ends.Sub(p.grid)-p.work[i].jitter), 0)
		}
		for range 5 {
			price := r.ExpFloat64()
			for i := range p.work {
				got := p.fetchesAt(i, price)
				rt := p.aim(i)
				rt.solve(p.price)
				b, _ := p.begin(i, p.price)
				if want := rt.count(b, p.work[i].split); got != want {
					t.Fatalf("source %d, price %v: %d fetches, by the whole path %d: %+v", i, price, got, want, p.sources[i])
				}
			}
		}
	}
}

// A plan is the same with and without a memory, through days in which facts change.
func TestMemoryChangesNoPlan(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	var m Memory
	kept := 0
	for day := range 3 {
		src, reader := oddSources(r, 10), bumps(3, 8, float64(18+day))
		b := Budget{PerDay: 50, DayEnds: noon.Add(24 * time.Hour)}
		for now := noon; now.Before(b.DayEnds); now = now.Add(time.Duration(1+r.IntN(300)) * time.Minute) {
			b.Used = min(b.Used+r.IntN(5), b.PerDay)
			if r.IntN(3) == 0 {
				for i := range src {
					src[i].Weight *= 3
				}
			}
			before := m.key
			plain, with := Options{}, Options{Memory: &m}
			if x, y := Plan(reader, src, b, plain, now), Plan(reader, src, b, with, now); !reflect.DeepEqual(x, y) {
				t.Fatalf("%v: %+v, with a memory %+v", now, x, y)
			}
			if x, y := Refresh(reader, src, b, plain, now), Refresh(reader, src, b, with, now); !reflect.DeepEqual(x, y) {
				t.Fatalf("%v: refreshes %+v, with a memory %+v", now, x, y)
			}
			if m.key == before {
				kept++
			}
		}
	}
	if kept == 0 {
		t.Error("nothing was remembered")
	}
}
