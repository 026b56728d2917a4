package page

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// TestHostilePairs compares every hostile pair in small: the script must be
// exact, and what takes minutes for a page takes long for its tenth.
func TestHostilePairs(t *testing.T) {
	for _, of := range hostilePairs(24_000) {
		p := of()
		start := time.Now()
		d, err := Compare(p.a, p.b, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%s: 24 kB a side took %s", p.name, took)
		}
		verify(t, p.a, p.b, d.Ops)
	}
}

// TestHostileFigures holds the promises for pages made to break them: 1 s for
// 1 MB a side and 5 s for 5 MB, in 32 MB + 12 times both pages.
func TestHostileFigures(t *testing.T) {
	if !full() {
		t.Skip("hostile pages are measured with DIURNA_FULL=1")
	}
	for _, c := range []struct {
		size int
		most time.Duration
	}{{1e6, time.Second}, {5e6, 5 * time.Second}} {
		for _, of := range hostilePairs(c.size) {
			p := of()
			start := time.Now()
			used := peak(func() { _, _ = Compare(p.a, p.b, Options{}) })
			took := time.Since(start)
			size := len(p.a) + len(p.b)
			limit := 32<<20 + 12*size
			t.Logf("%d MB %-40s %6.1f of %6.1f MB  %5.2f s", c.size/1e6, p.name, float64(used)/1e6, float64(limit)/1e6, took.Seconds())
			if used > limit || took > c.most {
				t.Errorf("%d MB %s: %d bytes of %d, %s of %s", c.size/1e6, p.name, used, limit, took, c.most)
			}
		}
	}
}

// peak returns how many bytes of heap and stack do took at most, the memory
// collected as the program collects it while it compares two files.
func peak(do func()) int {
	runtime.GC()
	debug.FreeOSMemory()
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	most, stop := make(chan uint64), make(chan struct{})
	go func() {
		top := uint64(0)
		var m runtime.MemStats
		for {
			select {
			case <-stop:
				most <- top
				return
			case <-time.After(time.Millisecond):
				runtime.ReadMemStats(&m)
				top = max(top, m.HeapInuse+m.StackInuse)
			}
		}
	}()
	do()
	close(stop)
	return max(int(<-most)-int(before.HeapInuse+before.StackInuse), 0)
}
