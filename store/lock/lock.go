// Package lock opens files that only their owner may touch, and locks them
// between processes. The locks are the kernel's: it passes them on, first come,
// first served, and frees those of a process that dies, kill -9 included.
//
// Take takes the lock on a lock file; Mutex is an exclusive one that a process
// keeps for long.
package lock

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
)

// Errors that callers tell apart; all others are the operating system's.
var (
	ErrBusy     = errors.New("the library is busy")
	ErrFull     = errors.New("no space is left for the library") // disk, quota or size limit
	ErrReadOnly = errors.New("the library cannot be written")
	ErrUnsafe   = errors.New("the library is not safe to use") // another owner, others may write, a symbolic link
)

// Mode says how to lock. The zero Mode is Shared.
type Mode uint8

const (
	Shared    Mode = 0
	Exclusive Mode = 1
	Try       Mode = 2 // added to either: do not wait, the error is ErrBusy
)

// Take locks the lock file at path, which it makes if needed; closing the file
// frees the lock. The file is nil, without an error, when there is none, it cannot
// be made and mode is Shared.
func Take(path string, mode Mode) (*os.File, error) { return take(path, mode, OpenLock) }

func take(path string, mode Mode, open func(string, Mode) (*os.File, error)) (*os.File, error) {
	for {
		f, err := open(path, mode)
		if err != nil || f == nil {
			return nil, err
		}
		if err := Lock(f, mode); err != nil {
			f.Close()
			return nil, err
		}
		if IsAt(f, path) {
			return f, nil
		}
		// Somebody removed the lock file while we waited for it.
		f.Close()
	}
}

// OpenLock opens a lock file as Take does, but does not lock it.
func OpenLock(path string, mode Mode) (*os.File, error) {
	f, err := Open(path, os.O_RDWR|os.O_CREATE)
	if err != nil && isReadOnly(err) && mode&Exclusive == 0 {
		f, err = Open(path, os.O_RDONLY)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
	}
	if err != nil {
		return nil, Classify(err)
	}
	return f, nil
}

// Open opens a regular file that is ours and no symbolic link, with the flags of
// os.OpenFile; else the error is ErrUnsafe or the system's. It never waits: a pipe
// would have it wait for somebody at the other end.
func Open(path string, flag int) (*os.File, error) {
	f, err := os.OpenFile(path, flag|NoFollow|NoWait, 0o600)
	if err != nil || runtime.GOOS == "windows" {
		if fi, there := os.Lstat(path); there == nil && CheckPlain(path, fi) != nil {
			if err == nil {
				f.Close()
			}
			return nil, CheckPlain(path, fi)
		}
	}
	if err != nil {
		return nil, err
	}
	fi, err := f.Stat()
	if err == nil {
		err = CheckFile(path, fi)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// CheckFile refuses what CheckPlain does, and a file that others own or may open,
// with ErrUnsafe.
func CheckFile(path string, fi fs.FileInfo) error {
	if err := CheckPlain(path, fi); err != nil {
		return err
	}
	return checkOwner(path, fi)
}

// CheckPlain refuses a link, a pipe, a device and a folder, with ErrUnsafe.
func CheckPlain(path string, fi fs.FileInfo) error {
	what := "not a plain file"
	switch mode := fi.Mode(); {
	case mode.IsRegular():
		return nil
	case mode&fs.ModeSymlink != 0:
		what = "a symbolic link"
	}
	return fmt.Errorf("%w: %s is %s", ErrUnsafe, path, what)
}

// CheckDir refuses a folder that others may change, with ErrUnsafe; one that is
// not there is fine.
func CheckDir(dir string) error {
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

// IsAt tells whether f is the file at path now.
func IsAt(f *os.File, path string) bool {
	a, err := f.Stat()
	if err != nil {
		return false
	}
	b, err := os.Stat(path)
	return err == nil && os.SameFile(a, b)
}

// Classify wraps the system's errors of a full disk or quota in ErrFull and those
// of missing rights in ErrReadOnly; others stay as they are.
func Classify(err error) error {
	switch {
	case err == nil, errors.Is(err, ErrFull), errors.Is(err, ErrReadOnly):
		return err
	case isFull(err):
		return fmt.Errorf("%w: %w", ErrFull, err)
	case isReadOnly(err):
		return fmt.Errorf("%w: %w", ErrReadOnly, err)
	}
	return err
}

// A lock file begins with 8 bytes that are the caller's; then comes who held it.
const (
	holderAt  = 8
	holderLen = 40 // pid 4, length 1, role
)

// WriteHolder notes in a locked file that this process has it, and as what (up to
// 35 bytes), for Holder. It is a help for people, nothing depends on it, so a
// failure is no error.
func WriteHolder(f *os.File, role string) {
	var b [holderLen]byte
	binary.LittleEndian.PutUint32(b[:], uint32(os.Getpid()))
	b[4] = byte(copy(b[5:], role))
	_, _ = f.WriteAt(b[:], holderAt)
}

// Holder reads who holds a lock file: the kernel's word for the pid where there
// is one, else what was written, if that process is still there. The pid is 0 if
// neither tells.
func Holder(path string) (pid int, role string) {
	var b [holderLen]byte
	if f, err := Open(path, os.O_RDONLY); err == nil {
		_, err = f.ReadAt(b[:], holderAt)
		f.Close()
		if err != nil {
			b = [holderLen]byte{}
		}
	}
	noted := int(binary.LittleEndian.Uint32(b[:]))
	role = string(b[5 : 5+min(int(b[4]), holderLen-5)])
	if pids := Holders(path); len(pids) > 0 {
		pid = pids[0]
	}
	switch {
	case pid == 0 && noted != 0 && alive(noted):
		return noted, role
	case pid == noted:
		return pid, role
	}
	return pid, ""
}
