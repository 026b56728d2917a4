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

	text, other []byte // tokens as they read, used again and again
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
	text := src[from:to]
	if !settled(text) {
		in.text = appendNormal(in.text[:0], text)
		text = in.text
	}
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
	raw := in.bytesOf(e)
	if !settled(raw) {
		in.other = appendNormal(in.other[:0], raw)
		raw = in.other
	}
	return bytes.Equal(raw, text)
}

// longNormal is the length from which a token is compared as it stands: code.
const longNormal = 4096

// settled reports whether raw reads as it stands: no reference, no letter
// beyond ASCII. Nearly all tokens do.
func settled(raw []byte) bool {
	if len(raw) > longNormal {
		return true
	}
	for _, c := range raw {
		if c == '&' || c >= 0x80 {
			return false
		}
	}
	return true
}

// appendNormal appends raw as it reads: references resolved, letters with
// accents in one form (NFC), soft hyphens gone.
func appendNormal(dst, raw []byte) []byte {
	at := len(dst)
	dst = decodeRefs(dst, raw)
	text := dst[at:]
	if bytes.Contains(text, softHyphen) {
		text = bytes.ReplaceAll(text, softHyphen, nil)
		dst = append(dst[:at], text...)
		text = dst[at:]
	}
	if !norm.NFC.IsNormal(text) {
		dst = append(dst[:at], norm.NFC.Bytes(text)...)
	}
	return dst
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
