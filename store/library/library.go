// Package library is the file of a library and one transaction on it: records
// instead of bytes. Counters, lists and the index of feeds follow the state of
// items, whoever changes it.
//
// Start with New and Library.Do, which runs a function on a Txn.
package library

import (
	"context"
	"path/filepath"

	"diurna/store/blocks"
	"diurna/store/bodies"
	"diurna/store/db"
	"diurna/store/journal"
	"diurna/store/record"
	"diurna/store/secrets"
)

const (
	FileName  = "diurna.db"
	OwnPrefix = "caller " // before the keys of Meta, so that they never meet ours
)

// RetentionKey is what Meta reads the retention by that a library was made with: after
// how many days texts may be removed. One made by an older program has none.
const (
	RetentionKey = "retention"
	newRetention = "365"
)

// Library is diurna.db, or a copy of it.
type Library struct {
	*db.DB
	Secrets *secrets.Book // nil: none are kept here
	Packer  record.Packer
}

// New is the library in the folder of o, which says nothing of what lies there.
func New(o db.Options) *Library {
	l := &Library{Secrets: new(secrets.Book)}
	o.Name, o.LockName, o.TurnName, o.Buckets, o.Begin, o.Fill = FileName, "lock", "turn", record.Buckets, l.begin, l.fill
	l.DB = db.New(o)
	return l
}

// CopyAt is a library file outside its folder, at rest and without locks.
func (l *Library) CopyAt(path string) *Library {
	c := &Library{}
	c.DB = db.New(db.Options{Dir: filepath.Dir(path), Name: FileName, File: path, Buckets: record.Buckets, Wait: l.Wait, Begin: c.begin, Fill: c.fill})
	return c
}

// fill puts what an empty library has: its totals, and after how long texts go.
func (l *Library) fill(put func(b *record.Bucket, key, payload []byte) error) error {
	if err := put(record.Meta, []byte(OwnPrefix+RetentionKey), []byte(newRetention)); err != nil {
		return err
	}
	h := record.Head{NextFeed: 1, TxBase: l.ReadTx()}
	return put(record.Counts, record.Key4(0), h.Encode(nil))
}

// begin brings an older library up to our schema and reads the totals.
func (l *Library) begin(x *db.Tx) (db.Session, error) {
	t := &Txn{Tx: x, Lib: l}
	t.Log, t.Texts = journal.New(x, &t.Head), bodies.New(x, &l.Packer)
	t.Tombs, t.Packed = blocks.New(x, &l.Packer), blocks.NewItems(x, &l.Packer)
	if err := t.migrate(); err != nil {
		return nil, err
	}
	return t, t.readHead()
}

// Job is one caller's share of a transaction of the library.
type Job struct {
	Write  bool
	Create bool // make the library if there is none
	Role   string
	Fn     func(*Txn) error
}

// Do queues j and waits for it; see DB.
func (l *Library) Do(ctx context.Context, j *Job) error {
	return l.DB.Do(ctx, &db.Job{Write: j.Write, Create: j.Create, Role: j.Role, Fn: inSession(j.Fn)})
}

// Under runs fn in a transaction under a hold that is had already, or none.
func (l *Library) Under(h *db.Hold, write bool, fn func(*Txn) error) error {
	return l.DB.Under(h, &db.Job{Write: write, Fn: inSession(fn)})
}

func inSession(fn func(*Txn) error) func(*db.Tx) error {
	return func(x *db.Tx) error { return fn(x.Session.(*Txn)) }
}

// Read runs one read transaction.
//
//go:noinline
func (l *Library) Read(ctx context.Context, fn func(*Txn) error) error {
	return l.Do(ctx, &Job{Fn: fn})
}
