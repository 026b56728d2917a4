package replay

import (
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"

	"diurna/scheduler"
)

// knowledge holds what is known of the sources when a week begins, from what lies
// before it alone.
type knowledge struct {
	lambda  [][]float64 // by source: ours
	printed [][]float64 // by source: the paper's recipe
	rates   []float64   // by source: posts a day, ours
	paper   []float64   // by source: posts a day, the paper's

	mu  sync.Mutex
	age map[int][]float64 // by m: see ageShares
}

// ageShares are scheduler.AgeShares of m fetches a source, for both tables that
// ask for them.
func (l *knowledge) ageShares(m int) []float64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.age == nil {
		l.age = map[int][]float64{}
	}
	if l.age[m] == nil {
		l.age[m] = scheduler.AgeShares(l.rates, float64(m*len(l.rates)))
	}
	return l.age[m]
}

// weeklyKnowledge is learned once, when first asked for: the tables share them.
type weeklyKnowledge struct {
	once  sync.Once
	weeks []*knowledge
}

// knowledge returns what is known when week w begins.
func (a *axis) knowledge(w int) *knowledge {
	a.known.once.Do(func() {
		a.known.weeks = make([]*knowledge, a.weeks)
		var g errgroup.Group
		g.SetLimit(runtime.GOMAXPROCS(0))
		for w := range a.known.weeks {
			g.Go(func() error {
				a.known.weeks[w] = a.learn(w)
				return nil
			})
		}
		_ = g.Wait() // none of them fails
	})
	return a.known.weeks[w]
}

// learn reads nothing at or after the beginning of week w.
func (a *axis) learn(w int) *knowledge {
	n := len(a.sources)
	out := &knowledge{lambda: make([][]float64, n), printed: make([][]float64, n), rates: make([]float64, n), paper: make([]float64, n)}
	now := int64(w) * weekSeconds
	for i := range a.sources {
		s := &a.sources[i]
		past := s.posts[:s.before[w*slotsPerWeek]]
		p, q := scheduler.LearnPosts(past, 0, now), scheduler.LearnPrinted(past, 0, now)
		out.lambda[i], out.printed[i] = p.Rate[:], q.Rate[:]
		out.rates[i], out.paper[i] = p.PerDay(), q.PerDay()
	}
	return out
}

// habits are people's profiles by moment: the as-run table asks for each as often
// as that person is drawn.
type habits struct {
	mu    sync.Mutex
	known map[knownBy]*scheduler.Profile
}

type knownBy struct {
	who *person
	now int64
}

// of is the profile of the looks before now, which are given.
func (h *habits) of(who *person, looks []scheduler.Event, now int64) *scheduler.Profile {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.known == nil {
		h.known = map[knownBy]*scheduler.Profile{}
	}
	if h.known[knownBy{who, now}] == nil {
		h.known[knownBy{who, now}] = scheduler.LearnLooks(looks, 0, now)
	}
	return h.known[knownBy{who, now}]
}
