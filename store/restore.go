package store

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"diurna/store/archive"
	"diurna/store/db"
	"diurna/store/pages"
)

// Restore puts the backup at path in the library's place, where it begins a new
// line of descent. It must check first.
// What was there is set aside and its new path returned, empty if nothing was.
// Errors: BackupError.
func (s *Store) Restore(ctx context.Context, now time.Time, path string) (aside string, err error) {
	if err := s.lib.MakeDir(); err != nil {
		return "", db.Translate(err)
	}
	err = s.lib.Alone(ctx, "restore", func(h *db.Hold) error {
		s.lib.Sweep()
		fresh := s.lib.Path() + ".restore"
		defer os.Remove(fresh)
		if err := s.lib.isBackup(path); err != nil {
			return err
		}
		if archive.IsFile(path) {
			err = s.lib.unpackBackup(path, fresh)
		} else {
			err = copyFile(path, fresh)
		}
		if err != nil {
			return ofBackup(path, err)
		}
		if err := s.checkFresh(ctx, fresh); err != nil {
			return ofBackup(path, err)
		}
		// What a damaged library cannot tell is left out.
		there, _ := s.Descent(ctx, s.lib.Path())
		if s.lib.Exists() {
			if aside, err = s.lib.secondName("replaced", now, copyFile); err != nil {
				return err
			}
		}
		begin := func(t *txn) error {
			d, err := t.descent()
			if err != nil {
				return err
			}
			return t.putLine(d.next(there, s.lib.ReadTx(), now))
		}
		if err := s.lib.install(h, fresh, begin); err != nil {
			s.lib.takeBack(aside)
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
func (s *Store) checkFresh(ctx context.Context, fresh string) error {
	err := s.checkCopy(ctx, fresh)
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
	return s.checkCopy(ctx, fresh)
}

// isBackup refuses what is no backup before any of it is copied, because such a
// file may be of any length: the library itself, and a file whose first pages are
// not a database's.
func (l *library) isBackup(path string) error {
	f, err := openNamed(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if fi, err := f.Stat(); err == nil && l.is(fi) {
		return &BackupError{Path: path, Why: ErrIsLibrary}
	}
	if archive.Is(f) {
		return nil
	}
	if _, ok := pages.ReadMeta(f, 0, 0); ok {
		return nil
	}
	for size := 1 << 10; size <= 1<<24; size *= 2 { // bbolt's page sizes
		if _, ok := pages.ReadMeta(f, 1, size); ok {
			return nil
		}
	}
	return &BackupError{Path: path, Why: ErrNotBackup}
}

// ofBackup turns the damage that was found in a copy of path into an error about
// path: the library itself is not concerned.
func ofBackup(path string, err error) error {
	var damage *DamagedError
	switch err = db.Translate(err); {
	case errors.Is(err, db.ErrForeign):
		return &BackupError{Path: path, Why: ErrNotBackup}
	case errors.As(err, &damage):
		return &BackupError{Path: path, Why: ErrBackupDamaged, Damage: damage}
	}
	return err
}
