package watch

import (
	"runtime"
	"runtime/debug"
)

// Pages of leanFrom bytes and more are compared with garbage collected early:
// in so much memory above what is held, and so many times both pages.
const (
	leanFrom  = 1 << 20
	leanBase  = 16 << 20
	leanShare = 9
)

// withMemoryLimit makes Go collect garbage early while pages of n bytes are looked at; what
// it returns ends that. Without, a large page leaves half as much again in
// garbage as its comparison holds. The limit is the process's, so callers hold
// Readeps.compareSem.
func withMemoryLimit(n int) (done func()) {
	if n < leanFrom {
		return func() {}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	before := debug.SetMemoryLimit(-1) // GOMEMLIMIT may ask for less
	debug.SetMemoryLimit(min(before, int64(m.HeapAlloc)+leanBase+leanShare*int64(n)))
	return func() { debug.SetMemoryLimit(before) }
}
