// Package sweep gives memory that was freed back to the system, when nothing else
// computes. Call Free once After has passed without work.
package sweep

import (
	"runtime/debug"
	"time"
)

// After is how long nothing may have been collected before memory is given back.
const After = time.Second

// Free gives all of it back. If garbage was collected less than so long ago, it gives none
// back and returns when to try again: whatever allocates would have the whole process stopped
// until all is given back, 50 ms for 150 MB, whenever the collector has to stop it.
func Free(after time.Duration) (again time.Duration) {
	var s debug.GCStats
	debug.ReadGCStats(&s)
	if since := time.Since(s.LastGC); since >= 0 && since < after { // below 0: the clock was set
		return after - since
	}
	debug.FreeOSMemory()
	return 0
}
