package backups

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"diurna/store/archive"
	"diurna/store/check"
	"diurna/store/db"
	"diurna/store/library"
	"diurna/store/pages"
)

// Restore puts the backup at path in the library's place, where it begins a new
// line of descent. It must check first.
// What was there is set aside and its new path returned, empty if nothing was.
// Errors: BackupError.
func (k *Keeper) Restore(ctx context.Context, now time.Time, path string) (aside string, err error) {
	if err := k.Lib.MakeDir(); err != nil {
		return "", db.Translate(err)
	}
	err = k.Lib.Alone(ctx, "restore", func(h *db.Hold) error {
		k.Lib.Sweep()
		fresh := k.Lib.Path() + ".restore"
		defer os.Remove(fresh)
		if err := isBackup(k.Lib, path); err != nil {
			return err
		}
		if archive.IsFile(path) {
			err = unpackBackup(k.Lib, path, fresh)
		} else {
			err = CopyFile(path, fresh)
		}
		if err != nil {
			return ofBackup(path, err)
		}
		if err := checkFresh(ctx, k.Lib, fresh); err != nil {
			return ofBackup(path, err)
		}
		// What a damaged library cannot tell is left out.
		there, _ := k.Descent(ctx, k.Lib.Path())
		if k.Lib.Exists() {
			if aside, err = secondName(k.Lib, "replaced", now, CopyFile); err != nil {
				return err
			}
		}
		begin := func(t *library.Txn) error {
			d, err := t.Descent()
			if err != nil {
				return err
			}
			return t.PutLine(d.Next(there, k.Lib.ReadTx(), now))
		}
		if err := install(k.Lib, h, fresh, begin); err != nil {
			takeBack(k.Lib, aside)
			return err
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	return aside, nil
}

// checkFresh checks a copy just made. A disk that fails while bbolt opens a file
// looks like damage of that file, so damage counts only if the copy can be read
// to its end, and is found again.
func checkFresh(ctx context.Context, l *library.Library, fresh string) error {
	err := check.Copy(ctx, l, fresh)
	if err == nil || ctx.Err() != nil {
		return err
	}
	f, unread := os.Open(fresh)
	if unread != nil {
		return unread
	}
	defer f.Close()
	if _, unread := io.Copy(io.Discard, f); unread != nil {
		return unread
	}
	return check.Copy(ctx, l, fresh)
}

// isBackup refuses what is no backup before any of it is copied, because such a
// file may be of any length: the library itself, and a file whose first pages are
// not a database's.
func isBackup(l *library.Library, path string) error {
	f, err := openNamed(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if fi, err := f.Stat(); err == nil && is(l, fi) {
		return &BackupError{Path: path, Why: ErrIsLibrary}
	}
	r := &reads{of: f}
	if archive.Is(r) {
		return nil
	}
	if _, ok := pages.ReadMeta(r, 0, 0); ok {
		return nil
	}
	for size := 1 << 10; size <= 1<<24; size *= 2 { // bbolt's page sizes
		if _, ok := pages.ReadMeta(r, 1, size); ok {
			return nil
		}
	}
	if r.err != nil { // a disk that fails says nothing about the file
		return r.err
	}
	return &BackupError{Path: path, Why: ErrNotBackup}
}

// reads keeps the first error in reading.
type reads struct {
	of  io.ReaderAt
	err error
}

func (r *reads) ReadAt(b []byte, at int64) (int, error) {
	n, err := r.of.ReadAt(b, at)
	if err != nil && err != io.EOF && r.err == nil {
		r.err = err
	}
	return n, err
}

// ofBackup turns the damage that was found in a copy of path into an error about
// path: the library itself is not concerned.
func ofBackup(path string, err error) error {
	var damage *db.DamagedError
	switch err = db.Translate(err); {
	case errors.Is(err, db.ErrForeign):
		return &BackupError{Path: path, Why: ErrNotBackup}
	case errors.As(err, &damage):
		return &BackupError{Path: path, Why: ErrBackupDamaged, Damage: damage}
	}
	return err
}
