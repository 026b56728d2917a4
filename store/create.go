package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"diurna/store/db"
	"diurna/store/lock"
	"diurna/store/record"
)

const (
	libraryName = "diurna.db"
	cacheName   = "cache.db"
	redoKey     = "redo"    // steps that Redo would do again, newest last
	ownPrefix   = "caller " // before the keys of Meta, so that they never meet ours
)

// cacheGrow is in what steps cache.db grows: most of it are texts' words, which are to
// take a third of the texts' own place.
const cacheGrow = 1 << 20

// Store is one library. All its methods may be called from several goroutines.
type Store struct {
	lib   *library
	cache *db.DB
}

func open(o Options) (*Store, error) {
	if o.Dir == "" {
		return nil, fmt.Errorf("%w: no folder named", ErrUnsafe)
	}
	if o.CacheDir == "" {
		o.CacheDir = o.Dir
	}
	if o.Wait == 0 {
		o.Wait = Patience
	}
	lib := &library{secrets: new(secretBook)}
	lib.DB = db.New(db.Options{Dir: o.Dir, Name: libraryName, LockName: "lock", TurnName: "turn", Buckets: record.Buckets,
		Wait: o.Wait, Role: o.Role, Version: o.Version, MaxSize: o.MaxSize, NoSync: o.NoSync, Begin: lib.begin, Fill: lib.fill})
	s := &Store{lib, db.New(db.Options{Dir: o.CacheDir, Name: cacheName, LockName: "cache.lock", TurnName: "cache.turn", Buckets: []*record.Bucket{record.Meta},
		Wait: o.Wait, Role: o.Role, NoSync: o.NoSync, Grow: cacheGrow})}
	if err := lock.CheckDir(o.Dir); err != nil {
		return nil, err
	}
	fi, err := os.Lstat(s.lib.Path())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s, nil
	case err != nil:
		return nil, err
	}
	if err := lock.CheckFile(s.lib.Path(), fi); err != nil {
		return nil, err
	}
	return s, nil
}

// Close waits for the transactions under way and refuses later ones.
func (s *Store) Close() error {
	s.lib.Close()
	s.cache.Close()
	return nil
}

// library is diurna.db, or a copy of it.
type library struct {
	*db.DB
	secrets *secretBook // nil: none are kept here
	packer  record.Packer
}

// copyAt is a library file outside its folder, at rest and without locks.
func (l *library) copyAt(path string) *library {
	c := &library{}
	c.DB = db.New(db.Options{Dir: filepath.Dir(path), Name: libraryName, File: path, Buckets: record.Buckets, Wait: l.Wait, Begin: c.begin, Fill: c.fill})
	return c
}

// fill puts what an empty library has: its totals, and after how long texts go.
func (l *library) fill(put func(b *record.Bucket, key, payload []byte) error) error {
	if err := put(record.Meta, []byte(ownPrefix+RetentionKey), []byte(newRetention)); err != nil {
		return err
	}
	h := record.Head{NextFeed: 1, TxBase: l.ReadTx()}
	return put(record.Counts, record.Key4(0), h.Encode(nil))
}

// begin brings an older library up to our schema and reads the totals.
func (l *library) begin(x *db.Tx) (db.Session, error) {
	t := &txn{Tx: x, lib: l}
	if err := t.migrate(); err != nil {
		return nil, err
	}
	return t, t.readHead()
}

// job is one caller's share of a transaction of the library.
type job struct {
	write  bool
	create bool // make the library if there is none
	role   string
	fn     func(*txn) error
}

// do queues j and waits for it; see DB.
func (l *library) do(ctx context.Context, j *job) error {
	return l.DB.Do(ctx, &db.Job{Write: j.write, Create: j.create, Role: j.role, Fn: inSession(j.fn)})
}

// under runs fn in a transaction under a hold that is had already, or none.
func (l *library) under(h *db.Hold, write bool, fn func(*txn) error) error {
	return l.DB.Under(h, &db.Job{Write: write, Fn: inSession(fn)})
}

func inSession(fn func(*txn) error) func(*db.Tx) error {
	return func(x *db.Tx) error { return fn(x.Session.(*txn)) }
}
