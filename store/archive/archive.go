// Package archive keeps the records of a library in a packed file: whole, or as
// what differs from another such file. The daily backups lie in such files: of
// three, the newest is whole and each of the others says how it differs from the
// one after it.
//
// Start with Create and Open; Diff makes a file that differs, Whole reads one.
package archive

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"time"

	"diurna/store/codec"
)

// magic begins every archive.
const magic = "diurna backup 1\n"

// maxRecord bounds what a damaged length may ask for.
const maxRecord = 128 << 20

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Errors of reading.
var (
	ErrForeign = errors.New("no packed backup")
	ErrDamaged = errors.New("the packed backup is damaged")
	ErrNoBase  = errors.New("the backup that this one differs from is not there")
)

// Ref names the content of an archive: which library it is, at which commit, and a
// sum over all records.
type Ref struct {
	Line, Commit, Sum uint64
}

// Info says what an archive holds.
type Info struct {
	Began    time.Time // of the library's first fact, to the millisecond
	Line     uint64    // of descent; see store.Descent
	Parent   uint64
	Restores uint64
	Commit   uint64
	Base     *Ref // nil: the archive is whole
}

// Record is a record of a library.
type Record struct {
	Bucket   string
	Key, Val []byte
	Gone     bool // of a difference: the record is in the base only
}

// Source gives records in the order of bucket and key; io.EOF after the last. A
// record and its bytes hold until the next call.
type Source interface {
	Next() (*Record, error)
}

func (i *Info) encode() []byte {
	b := []byte{0}
	began := int64(0)
	if !i.Began.IsZero() {
		began = i.Began.UnixMilli()
		b[0] |= 1
	}
	b = binary.AppendVarint(b, began)
	for _, n := range []uint64{i.Line, i.Parent, i.Restores, i.Commit} {
		b = binary.AppendUvarint(b, n)
	}
	if i.Base != nil {
		b[0] |= 2
		b = binary.AppendUvarint(b, i.Base.Line)
		b = binary.AppendUvarint(b, i.Base.Commit)
		b = binary.AppendUvarint(b, i.Base.Sum)
	}
	return b
}

func (i *Info) decode(b []byte) bool {
	r := codec.Reader{B: b}
	has, began := r.Byte(), r.Varint()
	*i = Info{Line: r.Uvarint(), Parent: r.Uvarint(), Restores: r.Uvarint(), Commit: r.Uvarint()}
	if has&1 != 0 {
		i.Began = time.UnixMilli(began).UTC()
	}
	if has&2 != 0 {
		i.Base = &Ref{r.Uvarint(), r.Uvarint(), r.Uvarint()}
	}
	return r.Done() && has < 4
}

// Is tells whether the file that f reads is an archive.
func Is(f io.ReaderAt) bool {
	var b [len(magic)]byte
	_, err := f.ReadAt(b[:], 0)
	return err == nil && string(b[:]) == magic
}

// IsFile tells whether the file at path is an archive. It must be a plain file.
func IsFile(path string) bool {
	if fi, err := os.Stat(path); err != nil || !fi.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	return Is(f)
}

// Whole reads all records of the archive at path. Those that it differs from are
// looked for in its folder. Errors: ErrForeign, ErrDamaged, ErrNoBase, the system's.
func Whole(path string) (*Reader, error) { return whole(path, 0) }

// maxChain bounds how many archives stand on each other.
const maxChain = 16

func whole(path string, depth int) (*Reader, error) {
	r, err := Open(path)
	if err != nil || r.Info.Base == nil {
		return r, err
	}
	if depth == maxChain {
		r.Close()
		return nil, ErrNoBase
	}
	base, err := findBase(filepath.Dir(path), *r.Info.Base, depth)
	if err != nil {
		r.Close()
		return nil, err
	}
	return on(base, r), nil
}

// on reads what diff differs from base as a whole.
func on(base, diff *Reader) *Reader {
	return &Reader{Info: diff.Info, ref: diff.ref, count: diff.count, sum: newContent(), from: &patch{newer: base, diff: diff}, under: []*Reader{base, diff}}
}

// findBase opens the archive of a content in dir.
func findBase(dir string, want Ref, depth int) (*Reader, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !e.Type().IsRegular() {
			continue
		}
		path := filepath.Join(dir, e.Name())
		r, err := Open(path)
		if err != nil {
			continue
		}
		found := r.ref == want
		r.Close()
		if found {
			return whole(path, depth+1)
		}
	}
	return nil, ErrNoBase
}
