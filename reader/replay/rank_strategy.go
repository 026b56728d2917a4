package replay

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

	"diurna/ranking"
)

var rankStrategies = []string{"random", "greedy", "paper-10", "paper-20", "thompson", "bayes-ucb", "rocchio", "naive-bayes", "ours"}

// player is one strategy serving one person. It may not know the person's chances.
type player interface {
	// score says how much each topic is wanted in turn t, counted from 0.
	score(t int, out []float64)
	// learn tells what became of a page: the topics by row, and which were opened.
	learn(page []int, opened []bool)
	// estimate is the learned chance of a topic; NaN if the strategy has none.
	estimate(topic int) float64
}

// pager is a player that fills its page itself; ties holds a random number a topic.
type pager interface {
	page(ties []uint64, page []int)
}

// newPlayer makes a strategy by its name.
func newPlayer(name string, w *rankWorld, folder []int, r *rand.Rand) (player, error) {
	paper := paperPlayer{ranking.NewPaper(w.k, 1, 3, 0)}
	switch name {
	case "random":
		return &randomPlayer{paper}, nil
	case "greedy":
		return &greedyPlayer{paper}, nil
	case "thompson":
		return &thompson{paper, r}, nil
	case "bayes-ucb":
		return newBayesUCB(paper), nil
	case "rocchio":
		return newRocchio(w.k, folder), nil
	case "naive-bayes":
		return newNaiveBayes(w.k, folder), nil
	case "ours":
		return newOurs(w, folder), nil
	}
	if text, ok := strings.CutPrefix(name, "paper-"); ok {
		text, kept, forgets := strings.Cut(text, "-keep-")
		lambda, err := strconv.ParseFloat(text, 64)
		keep := 1.
		if forgets && err == nil {
			keep, err = strconv.ParseFloat(kept, 64)
		}
		if err == nil && lambda >= 0 && lambda <= 1e6 && keep >= 0 && keep <= 1 {
			paper.Lambda = lambda
			if forgets {
				return &forgetful{paper, keep}, nil
			}
			return &paper, nil
		}
	}
	return nil, fmt.Errorf("no strategy %q; there are %s, paper-L and paper-L-keep-K", name, strings.Join(rankStrategies, ", "))
}

// paperPlayer is the printed model.
type paperPlayer struct{ *ranking.Paper }

func (p paperPlayer) score(_ int, out []float64) {
	for i := range out {
		out[i] = p.Score(i)
	}
}

func (p paperPlayer) learn(page []int, opened []bool) {
	for row, topic := range page {
		if opened[row] {
			p.Opened(topic)
		} else {
			p.Rejected(topic, readingOf(row+1))
		}
	}
}

func (p paperPlayer) estimate(topic int) float64 { return p.Mean(topic) }

// forgetful is the printed model with forgetting on show.
type forgetful struct {
	paperPlayer
	keep float64
}

func (p *forgetful) learn(page []int, opened []bool) {
	for _, topic := range page {
		p.Forget(topic, p.keep)
	}
	p.paperPlayer.learn(page, opened)
}

// randomPlayer learns like the paper's and does not use it.
type randomPlayer struct{ paperPlayer }

func (p *randomPlayer) score(_ int, out []float64) { clear(out) }

type greedyPlayer struct{ paperPlayer }

func (p *greedyPlayer) score(_ int, out []float64) {
	for i := range out {
		out[i] = p.Mean(i)
	}
}

// thompson draws from each posterior.
type thompson struct {
	paperPlayer
	r *rand.Rand
}

func (p *thompson) score(_ int, out []float64) {
	for i := range out {
		x, y := gamma(p.r, p.Alpha[i]), gamma(p.r, p.Beta[i])
		out[i] = x / (x + y)
	}
}

// gamma draws from Gamma(shape, 1), shape at least 1 (Marsaglia and Tsang 2000).
func gamma(r *rand.Rand, shape float64) float64 {
	d := shape - 1./3
	c := 1 / math.Sqrt(9*d)
	for {
		x := r.NormFloat64()
		v := 1 + c*x
		if v <= 0 {
			continue
		}
		v *= v * v
		if u := r.Float64(); math.Log(u) < .5*x*x+d-d*v+d*math.Log(v) {
			return d * v
		}
	}
}

// bayesUCB goes by an upper quantile that rises with time.
type bayesUCB struct {
	paperPlayer
	guess []float64 // last quantile of each topic: where Newton starts
}

func newBayesUCB(p paperPlayer) *bayesUCB {
	b := &bayesUCB{p, make([]float64, len(p.Alpha))}
	for i := range b.guess {
		b.guess[i] = p.Mean(i)
	}
	return b
}

