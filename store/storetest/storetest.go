// Package storetest is for tests: Main runs those of a package in memory, Size is
// how much of a long one is run.
package storetest

import (
	"os"
	"runtime/debug"
)

// Main runs the tests of a package and returns the exit code. Their temporary folders
// are in memory if there is room, since a disk makes most of them wait for its syncs
// (what is lost without power is tested on a disk of its own, store/fuse_test.go), and
// garbage is collected less often. TMPDIR and GOGC override both.
func Main(m interface{ Run() int }) int {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	if os.Getenv("TMPDIR") == "" && roomy(memory) {
		if dir, err := os.MkdirTemp(memory, "diurna-test-"); err == nil {
			os.Setenv("TMPDIR", dir)
			defer os.RemoveAll(dir)
		}
	}
	return m.Run()
}
