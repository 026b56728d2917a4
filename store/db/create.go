package db

import (
	"diurna/store/lock"
	"diurna/store/record"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	bolt "go.etcd.io/bbolt"
)

const (
	SchemaKey  = "schema"
	ProgramKey = "program" // the version of the program that brought the schema
)

// MakeDir makes the folder, for us alone.
func (l *DB) MakeDir() error {
	if err := lock.CheckDir(l.Dir); err != nil {
		return err
	}
	return os.MkdirAll(l.Dir, 0o700)
}

// create makes an empty library beside its place and moves it there, so that a
// power cut leaves either none or a whole one. The exclusive lock is held.
func (l *DB) create() error {
	fresh := l.Path() + ".new"
	if err := os.Remove(fresh); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	db, err := bolt.Open(fresh, 0o600, &bolt.Options{Timeout: time.Second, FreelistType: bolt.FreelistMapType, NoSync: l.NoSync,
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
	return l.Place(fresh, l.Path())
}

// empty writes what an empty library holds.
func (l *DB) empty(tx *bolt.Tx) error {
	for _, b := range l.Buckets {
		if _, err := tx.CreateBucket(b.Name); err != nil {
			return err
		}
	}
	key := []byte(SchemaKey)
	if err := tx.Bucket(record.Meta.Name).Put(key, record.Meta.Seal(nil, key, []byte{record.Schema})); err != nil {
		return err
	}
	if l.Begin == nil {
		return nil
	}
	put := func(b *record.Bucket, key, payload []byte) error {
		return tx.Bucket(b.Name).Put(key, b.Seal(nil, key, payload))
	}
	if err := put(record.Meta, []byte(ProgramKey), []byte(l.Version)); err != nil {
		return err
	}
	return l.Fill(put)
}

// Place moves a synced file to its name and makes the name last.
func (l *DB) Place(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return err
	}
	return SyncDir(filepath.Dir(to))
}

// SyncDir makes the names in a folder last.
func SyncDir(dir string) error {
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

// Sweep removes what a creation, restore or compacting that was killed has left.
// The first two work under the exclusive lock: whoever holds any lock knows that
// none is under way.
func (l *DB) Sweep() {
	ends := []string{".new", ".restore"}
	if !l.compacting() {
		ends = append(ends, DraftEnd)
	}
	for _, end := range ends {
		_ = os.Remove(l.Path() + end)
	}
}
