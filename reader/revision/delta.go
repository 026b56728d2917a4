package revision

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math/bits"

	"github.com/klauspost/compress/zstd"

	"diurna/reader/align"
)

// A packed revision: a version, a kind, the length and checksum of what it
// restores, for a delta the checksum of what it stands on, then a zstd frame.
const (
	packVersion = 1
	packKey     = 'k'
	packDelta   = 'd'
	packHead    = 2 // bytes before the numbers
)

// dictID names the raw dictionary inside a frame; both ends agree on it.
const dictID = 0x6469

var packTable = crc32.MakeTable(crc32.Castagnoli)

var errPacked = errors.New("packed revision: damaged")

// pack writes next as a frame of its own, or against prev if delta is set.
func pack(prev, next []byte, delta bool) ([]byte, error) {
	opts := []zstd.EOption{
		zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false), zstd.WithSingleSegment(false),
		zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithLowerEncoderMem(true),
		zstd.WithWindowSize(window(len(prev) + len(next))),
	}
	head := []byte{packVersion, packKey}
	head = binary.AppendUvarint(head, uint64(len(next)))
	head = binary.LittleEndian.AppendUint32(head, crc32.Checksum(next, packTable))
	if delta {
		head[1] = packDelta
		head = binary.LittleEndian.AppendUint32(head, crc32.Checksum(prev, packTable))
		opts = append(opts, zstd.WithEncoderDictRaw(dictID, prev))
	}
	enc, err := zstd.NewWriter(nil, opts...)
	if err != nil {
		return nil, fmt.Errorf("pack revision: %w", err)
	}
	defer enc.Close()
	return enc.EncodeAll(next, head), nil
}

// window is the smallest zstd window that reaches from the end of the new
// revision to the start of the old one.
func window(n int) int {
	w := 1 << bits.Len(uint(max(n, zstd.MinWindowSize)-1))
	return min(w, maxWindow)
}

// maxWindow bounds the memory a decoder may be asked for.
const maxWindow = 64 << 20

// Restore unpacks a chain of n packed revisions, the key frame first, and returns
// the bytes of the last one. With an error, damaged is the index of the revision
// that cannot be unpacked.
func Restore(n int, packed func(i int) []byte) (body []byte, damaged int, err error) {
	for i := range n {
		if body, err = Unpack(body, packed(i)); err != nil {
			return nil, i, err
		}
	}
	return body, 0, nil
}

// Unpack restores a revision byte for byte. prev is what Pack was given;
// another base is refused with ErrBase, damage with an error.
func Unpack(prev, packed []byte) ([]byte, error) {
	if len(packed) < packHead || packed[0] != packVersion {
		return nil, errPacked
	}
	delta := packed[1] == packDelta
	if !delta && packed[1] != packKey {
		return nil, errPacked
	}
	size, n := binary.Uvarint(packed[packHead:])
	rest := packed[packHead+max(n, 0):]
	need := 4
	if delta {
		need = 8
	}
	if n <= 0 || size > align.MaxPage || len(rest) < need {
		return nil, errPacked
	}
	want := binary.LittleEndian.Uint32(rest)
	opts := []zstd.DOption{zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(max(size, maxWindow)), zstd.WithDecoderMaxWindow(maxWindow)}
	if delta {
		if binary.LittleEndian.Uint32(rest[4:]) != crc32.Checksum(prev, packTable) {
			return nil, ErrBase
		}
		opts = append(opts, zstd.WithDecoderDictRaw(dictID, prev))
	}
	dec, err := zstd.NewReader(nil, opts...)
	if err != nil {
		return nil, fmt.Errorf("unpack revision: %w", err)
	}
	defer dec.Close()
	out, err := dec.DecodeAll(rest[need:], nil)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errPacked, err)
	}
	if uint64(len(out)) != size || crc32.Checksum(out, packTable) != want {
		return nil, errPacked
	}
	return out, nil
}
