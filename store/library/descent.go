package library

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"time"

	"diurna/store/codec"
	"diurna/store/pages"
	"diurna/store/record"
)

// lineKey is the key under which a restored library keeps its line of descent.
const lineKey = "line"

// Descent identifies the library in a file and its newest commit, by numbers that
// compacting and copying keep. It does not depend on clocks: one that was wrong once
// would put a copy first for years.
type Descent struct {
	Began    time.Time // of the first fact, which no two libraries share; zero: nothing ever happened in it
	Line     uint64    // a restore begins a new one; 0: the first
	Parent   uint64    // the line that the restored backup was of
	Restores uint64    // how many lines came before this one
	Commit   uint64    // number of the newest commit
}

// SameLibrary reports whether o is this library at some time, or is empty.
// Facts are only ever appended, and libraries of any age have the first one.
func (d Descent) SameLibrary(o Descent) bool { return o.Began.IsZero() || d.Began.Equal(o.Began) }

// Compare puts two copies of one library in order: -1 if o is the newer one. Of two
// lines the one with more restores before it is newer.
func (d Descent) Compare(o Descent) int {
	return cmp.Or(cmp.Compare(d.Restores, o.Restores), cmp.Compare(d.Commit, o.Commit))
}

// Next is the line that begins when the backup d takes the place of what was
// there, if that can be read. Its number is a hash and not random: the
// moment and the commit make it unique.
func (d Descent) Next(there Descent, commit uint64, now time.Time) Descent {
	h := fnv.New64a()
	fmt.Fprint(h, d.Began.UnixNano(), d.Line, d.Commit, there.Line, commit, now.UnixNano())
	d.Line, d.Parent = max(h.Sum64(), 1), d.Line
	d.Restores = max(d.Restores, there.Restores) + 1
	return d
}

// Descent identifies this library and its newest commit.
func (t *Txn) Descent() (d Descent, err error) {
	d.Commit = t.Head.TxBase + pages.Committed(t.Bolt)
	if d.Began, err = t.Log.Begun(); err != nil {
		return d, err
	}
	v, err := t.Get(record.Meta, []byte(lineKey))
	if err != nil || v == nil {
		return d, err
	}
	if !d.Decode(v) {
		return d, record.Meta.Damage([]byte(lineKey), "the line of descent does not decode")
	}
	return d, nil
}

// PutLine keeps the line of descent of a library that came from a restore.
func (t *Txn) PutLine(d Descent) error { return t.Put(record.Meta, []byte(lineKey), d.Encode()) }

// Encode is the record that keeps the line.
func (d *Descent) Encode() []byte {
	v := binary.LittleEndian.AppendUint64(nil, d.Line)
	v = binary.LittleEndian.AppendUint64(v, d.Parent)
	return binary.AppendUvarint(v, d.Restores)
}

// Decode reads what Encode wrote; false if it is none.
func (d *Descent) Decode(b []byte) bool {
	r := codec.Reader{B: b}
	d.Line, d.Parent, d.Restores = r.Uint64(), r.Uint64(), r.Uvarint()
	return r.Done()
}
