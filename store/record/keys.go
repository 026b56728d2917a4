package record

import (
	"encoding/binary"
	"strconv"
)

// KeyName is a key as people know it: "b7q-41". It takes any bytes.
func (b *Bucket) KeyName(key []byte) string {
	switch {
	case b == Meta:
		return strconv.Quote(string(key[:min(len(key), 64)]))
	case b == Pages && len(key) == 8:
		return FeedID(binary.BigEndian.Uint32(key)).String() + " revision " + strconv.Itoa(int(binary.BigEndian.Uint32(key[4:])))
	case b == Facts || b == Steps || b == Changes:
		if len(key) == 8 {
			return strconv.FormatUint(binary.BigEndian.Uint64(key), 10)
		}
	case len(key) == 4:
		if binary.BigEndian.Uint32(key) == 0 {
			return "totals"
		}
		return FeedID(binary.BigEndian.Uint32(key)).String()
	case len(key) == 8:
		return ItemID(binary.BigEndian.Uint64(key)).String()
	case b != Revisions && len(key) == 12:
		return (FeedID(binary.BigEndian.Uint32(key)) &^ InBlocks).String() + " " + strconv.FormatUint(binary.BigEndian.Uint64(key[4:]), 16)
	case b == Revisions && len(key) == 12:
		return ItemID(binary.BigEndian.Uint64(key)).String() + " edit " + strconv.Itoa(int(binary.BigEndian.Uint32(key[8:])))
	case len(key) == 16:
		return ItemID(binary.BigEndian.Uint64(key[8:])).String()
	}
	return strconv.Quote(string(key[:min(len(key), 64)]))
}

// Key4 is a number as a key; keys sort as their numbers do.
func Key4(x uint32) []byte { return binary.BigEndian.AppendUint32(nil, x) }

// Key8 is a longer number as a key.
func Key8(x uint64) []byte { return binary.BigEndian.AppendUint64(nil, x) }

// RowKey orders rows by time, then item. The sign bit is turned so that times
// before 1970 come first.
func RowKey(at int64, id ItemID) []byte {
	k := binary.BigEndian.AppendUint64(make([]byte, 0, 16), uint64(at)^1<<63)
	return binary.BigEndian.AppendUint64(k, uint64(id))
}

// SplitRowKey reads a RowKey; k has 16 bytes.
func SplitRowKey(k []byte) (at int64, id ItemID) {
	return int64(binary.BigEndian.Uint64(k) ^ 1<<63), ItemID(binary.BigEndian.Uint64(k[8:]))
}

// CompareRows orders rows as their RowKeys do.
func CompareRows(at1 int64, id1 ItemID, at2 int64, id2 ItemID) int {
	switch {
	case at1 < at2 || at1 == at2 && id1 < id2:
		return -1
	case at1 == at2 && id1 == id2:
		return 0
	}
	return 1
}

// IDKey is the key of what a feed has under a number of 64 bits.
func IDKey(f FeedID, key uint64) []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint32(make([]byte, 0, 12), uint32(f)), key)
}

// Uint64 is the number that an 8-byte key is, or begins with.
func Uint64(key []byte) uint64 { return binary.BigEndian.Uint64(key) }

// Uint32 is the number that a key of 4 bytes is, or that one begins with.
func Uint32(key []byte) uint32 { return binary.BigEndian.Uint32(key) }
