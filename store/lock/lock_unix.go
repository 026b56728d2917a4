//go:build unix

package lock

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// NoFollow makes open refuse a symbolic link at the last step of a path.
const NoFollow = unix.O_NOFOLLOW

// NoWait makes open return at once where the path is a pipe.
const NoWait = unix.O_NONBLOCK

// Lock waits for, or with Try asks for, the kernel's lock on f. The kernel
// frees it when f is closed or its process dies, kill -9 included. On a file
// system without locks the error is ErrUnsafe.
func Lock(f *os.File, mode Mode) error {
	how, try := unix.LOCK_SH, mode&Try != 0
	if mode&Exclusive != 0 {
		how = unix.LOCK_EX
	}
	if try {
		how |= unix.LOCK_NB
	}
	for {
		err := unix.Flock(int(f.Fd()), how)
		switch {
		case err == unix.EINTR:
			continue // a signal of the runtime's own
		case try && err == unix.EWOULDBLOCK:
			return ErrBusy
		case err == unix.ENOLCK, err == unix.ENOSYS, err == unix.EOPNOTSUPP:
			return fmt.Errorf("%w: %s is on a file system without locks (%w)", ErrUnsafe, f.Name(), err)
		case err != nil:
			return fmt.Errorf("lock %s: %w", f.Name(), err)
		}
		return nil
	}
}

// Unlock lets go of a lock that a map of the file, or a program that is just being
// started, would keep alive after Close.
func Unlock(f *os.File) { _ = unix.Flock(int(f.Fd()), unix.LOCK_UN) }

// checkOwner refuses what another user could change or, for a file (which holds
// the reader's habits), read. A folder may be listed by others: its files are not
// theirs to open.
func checkOwner(path string, fi fs.FileInfo) error {
	st, ok := fi.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	if int(st.Uid) != os.Geteuid() {
		return fmt.Errorf("%w: %s belongs to user %d, not to you", ErrUnsafe, path, st.Uid)
	}
	perm := fi.Mode().Perm()
	if fi.IsDir() && perm&0o022 != 0 && fi.Mode()&fs.ModeSticky == 0 {
		return fmt.Errorf("%w: others may write in %s (mode %04o, want 0700)", ErrUnsafe, path, perm)
	}
	if fi.IsDir() && perm&0o022 != 0 {
		return fmt.Errorf("%w: %s is a shared folder (mode %04o, want 0700)", ErrUnsafe, path, perm)
	}
	if !fi.IsDir() && perm&0o077 != 0 {
		return fmt.Errorf("%w: others may open %s (mode %04o, want 0600)", ErrUnsafe, path, perm)
	}
	return nil
}

func isFull(err error) bool { return isOneOf(err, unix.ENOSPC, unix.EDQUOT, unix.EFBIG) }

func isReadOnly(err error) bool { return isOneOf(err, unix.EROFS, unix.EACCES, unix.EPERM) }

// isOneOf looks at the words too: bbolt prints some of the system's errors into
// its own instead of wrapping them ("file resize error: ...").
func isOneOf(err error, numbers ...syscall.Errno) bool {
	for _, n := range numbers {
		if errors.Is(err, n) || strings.HasSuffix(err.Error(), ": "+n.Error()) {
			return true
		}
	}
	return false
}

func alive(pid int) bool { return unix.Kill(pid, 0) != unix.ESRCH }

// Holders asks the kernel which processes hold the lock on the file at path;
// this one comes last. Only Linux tells (/proc/locks); elsewhere, and in a
// container that hides it, there are none.
func Holders(path string) (pids []int) {
	fi, err := os.Stat(path)
	if err != nil {
		return nil
	}
	st, ok := fi.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	f, err := os.Open("/proc/locks")
	if err != nil {
		return nil
	}
	defer f.Close()
	inode, own := strconv.FormatUint(st.Ino, 10), 0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		// "1: FLOCK  ADVISORY  WRITE 4211 fe:00:131 0 EOF"; a waiter has "->" in second place
		w := strings.Fields(lines.Text())
		if len(w) < 6 || w[1] != "FLOCK" || !strings.HasSuffix(w[5], ":"+inode) {
			continue
		}
		if pid, err := strconv.Atoi(w[4]); err == nil && pid > 0 {
			if pid != os.Getpid() {
				pids = append(pids, pid)
				continue
			}
			own = pid
		}
	}
	if own != 0 {
		pids = append(pids, own)
	}
	return pids
}

// IsStopped reports whether the kernel says of a process that a signal has
// stopped it. False where there is no /proc.
func IsStopped(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return false
	}
	// "4211 (name) T ...", and a name may hold anything.
	_, after, ok := strings.Cut(string(stat[strings.LastIndexByte(string(stat), ')')+1:]), " ")
	return ok && strings.HasPrefix(after, "T")
}
