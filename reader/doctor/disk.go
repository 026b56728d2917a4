//go:build linux || darwin || freebsd

package doctor

import "golang.org/x/sys/unix"

// diskFree is how many bytes the folder's disk has left for us; -1: unknown.
func diskFree(dir string) int64 {
	var st unix.Statfs_t
	if unix.Statfs(dir, &st) != nil {
		return -1
	}
	return int64(st.Bavail) * int64(st.Bsize)
}
