package db

import (
	"errors"
	"io/fs"
	"os"
	"time"

	bolt "go.etcd.io/bbolt"

	"diurna/store/lock"
	"diurna/store/record"
)

const (
	// DraftEnd ends the name of a compacted library that is not finished.
	DraftEnd = ".compact"
	// draftCommit and draftSync are how many bytes of records go into one
	// transaction of a draft, and to the disk at once: other processes' commits
	// wait for the disk as long as that takes.
	draftCommit = 8 << 20
	draftSync   = 16 << 20
	// draftGrow is in what steps the file grows; bbolt's own are 16 MB.
	draftGrow = 128 << 10
)

// Draft is a library being written, beside the one that it is a copy of. Nobody
// else has it open.
type Draft struct {
	Path     string
	db       *bolt.DB
	Tx       *bolt.Tx
	held     int // bytes put since the last commit
	unsynced int
}

// NewDraft makes a draft without records.
func (l *DB) NewDraft(path string) (*Draft, error) {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	d := &Draft{Path: path}
	if err := d.Open(os.O_CREATE | os.O_EXCL); err != nil {
		return nil, err
	}
	for _, b := range l.Buckets {
		if _, err := d.Tx.CreateBucket(b.Name); err != nil {
			d.Close()
			return nil, err
		}
	}
	return d, nil
}

// Open opens the draft's file, with flags on top of reading and writing.
func (d *Draft) Open(flags int) (err error) {
	d.db, err = bolt.Open(d.Path, 0o600, &bolt.Options{Timeout: time.Second, FreelistType: bolt.FreelistMapType, NoStatistics: true, NoSync: true,
		OpenFile: func(path string, _ int, mode os.FileMode) (*os.File, error) {
			return os.OpenFile(path, os.O_RDWR|flags|lock.NoFollow, mode)
		}})
	if err != nil {
		return err
	}
	d.db.AllocSize = draftGrow
	if d.Tx, err = d.db.Begin(true); err != nil {
		d.Close()
	}
	return err
}

// Put writes a record, or removes it if rec is nil. The draft keeps key and rec.
func (d *Draft) Put(b *record.Bucket, key, rec []byte) error {
	in := d.Tx.Bucket(b.Name)
	if rec == nil {
		return in.Delete(key)
	}
	in.FillPercent = 0.9 // most come in order, and are not changed again
	if err := in.Put(key, rec); err != nil {
		return err
	}
	d.held += len(key) + len(rec)
	if d.held < draftCommit {
		return nil
	}
	if err := d.commit(); err != nil {
		return err
	}
	tx, err := d.db.Begin(true)
	d.Tx = tx
	return err
}

func (d *Draft) commit() error {
	d.unsynced += d.held
	d.held = 0
	err := d.Tx.Commit()
	if d.Tx = nil; err == nil && d.unsynced >= draftSync {
		d.unsynced = 0
		err = d.db.Sync()
	}
	return err
}

// Finish commits and closes the draft. It is on the disk then.
func (d *Draft) Finish() error {
	err := d.commit()
	if err == nil {
		err = d.db.Sync()
	}
	if cerr := d.Close(); err == nil {
		err = cerr
	}
	return err
}

// Close drops what was not committed.
func (d *Draft) Close() error {
	if d.Tx != nil {
		_ = d.Tx.Rollback()
		d.Tx = nil
	}
	if d.db == nil {
		return nil
	}
	db := d.db
	d.db = nil
	return db.Close()
}
