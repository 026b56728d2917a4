package ranking

import (
	"encoding/binary"
	"hash/fnv"
	"math"
)

// unpacker reads what a packer wrote. After the first fault everything is zero and
// bad says so.
type unpacker struct {
	in    []byte
	names int // features there are
	bad   bool
}

func (u *unpacker) num() uint64 {
	n, size := binary.Uvarint(u.in)
	if size <= 0 {
		u.in, u.bad = nil, true
		return 0
	}
	u.in = u.in[size:]
	return n
}

func (u *unpacker) whole() int64 {
	n, size := binary.Varint(u.in)
	if size <= 0 {
		u.in, u.bad = nil, true
		return 0
	}
	u.in = u.in[size:]
	return n
}

func (u *unpacker) bytes(n uint64) []byte {
	if n > uint64(len(u.in)) {
		u.in, u.bad = nil, true
		return nil
	}
	b := u.in[:n]
	u.in = u.in[n:]
	return b
}

func (u *unpacker) byte() byte {
	if b := u.bytes(1); b != nil {
		return b[0]
	}
	return 0
}

// real reads a number that arithmetic can have made of counts: finite.
func (u *unpacker) real() float64 {
	b := u.bytes(8)
	if b == nil {
		return 0
	}
	f := math.Float64frombits(binary.LittleEndian.Uint64(b))
	if math.IsNaN(f) || math.IsInf(f, 0) {
		u.bad = true
		return 0
	}
	return f
}

func (u *unpacker) pair() pair { return pair{u.real(), u.real()} }

func (u *unpacker) small() small { return small{u.single(), u.single()} }

func (u *unpacker) single() float32 {
	b := u.bytes(4)
	if b == nil {
		return 0
	}
	f := math.Float32frombits(binary.LittleEndian.Uint32(b))
	if !(f >= 0 && f <= math.MaxFloat32) {
		u.bad = true
		return 0
	}
	return f
}

// count reads how many things of at least size bytes follow: a damaged count must
// not make room for a billion of them.
func (u *unpacker) count(size int) int {
	n := u.num()
	if n > uint64(len(u.in)/size) {
		u.in, u.bad = nil, true
		return 0
	}
	return int(n)
}

// feature reads a feature's number, or -1 where none is allowed.
func (u *unpacker) feature(none bool, n int64) int32 {
	if n >= int64(u.names) || n < -1 || n == -1 && !none {
		u.bad = true
		return 0
	}
	return int32(n)
}

// Resume reads a checkpoint. Damaged or other bytes are an ErrCheckpoint, never a
// panic.
func Resume(data []byte) (*Beliefs, error) {
	if len(data) < 9 || data[0] != codecVersion {
		return nil, ErrCheckpoint
	}
	body, sum := data[:len(data)-8], binary.LittleEndian.Uint64(data[len(data)-8:])
	h := fnv.New64a()
	h.Write(body)
	if h.Sum64() != sum {
		return nil, ErrCheckpoint
	}
	b, u := NewBeliefs(), &unpacker{in: body[1:]}
	u.readNames(&b.names)
	b.base = u.state()
	for range u.count(12) {
		b.tail = append(b.tail, u.event())
	}
	for range u.count(1) {
		b.void[u.num()] = true
	}
	b.last = u.num()
	if u.bad || len(u.in) != 0 {
		return nil, ErrCheckpoint
	}
	b.replay()
	return b, nil
}

func (u *unpacker) readNames(n *names) {
	u.names = u.count(3)
	for range u.names {
		of := Subject(u.byte())
		text := string(u.bytes(u.num()))
		folder := u.feature(true, u.whole())
		if of == 0 || of > Author || u.bad {
			u.bad = true
			return
		}
		if _, twice := n.byName[of][text]; twice {
			u.bad = true
			return
		}
		n.folder[n.id(of, text)] = folder
	}
}

func (u *unpacker) state() state {
	s := newState()
	n := u.count(4)
	u.bad = u.bad || n > u.names
	for range n {
		s.flags = append(s.flags, u.byte())
		e := evidence{opened: uint32(u.num()), shown: uint32(u.num()), turn: uint32(u.num()), given: u.small()}
		for k := range e.p {
			e.p[k] = u.small()
		}
		s.f = append(s.f, e)
	}
	for k := range s.total {
		s.total[k], s.loss[k] = u.pair(), u.real()
	}
	if s.chosen = int(u.num()); s.chosen < 0 || s.chosen >= tracks {
		s.chosen, u.bad = startAt, true
	}
	s.opens, s.shows, s.turn = u.num(), u.num(), uint32(u.num())
	for i := range u.count(3) {
		x := sight{id: u.num(), feed: u.feature(false, int64(u.num())), row: int32(u.num() & math.MaxInt32), g: u.real(), pos: u.real(), sums: sums{u.real(), u.real(), u.byte() == 1}}
		for k := range x.foretold {
			x.foretold[k] = u.real()
		}
		s.seen = append(s.seen, x)
		s.seenAt[x.id] = int32(i)
	}
	for i := range s.read.opened {
		s.read.opened[i], s.read.expected[i], s.g[i] = u.real(), u.real(), u.real()
	}
	s.read.opens = u.real()
	s.cal = calibration{slope: u.real(), offset: u.real(), again: u.real(), bayes: u.real()}
	for i := range s.cal.cov {
		for j := range s.cal.cov[i] {
			s.cal.cov[i][j] = u.real()
		}
	}
	s.ownReading, s.frozen = u.byte() == 1, u.byte() == 1
	s.lastNo, s.newestAt = u.num(), u.whole()
	return s
}

func (u *unpacker) event() Event {
	e := Event{No: u.num(), Step: u.num(), At: u.whole(), Kind: Kind(u.byte()), Row: int(u.whole()), ID: u.num()}
	if u.byte() == 1 {
		e.Item = u.vector()
		e.Item.again = u.byte() == 1
	}
	if u.byte() == 1 {
		e.Feedback = &Feedback{Act: Act(u.byte()), Subject: Subject(u.byte()), Name: string(u.bytes(u.num())), Since: u.whole(), A: u.real(), B: u.real()}
	}
	return e
}

// ReadVector reads a vector that Append packed while the beliefs, or those they
// were resumed from, had no more names than now. It takes all of data; anything
// else is an ErrCheckpoint.
func (b *Beliefs) ReadVector(data []byte) (Vector, error) {
	u := &unpacker{in: data, names: len(b.names.list)}
	v := u.vector()
	if u.bad || len(u.in) != 0 {
		return Vector{}, ErrCheckpoint
	}
	return v, nil
}

func (u *unpacker) vector() Vector {
	v := Vector{made: true, feed: u.feature(false, u.whole())}
	v.folder, v.author = u.feature(true, u.whole()), u.feature(true, u.whole())
	cats, topics, n := u.num(), u.num(), u.count(1)
	v.ids = make([]int32, 0, n)
	for range n {
		v.ids = append(v.ids, u.feature(false, int64(u.num())))
	}
	if n == 0 || cats > uint64(n) || topics > uint64(n) || 1+cats+topics > uint64(n) || v.ids[0] != v.feed {
		u.bad = true
		return Vector{}
	}
	v.cats, v.topics = int32(cats), int32(topics)
	for range topics {
		v.soft = append(v.soft, u.real())
	}
	v.bound()
	return v
}
