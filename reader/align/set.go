package align

import (
	"math/bits"
)

// Bitset is a set of small numbers.
type Bitset []uint64

// newBitset makes room for the numbers below n.
func newBitset(n int) Bitset { return make(Bitset, n/64+1) }

func (s Bitset) add(i int32) { s[i>>6] |= 1 << (i & 63) }

func (s Bitset) drop(i int32) { s[i>>6] &^= 1 << (i & 63) }

// Has reports whether i is in the set.
func (s Bitset) Has(i int32) bool { return s[i>>6]>>(i&63)&1 != 0 }

// next returns the least member from i on; there must be one.
func (s Bitset) next(i int32) int32 {
	w := int(i >> 6)
	if b := s[w] >> (i & 63); b != 0 {
		return i + int32(bits.TrailingZeros64(b))
	}
	for w++; s[w] == 0; w++ {
	}
	return int32(w<<6 + bits.TrailingZeros64(s[w]))
}

// prev returns the greatest member up to i; there must be one.
func (s Bitset) prev(i int32) int32 {
	w := int(i >> 6)
	if b := s[w] << (63 - i&63); b != 0 {
		return i - int32(bits.LeadingZeros64(b))
	}
	for w--; s[w] == 0; w-- {
	}
	return int32(w<<6 + 63 - bits.LeadingZeros64(s[w]))
}

// fill puts the numbers of [from, to) in, or takes them out.
func (s Bitset) fill(from, to int32, in bool) {
	for i := from; i < to; {
		if i&63 == 0 && to-i >= 64 {
			s[i>>6] = 0
			if in {
				s[i>>6] = ^uint64(0)
			}
			i += 64
			continue
		}
		if in {
			s.add(i)
		} else {
			s.drop(i)
		}
		i++
	}
}
