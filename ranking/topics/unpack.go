package topics

import (
	"encoding/binary"
	"hash/fnv"
	"math"
)

// unpacker reads what pack wrote; bad after the first fault.
type unpacker struct {
	in  []byte
	bad bool
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

func (u *unpacker) bytes(n uint64) []byte {
	if n > uint64(len(u.in)) {
		u.in, u.bad = nil, true
		return nil
	}
	b := u.in[:n]
	u.in = u.in[n:]
	return b
}

func (u *unpacker) real(f float64) float64 {
	if math.IsNaN(f) || math.IsInf(f, 0) || f < 0 {
		u.bad = true
		return 0
	}
	return f
}

// Unpack is the inverse of Pack.
func Unpack(data []byte) (*Model, error) {
	if len(data) < 9 || data[0] != packVersion {
		return nil, ErrModel
	}
	body := data[:len(data)-8]
	sum := fnv.New64a()
	sum.Write(body)
	if sum.Sum64() != binary.LittleEndian.Uint64(data[len(body):]) {
		return nil, ErrModel
	}
	u, m := &unpacker{in: body[1:]}, &Model{}
	k, n := u.num(), u.num()
	m.m.nextID = u.num()
	// Every term takes ten bytes and every weight four: more cannot follow.
	if k > 100 || n > uint64(len(u.in)/10) || k*n > uint64(len(u.in)/4) {
		return nil, ErrModel
	}
	m.m.index = make(map[string]int32, n)
	for i := range n {
		m.m.terms = append(m.m.terms, string(u.bytes(u.num())))
		m.m.forms = append(m.m.forms, string(u.bytes(u.num())))
		m.m.index[m.m.terms[i]] = int32(i)
		var idf float64
		if b := u.bytes(8); b != nil {
			idf = math.Float64frombits(binary.LittleEndian.Uint64(b))
		}
		m.m.idf = append(m.m.idf, u.real(idf))
	}
	for range k {
		id := u.num()
		m.Topics = append(m.Topics, Topic{ID: id, Name: string(u.bytes(u.num()))})
	}
	for range k * n {
		b := u.bytes(4)
		if b == nil {
			return nil, ErrModel
		}
		m.m.h = append(m.m.h, u.real(float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))))
	}
	if u.bad || len(u.in) != 0 {
		return nil, ErrModel
	}
	m.m.gram = gram(m.m.h, int(k), int(n), true)
	for t := range m.Topics {
		m.Topics[t].Terms = m.m.strongest(t)
	}
	return m, nil
}
