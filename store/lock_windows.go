package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// noFollow: a symbolic link is found by Lstat instead (openFile).
const noFollow = 0

// noWait: there are no pipes in folders.
const noWait = 0

// lockOffset lies far behind the file's bytes: on Windows a locked range cannot
// be read by others, and the transaction number must be.
const lockOffset = 1 << 30

func flock(f *os.File, exclusive, try bool) error {
	var how uint32
	if exclusive {
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

// unlock: closing a file frees its locks.
func unlock(*os.File) {}

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

// syncDir: NTFS keeps its own log of names.
func syncDir(string) error { return nil }

func lockHolders(string) []int { return nil }

func isStopped(int) bool { return false }
