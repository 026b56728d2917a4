package archive

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"

	"diurna/store/codec"
)

var decoder = sync.OnceValues(func() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(2*maxRecord), zstd.WithDecoderLowmem(true))
})

// Reader reads an archive. Its records were summed up when the last was read: what
// is damaged is ErrDamaged then at the latest.
type Reader struct {
	Info  Info
	ref   Ref
	count uint64

	from  Source // instead of a file: a base with what differs
	under []*Reader
	f     *os.File
	r     *bufio.Reader
	raw   []byte
	rest  codec.Reader
	rec   Record
	sum   content
	ended bool
}

// Open begins to read the archive at path, as it lies there: one that differs from
// another gives the differences.
func Open(path string) (*Reader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	r := &Reader{f: f, sum: newContent()}
	if err := r.begin(); err != nil {
		f.Close()
		return nil, err
	}
	return r, nil
}

func (r *Reader) begin() error {
	if !Is(r.f) {
		return ErrForeign
	}
	fi, err := r.f.Stat()
	if err != nil {
		return err
	}
	var footer [footerSize]byte
	if _, err := r.f.ReadAt(footer[:], fi.Size()-footerSize); err != nil || fi.Size() < int64(len(magic))+footerSize {
		return ErrDamaged
	}
	if crc32.Checksum(footer[:16], castagnoli) != binary.LittleEndian.Uint32(footer[16:]) {
		return ErrDamaged
	}
	r.count = binary.LittleEndian.Uint64(footer[:])
	r.r = bufio.NewReaderSize(io.NewSectionReader(r.f, int64(len(magic)), fi.Size()-int64(len(magic))-footerSize), 64<<10)
	n, err := r.r.ReadByte()
	if err != nil {
		return ErrDamaged
	}
	head := make([]byte, int(n)+4)
	if _, err := io.ReadFull(r.r, head); err != nil {
		return ErrDamaged
	}
	if crc32.Checksum(head[:n], castagnoli) != binary.LittleEndian.Uint32(head[n:]) || !r.Info.decode(head[:n]) {
		return ErrDamaged
	}
	r.ref = Ref{r.Info.Line, r.Info.Commit, binary.LittleEndian.Uint64(footer[8:])}
	return nil
}

// Ref names what the archive holds, with its base.
func (r *Reader) Ref() Ref { return r.ref }

// Content is what the archive holds, with its base.
func (r *Reader) Content() *Content { return &Content{content{sum: r.ref.Sum, count: r.count}} }

// Close ends reading.
func (r *Reader) Close() error {
	for _, u := range r.under {
		u.Close()
	}
	if r.f == nil {
		return nil
	}
	return r.f.Close()
}

// Next is the next record.
func (r *Reader) Next() (*Record, error) {
	var rec *Record
	var err error
	if r.from != nil {
		rec, err = r.from.Next()
	} else {
		rec, err = r.next()
	}
	if err == io.EOF {
		if !r.ended && !r.differs() && (r.sum.sum != r.ref.Sum || r.sum.count != r.count) {
			return nil, ErrDamaged
		}
		r.ended = true
		return nil, io.EOF
	}
	if err == nil && !r.differs() {
		r.sum.add(rec)
	}
	return rec, err
}

// differs tells whether what is read are differences.
func (r *Reader) differs() bool { return r.Info.Base != nil && r.from == nil }

func (r *Reader) next() (*Record, error) {
	for len(r.rest.B) == 0 {
		if err := r.block(); err != nil {
			return nil, err
		}
	}
	for {
		switch op := r.rest.Byte(); op {
		case opBucket:
			r.rec.Bucket = string(r.rest.Bytes())
		case opPut, opGone:
			r.rec.Key, r.rec.Val, r.rec.Gone = r.rest.Bytes(), nil, op == opGone
			if op == opPut {
				r.rec.Val = r.rest.Bytes()
			}
			if r.rest.Bad || r.rec.Gone && r.Info.Base == nil {
				return nil, ErrDamaged
			}
			return &r.rec, nil
		default:
			return nil, ErrDamaged
		}
		if r.rest.Bad {
			return nil, ErrDamaged
		}
	}
}

