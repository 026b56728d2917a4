//go:build linux

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// patchedGo is the release that testdata/clock knows how to edit.
const patchedGo = "go1.26"

// clockBuild is this test binary on a clock that can be set, built once per test run.
// Its names are those of asPrograms.
var clockBuild struct {
	once sync.Once
	dir  string
	err  error
	talk string
}

// onVirtualClock is the folder of the programs built with testdata/clock. Where the
// Go release is another one the test is skipped.
func onVirtualClock(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("its programs are built without the race detector: run without -short")
	}
	if v := runtime.Version(); v != patchedGo && !strings.HasPrefix(v, patchedGo+".") {
		t.Skipf("testdata/clock edits the time package of %s; this is %s", patchedGo, v)
	}
	b := &clockBuild
	b.once.Do(func() {
		if b.dir, b.err = os.MkdirTemp("", "diurna-clock-"); b.err != nil {
			return
		}
		atEnd = append(atEnd, func() { os.RemoveAll(b.dir) })
		var overlay []byte
		make := exec.Command("go", "run", "./testdata/clock", b.dir)
		if overlay, b.err = make.Output(); b.err != nil {
			return
		}
		list := filepath.Join(b.dir, "overlay.json")
		if b.err = os.WriteFile(list, overlay, 0o600); b.err != nil {
			return
		}
		build := exec.Command("go", "test", "-c", "-vet=off", "-trimpath", "-overlay", list, "-o", filepath.Join(b.dir, "diurna"), ".")
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		talk, err := build.CombinedOutput()
		if b.talk, b.err = string(talk), err; err == nil {
			b.err = os.Link(filepath.Join(b.dir, "diurna"), filepath.Join(b.dir, "diurna-serve"))
		}
	})
	if b.err != nil {
		t.Fatalf("build on a virtual clock: %v\n%s", b.err, b.talk)
	}
	return b.dir
}

// virtualClock is the clock of one life. It goes on by itself as real time does,
// and is moved forward to where the next thing happens.
type virtualClock struct {
	mu    sync.Mutex
	path  string
	nums  *[2]int64 // ns added to the wall and to the monotonic clock
	zone  *time.Location
	wrong atomic.Int64 // ns by which the wall clock is ahead of everybody else's
}

func newVirtualClock(t *testing.T, zone *time.Location, start time.Time) *virtualClock {
	t.Helper()
	c := &virtualClock{path: filepath.Join(t.TempDir(), "clock"), zone: zone}
	if err := os.WriteFile(c.path, make([]byte, 16), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(c.path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	b, err := unix.Mmap(int(f.Fd()), 0, 16, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	f.Close()
	if err != nil {
		t.Fatal(err)
	}
	c.nums = (*[2]int64)(unsafe.Pointer(unsafe.SliceData(b))) // never unmapped: a publisher may still read it
	atomic.StoreInt64(&c.nums[0], int64(time.Until(start)))
	return c
}

// now is the moment on the life's wall clock.
func (c *virtualClock) now() time.Time {
	return time.Now().Round(0).Add(time.Duration(atomic.LoadInt64(&c.nums[0]))).In(c.zone)
}

// until lets time pass up to a moment: all clocks and timers move. It does nothing
// once the moment is past.
func (c *virtualClock) until(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if d := at.Sub(c.now()); d > 0 {
		atomic.AddInt64(&c.nums[0], int64(d))
		atomic.AddInt64(&c.nums[1], int64(d))
	}
}

// jump sets the wall clock alone, forward or back, as somebody who corrects it
// or a machine that slept does; timers go on as if nothing had happened.
func (c *virtualClock) jump(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	atomic.AddInt64(&c.nums[0], int64(d))
}

// misset is jump for a clock that goes wrong, or is put right again: publishers'
// clocks do not follow.
func (c *virtualClock) misset(d time.Duration) {
	c.wrong.Add(int64(d))
	c.jump(d)
}

// truth is the moment on everybody else's clock.
func (c *virtualClock) truth() time.Time { return c.now().Add(-time.Duration(c.wrong.Load())) }

// TestVirtualClock: the program lives at the moment that it is given, its timers
// follow, and a jump of the wall clock or a sleep moves what it shows.
func TestVirtualClock(t *testing.T) {
	t.Parallel()
	l := newLife(t, "Europe/Berlin", "2031-03-04 05:06")
	busy := l.web.alone("two").change(func(f *lifeFeed) {
		f.answer = func(time.Time) (int, string) { return 503, "3600" }
	})
	f := l.web.feed("one").every(time.Hour, l.at("2031-03-04 01:00"), l.at("2031-03-05 01:00"))
	l.must(l.start, "add", f.url)
	if r := l.run(l.start, "add", busy.url); r.code == 0 || !strings.Contains(r.talk, "503") {
		t.Errorf("add of a busy feed: %+v", r)
	}
	hour := func(want string) {
		t.Helper()
		if got := l.json(l.clock.now(), "list"); len(got) != 1 || !strings.HasPrefix(got[0]["last_fetch"].(string), want) {
			t.Errorf("last fetch %v, want %s", got, want)
		}
	}
	hour("2031-03-04T05:0")
	l.cron(l.start.Add(2*time.Hour), l.start.Add(3*time.Hour), time.Hour, "fetch", "--all")
	hour("2031-03-04T07:0")
	run, end := l.begin(l.start.Add(4*time.Hour), "run")
	for d := time.Duration(0); l.web.since("one", l.start.Add(4*time.Hour)) == 0 && d < 2000*time.Minute; d += 5 * time.Minute {
		l.pass(l.clock.now().Add(5*time.Minute), time.Minute, 5*time.Millisecond)
	}
	if l.web.since("one", l.start.Add(4*time.Hour)) == 0 {
		t.Error("run fetched nothing in 33 hours")
	}
	l.suspend(time.Hour, run)
	end()
	p := l.sit(l.clock.now())
	p.leave()
	if log := l.web.served(""); log[0].posts != 5 && log[0].feed == "one" {
		t.Errorf("the first answer is %+v", log[0])
	}
}
