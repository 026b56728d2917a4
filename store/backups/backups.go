// Package backups copies a library while others use it, puts a backup in its place,
// sets a damaged one aside, and rewrites it without its free pages.
//
// Start with Keeper.Backup and Keeper.Restore.
package backups

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"diurna/store/archive"
	"diurna/store/check"
	"diurna/store/db"
	"diurna/store/library"
	"diurna/store/lock"
)

// Keeper copies a library, puts a copy in its place, and makes it smaller.
type Keeper struct{ Lib *library.Library }

// Backup writes a checked copy of the library to path, atomically. What is at
// path is replaced only if it is a regular file.
//
// It copies the library as it is in one read transaction: others may read
// meanwhile, writers wait (0.7 s for 200 MB). The copy is opened and checked
// before it gets its name.
func (k *Keeper) Backup(ctx context.Context, path string) error {
	if fi, err := os.Lstat(path); err == nil && lock.CheckPlain(path, fi) != nil {
		return lock.CheckPlain(path, fi)
	}
	if !k.Lib.Exists() {
		return db.ErrNone
	}
	f, err := k.checkedDraft(ctx, filepath.Dir(path), true)
	if err != nil {
		return err
	}
	fresh := f.Name()
	defer os.Remove(fresh) // after the rename there is none
	defer f.Close()        // what it holds is on the disk by then
	closeToRename(f)
	return db.Translate(k.Lib.Place(fresh, path))
}

// closeToRename closes a file that is on the disk where an open one cannot be renamed.
func closeToRename(f *os.File) {
	if runtime.GOOS == "windows" {
		f.Close()
	}
}

// checkedDraft writes a copy of the library to a file in dir and checks it. With sync
// it is on the disk then. The caller closes and removes it.
func (k *Keeper) checkedDraft(ctx context.Context, dir string, sync bool) (*os.File, error) {
	f, err := NewDraft(dir)
	if err != nil {
		return nil, db.Translate(err)
	}
	sweepDrafts(dir)
	err = k.Lib.Do(ctx, &library.Job{Role: "backup", Fn: func(t *library.Txn) error {
		k.Lib.Sweep()
		_, err := t.Bolt.WriteTo(f)
		return err
	}})
	if err == nil && sync {
		err = f.Sync()
	}
	if err = db.Translate(err); err == nil {
		err = check.Copy(ctx, k.Lib, f.Name())
	}
	if err != nil {
		os.Remove(f.Name())
		f.Close()
		return nil, fmt.Errorf("backup: %w", err)
	}
	return f, nil
}

// BackupDraft begins the name of a backup that is being written.
const BackupDraft = ".diurna-backup-"

// NewDraft makes a file for a backup in dir. Its lock is held while the file is
// open, so that others see that it is being written.
func NewDraft(dir string) (*os.File, error) {
	for tries := 0; ; tries++ {
		f, err := os.CreateTemp(dir, BackupDraft+"*") // mode 0600
		if errors.Is(err, fs.ErrNotExist) {
			return nil, &fs.PathError{Op: "open", Path: dir, Err: fs.ErrNotExist} // and not the draft's name
		}
		if err != nil {
			return nil, err
		}
		// Shared, as bbolt takes it when the copy is checked. Where there are no
		// locks nobody sweeps either.
		if err := lock.Lock(f, lock.Shared); err != nil || lock.IsAt(f, f.Name()) || tries == 100 {
			return f, nil
		}
		f.Close() // swept before it was locked
	}
}

// sweepDrafts removes what backups that were killed have left in dir: drafts that
// nobody holds.
func sweepDrafts(dir string) {
	left, _ := filepath.Glob(filepath.Join(globQuote(dir), BackupDraft+"*"))
	for _, path := range left {
		f, err := lock.Open(path, os.O_RDWR)
		if err != nil {
			continue // not ours
		}
		if lock.Lock(f, lock.Exclusive|lock.Try) == nil {
			if runtime.GOOS == "windows" {
				f.Close() // nor removed
			}
			_ = os.Remove(path)
		}
		f.Close()
	}
}

// globQuote makes a folder's name match itself only.
func globQuote(dir string) string {
	if runtime.GOOS == "windows" {
		return dir // has no quoting there, and * and ? not in names
	}
	return strings.NewReplacer("\\", "\\\\", "*", "\\*", "?", "\\?", "[", "\\[").Replace(dir)
}

// openNamed opens a file that a user named, through links too. A pipe would
// have us wait for somebody at the other end, and a device has no end.
func openNamed(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|lock.NoWait, 0)
	if err != nil {
		return nil, err
	}
	fi, err := f.Stat()
	if err == nil && !fi.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a plain file", path)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func CopyFile(from, to string) error {
	in, err := openNamed(from)
	if err != nil {
		return err
	}
	defer in.Close()
	if err := os.Remove(to); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY|lock.NoFollow, 0o600)
	if err != nil {
		return err
	}
	_, err = out.ReadFrom(in)
	if err == nil {
		err = out.Sync()
	}
	if cerr := out.Close(); err == nil {
		err = cerr
	}
	return err
}

