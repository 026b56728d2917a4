package record

import (
	"encoding/binary"

	"diurna/store/codec"
)

// What is left of items whose rows were removed lies in blocks: their keys in IDs, key ->
// number, and their states in States, number -> time and mark. Such a record has a
// feed's number with InBlocks set and the first key of the block as its own key, and holds
// all of the feed's that are not below it and below the first of the next block. One record
// each would cost 29 bytes of bbolt and checksum, and pages that are half empty.
const (
	InBlocks FeedID = 1 << 31 // no feed has so high a number
	// BlockSize is how many bytes of pairs a block has at most: with its place (16), key (12),
	// version and checksum (5) it fills a page of 4,096 bytes behind the page's head (16), so
	// that pages are full however many blocks bbolt puts side by side.
	BlockSize = 4096 - 16 - 16 - 12 - 5
)

// Pair is an entry of a block.
type Pair struct {
	Key   uint64
	Value int64
	Hash  uint64 // 0: none
}

// AppendPairs adds to dst, the block of first, as many of pairs, which ascend from first on, as
// fit into a block, and says how many. Of pairs with one key the first counts.
func AppendPairs(dst []byte, first uint64, pairs []Pair) ([]byte, int) {
	last := Pair{Key: first}
	for i, p := range pairs {
		if i > 0 && p.Key == last.Key {
			continue
		}
		before, step, diff := len(dst), p.Key-last.Key, p.Value-last.Value
		for _, x := range []uint64{step<<1 | uint64(Bit(p.Hash != 0)), uint64(diff)<<1 ^ uint64(diff>>63)} {
			dst = binary.AppendUvarint(dst, x)
		}
		if p.Hash != 0 {
			dst = binary.LittleEndian.AppendUint64(dst, p.Hash)
		}
		if len(dst) > BlockSize || step > maxStep {
			return dst[:before], i // the next block begins with it
		}
		last = p
	}
	return dst, len(pairs)
}

const maxStep = 1<<63 - 1

// PairReader reads the pairs of a block, ascending.
type PairReader struct {
	Pair
	rest codec.Reader
	more bool // than the first
}

// ReadPairs reads the block of first.
func ReadPairs(first uint64, block []byte) PairReader {
	return PairReader{Pair: Pair{Key: first}, rest: codec.Reader{B: block, Bad: len(block) == 0}}
}

// Next reads the next pair; false at the end, or where the block is damaged.
func (d *PairReader) Next() bool {
	if len(d.rest.B) == 0 {
		return false
	}
	step := d.rest.Uvarint()
	d.Value += d.rest.Varint()
	if d.Hash = 0; step&1 != 0 {
		d.Hash = d.rest.Uint64()
		d.rest.Bad = d.rest.Bad || d.Hash == 0 // it would not have been written
	}
	step >>= 1
	if (step != 0) != d.more || d.Key+step < d.Key {
		d.rest.Bad = true
	}
	d.Key += step
	d.more = true
	return !d.rest.Bad
}

// Sound is false if the block is damaged, as far as it was read.
func (d *PairReader) Sound() bool { return !d.rest.Bad }

// InBlock is the state of an item without its row, as it lies in a block.
func (s *State) InBlock(n uint32) Pair {
	return Pair{uint64(n), s.At<<1 | int64(Bit(s.Flags&FlagChanged != 0)), s.Hash}
}

// FromBlock makes s the state of which p is the InBlock.
func (s *State) FromBlock(p Pair) {
	*s = State{Flags: (FlagRead | FlagGone).With(FlagChanged, p.Value&1 != 0), At: p.Value >> 1, Hash: p.Hash}
}