func (p *bayesUCB) score(t int, out []float64) {
	level := 1 - 1/float64(t+2)
	for i := range out {
		p.guess[i] = betaQuantile(p.Alpha[i], p.Beta[i], level, p.guess[i])
		out[i] = p.guess[i]
	}
}

// features are what rocchio and naive-bayes see of a topic: itself and its folder.
type features struct {
	of    [][]int
	count int
}

func newFeatures(k int, folder []int) features {
	f := features{of: make([][]int, k), count: k}
	for i := range k {
		f.of[i] = []int{i}
		if folder != nil {
			f.of[i] = append(f.of[i], k+folder[i])
			f.count = max(f.count, k+folder[i]+1)
		}
	}
	return f
}

// rankTally counts pages by feature.
type rankTally struct {
	features
	opened, passed []float64 // by feature
	all, none      float64   // rows opened, rows passed over
}

func newTally(k int, folder []int) rankTally {
	f := newFeatures(k, folder)
	return rankTally{features: f, opened: make([]float64, f.count), passed: make([]float64, f.count)}
}

func (c *rankTally) learn(page []int, opened []bool) {
	for row, topic := range page {
		g := readingOf(row + 1)
		for _, f := range c.of[topic] {
			if opened[row] {
				c.opened[f]++
			} else {
				c.passed[f] += g
			}
		}
		if opened[row] {
			c.all++
		} else {
			c.none += g
		}
	}
}

func (c *rankTally) estimate(int) float64 { return math.NaN() }

// rocchio's profile is the mean of what was opened, less a third of the mean of
// what was passed over; items are unit vectors.
type rocchio struct{ rankTally }

func newRocchio(k int, folder []int) *rocchio { return &rocchio{newTally(k, folder)} }

func (c *rocchio) score(_ int, out []float64) {
	for i := range out {
		s := 0.
		for _, f := range c.of[i] {
			s += .75*c.opened[f]/max(c.all, 1) - .25*c.passed[f]/max(c.none, 1)
		}
		out[i] = s / math.Sqrt(float64(len(c.of[i])))
	}
}

type naiveBayes struct{ rankTally }

func newNaiveBayes(k int, folder []int) *naiveBayes { return &naiveBayes{newTally(k, folder)} }

func (c *naiveBayes) score(_ int, out []float64) {
	n := float64(c.count)
	for i := range out {
		s := 0.
		for _, f := range c.of[i] {
			s += math.Log((c.opened[f]+1)/(c.all+n)) - math.Log((c.passed[f]+1)/(c.none+n))
		}
		out[i] = s
	}
}

// ours is the program's own model: every topic is a feed with one item a turn.
type ours struct {
	b     *ranking.Beliefs
	items []ranking.Candidate
	no    uint64
	rows  int
	names []string // of the feeds
}

func newOurs(w *rankWorld, folder []int) *ours {
	o := &ours{b: ranking.NewBeliefs(), items: make([]ranking.Candidate, w.k), rows: w.rows}
	for i := range o.items {
		it := ranking.Item{ID: uint64(i), Feed: strconv.Itoa(i)}
		o.names = append(o.names, it.Feed)
		if folder != nil {
			it.Folder = strconv.Itoa(folder[i])
		}
		o.items[i] = ranking.Candidate{ID: it.ID, Item: o.b.Vector(it)}
	}
	return o
}

func (o *ours) score(int, []float64) {}

func (o *ours) page(ties []uint64, page []int) {
	for i := range o.items {
		o.items[i].At = int64(ties[i] >> 1)
	}
	rows := o.b.Rank(o.items, ranking.RankOptions{Order: ranking.Ranked, Rows: o.rows, Built: o.rows})
	for i := range page {
		page[i] = rows[i].Index
	}
}

func (o *ours) learn(page []int, opened []bool) {
	// A single event cannot fail: nothing is taken back here.
	o.tell(ranking.Event{Kind: ranking.Looked})
	for row, topic := range page {
		c := &o.items[topic]
		o.tell(ranking.Event{Kind: ranking.Shown, Row: row + 1, ID: c.ID, Item: c.Item})
		if opened[row] {
			o.tell(ranking.Event{Kind: ranking.Opened, ID: c.ID, Item: c.Item})
		}
	}
}

func (o *ours) tell(e ranking.Event) {
	o.no++
	e.No, e.At = o.no, int64(o.no)
	if err := o.b.Apply(e); err != nil {
		panic(err)
	}
}

func (o *ours) estimate(topic int) float64 { return o.b.FeedMean(strconv.Itoa(topic)) }
