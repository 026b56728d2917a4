package page

import (
	"bytes"
	"fmt"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"diurna/reader/align/aligntest"

	"diurna/store/storetest"
)

// TestHostilePairs compares every hostile pair in small: the script must be
// exact. How long large ones take is TestHostileFigures.
func TestHostilePairs(t *testing.T) {
	for _, of := range hostilePairs(storetest.Size(8_000, 24_000)) {
		p := of()
		d, err := Compare(p.a, p.b, Options{})
		if err != nil {
			t.Fatal(err)
		}
		verify(t, p.a, p.b, d.Ops)
	}
}

// TestMemoryIsBounded remembers pages that are new each time for as long as a
// memory reaches: it neither grows without end nor forgets the last one.
func TestMemoryIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("some hundred thousand blocks are remembered")
	}
	list := func(seed int) []byte {
		var b bytes.Buffer
		for i := range 10_000 {
			fmt.Fprintf(&b, "<li>place %d of %d<a href=/%d/%d>", i, seed, seed, i)
		}
		return b.Bytes()
	}
	var m Memory
	for seed := range 8 {
		var err error
		if m, err = m.After(list(seed), Options{}); err != nil {
			t.Fatal(err)
		}
		if len(m.blocks) > maxBlocks || len(m.slots) > maxSlots {
			t.Fatalf("%d blocks and %d slots after %d revisions", len(m.blocks), len(m.slots), seed+1)
		}
	}
	d, err := Compare(list(9), list(7), Options{Memory: &m})
	if err != nil || len(d.Links.Added) > 0 || d.Class == Content {
		t.Errorf("the last page is unknown: %d links, %s, %v", len(d.Links.Added), d.Class, err)
	}
	d, err = Compare(list(9), list(0), Options{Memory: &m})
	if err != nil || len(d.Links.Added) == 0 {
		t.Errorf("the first page is known still: %v", err)
	}
	b, _ := m.MarshalBinary()
	t.Logf("%d blocks, %d slots, %d bytes", len(m.blocks), len(m.slots), len(b))
}

// TestTrim keeps an even share of what alone is too much.
func TestTrim(t *testing.T) {
	m := map[uint64]seen{}
	for i := range uint64(40_000) {
		m[i*0x9E3779B97F4A7C15] = seen{last: 10 + uint32(i%2)}
	}
	trim(m, 10_000, func(s seen) uint32 { return 11 - s.last })
	if n := len(m); n < 9_000 || n > 10_500 {
		t.Errorf("%d of 10000 are left", n)
	}
	for _, s := range m {
		if s.last != 11 {
			t.Fatal("something older than the last revision is left")
		}
	}
}

// TestHostileFigures holds the promises for pages made to break them: 1 s for
// 1 MB a side and 5 s for 5 MB, in 32 MB + 12 times both pages.
func TestHostileFigures(t *testing.T) {
	if !aligntest.Full() {
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

// peak returns how many bytes of heap and stack do held at most. Collecting is
// made eager, so that what Go has not collected yet hardly counts.
func peak(do func()) int {
	defer debug.SetGCPercent(debug.SetGCPercent(20))
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

// TestMemory holds the promise of 32 MB + 12 times the input for real pages; for
// others TestHostileFigures does.
func TestMemory(t *testing.T) {
	if !aligntest.Full() {
		t.Skip("memory is measured with DIURNA_FULL=1")
	}
	for _, p := range aligntest.Pairs(t) {
		size := len(p.A) + len(p.B)
		used := peak(func() { _, _ = Compare(p.A, p.B, Options{}) })
		if limit := 32<<20 + 12*size; used > limit {
			t.Errorf("%s takes %d bytes, limit %d", p.ID, used, limit)
		}
		if len(p.A) > 1e6 {
			t.Logf("%-26s %6.1f MB, %.1f x input", p.ID, float64(used)/1e6, float64(used)/float64(size))
		}
	}
}
