package align

import "diurna/reader/room"

// numbering gives hashes numbers in the order in which they first come.
type numbering struct {
	hashes []uint64 // by number
	table  []int32  // by hash: a number and one, 0 for none; open addressing
}

// newNumbering makes room for half of size, a power of two.
func newNumbering(r *room.Room, size int) numbering {
	return numbering{room.Take[uint64](r, size/2)[:0], room.Take[int32](r, size)}
}

// of returns the number of a hash.
func (n *numbering) of(h uint64) int32 {
	mask := uint64(len(n.table) - 1)
	i := h & mask
	for ; n.table[i] != 0; i = (i + 1) & mask {
		if e := n.table[i] - 1; n.hashes[e] == h {
			return e
		}
	}
	if len(n.hashes) == cap(n.hashes) {
		// Doubling leaves less garbage than append, which grows by a quarter.
		n.hashes = append(make([]uint64, 0, 2*len(n.hashes)), n.hashes...)
	}
	n.hashes = append(n.hashes, h)
	n.table[i] = int32(len(n.hashes))
	if len(n.hashes)*4 > len(n.table)*3 {
		n.grow()
	}
	return int32(len(n.hashes)) - 1
}

func (n *numbering) grow() {
	n.table = make([]int32, 2*len(n.table))
	mask := uint64(len(n.table) - 1)
	for e, h := range n.hashes {
		i := h & mask
		for n.table[i] != 0 {
			i = (i + 1) & mask
		}
		n.table[i] = int32(e) + 1
	}
}
