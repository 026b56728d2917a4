package lock

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// NoFollow: a symbolic link is found by Lstat instead (Open).
const NoFollow = 0

// NoWait: there are no pipes in folders.
const NoWait = 0

// lockOffset lies far behind the file's bytes: on Windows a locked range cannot
// be read by others, and the caller's 8 bytes must be.
const lockOffset = 1 << 30

// Lock waits for, or with Try asks for, the kernel's lock on f.
func Lock(f *os.File, mode Mode) error {
	var how uint32
	try := mode&Try != 0
	if mode&Exclusive != 0 {
		how |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	if try {
		how |= windows.LOCKFILE_FAIL_IMMEDIATELY
	}
	err := windows.LockFileEx(windows.Handle(f.Fd()), how, 0, 1, 0, &windows.Overlapped{OffsetHigh: lockOffset})
	if try && errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return ErrBusy
	}
	if err != nil {
		return fmt.Errorf("lock %s: %w", f.Name(), err)
	}
	return nil
}

// Unlock: closing a file frees its locks.
func Unlock(*os.File) {}

// checkOwner trusts the access list of the user's profile folder.
func checkOwner(string, fs.FileInfo) error { return nil }

func isFull(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL)
}

func isReadOnly(err error) bool {
	return errors.Is(err, windows.ERROR_ACCESS_DENIED) || errors.Is(err, windows.ERROR_WRITE_PROTECT)
}

func alive(pid int) bool {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return false
	}
	_ = windows.CloseHandle(h)
	return true
}

// Holders: the system does not tell.
func Holders(string) []int { return nil }

// IsStopped: there are no such signals.
func IsStopped(int) bool { return false }
