package page

import (
	"bytes"
	"hash/maphash"
)

// interner gives equal tokens equal numbers, in order of first appearance, so
// that numbers do not depend on the hash seed. Tokens are equal when their
// bytes are equal once character references are resolved ("&amp;" is "&").
// It keeps positions, not copies.
type interner struct {
	seed  maphash.Seed // seeded per process: nobody can prepare collisions
	sides [2][]byte
	side  uint8
	table []int32 // entry + 1, open addressing
	first []firstSeen
}

// firstSeen is where a token was first seen and the hash it has.
type firstSeen struct {
	hash     uint32
	from, to int32
	side     uint8
}

func newInterner(bytes int) *interner {
	size := 1 << 10
	for size < bytes/24 && size < 1<<22 {
		size <<= 1
	}
	return &interner{
		seed:  maphash.MakeSeed(),
		table: make([]int32, size),
		// Number 0 is the space, which is never looked up.
		first: make([]firstSeen, 1, size/2),
	}
}

func (in *interner) len() int { return len(in.first) }

// bytesOf returns the raw bytes a number was first given to.
func (in *interner) bytesOf(id int32) []byte {
	e := in.first[id]
	return in.sides[e.side][e.from:e.to]
}

func (in *interner) id(src []byte, from, to int) int32 {
	raw := src[from:to]
	norm := raw
	var buf [64]byte
	if bytes.IndexByte(raw, '&') >= 0 {
		norm = decodeRefs(buf[:0], raw)
	}
	h := uint32(maphash.Bytes(in.seed, norm))
	mask := uint32(len(in.table) - 1)
	i := h & mask
	for in.table[i] != 0 {
		e := in.table[i] - 1
		if in.first[e].hash == h && in.same(e, norm) {
			return e
		}
		i = (i + 1) & mask
	}
	e := int32(len(in.first))
	if len(in.first) == cap(in.first) {
		// Doubling leaves less garbage than append, which grows by a quarter.
		in.first = append(make([]firstSeen, 0, 2*len(in.first)), in.first...)
	}
	in.first = append(in.first, firstSeen{hash: h, from: int32(from), to: int32(to), side: in.side})
	in.table[i] = e + 1
	if len(in.first)*4 > len(in.table)*3 {
		in.grow()
	}
	return e
}

func (in *interner) same(e int32, norm []byte) bool {
	raw := in.bytesOf(e)
	if bytes.IndexByte(raw, '&') < 0 {
		return bytes.Equal(raw, norm)
	}
	var buf [64]byte
	return bytes.Equal(decodeRefs(buf[:0], raw), norm)
}

func (in *interner) grow() {
	in.table = make([]int32, 2*len(in.table))
	mask := uint32(len(in.table) - 1)
	for e := 1; e < len(in.first); e++ {
		i := in.first[e].hash & mask
		for in.table[i] != 0 {
			i = (i + 1) & mask
		}
		in.table[i] = int32(e) + 1
	}
}
