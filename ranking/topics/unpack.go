package topics

import (
	"encoding/binary"
	"hash/fnv"
	"math"

	"diurna/store/codec"
)

// unpacker reads what pack wrote.
type unpacker struct{ codec.Reader }

func (u *unpacker) real(f float64) float64 {
	if math.IsNaN(f) || math.IsInf(f, 0) || f < 0 {
		u.Bad = true
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
	u, m := &unpacker{codec.Reader{B: body[1:]}}, &Model{}
	k, n := u.Uvarint(), u.Uvarint()
	m.m.nextID = u.Uvarint()
	// Every term takes ten bytes and every weight four: more cannot follow.
	if k > 100 || n > uint64(len(u.B)/10) || k*n > uint64(len(u.B)/4) {
		return nil, ErrModel
	}
	m.m.index = make(map[string]int32, n)
	for i := range n {
		m.m.terms = append(m.m.terms, u.Text())
		m.m.forms = append(m.m.forms, u.Text())
		m.m.index[m.m.terms[i]] = int32(i)
		m.m.idf = append(m.m.idf, u.real(math.Float64frombits(u.Uint64())))
	}
	for range k {
		id := u.Uvarint()
		m.Topics = append(m.Topics, Topic{ID: id, Name: u.Text()})
	}
	for range k * n {
		m.m.h = append(m.m.h, u.real(float64(math.Float32frombits(u.Uint32()))))
	}
	if u.Bad || len(u.B) != 0 {
		return nil, ErrModel
	}
	m.m.gram = gram(m.m.h, int(k), int(n), true)
	for t := range m.Topics {
		m.Topics[t].Terms = m.m.strongest(t)
	}
	return m, nil
}
