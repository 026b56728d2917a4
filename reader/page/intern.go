package page

import (
	"bytes"
	"hash/maphash"

	"golang.org/x/text/unicode/norm"
)

// interner gives equal tokens equal numbers, in order of first appearance, so
// that numbers do not depend on the hash seed. Tokens are equal when their
// bytes read the same: character references resolved ("&amp;" is "&"), accents
// composed. It keeps positions, not copies.
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

// id returns the number of src[from:to].
func (in *interner) id(src []byte, from, to int) int32 {
	var buf [64]byte
	text := normal(buf[:0], src[from:to])
	h := uint32(maphash.Bytes(in.seed, text))
	mask := uint32(len(in.table) - 1)
	i := h & mask
	for in.table[i] != 0 {
		e := in.table[i] - 1
		if in.first[e].hash == h && in.same(e, text) {
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

func (in *interner) same(e int32, text []byte) bool {
	var buf [64]byte
	return bytes.Equal(normal(buf[:0], in.bytesOf(e)), text)
}

// longNormal is the length from which a token is compared as it stands: code.
const longNormal = 4096

// normal returns raw as it reads: references resolved, letters with accents in
// one form (NFC), soft hyphens gone. It returns raw itself if that is so
// already, which for nearly all tokens it is.
func normal(buf, raw []byte) []byte {
	if len(raw) > longNormal {
		return raw
	}
	ref, wide := false, false
	for _, c := range raw {
		ref = ref || c == '&'
		wide = wide || c >= 0x80
	}
	if ref {
		raw = decodeRefs(buf, raw)
		wide = true
	}
	if !wide {
		return raw
	}
	if bytes.Contains(raw, softHyphen) {
		raw = bytes.ReplaceAll(raw, softHyphen, nil)
	}
	if !norm.NFC.IsNormal(raw) {
		raw = norm.NFC.Bytes(raw)
	}
	return raw
}

var softHyphen = []byte("\u00ad")

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