// block reads the next block; io.EOF behind the last.
func (r *Reader) block() error {
	n, err := binary.ReadUvarint(r.r)
	if err == nil && n == 0 {
		return io.EOF
	}
	size, err2 := binary.ReadUvarint(r.r)
	var sum [4]byte
	_, err3 := io.ReadFull(r.r, sum[:])
	if err := errors.Join(err, err2, err3); err != nil {
		return readError(err)
	}
	if n > 2*maxRecord || size > 2*maxRecord {
		return ErrDamaged
	}
	var packed bytes.Buffer // grows with what is there: a damaged length must not ask for memory
	if _, err := io.CopyN(&packed, r.r, int64(n)); err != nil {
		return readError(err)
	}
	if crc32.Checksum(packed.Bytes(), castagnoli) != binary.LittleEndian.Uint32(sum[:]) {
		return ErrDamaged
	}
	dec, err := decoder()
	if err != nil {
		return err
	}
	if r.raw, err = dec.DecodeAll(packed.Bytes(), r.raw[:0]); err != nil || uint64(len(r.raw)) != size {
		return ErrDamaged
	}
	r.rest = codec.Reader{B: r.raw}
	return nil
}

// readError is the damage that a file which ends early shows, or the disk's error.
func readError(err error) error {
	var disk *fs.PathError
	if errors.As(err, &disk) {
		return disk
	}
	return ErrDamaged
}

// compare puts records in order.
func compare(a, b *Record) int {
	return cmp.Or(strings.Compare(a.Bucket, b.Bucket), bytes.Compare(a.Key, b.Key))
}

// pull is the next record of s, nil after the last. They must rise.
type pull struct {
	s    Source
	rec  *Record
	last Record
	any  bool
}

func (p *pull) next() (err error) {
	if p.rec, err = p.s.Next(); err == io.EOF {
		p.rec = nil
		return nil
	}
	if err != nil {
		return err
	}
	if p.any && compare(&p.last, p.rec) >= 0 {
		return fmt.Errorf("%w: records out of order", ErrDamaged)
	}
	p.last.Bucket, p.last.Key, p.any = p.rec.Bucket, append(p.last.Key[:0], p.rec.Key...), true
	return nil
}

// patch gives the records of newer with the differences of diff.
type patch struct {
	newer, diff Source
	n, d        *pull
}

func (p *patch) Next() (*Record, error) {
	if p.n == nil {
		p.n, p.d = &pull{s: p.newer}, &pull{s: p.diff}
		if err := p.n.next(); err != nil {
			return nil, err
		}
		if err := p.d.next(); err != nil {
			return nil, err
		}
	} else if err := p.step(); err != nil {
		return nil, err
	}
	for p.d.rec != nil && p.d.rec.Gone {
		if p.n.rec == nil || compare(p.n.rec, p.d.rec) > 0 {
			return nil, ErrDamaged // the base has no such record
		}
		if compare(p.n.rec, p.d.rec) < 0 {
			return p.n.rec, nil
		}
		if err := p.both(); err != nil {
			return nil, err
		}
	}
	return p.first()
}

// step leaves the record that was given last.
func (p *patch) step() error {
	switch {
	case p.n.rec != nil && p.d.rec != nil && compare(p.n.rec, p.d.rec) == 0:
		return p.both()
	case p.d.rec == nil || p.n.rec != nil && compare(p.n.rec, p.d.rec) < 0:
		return p.n.next()
	}
	return p.d.next()
}

func (p *patch) both() error {
	if err := p.n.next(); err != nil {
		return err
	}
	return p.d.next()
}

// first is the record that comes first; the difference of the two with one key.
func (p *patch) first() (*Record, error) {
	switch {
	case p.n.rec == nil && p.d.rec == nil:
		return nil, io.EOF
	case p.d.rec == nil || p.n.rec != nil && compare(p.n.rec, p.d.rec) < 0:
		return p.n.rec, nil
	}
	return p.d.rec, nil
}

// Diff writes how older differs from newer.
func Diff(older, newer Source, w *Writer) error {
	o, n := &pull{s: older}, &pull{s: newer}
	if err := o.next(); err != nil {
		return err
	}
	if err := n.next(); err != nil {
		return err
	}
	for o.rec != nil || n.rec != nil {
		order := 0
		switch {
		case o.rec == nil:
			order = 1
		case n.rec == nil:
			order = -1
		default:
			order = compare(o.rec, n.rec)
		}
		var err error
		switch {
		case order < 0:
			err = w.Put(o.rec)
		case order > 0:
			err = w.Put(&Record{Bucket: n.rec.Bucket, Key: n.rec.Key, Gone: true})
		case !bytes.Equal(o.rec.Val, n.rec.Val):
			err = w.Put(o.rec)
		}
		if err == nil && order <= 0 {
			err = o.next()
		}
		if err == nil && order >= 0 {
			err = n.next()
		}
		if err != nil {
			return err
		}
	}
	return nil
}
