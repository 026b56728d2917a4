package align

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math/bits"
	"sort"

	"diurna/reader/room"
)

// shared is what the two pages of a comparison have in common, byte for byte: most
// of them, as a rule. Such a stretch is cut into tokens and numbered on the first
// page, and copied on the second. It begins and ends before tags, where what the
// lexer knows of the tokens before is little and is kept: equal bytes read with
// equal knowledge are equal tokens.
type shared struct {
	src   []byte
	marks []landmark
	table []int32    // by hash of the bytes at it: a landmark and one, 0 for none
	past  int32      // where the last stretch ended on the first page
	parts [][2]int32 // of the second page: what was copied
}

// landmark is a tag of the first page and what the lexer knows before it.
type landmark struct {
	at, next int32 // next: the following landmark with its hash and one
	knowledge
	ahead   int32 // how many tags before it were read by looking far ahead
	amounts       // before it
}

// Landmarks stand at least markEvery bytes apart and are known by their first
// markBytes; a stretch of less than leastShared bytes is lexed as quickly.
const (
	markEvery   = 64
	markBytes   = 32
	leastShared = 128
	maxTries    = 8 // landmarks that are looked at for one place
)

// mark keeps a tag of the first page.
func (s *shared) mark(l *lexer, at int) {
	if at+markBytes > len(l.Src) {
		return
	}
	if n := len(s.marks); n > 0 && at < int(s.marks[n-1].at)+markEvery {
		return
	}
	s.marks = append(s.marks, landmark{at: int32(at), knowledge: l.knowledge, ahead: l.ahead, amounts: l.amounts})
}

// ready builds the table when the first page is read.
func (s *shared) ready(in *interner, src []byte) {
	s.src = src
	size := 1
	for size < 2*len(s.marks) {
		size <<= 1
	}
	s.table = room.Take[int32](in.room, size)
	for i := len(s.marks) - 1; i >= 0; i-- { // backwards: the first shall be found first
		slot := s.slot(in, src[s.marks[i].at:])
		s.marks[i].next, *slot = *slot, int32(i)+1
	}
}

func (s *shared) slot(in *interner, text []byte) *int32 {
	return &s.table[maphash.Bytes(in.seed, text[:markBytes])&uint64(len(s.table)-1)]
}

// skip copies the stretch that begins with the tag at a place of the second page,
// if the first has it too, and returns where it ends. In a noscript element it
// copies nothing: how that is read depends on where it ends.
func (s *shared) skip(l *lexer, at int) int {
	if len(s.marks) == 0 || at+leastShared > len(l.Src) || at <= l.noscript && l.noscript > 0 {
		return at
	}
	slot := s.slot(l.in, l.Src[at:])
	for *slot > 0 && s.marks[*slot-1].at < s.past {
		*slot = s.marks[*slot-1].next
	}
	for i, tries := *slot, 0; i > 0 && tries < maxTries; i, tries = s.marks[i-1].next, tries+1 {
		m := &s.marks[i-1]
		if m.knowledge != l.knowledge {
			continue
		}
		n := commonPrefix(s.src[m.at:], l.Src[at:])
		if n < leastShared {
			continue
		}
		// Whether a tag begins shows in its first three bytes.
		end := m.at + int32(n) - 3
		rest := s.marks[i:]
		k := sort.Search(len(rest), func(k int) bool { return rest[k].at > end || rest[k].ahead != m.ahead })
		if k == 0 {
			continue
		}
		to := &rest[k-1]
		l.copyOf(l.in.sides[0], m.at, to.at, int32(at))
		l.knowledge, s.past = to.knowledge, to.at
		l.words, l.breaks = l.words+to.words-m.words, l.breaks+to.breaks-m.breaks
		s.parts = append(s.parts, [2]int32{int32(at), int32(at) + to.at - m.at})
		return at + int(to.at-m.at)
	}
	return at
}

// copyOf copies the tokens of another page's stretch.
func (l *lexer) copyOf(t *Tokens, from, to, at int32) {
	copy(l.kind[at:], t.kind[from:to])
	l.start.copyOf(t.start, from, to, at)
	l.tags.copyOf(t.tags, from, to, at)
	l.last = [2]int32{-1, -1}
}

// commonPrefix is how many bytes two texts begin with in common.
func commonPrefix(a, b []byte) int {
	const step = 256
	most := min(len(a), len(b))
	i := 0
	for i+step <= most && bytes.Equal(a[i:i+step], b[i:i+step]) {
		i += step
	}
	for ; i+8 <= most; i += 8 {
		if x := binary.LittleEndian.Uint64(a[i:]) ^ binary.LittleEndian.Uint64(b[i:]); x != 0 {
			return i + bits.TrailingZeros64(x)/8
		}
	}
	for i < most && a[i] == b[i] {
		i++
	}
	return i
}
