// Package storetest is for tests: Main runs those of a package in memory, Size is
// how much of a long one is run.
package storetest

import (
	"os"
	"runtime"
	"runtime/debug"
)

// Main runs the tests of a package and returns the exit code. Their temporary folders
// are in memory if there is room, since a disk makes most of them wait for its syncs
// (what is lost without power is tested on a disk of its own, store/fuse_test.go),
// garbage is collected less often, and goroutines share one processor: most of them
// wait for one another, and waking threads for that was a third of the time. TMPDIR,
// GOGC and GOMAXPROCS override all three; .ci/run has the race detector use all processors.
func Main(m interface{ Run() int }) int {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(1)
	}
	if os.Getenv("TMPDIR") == "" && roomy(memory) {
		if dir, err := os.MkdirTemp(memory, "diurna-test-"); err == nil {
			os.Setenv("TMPDIR", dir)
			defer os.RemoveAll(dir)
		}
	}
	return m.Run()
}
