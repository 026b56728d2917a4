package storetest

import "golang.org/x/sys/unix"

// memory is a folder that most Linux systems keep in memory.
const memory = "/dev/shm"

// roomy reports whether a folder is in memory, has 4 GB left, and programs can be
// started from it.
func roomy(dir string) bool {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return false
	}
	return s.Type == unix.TMPFS_MAGIC && s.Flags&unix.ST_NOEXEC == 0 && s.Bavail*uint64(s.Bsize) >= 4<<30
}
