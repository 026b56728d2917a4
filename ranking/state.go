package ranking

// Beliefs are what a log says about its reader. Not safe for concurrent use.
type Beliefs struct {
	names names
	cur   state // everything
	base  state // everything but the tail
	tail  []Event
	void  map[uint64]bool // steps and facts taken back; only those the tail may hold
	last  uint64          // number of the newest event
}

// pair is evidence: opened and not opened, without any prior.
type pair struct{ a, b float64 }

// small is a pair in memory. Seven digits are plenty for counts, and 64 bytes a
// feature are one cache line: a fold waits for little else.
type small struct{ a, b float32 }

func (p small) pair() pair { return pair{float64(p.a), float64(p.b)} }

// evidence is what is known of one feature. The tracks are the same history under
// each setting of the grid, side by side, so that the log can choose among them
// at any moment without being folded again.
type evidence struct {
	p             [tracks]small
	given         small // imported and taught: no showings stand behind it
	opened, shown uint32
	turn          uint32 // session it was last shown in
	_             [3]uint32
}

// The flags of a feed.
const (
	pinned uint8 = 1 << iota
	excluded
	byTitle
)

// impression is an item seen in the session that is under way.
type impression struct {
	id        uint64
	feed      int32
	row       int32   // 0: opened without having been shown
	g         float64 // rejection counted so far; 0 once it is opened
	pos       float64 // counted so far: 1 opened, SavedWeight saved
	sums              // of the chance that it had when it was first seen
	predicted [tracks]float64
}

// state is a fold of events. Its fields are what a checkpoint holds.
type state struct {
	f          []evidence // by feature
	flags      []uint8    // by feature, of feeds
	total      [tracks]pair
	loss       [tracks]float64
	drift      float64 // by how many nats forgetting predicted better; above 0: the reader changes
	folders    bool    // a feed shown was in one
	chosen     int
	opens      uint64
	shows      uint64
	turn       uint32
	seen       []impression // in order, so that sums never depend on a map's
	seenAt     map[uint64]int32
	read       reading
	cal        calibration
	g          [readingRows]float64
	ownReading bool
	frozen     bool
	lastNo     uint64
	newestAt   int64 // latest At of any event taken in
}

// NewBeliefs knows nothing yet.
func NewBeliefs() *Beliefs {
	return &Beliefs{names: newNames(), cur: newState(), base: newState(), void: map[uint64]bool{}}
}

func newState() state {
	s := state{chosen: startAt, drift: -mostSteady, cal: newCalibration(), seenAt: map[uint64]int32{}, newestAt: -1 << 62}
	s.g, s.ownReading = s.read.learned(readingOpens)
	return s
}

// clone copies a state; the copy shares nothing with it.
func (s *state) clone() state {
	c := *s
	c.f = append([]evidence(nil), s.f...)
	c.flags = append([]uint8(nil), s.flags...)
	c.seen = append([]impression(nil), s.seen...)
	c.seenAt = make(map[uint64]int32, len(s.seenAt))
	for k, v := range s.seenAt {
		c.seenAt[k] = v
	}
	return c
}

// grow makes room for feature id; what was never seen has no evidence.
func (s *state) grow(id int32) {
	for int(id) >= len(s.f) {
		s.f = append(s.f, evidence{turn: s.turn})
		s.flags = append(s.flags, 0)
	}
}

// at reads a feature's evidence on track k as of now: sessions that did not show
// it have worn it away meanwhile.
func (s *state) at(id int32, k int) pair {
	if int(id) >= len(s.f) {
		return pair{}
	}
	e := &s.f[id]
	w, p, given := idle(k, s.turn, e.turn), e.p[k].pair(), e.given.pair()
	return pair{float64(p.a*w) + given.a, float64(p.b*w) + given.b}
}

func (s *state) flag(id int32) uint8 {
	if int(id) >= len(s.flags) {
		return 0
	}
	return s.flags[id]
}

// rate is m0 on track k.
func (s *state) rate(k int) float64 {
	t := s.total[k]
	return min(max((t.a+1)/(t.a+t.b+10), MinRate), MaxRate)
}
