package salvage

import (
	"testing"

	"diurna/store/pages"
	"diurna/store/record"
)

// TestRemainsOfShortBucket: an element whose damaged length leaves less than a
// page's head of its bucket is passed over.
func TestRemainsOfShortBucket(t *testing.T) {
	for length := range uint32(16 + pages.HeadSize + 1) {
		b := make([]byte, pages.HeadSize+pages.ElementSize+16+pages.HeadSize)
		pages.Native.PutUint16(b[10:], 1)
		e := b[pages.HeadSize:]
		pages.Native.PutUint32(e, pages.BucketLeaf)
		pages.Native.PutUint32(e[4:], uint32(len(b)-pages.HeadSize)-length)
		pages.Native.PutUint32(e[12:], length)
		g := &Salvage{runs: map[uint64][]byte{}, seen: map[*record.Bucket]map[uint64]bool{}}
		if good := pages.Records(b, g.record); good != 0 {
			t.Errorf("a bucket of %d bytes: %d records", length, good)
		}
	}
}

// FuzzRemains: no file makes the reading of remains fail or run away.
func FuzzRemains(f *testing.F) {
	f.Add([]byte("leaf"), uint16(3), uint16(2))
	f.Fuzz(func(t *testing.T, page []byte, count, flags uint16) {
		b := make([]byte, 3*4096)
		copy(b[2*4096+pages.HeadSize:], page)
		pages.Native.PutUint16(b[2*4096+8:], flags)
		pages.Native.PutUint16(b[2*4096+10:], count)
		g := &Salvage{runs: map[uint64][]byte{}, seen: map[*record.Bucket]map[uint64]bool{}}
		pages.Records(b[2*4096:], g.record)
		g.Count(nil)
	})
}
