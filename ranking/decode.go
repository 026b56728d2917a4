package ranking

import (
	"encoding/binary"
	"hash/fnv"
	"math"

	"diurna/store/codec"
)

// unpacker reads what a packer wrote.
type unpacker struct {
	codec.Reader
	names int // features there are
}

// real reads a number that arithmetic can have made of counts: finite.
func (u *unpacker) real() float64 {
	f := math.Float64frombits(u.Uint64())
	if math.IsNaN(f) || math.IsInf(f, 0) {
		u.Bad = true
		return 0
	}
	return f
}

func (u *unpacker) pair() pair { return pair{u.real(), u.real()} }

func (u *unpacker) small() small { return small{u.single(), u.single()} }

func (u *unpacker) single() float32 {
	f := math.Float32frombits(u.Uint32())
	if !(f >= 0 && f <= math.MaxFloat32) {
		u.Bad = true
		return 0
	}
	return f
}

// count reads how many things of at least size bytes follow: a damaged count must
// not make room for a billion of them.
func (u *unpacker) count(size int) int {
	n := u.Uvarint()
	if n > uint64(len(u.B)/size) {
		u.B, u.Bad = nil, true
		return 0
	}
	return int(n)
}

// feature reads a feature's number, or -1 where none is allowed.
func (u *unpacker) feature(none bool, n int64) int32 {
	if n >= int64(u.names) || n < -1 || n == -1 && !none {
		u.Bad = true
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
	b, u := NewBeliefs(), &unpacker{Reader: codec.Reader{B: body[1:]}}
	u.readNames(&b.names)
	b.base = u.state()
	for range u.count(12) {
		b.tail = append(b.tail, u.event())
	}
	for range u.count(1) {
		b.void[u.Uvarint()] = true
	}
	b.last = u.Uvarint()
	if u.Bad || len(u.B) != 0 {
		return nil, ErrCheckpoint
	}
	b.replay()
	return b, nil
}

func (u *unpacker) readNames(n *names) {
	u.names = u.count(3)
	for range u.names {
		of := Subject(u.Byte())
		text := u.Text()
		folder := u.feature(true, u.Varint())
		if of == 0 || of > Author || u.Bad {
			u.Bad = true
			return
		}
		if _, twice := n.byName[of][text]; twice {
			u.Bad = true
			return
		}
		n.folder[n.id(of, text)] = folder
	}
}

func (u *unpacker) state() state {
	s := newState()
	n := u.count(4)
	u.Bad = u.Bad || n > u.names
	for range n {
		s.flags = append(s.flags, u.Byte())
		e := evidence{opened: uint32(u.Uvarint()), shown: uint32(u.Uvarint()), turn: uint32(u.Uvarint()), given: u.small()}
		for k := range e.p {
			e.p[k] = u.small()
		}
		s.f = append(s.f, e)
	}
	for k := range s.total {
		s.total[k], s.loss[k] = u.pair(), u.real()
	}
	s.drift, s.folders = u.real(), u.Byte() == 1
	if s.chosen = int(u.Uvarint()); s.chosen < 0 || s.chosen >= tracks {
		s.chosen, u.Bad = startAt, true
	}
	s.opens, s.shows, s.turn = u.Uvarint(), u.Uvarint(), uint32(u.Uvarint())
	for i := range u.count(3) {
		x := impression{id: u.Uvarint(), feed: u.feature(false, int64(u.Uvarint())), row: int32(u.Uvarint() & math.MaxInt32), g: u.real(), pos: u.real(), sums: sums{u.real(), u.real(), u.Byte() == 1}}
		for k := range x.predicted {
			x.predicted[k] = u.real()
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
	s.ownReading, s.frozen = u.Byte() == 1, u.Byte() == 1
	s.lastNo, s.newestAt = u.Uvarint(), u.Varint()
	return s
}

func (u *unpacker) event() Event {
	e := Event{No: u.Uvarint(), Step: u.Uvarint(), At: u.Varint(), Kind: Kind(u.Byte()), Row: int(u.Varint()), ID: u.Uvarint()}
	if u.Byte() == 1 {
		e.Item = u.vector()
		e.Item.again = u.Byte() == 1
	}
	if u.Byte() == 1 {
		e.Feedback = &Feedback{Act: Act(u.Byte()), Subject: Subject(u.Byte()), Name: u.Text(), Since: u.Varint(), A: u.real(), B: u.real()}
	}
	return e
}

// ReadVector reads a vector that Append packed while the beliefs, or those they
// were resumed from, had no more names than now. It takes all of data; anything
// else is an ErrCheckpoint.
func (b *Beliefs) ReadVector(data []byte) (Vector, error) {
	u := &unpacker{Reader: codec.Reader{B: data}, names: len(b.names.list)}
	v := u.vector()
	if u.Bad || len(u.B) != 0 {
		return Vector{}, ErrCheckpoint
	}
	return v, nil
}

func (u *unpacker) vector() Vector {
	v := Vector{made: true, feed: u.feature(false, u.Varint())}
	v.folder, v.author = u.feature(true, u.Varint()), u.feature(true, u.Varint())
	cats, topics, n := u.Uvarint(), u.Uvarint(), u.count(1)
	v.ids = make([]int32, 0, n)
	for range n {
		v.ids = append(v.ids, u.feature(false, int64(u.Uvarint())))
	}
	if n == 0 || cats > uint64(n) || topics > uint64(n) || 1+cats+topics > uint64(n) || v.ids[0] != v.feed {
		u.Bad = true
		return Vector{}
	}
	v.cats, v.topics = int32(cats), int32(topics)
	for range topics {
		v.soft = append(v.soft, u.real())
	}
	v.bound()
	return v
}
