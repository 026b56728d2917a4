//go:build linux

package store

import (
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// stride is how many of the calls to the disk a test leaves out between two that
// fail; DIURNA_FAULTS=1 leaves out none.
func stride() int {
	if os.Getenv("DIURNA_FAULTS") != "" {
		return 1
	}
	return 17
}

// set makes the nth call from now on fail.
func (d *disk) set(f *fault) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.calls, d.fault = 0, f
}

// hits is which calls failed.
func (d *disk) hits() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.fault.hit)
}

// The power goes at each call to the disk in each operation, one after the other:
// what was acknowledged before is there, the operation is done or not done, and the
// library checks.
func TestPowerCutAtEachCall(t *testing.T) {
	start, kept := base(t)
	points, outcomes := 0, 0
	step := stride()
	names := []string{"quarantine"}
	for _, act := range operations {
		names = append(names, act.name)
	}
	for i, name := range names {
		for n := 1 + i%step; ; n += step {
			d, l := start.clone(), &ledger{slices.Clone(kept.lines), name == "quarantine"}
			dir, unmount := d.mount(t)
			w := startDoer(t, dir)
			d.set(&fault{nth: n, errno: syscall.EIO, lasting: true})
			tag, answer := w.tell(t, name)
			hit := d.hits()
			w.end()
			unmount()
			if answer == "ok" {
				l.lines = append(l.lines, line(name, tag))
			}
			for some := range uint64(max(4, 1<<min(4, len(d.folder)))) {
				found := d.loseAllBut(some, rand.New(rand.NewPCG(some, uint64(n))))
				where := t.TempDir()
				found.put(t, where)
				for _, bad := range l.verify(t.Context(), where) {
					t.Errorf("%s, call %d, %v: %s", name, n, hit[:min(1, len(hit))], bad)
				}
				os.RemoveAll(where)
				outcomes++
			}
			if len(hit) == 0 {
				break
			}
			points++
		}
	}
	t.Logf("%d operations, the power cut at %d calls, %d disks found", len(names), points, outcomes)
}

// faults are what a disk may say, and the word for it.
var faults = []struct {
	errno syscall.Errno
	word  string
}{{syscall.EIO, "other"}, {syscall.ENOSPC, "full"}, {syscall.EDQUOT, "full"}, {syscall.EROFS, "read-only"}}

// Each call to the disk in each operation fails in each way, once or from then on:
// the operation says so in words that name it, nothing is lost, and when the fault has
// gone the operation succeeds in the same process.
func TestFaultAtEachCall(t *testing.T) {
	d, l := base(t)
	dir, unmount := d.mount(t)
	w := startDoer(t, dir)
	defer func() { w.end(); unmount() }()
	injected, unharmed := 0, 0
	step := stride() * 2
	for i, act := range operations {
		for j, f := range faults {
			for n := 1 + (i+j)%step; ; n += step {
				given := &fault{nth: n, errno: f.errno, lasting: n/step%2 == 0}
				d.set(given)
				tag, answer := w.tell(t, act.name)
				hit := d.hits()
				d.set(nil)
				if len(hit) == 0 {
					break
				}
				injected++
				if answer == "ok" {
					unharmed++
					l.lines = append(l.lines, line(act.name, tag))
				} else if !strings.HasPrefix(answer, f.word+" ") || !strings.Contains(answer, f.errno.Error()) {
					t.Errorf("%s, %v at %v: %q does not say so", act.name, f.errno, hit[0], answer)
				}
				tag, answer = w.tell(t, act.name)
				if answer != "ok" {
					t.Fatalf("%s, %v at %v: after the fault has gone: %s", act.name, f.errno, hit[0], answer)
				}
				l.lines = append(l.lines, line(act.name, tag))
				if _, answer := w.tell(t, "check"); answer != "ok" {
					t.Fatalf("%s, %v at %v: %s", act.name, f.errno, hit[0], answer)
				}
			}
		}
	}
	where := t.TempDir()
	d.clone().put(t, where)
	for _, bad := range l.verify(t.Context(), where) {
		t.Error(bad)
	}
	if injected < 20 {
		t.Errorf("only %d faults", injected)
	}
	t.Logf("%d faults, %d of them in calls that a operation can do without", injected, unharmed)
}
