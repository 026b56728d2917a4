package page

import (
	"encoding/binary"
	"errors"
	"math"
	"math/bits"
	"sort"

	"diurna/store/codec"
)

var errMemory = errors.New("page memory: unreadable")

// memoryVersion is how a memory is written; 2 added the numbers of slots, 3 which
// of the last revisions held a block, 4 the histories of places.
const memoryVersion = 4

// MarshalBinary writes the memory: a version, then its tables in order.
func (m Memory) MarshalBinary() ([]byte, error) {
	b := []byte{memoryVersion}
	b = binary.AppendUvarint(b, uint64(m.Revisions))
	b = binary.AppendUvarint(b, uint64(len(m.blocks)))
	for _, h := range sortedKeys(m.blocks) {
		s := m.blocks[h]
		b = binary.LittleEndian.AppendUint64(b, h)
		b = binary.AppendUvarint(b, uint64(m.Revisions-s.last))
		b = binary.AppendUvarint(b, uint64(bits.Reverse32(s.held)))
	}
	b = binary.AppendUvarint(b, uint64(len(m.slots)))
	for _, h := range sortedKeys(m.slots) {
		s := m.slots[h]
		b = binary.LittleEndian.AppendUint64(b, h)
		b = binary.LittleEndian.AppendUint64(b, s.value)
		b = binary.AppendUvarint(b, uint64(m.Revisions-s.first))
		b = binary.AppendUvarint(b, uint64(m.Revisions-s.last))
		b = binary.AppendUvarint(b, uint64(s.changes))
		b = binary.AppendUvarint(b, uint64(s.num+1))
		b = append(b, byte(s.way+1), s.turns)
	}
	return m.appendPlaces(b), nil
}

func sortedKeys[V any](m map[uint64]V) []uint64 {
	keys := make([]uint64, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool { return keys[i] < keys[j] })
	return keys
}

// memoryReader reads with one check at the end.
type memoryReader struct{ codec.Reader }

// upTo reads a number that is at most max.
func (r *memoryReader) upTo(max uint64) uint64 {
	v := r.Uvarint()
	if v > max {
		r.Bad, r.B = true, nil
		return 0
	}
	return v
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (m *Memory) UnmarshalBinary(b []byte) error {
	if len(b) == 0 || b[0] == 0 || b[0] > memoryVersion {
		return errMemory
	}
	numbers, masks := b[0] > 1, b[0] > 2
	r := &memoryReader{codec.Reader{B: b[1:]}}
	n := Memory{Revisions: uint32(r.upTo(1 << 31)), blocks: map[uint64]seen{}, slots: map[uint64]slot{}, places: map[uint64]placeLog{}}
	rev := uint64(n.Revisions)
	for range r.upTo(uint64(len(b))) {
		h := r.Uint64()
		last := n.Revisions - uint32(r.upTo(rev))
		held := uint32(0)
		switch {
		case masks:
			held = bits.Reverse32(uint32(r.upTo(math.MaxUint32)))
		default:
			r.Byte() // how often it vanished
			if last == n.Revisions {
				held = 1
			}
		}
		n.blocks[h] = seen{last, held}
	}
	for range r.upTo(uint64(len(b))) {
		h := r.Uint64()
		s := slot{value: r.Uint64()}
		s.first = n.Revisions - uint32(r.upTo(rev))
		s.last = n.Revisions - uint32(r.upTo(rev))
		s.changes = uint16(r.upTo(65535))
		if s.num = -1; numbers {
			s.num = int64(r.upTo(math.MaxInt64)) - 1
			way := r.Byte()
			s.way, s.turns = int8(way)-1, r.Byte()
			r.Bad = r.Bad || way > 2
		}
		n.slots[h] = s
	}
	if n.places = map[uint64]placeLog{}; b[0] > 3 {
		n.readPlaces(r)
	}
	if !r.Done() || n.badOrder() {
		return errMemory
	}
	*m = n
	return nil
}

func (m Memory) badOrder() bool {
	for _, s := range m.slots {
		if s.first > s.last {
			return true
		}
	}
	for _, s := range m.places {
		if s.first > s.last {
			return true
		}
	}
	return false
}
