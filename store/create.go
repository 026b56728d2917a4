package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	bolt "go.etcd.io/bbolt"

	"diurna/store/lock"
	"diurna/store/record"
)

const (
	libraryName = "diurna.db"
	cacheName   = "cache.db"
	schemaKey   = "schema"
	programKey  = "program" // the version of the program that brought the schema
	redoKey     = "redo"    // steps that Redo would do again, newest last
	ownPrefix   = "caller " // before the keys of Meta, so that they never meet ours
)

// cacheGrow is in what steps cache.db grows: most of it are texts' words, which are to
// take a third of the texts' own place.
const cacheGrow = 1 << 20

// Store is one library. All its methods may be called from several goroutines.
type Store struct {
	lib   *library
	cache *library
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
	s := &Store{
		lib: &library{dir: o.Dir, name: libraryName, lockName: "lock", turnName: "turn", buckets: record.Buckets,
			wait: o.Wait, role: o.Role, version: o.Version, maxSize: o.MaxSize, noSync: o.NoSync, secrets: new(secretBook)},
		cache: &library{dir: o.CacheDir, name: cacheName, lockName: "cache.lock", turnName: "cache.turn", buckets: []*record.Bucket{record.Meta},
			wait: o.Wait, role: o.Role, noSync: o.NoSync, grow: cacheGrow},
	}
	if err := lock.CheckDir(o.Dir); err != nil {
		return nil, err
	}
	fi, err := os.Lstat(s.lib.path())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s, nil
	case err != nil:
		return nil, err
	}
	if err := lock.CheckFile(s.lib.path(), fi); err != nil {
		return nil, err
	}
	return s, nil
}

// Close waits for the transactions under way and refuses later ones.
func (s *Store) Close() error {
	s.lib.close()
	s.cache.close()
	return nil
}

// makeDir makes the folder, for us alone.
func (l *library) makeDir() error {
	if err := lock.CheckDir(l.dir); err != nil {
		return err
	}
	return os.MkdirAll(l.dir, 0o700)
}

// create makes an empty library beside its place and moves it there, so that a
// power cut leaves either none or a whole one. The exclusive lock is held.
func (l *library) create() error {
	fresh := l.path() + ".new"
	if err := os.Remove(fresh); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	db, err := bolt.Open(fresh, 0o600, &bolt.Options{Timeout: time.Second, FreelistType: bolt.FreelistMapType, NoSync: l.noSync,
		OpenFile: func(path string, flag int, mode os.FileMode) (*os.File, error) {
			return os.OpenFile(path, flag|os.O_EXCL|lock.NoFollow, mode)
		}})
	if err != nil {
		return err
	}
	err = db.Update(l.empty)
	if err == nil {
		err = db.Sync()
	}
	if cerr := db.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		os.Remove(fresh)
		return err
	}
	return l.place(fresh, l.path())
}

// empty writes what an empty library holds.
func (l *library) empty(tx *bolt.Tx) error {
	for _, b := range l.buckets {
		if _, err := tx.CreateBucket(b.Name); err != nil {
			return err
		}
	}
	key := []byte(schemaKey)
	if err := tx.Bucket(record.Meta.Name).Put(key, record.Meta.Seal(nil, key, []byte{record.Schema})); err != nil {
		return err
	}
	if l.name != libraryName {
		return nil
	}
	key = []byte(programKey)
	if err := tx.Bucket(record.Meta.Name).Put(key, record.Meta.Seal(nil, key, []byte(l.version))); err != nil {
		return err
	}
	key = record.Key4(0)
	h := record.Head{NextFeed: 1, TxBase: l.readTx()}
	return tx.Bucket(record.Counts.Name).Put(key, record.Counts.Seal(nil, key, h.Encode(nil)))
}

// place moves a synced file to its name and makes the name last.
func (l *library) place(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return err
	}
	return syncDir(filepath.Dir(to))
}

// syncDir makes the names in a folder last.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil // NTFS keeps its own log of names
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
