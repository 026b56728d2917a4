package archive

import (
	"bufio"
	"encoding/binary"
	"hash/crc32"
	"hash/fnv"
	"io"
	"os"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// blockSize is how many bytes of records are packed together. A block is read by
// itself, so what is damaged is found early and memory stays small.
const blockSize = 1 << 20

// What a record begins with in a block.
const (
	opPut    = 1 // key, value
	opGone   = 2 // key
	opBucket = 3 // name: what follows is of this one
)

// footerSize is the length of the end of an archive: how many records it has, the sum
// over its content, and a checksum of both.
const footerSize = 20

var encoder = sync.OnceValues(func() (*zstd.Encoder, error) {
	return zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithEncoderConcurrency(1),
		zstd.WithWindowSize(blockSize), zstd.WithEncoderCRC(false), zstd.WithLowerEncoderMem(true))
})

// content sums records up.
type content struct {
	sum   uint64
	count uint64
}

func newContent() content { return content{sum: 14695981039346656037} }

// add takes in a record. The lengths keep two records from summing up as one.
func (c *content) add(r *Record) {
	h := fnv.New64a()
	var head [24]byte
	binary.LittleEndian.PutUint64(head[:], c.sum)
	binary.LittleEndian.PutUint64(head[8:], uint64(len(r.Bucket))<<32|uint64(len(r.Key)))
	binary.LittleEndian.PutUint64(head[16:], uint64(crc32.Checksum(r.Val, castagnoli))<<32|uint64(uint32(len(r.Val))))
	h.Write(head[:])
	io.WriteString(h, r.Bucket)
	h.Write(r.Key)
	c.sum = h.Sum64()
	c.count++
}

// Writer writes an archive.
type Writer struct {
	w      *bufio.Writer
	err    error
	block  []byte
	packed []byte
	bucket string
	named  bool
	sum    content
	base   bool
}

// Create begins an archive on w. Finish ends it; nothing is on the disk before
// whoever owns w has synced it.
func Create(w io.Writer, info Info) (*Writer, error) {
	a := &Writer{w: bufio.NewWriterSize(w, 64<<10), sum: newContent(), base: info.Base != nil}
	head := info.encode()
	b := append([]byte(magic), byte(len(head)))
	b = append(b, head...)
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(head, castagnoli))
	_, err := a.w.Write(b)
	return a, err
}

// Put adds a record; they come in the order of bucket and key.
func (a *Writer) Put(r *Record) error {
	if !a.base {
		a.sum.add(r)
	}
	if !a.named || r.Bucket != a.bucket {
		a.block = appendBytes(append(a.block, opBucket), []byte(r.Bucket))
		a.bucket, a.named = r.Bucket, true
	}
	if r.Gone {
		a.block = appendBytes(append(a.block, opGone), r.Key)
	} else {
		a.block = appendBytes(appendBytes(append(a.block, opPut), r.Key), r.Val)
	}
	if len(a.block) >= blockSize {
		a.flush()
	}
	return a.err
}

func appendBytes(dst, b []byte) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(b))), b...)
}

// flush packs the block and writes it: its length packed and not, a checksum, itself.
func (a *Writer) flush() {
	if len(a.block) == 0 || a.err != nil {
		return
	}
	enc, err := encoder()
	if err != nil {
		a.err = err
		return
	}
	a.packed = enc.EncodeAll(a.block, a.packed[:0])
	head := binary.AppendUvarint(nil, uint64(len(a.packed)))
	head = binary.AppendUvarint(head, uint64(len(a.block)))
	head = binary.LittleEndian.AppendUint32(head, crc32.Checksum(a.packed, castagnoli))
	if _, a.err = a.w.Write(head); a.err == nil {
		_, a.err = a.w.Write(a.packed)
	}
	a.block, a.named = a.block[:0], false
}

// Finish writes the end of the archive. Of one that differs from a base, ref says
// what both together hold; else nil.
func (a *Writer) Finish(of *Content) error {
	a.flush()
	if a.err != nil {
		return a.err
	}
	c := a.sum
	if of != nil {
		c = of.c
	}
	footer := binary.LittleEndian.AppendUint64([]byte{0}, c.count)
	footer = binary.LittleEndian.AppendUint64(footer, c.sum)
	footer = binary.LittleEndian.AppendUint32(footer, crc32.Checksum(footer[1:], castagnoli))
	if _, err := a.w.Write(footer); err != nil {
		return err
	}
	return a.w.Flush()
}

// Content is how many records there are, and a sum over them.
type Content struct{ c content }

// Rebase writes to f the archive at path as what it differs from the one at base. The
// caller gives f the place of path. It has reached the disk, and what it says was
// read again, when Rebase returns without an error.
func Rebase(path, base string, f *os.File) error {
	older, err := Whole(path)
	if err != nil {
		return err
	}
	defer older.Close()
	newer, err := Whole(base)
	if err != nil {
		return err
	}
	defer newer.Close()
	info, ref := older.Info, newer.Ref()
	info.Base = &ref
	w, err := Create(f, info)
	if err != nil {
		return err
	}
	if err := Diff(older, newer, w); err != nil {
		return err
	}
	if err := w.Finish(older.Content()); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return verify(f.Name(), base)
}

// verify reads the archive at path, which differs from the one at base, to its end.
func verify(path, base string) error {
	diff, err := Open(path)
	if err != nil {
		return err
	}
	defer diff.Close()
	newer, err := Whole(base)
	if err != nil {
		return err
	}
	defer newer.Close()
	r := on(newer, diff)
	for err == nil {
		_, err = r.Next()
	}
	if err == io.EOF {
		return nil
	}
	return err
}
