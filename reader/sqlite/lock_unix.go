//go:build unix

package sqlite

import (
	"errors"
	"os"
	"syscall"
)

// The bytes that SQLite locks (os.h of its source). A reader holds all of the shared
// ones; it asks for the pending one first, which a writer holds who waits for readers.
const (
	pendingByte = 0x40000000
	sharedFirst = pendingByte + 2
	sharedSize  = 510
)

// lockShared takes the lock of a reader; ErrLocked if a writer has its own. Closing the
// file gives it back.
func lockShared(f *os.File) error {
	pending := syscall.Flock_t{Type: syscall.F_RDLCK, Start: pendingByte, Len: 1}
	shared := syscall.Flock_t{Type: syscall.F_RDLCK, Start: sharedFirst, Len: sharedSize}
	free := syscall.Flock_t{Type: syscall.F_UNLCK, Start: pendingByte, Len: 1}
	for _, l := range []*syscall.Flock_t{&pending, &shared, &free} {
		switch err := syscall.FcntlFlock(f.Fd(), syscall.F_SETLK, l); {
		case errors.Is(err, syscall.EAGAIN), errors.Is(err, syscall.EACCES):
			return ErrLocked
		case errors.Is(err, syscall.ENOLCK), errors.Is(err, syscall.EINVAL), errors.Is(err, syscall.ENOSYS):
			return nil // a file system without locks, where nobody has one
		case err != nil:
			return err
		}
	}
	return nil
}

// Held reports whether another process has a lock on a file, as lockf does it.
func Held(path string) (bool, error) {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	l := syscall.Flock_t{Type: syscall.F_WRLCK}
	err = syscall.FcntlFlock(f.Fd(), syscall.F_GETLK, &l)
	return err == nil && l.Type != syscall.F_UNLCK, f.Close()
}
