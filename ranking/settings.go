package ranking

import (
	"math"
	"sync"
)

// tracks is the size of the grid. Four pairs of floats are one cache line: the
// whole grid costs the fold little more than a single setting.
const tracks = 4

// startAt is the setting of an empty log, and of a reader who stays the same and has
// folders; plainTrack forgets nothing, is what the printed model reads, and the setting of
// such a reader without folders; driftTrack is where one who changes begins.
const (
	plainTrack = 0
	startAt    = 1
	driftTrack = 2
)

// What a reader opens has changed once forgetting predicted the whole log better than
// the setting for one who stays the same. The sum of the differences, in nats, is kept between -mostSteady,
// where it begins, and mostDrift, so that a change is found soon whenever it comes: Page's
// cumulative sum (1954).
const (
	mostSteady = 4.
	mostDrift  = 20.
)

// Of those for one who changes, the setting is taken that predicted best of late: lossKeep
// halves what was predicted wrongly in about 70 rows, and lossMargin, in nats, keeps near-ties
// from changing the order from one session to the next.
const (
	lossKeep   = .99
	lossMargin = 1.
)

// The grid: two settings for a reader who stays the same, two for one who drifts.
// What is known goes stale there, so finding out is worth more and what was not
// shown for long is let go. λ is not chosen by itself: a log tells how well a
// setting predicted, not what another order would have found.
var grid = [tracks]Setting{
	{Explore: 1, Keep: 1, Idle: 1},
	{Explore: 2, Keep: .98, Idle: 1},
	{Explore: 6, Keep: .95, Idle: .99},
	{Explore: 6, Keep: .9, Idle: .99},
}

// keeps is Keep of the grid, side by side for the fold.
var keeps = func() (k [tracks]float32) {
	for i := range k {
		k[i] = float32(grid[i].Keep)
	}
	return k
}()

// givenKeep lets imported and taught evidence fade like the start setting does.
const givenKeep = .98

// idlePowers()[k][n] is Idle of track k to the n.
var idlePowers = sync.OnceValue(func() *[tracks][1024]float64 {
	t := new([tracks][1024]float64)
	for k := range t {
		for n := range t[k] {
			t[k][n] = math.Pow(grid[k].Idle, float64(n))
		}
	}
	return t
})

// idle is what is left, on track k, of evidence last shown in session last.
func idle(k int, turn, last uint32) float64 {
	if turn <= last+1 {
		return 1
	}
	powers := &idlePowers()[k]
	return powers[min(int(turn-last-1), len(powers)-1)]
}

// settle ends a session: each setting is told how well it predicted the rows, the
// rows' reading chances are counted, and the setting is chosen.
func (s *state) settle() {
	if len(s.seen) == 0 {
		return
	}
	product := [tracks]float64{1, 1, 1, 1} // one logarithm a session instead of one a row
	var lost [tracks]float64
	opens := s.read.opens
	read, _ := s.read.learned(OpensNeeded)
	for i := range s.seen {
		x := &s.seen[i]
		if x.row == 0 || s.flag(x.feed)&byTitle != 0 {
			continue
		}
		g := s.g[min(int(x.row), readingRows)-1]
		for k := range s.loss {
			p := g * x.predicted[k]
			if x.pos == 0 {
				p = 1 - p
			}
			s.loss[k] *= lossKeep
			if product[k] *= p; product[k] < 1e-200 {
				lost[k] -= math.Log(product[k])
				product[k] = 1
			}
		}
		s.read.note(int(x.row), 1/(1+math.Exp(-s.cal.of(&x.sums))), x.pos > 0)
		s.cal.learn(&x.sums, read[min(int(x.row), readingRows)-1], x.pos > 0)
	}
	for k := range s.loss {
		lost[k] -= math.Log(product[k])
		s.loss[k] += lost[k]
	}
	s.drift = min(max(s.drift+lost[s.steady()]-lost[driftTrack], -mostSteady), mostDrift)
	s.choose()
	if int(opens)/readingEvery != int(s.read.opens)/readingEvery {
		s.g, s.ownReading = s.read.learned(readingOpens)
	}
	s.seen = s.seen[:0]
	clear(s.seenAt)
	s.turn++
}

// steady is the setting for a reader who stays the same.
func (s *state) steady() int {
	if s.folders {
		return startAt
	}
	return plainTrack
}

// choose takes the setting.
func (s *state) choose() {
	if s.drift <= 0 {
		s.chosen = s.steady()
		return
	}
	s.chosen = max(s.chosen, driftTrack)
	if other := 2*driftTrack + 1 - s.chosen; s.loss[s.chosen]-s.loss[other] > lossMargin {
		s.chosen = other
	}
}
