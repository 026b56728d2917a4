//go:build !unix

package sqlite

import "os"

// lockShared takes no lock where there are no POSIX locks.
func lockShared(*os.File) error { return nil }

// Held reports whether another process has a lock on a file: not known here.
func Held(string) (bool, error) { return false, nil }
