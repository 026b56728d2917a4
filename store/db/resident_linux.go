package db

import "golang.org/x/sys/unix"

// Release lets the system take back the pages of the file that this transaction has
// mapped so far. They count as this process's memory until it ends: each page that is
// touched brings its 15 neighbours, so that 1,000 feeds, scattered over the file by
// their last fetches, held 10 MB. What is read again is mapped again, from the
// system's cache.
func (t *Tx) Release() {
	// An error would leave them where they are.
	_, _, _ = unix.Syscall(unix.SYS_MADVISE, t.Bolt.DB().Info().Data, uintptr(t.Bolt.Size()), unix.MADV_DONTNEED)
}
