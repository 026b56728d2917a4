package align

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"

	"golang.org/x/text/unicode/norm"

	"diurna/reader/markup"
	"diurna/reader/room"
)

// interner gives equal tokens equal numbers, in order of first appearance, so
// that numbers do not depend on the hash seed. Tokens are equal when their
// bytes read the same: character references resolved ("&amp;" is "&"), accents
// composed. It keeps their hashes, no copies: of 64 bits, so that among a million
// tokens two unlike ones have one in a run of thirty million, and then what is shown
// as unchanged is another word. An edit script compares bytes.
type interner struct {
	seed    maphash.Seed // seeded per process: nobody can prepare collisions
	sides   [2]*Tokens
	most    int32     // numbers there may be
	numbers int       // how many there are in the end
	ids     numbering // 0 is the space, which is never looked up

	// The numbers of tokens that are too short to hold theirs: those of one byte, and
	// tags of one letter; those of two bytes; those of three, and tags of two
	// characters, whose number is large.
	one   [2][256]int32
	two   [256]*[256]int32
	large map[uint32]int32

	// What is known of tags, by their numbers: whether they begin an aside (1 no, 2
	// yes), and how the element is named in a spot; and of the names of classes,
	// whether they are those of asides.
	asides []uint8
	names  map[int32]string
	called map[string]bool

	shared *shared // what the pages have in common; nil where only one is read

	room *room.Room
	text []byte // a token as it reads, used again and again
}

// maxNumbers is how many different tokens two pages may have: a number has
// three bytes. What comes after them is one token to the end of its page, but for
// the last three bytes of a page, which hold no number and have theirs all the same.
const maxNumbers = 1<<24 - 8

func newInterner(r *room.Room, bytes int) *interner {
	size := 1 << 10
	for size < bytes/24 && size < 1<<22 {
		size <<= 1
	}
	in := &interner{seed: maphash.MakeSeed(), most: maxNumbers, ids: newNumbering(r, size), room: r}
	in.ids.of(0) // the space's
	return in
}

func (in *interner) len() int { return len(in.ids.hashes) + 1 } // and the number of a rest

// number gives the tokens of a page their numbers but where they were copied with
// their numbers.
func (in *interner) number(t *Tokens, side uint8, copied [][2]int32) {
	in.sides[side] = t
	for i := int32(0); i < t.End(); {
		if len(copied) > 0 && i == copied[0][0] && int32(len(in.ids.hashes)) < in.most-1 {
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
		if int32(len(in.ids.hashes)) >= in.most-1 && t.End()-i > 3 {
			in.rest(t, i)
			return
		}
		at := i + 1
		if t.Is(i) == Tag {
			at++
		}
		switch room := next - at; {
		case room > 2:
			t.setNum(at, in.id(side, i, next))
		case room == 2:
			t.kind[i] |= flagOne | flagTwo
			in.small(side, i, at)
		case next-i == 2:
			t.kind[i] |= flagTwo
			in.pair(side, i)
		default:
			t.kind[i] |= flagOne
			if one := &in.one[at-i-1][t.Src[at-1]]; *one == 0 {
				*one = in.id(side, i, next)
			}
		}
		i = next
	}
}

// setNum keeps a number of three bytes.
func (t *Tokens) setNum(at, e int32) {
	t.kind[at], t.kind[at+1], t.kind[at+2] = uint8(e), uint8(e>>8), uint8(e>>16)
}

// small numbers a token that has two bytes for it from at on.
func (in *interner) small(side uint8, i, at int32) {
	t, e := in.sides[side], in.id(side, i, at+2)
	if e >= large {
		if in.large == nil {
			in.large = map[uint32]int32{}
		}
		in.large[t.short(i, at+2)], e = e, large
	}
	t.kind[at], t.kind[at+1] = uint8(e), uint8(e>>8)
}

// rest makes one token of what begins at i, four bytes and more.
func (in *interner) rest(t *Tokens, i int32) {
	for j := t.Next(i); j < t.End(); j = t.Next(i) {
		t.start.drop(j)
	}
	t.tags.fill(i, t.End(), false)
	t.kind[i] = uint8(Code)
	t.setNum(i+1, int32(len(in.ids.hashes)))
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
	return in.ids.of(maphash.Bytes(in.seed, text))
}

// longNormal is the length from which a token is taken as it stands: code.
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
