package search

import (
	"encoding/binary"
	"math/bits"
)

// The places at which a term stands are stored as their distances in Rice's code
// (Rice and Plaunt 1971): of a distance the lower k bits as they are, after the rest
// in unary. Distances of words are nearly geometric, for which it is within a few
// hundredths of the best; a k that fits the mean costs .03 bits a place on average.
// The first byte is k.

// farUnary is how many zeros say that the whole distance follows, in 32 bits.
const farUnary = 24

// riceBits is the k for distances of a mean: that of mean · ln 2.
func riceBits(sum, count uint32) int {
	return max(bits.Len32(uint32(uint64(sum)*177/256/uint64(count)))-1, 0)
}

// appendPlaces appends places, which ascend.
func appendPlaces(to []byte, places []uint32) []byte {
	k := riceBits(places[len(places)-1]+1, uint32(len(places)))
	to = append(to, byte(k))
	acc, n, next := uint64(0), 0, uint32(0) // n bits of acc, fewer than eight, are to be written
	put := func(v uint64, width int) {
		acc |= v << n
		n += width
		to = binary.LittleEndian.AppendUint64(to, acc)[:len(to)+n/8]
		acc >>= n &^ 7
		n &= 7
	}
	for _, p := range places {
		v := p - next
		next = p + 1
		if q := int(v >> k); q < farUnary {
			put(1<<q|(uint64(v)&(1<<k-1))<<(q+1), q+1+k)
		} else {
			put(1<<farUnary, farUnary+1)
			put(uint64(v), 32)
		}
	}
	if n > 0 {
		to = append(to, byte(acc))
	}
	return to
}

// placeReader reads places.
type placeReader struct {
	b    []byte
	acc  uint64
	n    int // bits in acc
	k    int
	next uint32
	bad  bool
}

func newPlaceReader(b []byte) placeReader {
	if len(b) == 0 || b[0] > 31 {
		return placeReader{bad: true}
	}
	return placeReader{b: b[1:], k: int(b[0])}
}

// fill has 56 bits in acc, or all that are left. Above n acc may have bits that are
// read again: they are the same.
func (r *placeReader) fill() {
	if len(r.b) >= 8 {
		r.acc |= binary.LittleEndian.Uint64(r.b) << r.n
		whole := (63 - r.n) / 8
		r.b = r.b[whole:]
		r.n += whole * 8
		return
	}
	for r.n <= 56 && len(r.b) > 0 {
		r.acc |= uint64(r.b[0]) << r.n
		r.b = r.b[1:]
		r.n += 8
	}
}

// place is the next place. It must be asked as often as there are places.
func (r *placeReader) place() uint32 {
	if r.n < 56 {
		r.fill()
	}
	q := bits.TrailingZeros64(r.acc)
	if q > farUnary || q >= r.n {
		r.bad = true
		return r.next
	}
	r.acc >>= q + 1
	r.n -= q + 1
	v := uint32(q) << r.k
	if q == farUnary {
		r.fill()
		v = uint32(r.acc)
		r.acc >>= 32
		r.n -= 32
	} else {
		v |= uint32(r.acc) & (1<<r.k - 1)
		r.acc >>= r.k
		r.n -= r.k
	}
	if r.n < 0 {
		r.bad = true
	}
	v += r.next
	r.next = v + 1
	return v
}

// read reads as many places as list has room for; false if there are not so many. It is
// place with all it needs in registers, and its rare cases left to place.
func (r *placeReader) read(list []uint32) bool {
	acc, n, next, k := r.acc, r.n, r.next, r.k
	for i := range list {
		if n < 56 && len(r.b) >= 8 {
			acc |= binary.LittleEndian.Uint64(r.b) << n
			whole := (63 - n) / 8
			r.b = r.b[whole:]
			n += whole * 8
		}
		q := bits.TrailingZeros64(acc)
		if n < 56 || q >= farUnary {
			r.acc, r.n, r.next = acc, n, next
			list[i] = r.place()
			acc, n, next = r.acc, r.n, r.next
			continue
		}
		v := uint32(acc>>(q+1)) & (1<<k - 1)
		acc >>= q + 1 + k
		n -= q + 1 + k
		list[i] = next + uint32(q)<<k + v
		next = list[i] + 1
	}
	r.acc, r.n, r.next = acc, n, next
	return !r.bad
}
