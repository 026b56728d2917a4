package replay

import (
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
)

// life is what one person did under one strategy.
type life struct {
	clicks  []float64 // by turn
	mae     []float64 // by turn; NaN: no estimate
	setting string    // of ours at the end
}

// Rank simulates people who read lists ordered by each strategy. In one world all
// strategies meet the same people, and a person's answer to a row of a turn hangs
// on the same draw whoever filled the row. It fails on an unknown name, a world
// that is none, and when ctx ends.
func Rank(ctx context.Context, o RankOptions) (RankReport, error) {
	worlds, err := chosenWorlds(o)
	if err != nil {
		return RankReport{}, err
	}
	names := o.Strategies
	if len(names) == 0 {
		names = rankStrategies
	}
	out := RankReport{Seed: o.Seed, Totals: []RankTotal{}, Curves: []RankCurve{}}
	for i := range worlds {
		w := &worlds[i]
		users := o.Users
		if users <= 0 {
			users = 300
			if w.k > 60 {
				users = 100
			}
		}
		for _, name := range names {
			if _, err := newPlayer(name, w, nil, nil); err != nil {
				return RankReport{}, err
			}
			lives, err := w.play(ctx, name, users, o.Seed)
			if err != nil {
				return RankReport{}, err
			}
			total, curve := summarise(w, name, lives)
			out.Totals, out.Curves = append(out.Totals, total), append(out.Curves, curve)
		}
	}
	return out, nil
}

func chosenWorlds(o RankOptions) ([]rankWorld, error) {
	var out []rankWorld
	for _, name := range o.Worlds {
		found := false
		for _, w := range rankWorlds {
			if w.Name == name {
				out, found = append(out, w), true
			}
		}
		if !found {
			return nil, fmt.Errorf("no world %q; there are %s", name, strings.Join(RankWorlds(), ", "))
		}
	}
	if o.Own != nil {
		w, err := ownWorld(o.Own)
		if err != nil {
			return nil, err
		}
		return append(out, w), nil
	}
	if len(out) == 0 {
		out = rankWorlds
	}
	return out, nil
}

// play lets users people live under a strategy, each alone, on all cores. Who runs
// first changes nothing: lives are kept by person.
func (w *rankWorld) play(ctx context.Context, name string, users int, seed uint64) ([]life, error) {
	lives := make([]life, users)
	next := make(chan int)
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), users) {
		wait.Go(func() {
			for i := range next {
				lives[i] = w.live(name, seed, uint64(i))
			}
		})
	}
	var err error
	for i := 0; i < users && err == nil; i++ {
		select {
		case next <- i:
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	close(next)
	wait.Wait()
	return lives, err
}

// stream is one of a person's sources of chance. None hangs on the strategy, so
// that two strategies that choose alike live alike.
func (w *rankWorld) stream(seed, user uint64, of string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(w.Name + "/" + of))
	return rand.New(rand.NewPCG(seed*0x9e3779b97f4a7c15+user, h.Sum64()))
}

func (w *rankWorld) live(name string, seed, user uint64) life {
	people, answers := w.stream(seed, user, "people"), w.stream(seed, user, "answers")
	ties := w.stream(seed, user, "ties")
	theta, folder := w.theta(people)
	p, _ := newPlayer(name, w, folder, w.stream(seed, user, "draws")) // the name was tried before
	out := life{clicks: make([]float64, w.turns), mae: make([]float64, w.turns)}
	page, opened := make([]int, w.rows), make([]bool, w.rows)
	scores, tie := make([]float64, w.k), make([]uint64, w.k)
	for t := range w.turns {
		if w.every > 0 && t > 0 && t%w.every == 0 {
			w.drift(theta, people)
		}
		for i := range tie {
			tie[i] = ties.Uint64()
		}
		if q, ok := p.(pager); ok {
			q.page(tie, page)
		} else {
			p.score(t, scores)
			topRows(scores, tie, page)
		}
		for row, topic := range page {
			opened[row] = answers.Float64() < readingOf(row+1)*theta[topic]
			if opened[row] {
				out.clicks[t]++
			}
		}
		p.learn(page, opened)
		out.mae[t] = meanError(p, theta)
	}
	if o, ok := p.(*ours); ok {
		s := o.b.Setting()
		out.setting = fmt.Sprintf("%g/%g/%g", s.Explore, s.Keep, s.Idle)
	}
	return out
}

// topRows fills page with the topics of the largest scores, ties by chance.
func topRows(scores []float64, tie []uint64, page []int) {
	n := 0
	for i := range scores {
		better := func(j int) bool {
			return scores[i] > scores[j] || scores[i] == scores[j] && tie[i] > tie[j]
		}
		if n == len(page) && !better(page[n-1]) {
			continue
		}
		if n < len(page) {
			n++
		}
		at := n - 1
		for at > 0 && better(page[at-1]) {
			page[at] = page[at-1]
			at--
		}
		page[at] = i
	}
}

// meanError is the sum of Sia 2009, section 3.4.1: relative errors of the topics
// that interest at all.
func meanError(p player, theta []float64) float64 {
	if o, ok := p.(*ours); ok {
		return o.meanError(theta)
	}
	sum := 0.
	for i, x := range theta {
		if x > 0 {
			sum += math.Abs(p.estimate(i)-x) / x
		}
	}
	return sum
}

// meanError asks for all feeds at once.
func (o *ours) meanError(theta []float64) float64 {
	sum := 0.
	for i, m := range o.b.FeedMeans(o.names) {
		if theta[i] > 0 {
			sum += math.Abs(m-theta[i]) / theta[i]
		}
	}
	return sum
}
