package sweep

import (
	"os"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"testing"
	"time"
)

func collected() int64 {
	var s debug.GCStats
	debug.ReadGCStats(&s)
	return s.NumGC
}

// TestFreeWaitsForQuiet: after a collection nothing is given back until the time has passed.
func TestFreeWaitsForQuiet(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // only what the test asks for
	runtime.GC()
	was := collected()
	if again := Free(time.Hour); again <= 59*time.Minute || again > time.Hour || collected() != was {
		t.Errorf("again in %v; %d collections", again, collected()-was)
	}
	if again := Free(0); again != 0 || collected() == was {
		t.Errorf("again in %v; %d collections", again, collected()-was)
	}
}

// TestStops prints how long goroutines stand still at most while memory is given back and
// another goroutine allocates, at any time and by Free alone:
//
//	DIURNA_BENCH=1 go test -v -run TestStops ./reader/sweep
func TestStops(t *testing.T) {
	if os.Getenv("DIURNA_BENCH") == "" {
		t.Skip("DIURNA_BENCH=1 measures")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(runtime.NumCPU() + 3)) // as on the screen
	for _, free := range []struct {
		what string
		do   func()
	}{{"at any time", debug.FreeOSMemory}, {"by Free", func() { Free(After) }}} {
		var worst time.Duration
		var stop atomic.Bool
		var longest atomic.Int64
		ended := make(chan struct{}, 2)
		var sink []byte
		go func() {
			for !stop.Load() {
				sink = make([]byte, 1+len(sink)%4096)
			}
			ended <- struct{}{}
		}()
		go func() {
			for last := time.Now(); !stop.Load(); {
				now := time.Now()
				longest.Store(max(longest.Load(), int64(now.Sub(last))))
				last = now
			}
			ended <- struct{}{}
		}()
		for range 20 {
			var keep [][]byte
			for range 150 << 20 / 65536 {
				b := make([]byte, 65536)
				for i := 0; i < len(b); i += 4096 {
					b[i] = 1
				}
				keep = append(keep, b)
			}
			runtime.KeepAlive(keep)
			longest.Store(0)
			free.do()
			worst = max(worst, time.Duration(longest.Load()))
		}
		t.Logf("memory is given back %s: all stand still for %v at most", free.what, worst)
		stop.Store(true)
		<-ended
		<-ended
	}
}
