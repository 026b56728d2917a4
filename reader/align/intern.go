package align

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"

	"golang.org/x/text/unicode/norm"

	"diurna/reader/markup"
)

// interner gives equal tokens equal numbers, in order of first appearance, so
// that numbers do not depend on the hash seed. Tokens are equal when their
// bytes read the same: character references resolved ("&amp;" is "&"), accents
// composed. It keeps positions, not copies.
type interner struct {
	seed    maphash.Seed // seeded per process: nobody can prepare collisions
	sides   [2]*Tokens
	most    int32       // numbers there may be
	numbers int         // how many there are in the end
	table   []int32     // entry, 0 for none; open addressing
	first   []firstSeen // by number; 0 is the space, which is never looked up

	// The numbers of tokens of one and two bytes, by these bytes.
	one [256]int32
	two [256]*[256]int32

	// What is known of tags, by their numbers: whether they begin an aside (1 no, 2
	// yes), and how the element is named in a spot; and of the names of classes,
	// whether they are those of asides.
	asides []uint8
	names  map[int32]string
	called map[string]bool

	shared *shared // what the pages have in common; nil where only one is read

	text, other []byte // tokens as they read, used again and again
}

// firstSeen is where a token was first seen, the complement for side 1, and
// the hash it has.
type firstSeen struct {
	hash uint32
	at   int32
}

// mostNumbers is how many different tokens two pages may have: a number has
// three bytes. What comes after them is one token to the end of its page, but for
// the last two bytes of a page, which hold no number and have theirs all the same.
const mostNumbers = 1<<24 - 4

func newInterner(bytes int) *interner {
	size := 1 << 10
	for size < bytes/24 && size < 1<<22 {
		size <<= 1
	}
	return &interner{
		seed: maphash.MakeSeed(), most: mostNumbers,
		table: make([]int32, size),
		first: make([]firstSeen, 1, size/2),
	}
}

func (in *interner) len() int { return len(in.first) + 1 } // and the number of a rest

// number gives the tokens of a page their numbers but where they were copied with
// their numbers.
func (in *interner) number(t *Tokens, side uint8, copied [][2]int32) {
	in.sides[side] = t
	for i := int32(0); i < t.End(); {
		if len(copied) > 0 && i == copied[0][0] && int32(len(in.first)) < in.most-1 {
			t.count += t.start.count(i, copied[0][1])
			i, copied = copied[0][1], copied[1:]
			continue
		}
		next := t.Next(i)
		t.count++
		if t.Is(i) == Space {
			i = next
			continue
		}
		if int32(len(in.first)) >= in.most-1 && t.End()-i > 2 {
			in.rest(t, i)
			return
		}
		switch next - i {
		case 1:
			t.kind[i] |= flagOne
			if one := &in.one[t.Src[i]]; *one == 0 {
				*one = in.id(side, i, next)
			}
		case 2:
			t.kind[i] |= flagTwo
			in.pair(side, i)
		default:
			t.setNum(i, in.id(side, i, next))
		}
		i = next
	}
}

// setNum keeps the number of a token of three bytes or more.
func (t *Tokens) setNum(i, e int32) {
	t.num[i], t.num[i+1], t.num[i+2] = uint8(e), uint8(e>>8), uint8(e>>16)
}

// rest makes one token of what begins at i, three bytes and more.
func (in *interner) rest(t *Tokens, i int32) {
	for j := t.Next(i); j < t.End(); j = t.Next(i) {
		t.start.drop(j)
	}
	t.tags.fill(i, t.End(), false)
	t.kind[i] = uint8(Code)
	t.setNum(i, int32(len(in.first)))
}

// pair numbers a token of two bytes.
func (in *interner) pair(side uint8, i int32) {
	src := in.sides[side].Src
	row := in.two[src[i]]
	if row == nil {
		row = new([256]int32)
		in.two[src[i]] = row
	}
	if row[src[i+1]] == 0 {
		row[src[i+1]] = in.id(side, i, i+2)
	}
}

// id returns the number of the token at [from, to) of a side.
func (in *interner) id(side uint8, from, to int32) int32 {
	text := in.sides[side].Src[from:to]
	if !settled(text) {
		in.text = appendNormal(in.text[:0], text)
		text = in.text
	}
	h := uint32(maphash.Bytes(in.seed, text))
	mask := uint32(len(in.table) - 1)
	i := h & mask
	for in.table[i] != 0 {
		e := in.table[i]
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
	if side == 1 {
		from = ^from
	}
	in.first = append(in.first, firstSeen{hash: h, at: from})
	in.table[i] = e
	if len(in.first)*4 > len(in.table)*3 {
		in.grow()
	}
	return e
}

// same reports whether a number was given to what reads like text.
func (in *interner) same(e int32, text []byte) bool {
	side, at := 0, in.first[e].at
	if at < 0 {
		side, at = 1, ^at
	}
	raw := in.sides[side].At(at)
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
	const ones, high = 0x0101010101010101, 0x8080808080808080
	for ; len(raw) >= 8; raw = raw[8:] {
		w := binary.LittleEndian.Uint64(raw)
		ref := w ^ '&'*ones // a zero byte where a reference begins
		if (w|(ref-ones)&^ref)&high != 0 {
			return false
		}
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
	dst = markup.AppendDecoded(dst, raw)
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
		in.table[i] = int32(e)
	}
}
