package store

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"time"

	"diurna/store/archive"
	"diurna/store/codec"
	"diurna/store/db"
	"diurna/store/lock"
	"diurna/store/pages"
	"diurna/store/record"
)

// lineKey is where a library that came from a restore keeps its line of descent.
const lineKey = "line"

// Descent tells which library a file holds and how far it goes, by numbers that
// compacting and copying keep. Clocks have no part in it: one that was wrong once
// would put a copy first for years.
type Descent struct {
	Began    time.Time // of the first fact, which no two libraries share; zero: nothing ever happened in it
	Line     uint64    // a restore begins a new one; 0: the first
	Parent   uint64    // the line that the restored backup was of
	Restores uint64    // how many lines came before this one
	Commit   uint64    // number of the newest commit
}

// Kin tells whether the library of o is this one at some time, or holds nothing.
// Facts are only ever appended, and libraries of any age have the first one.
func (d Descent) Kin(o Descent) bool { return o.Began.IsZero() || d.Began.Equal(o.Began) }

// Compare puts two copies of one library in order: -1 if o is the newer one. Of two
// lines the one with more restores before it is newer.
func (d Descent) Compare(o Descent) int {
	return cmp.Or(cmp.Compare(d.Restores, o.Restores), cmp.Compare(d.Commit, o.Commit))
}

// next is the line that begins when the backup d takes the place of what was
// there, if that can be read. Its number is a hash and not random: the
// moment and the commit make it unique.
func (d Descent) next(there Descent, commit uint64, now time.Time) Descent {
	h := fnv.New64a()
	fmt.Fprint(h, d.Began.UnixNano(), d.Line, d.Commit, there.Line, commit, now.UnixNano())
	d.Line, d.Parent = max(h.Sum64(), 1), d.Line
	d.Restores = max(d.Restores, there.Restores) + 1
	return d
}

// Descent tells which library the file at path holds and how far it goes; "" is
// this library. For a file no lock is taken: it must be at rest, as a backup is.
func (s *Store) Descent(ctx context.Context, path string) (d Descent, err error) {
	read := func(t *txn) (err error) {
		d, err = t.descent()
		return err
	}
	if path == "" {
		err = s.read(ctx, read)
		return d, err
	}
	if archive.IsFile(path) {
		return packedDescent(path)
	}
	return d, s.lib.copyAt(path).under(&db.Hold{}, false, read)
}

func (t *txn) descent() (d Descent, err error) {
	d.Commit = t.head.TxBase + pages.Committed(t.Bolt)
	if d.Began, err = t.begun(); err != nil {
		return d, err
	}
	v, err := t.Get(record.Meta, []byte(lineKey))
	if err != nil || v == nil {
		return d, err
	}
	if !d.decode(v) {
		return d, record.Meta.Damage([]byte(lineKey), "the line of descent does not decode")
	}
	return d, nil
}

func (t *txn) putLine(d Descent) error { return t.Put(record.Meta, []byte(lineKey), d.encode()) }

func (d *Descent) encode() []byte {
	v := binary.LittleEndian.AppendUint64(nil, d.Line)
	v = binary.LittleEndian.AppendUint64(v, d.Parent)
	return binary.AppendUvarint(v, d.Restores)
}

func (d *Descent) decode(b []byte) bool {
	r := codec.Reader{B: b}
	d.Line, d.Parent, d.Restores = r.Uint64(), r.Uint64(), r.Uvarint()
	return r.Done()
}

// begun is the time of the library's first fact; zero if it has none.
func (t *txn) begun() (at time.Time, err error) {
	enough := errors.New("enough")
	err = t.Scan(record.Facts, nil, nil, func(k, v []byte) error {
		var d record.FactReader
		if d.Begin(beUint64(k), v); !d.Next() {
			return record.Facts.Damage(k, "facts do not decode")
		}
		at = d.Fact.At
		return enough
	})
	if err == enough {
		err = nil
	}
	return at, err
}

// Writable finds out whether the library could be written now, and writes
// nothing. Errors: ErrReadOnly, ErrUnsafe, ErrNone.
func (s *Store) Writable(ctx context.Context) error {
	if !s.lib.Exists() {
		return ErrNone
	}
	return s.lib.Alone(ctx, "", func(*db.Hold) error {
		f, err := lock.Open(s.lib.Path(), os.O_RDWR)
		if err != nil {
			return err
		}
		return f.Close()
	})
}
