package align

import (
	"math/bits"
)

// Bitset is a set of small numbers.
type Bitset []uint64

// NewBitset makes room for the numbers below n.
func NewBitset(n int) Bitset { return make(Bitset, n/64+1) }

// Add puts i in.
func (s Bitset) Add(i int32) { s[i>>6] |= 1 << (i & 63) }

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
			s.Add(i)
		} else {
			s.drop(i)
		}
		i++
	}
}

// count is how many of the numbers of [from, to) are in the set.
func (s Bitset) count(from, to int32) (n int) {
	for ; from < to && from&63 != 0; from++ {
		n += int(s[from>>6] >> (from & 63) & 1)
	}
	for ; to-from >= 64; from += 64 {
		n += bits.OnesCount64(s[from>>6])
	}
	if from < to {
		n += bits.OnesCount64(s[from>>6] & (1<<(to-from) - 1))
	}
	return n
}

// copyOf puts the numbers of [from, to) of another set in from at on.
func (s Bitset) copyOf(t Bitset, from, to, at int32) {
	for from < to {
		// As many as fit into the word of at.
		n := min(64-at&63, to-from)
		w := t[from>>6] >> (from & 63)
		if off := from & 63; off > 0 && n > 64-off {
			w |= t[from>>6+1] << (64 - off)
		}
		if n < 64 {
			w &= 1<<n - 1
		}
		s[at>>6] |= w << (at & 63)
		from, at = from+n, at+n
	}
}
