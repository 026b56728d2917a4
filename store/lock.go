package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// hold is the right to run a transaction: the lock file, locked. A nil lock
// means a folder that cannot be written and has no lock file: nobody can change
// the library then, and reading needs no lock.
type hold struct{ lock *os.File }

// acquire waits for the library's turn. turn is held only while waiting for
// lock, so whoever comes next waits behind us at turn and not beside us: with
// lock alone readers that overlap kept a writer out for ever. The wait is in the
// kernel, first come, first served.
func (l *library) acquire(exclusive bool, role string) (*hold, error) {
	turn, err := l.openLock(l.turnName, exclusive)
	if err != nil || turn == nil {
		return &hold{}, err
	}
	defer l.leaveTurn(turn)
	if err := flock(turn, true, false); err != nil {
		return nil, err
	}
	if !l.haveTurn(turn) {
		return nil, errSteppedAside
	}
	for {
		lock, err := l.openLock(l.lockName, exclusive)
		if err != nil || lock == nil {
			return &hold{}, err
		}
		if err := flock(lock, exclusive, false); err != nil {
			lock.Close()
			return nil, err
		}
		if !sameFile(lock, l.in(l.lockName)) {
			// Somebody removed the lock file while we waited for it.
			lock.Close()
			continue
		}
		if l.isPaused() {
			lock.Close()
			return nil, errSteppedAside
		}
		if role != "" {
			writeHolder(lock, role)
		}
		return &hold{lock}, nil
	}
}

func (h *hold) release() {
	if h.lock != nil {
		h.lock.Close()
	}
}

// openLock opens a lock file, making it if needed. It is nil, without an error,
// when it is not there, cannot be made and only reading is wanted.
func (l *library) openLock(name string, write bool) (*os.File, error) {
	path := l.in(name)
	f, err := openFile(path, os.O_RDWR|os.O_CREATE)
	if err != nil && isReadOnly(err) && !write {
		f, err = openFile(path, os.O_RDONLY)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
	}
	if err != nil {
		return nil, translate(err)
	}
	return f, nil
}

// openFile opens a regular file that is ours and no symbolic link. It never
// waits: a pipe would have it wait for somebody at the other end.
func openFile(path string, flag int) (*os.File, error) {
	f, err := os.OpenFile(path, flag|noFollow|noWait, 0o600)
	if err != nil || runtime.GOOS == "windows" {
		if fi, there := os.Lstat(path); there == nil && plain(path, fi) != nil {
			if err == nil {
				f.Close()
			}
			return nil, plain(path, fi)
		}
	}
	if err != nil {
		return nil, err
	}
	fi, err := f.Stat()
	if err == nil {
		err = plain(path, fi)
	}
	if err == nil {
		err = checkOwner(path, fi)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// plain refuses a link, a pipe, a device and a folder.
func plain(path string, fi fs.FileInfo) error {
	what := "not a plain file"
	switch mode := fi.Mode(); {
	case mode.IsRegular():
		return nil
	case mode&fs.ModeSymlink != 0:
		what = "a symbolic link"
	}
	return fmt.Errorf("%w: %s is %s", ErrUnsafe, path, what)
}

func sameFile(f *os.File, path string) bool {
	a, err := f.Stat()
	if err != nil {
		return false
	}
	b, err := os.Stat(path)
	return err == nil && os.SameFile(a, b)
}

// The lock file's bytes: the number of the newest commit, then who held it.
const (
	holderAt  = 8
	holderLen = 40 // pid 4, length 1, role
)

// writeHolder notes who holds the lock, for others' BusyError. It is a help for
// people, nothing depends on it, so a failure is no error.
func writeHolder(f *os.File, role string) {
	var b [holderLen]byte
	binary.LittleEndian.PutUint32(b[:], uint32(os.Getpid()))
	b[4] = byte(copy(b[5:], role))
	_, _ = f.WriteAt(b[:], holderAt)
}

// holder reads who holds a lock file: the kernel's word for the pid where there
// is one, else what was written, if that process is still there.
func holder(path string) (pid int, role string) {
	var b [holderLen]byte
	if f, err := openFile(path, os.O_RDONLY); err == nil {
		_, err = f.ReadAt(b[:], holderAt)
		f.Close()
		if err != nil {
			b = [holderLen]byte{}
		}
	}
	noted := int(binary.LittleEndian.Uint32(b[:]))
	role = string(b[5 : 5+min(int(b[4]), holderLen-5)])
	pid = firstOf(lockHolders(path))
	switch {
	case pid == 0 && noted != 0 && alive(noted):
		return noted, role
	case pid == noted:
		return pid, role
	}
	return pid, ""
}

// readTx reads the number of the newest commit.
func (l *library) readTx() uint64 {
	f, err := openFile(l.in(l.lockName), os.O_RDONLY)
	if err != nil {
		return 0
	}
	defer f.Close()
	var b [8]byte
	if _, err := f.ReadAt(b[:], 0); err != nil {
		return 0
	}
	return binary.LittleEndian.Uint64(b[:])
}

// writeTx tells the other processes of a commit, before the lock is let go.
func (h *hold) writeTx(no uint64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], no)
	if h.lock == nil {
		return // a private file
	}
	_, _ = h.lock.WriteAt(b[:], 0) // the commit stands; who misses this sees the next one
}

func (l *library) in(name string) string { return filepath.Join(l.dir, name) }

func (l *library) path() string {
	if l.file != "" {
		return l.file
	}
	return l.in(l.name)
}

func (l *library) exists() bool {
	_, err := os.Lstat(l.path())
	return err == nil
}

// checkDir refuses a folder that others may change; one that is not there is fine.
func checkDir(dir string) error {
	fi, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !fi.IsDir():
		return fmt.Errorf("%w: %s is not a folder", ErrUnsafe, dir)
	}
	return checkOwner(dir, fi)
}
