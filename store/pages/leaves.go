package pages

import (
	"context"
	"errors"
	"io"
	"os"
)

// leafMost bounds a page: bodies of more than some MB do not exist, damaged
// lengths do.
const leafMost = 64 << 20

// Leaves calls visit with each leaf of f, whatever tree it is in; visit returns how
// many of its records are good, or 0 where the leaf's length is not to be believed.
// A page that cannot be read is passed over.
func Leaves(ctx context.Context, f *os.File, visit func(page []byte) (good int)) error {
	size := int64(os.Getpagesize())
	for i := range uint64(2) {
		if m, ok := ReadMeta(f, i, int(size)); ok && m.PageSize >= MetaSize {
			size = m.PageSize
		}
	}
	fi, err := f.Stat()
	if err != nil {
		return err
	}
	var buf []byte
	for at := 2 * size; at+HeadSize < fi.Size(); {
		if at/size%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		var head [HeadSize]byte
		if _, err := f.ReadAt(head[:], at); err != nil {
			at += size // a bad block of the disk
			continue
		}
		length := min((int64(Native.Uint32(head[12:]))+1)*size, fi.Size()-at)
		if Native.Uint16(head[8:]) != LeafPage || length > leafMost {
			at += size
			continue
		}
		if int64(cap(buf)) < length {
			buf = make([]byte, length)
		}
		n, err := f.ReadAt(buf[:length], at)
		if err != nil && !errors.Is(err, io.EOF) && n == 0 {
			at += size
			continue
		}
		if visit(buf[:n]) > 0 {
			at += length
		} else {
			at += size // its length may be the damage
		}
	}
	return nil
}

// Records calls visit for the records of a leaf and returns how many are good. A
// small bucket lies within a record, as a page of its own.
func Records(b []byte, visit func(key, rec []byte) (good bool)) (good int) {
	if len(b) < HeadSize {
		return 0
	}
	for i := range int(Native.Uint16(b[10:])) {
		at := uint64(HeadSize + i*ElementSize)
		if at+ElementSize > uint64(len(b)) {
			break
		}
		e := b[at:]
		pos, ksize, vsize := uint64(Native.Uint32(e[4:])), uint64(Native.Uint32(e[8:])), uint64(Native.Uint32(e[12:]))
		start := at + pos + ksize
		if start+vsize > uint64(len(b)) {
			continue
		}
		key, val := b[at+pos:start], b[start:start+vsize]
		if Native.Uint32(e)&BucketLeaf == 0 {
			if visit(key, val) {
				good++
			}
		} else if vsize >= BucketHead+HeadSize && Native.Uint16(val[BucketHead+8:]) == LeafPage {
			good += Records(val[BucketHead:], visit)
		}
	}
	return good
}
