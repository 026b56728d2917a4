package page

import (
	"encoding/binary"
	"errors"
	"math"
	"math/bits"
	"sort"
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
type memoryReader struct {
	b   []byte
	bad bool
}

func (r *memoryReader) uvarint(max uint64) uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 || v > max {
		r.bad, r.b = true, nil
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *memoryReader) bytes(n int) []byte {
	if len(r.b) < n {
		r.bad, r.b = true, nil
		return make([]byte, n)
	}
	out := r.b[:n]
	r.b = r.b[n:]
	return out
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (m *Memory) UnmarshalBinary(b []byte) error {
	if len(b) == 0 || b[0] == 0 || b[0] > memoryVersion {
		return errMemory
	}
	numbers, masks := b[0] > 1, b[0] > 2
	r := &memoryReader{b: b[1:]}
	n := Memory{Revisions: uint32(r.uvarint(1 << 31)), blocks: map[uint64]seen{}, slots: map[uint64]slot{}, places: map[uint64]placeLog{}}
	rev := uint64(n.Revisions)
	for range r.uvarint(uint64(len(b))) {
		h := binary.LittleEndian.Uint64(r.bytes(8))
		last := n.Revisions - uint32(r.uvarint(rev))
		held := uint32(0)
		switch {
		case masks:
			held = bits.Reverse32(uint32(r.uvarint(math.MaxUint32)))
		default:
			r.bytes(1) // how often it vanished
			if last == n.Revisions {
				held = 1
			}
		}
		n.blocks[h] = seen{last, held}
	}
	for range r.uvarint(uint64(len(b))) {
		h := binary.LittleEndian.Uint64(r.bytes(8))
		s := slot{value: binary.LittleEndian.Uint64(r.bytes(8))}
		s.first = n.Revisions - uint32(r.uvarint(rev))
		s.last = n.Revisions - uint32(r.uvarint(rev))
		s.changes = uint16(r.uvarint(65535))
		if s.num = -1; numbers {
			s.num = int64(r.uvarint(math.MaxInt64)) - 1
			way := r.bytes(2)
			s.way, s.turns = int8(way[0])-1, way[1]
			r.bad = r.bad || way[0] > 2
		}
		n.slots[h] = s
	}
	if n.places = map[uint64]placeLog{}; b[0] > 3 {
		n.readPlaces(r)
	}
	if r.bad || len(r.b) > 0 || n.badOrder() {
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