// Quarantine sets the library aside as diurna.db.damaged-2006-01-02 (or -2, -3)
// and returns that path. There is no library afterwards.
func (k *Keeper) Quarantine(ctx context.Context, now time.Time) (path string, err error) {
	if !k.Lib.Exists() {
		return "", db.ErrNone
	}
	err = k.Lib.Alone(ctx, "quarantine", func(*db.Hold) error {
		if !k.Lib.Exists() {
			return db.ErrNone
		}
		if path, err = secondName(k.Lib, "damaged", now, os.Rename); err != nil {
			return err
		}
		if err := os.Remove(k.Lib.Path()); err != nil && !errors.Is(err, fs.ErrNotExist) {
			takeBack(k.Lib, path)
			return err
		}
		return db.SyncDir(k.Lib.Dir)
	})
	return path, err
}

// secondName gives the library one more name, diurna.db.WHY-DATE, and makes that
// last before anything is done about the first: whenever the power goes, the
// file has a name. One that is taken is never replaced. Where the file system has
// no hard links, without does it.
func secondName(l *library.Library, why string, now time.Time, without func(from, to string) error) (string, error) {
	base := l.Path() + "." + why + "-" + now.Format("2006-01-02")
	for i := 1; i < 1000; i++ {
		to := base
		if i > 1 {
			to = fmt.Sprintf("%s-%d", base, i)
		}
		err := os.Link(l.Path(), to)
		taken, there := os.Lstat(to)
		switch {
		case errors.Is(err, fs.ErrExist) && there == nil && is(l, taken):
			err = nil // by us, when the power went the last time
		case errors.Is(err, fs.ErrExist):
			continue
		case err != nil && errors.Is(there, fs.ErrNotExist):
			if err = without(l.Path(), to); err != nil && l.Exists() {
				os.Remove(to) // a part of a copy
			}
		}
		if err == nil {
			err = db.SyncDir(l.Dir)
		}
		if err != nil {
			takeBack(l, to)
			return "", err
		}
		return to, nil
	}
	return "", fmt.Errorf("store: too many files called %s", base)
}

// is tells whether fi is the library's own file.
func is(l *library.Library, fi fs.FileInfo) bool {
	own, err := os.Lstat(l.Path())
	return err == nil && os.SameFile(own, fi)
}

// takeBack removes the second name of a library that keeps its first one.
func takeBack(l *library.Library, second string) {
	if fi, err := os.Lstat(second); err == nil && is(l, fi) {
		_ = os.Remove(second)
	}
}

// Descent tells which library the file at path holds and how far it goes; "" is
// this library. For a file no lock is taken: it must be at rest, as a backup is.
func (k *Keeper) Descent(ctx context.Context, path string) (d library.Descent, err error) {
	read := func(t *library.Txn) (err error) {
		d, err = t.Descent()
		return err
	}
	if path == "" {
		err = k.Lib.Read(ctx, read)
		return d, err
	}
	if archive.IsFile(path) {
		return packedDescent(path)
	}
	return d, k.Lib.CopyAt(path).Under(&db.Hold{}, false, read)
}

// Writable finds out whether the library could be written now, and writes
// nothing. Errors: ErrReadOnly, ErrUnsafe, db.ErrNone.
func (k *Keeper) Writable(ctx context.Context) error {
	if !k.Lib.Exists() {
		return db.ErrNone
	}
	return k.Lib.Alone(ctx, "", func(*db.Hold) error {
		f, err := lock.Open(k.Lib.Path(), os.O_RDWR)
		if err != nil {
			return err
		}
		return f.Close()
	})
}

// install gives a checked file, on the same disk, the library's place. Its
// transaction numbers continue those of the old one. line, if not nil, runs in the
// transaction that sets them.
func install(l *library.Library, h *db.Hold, fresh string, line func(t *library.Txn) error) error {
	next := l.ReadTx() + 1
	moved := l.CopyAt(fresh)
	moved.Secrets = l.Secrets
	err := moved.Under(&db.Hold{}, true, func(t *library.Txn) error {
		t.SetBase(0)
		t.SetBase(max(next, t.Number()) - uint64(t.Bolt.ID()))
		next = t.Number()
		if line == nil {
			return nil
		}
		return line(t)
	})
	if err != nil {
		return err
	}
	if err := l.Place(fresh, l.Path()); err != nil {
		return err
	}
	l.Committed(h, next)
	return nil
}
