//go:build linux

package store

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	"diurna/store/library"
)

// plainly says whether an answer to a reading that failed is a sentence about it.
func plainly(answer string) bool {
	for _, words := range []string{"cannot be read", syscall.EIO.Error(), "the library is damaged"} {
		if strings.Contains(answer, words) {
			return true
		}
	}
	return false
}

// Each reading of the disk in each operation fails, once or from then on, as a read()
// or as a page of the map: the operation is done or says so, the process lives, and
// when the disk is well again so is the library, with all that it was told.
func TestReadFaultAtEachCall(t *testing.T) {
	skipRaced(t)
	d, l := base(t)
	d.cold = true
	dir, unmount := d.mount(t)
	w := startDoer(t, dir)
	defer func() { w.end(); unmount() }()
	names := []string{"read", "check"}
	for _, act := range operations {
		names = append(names, act.name)
	}
	injected, unharmed, mapped := 0, 0, 0
	step := stride() * 2
	for i, name := range names {
		for n := 1 + i%step; ; n += step {
			d.set(&fault{nth: n, errno: syscall.EIO, reads: true, lasting: n/step%2 == 0})
			tag, answer := w.tell(t, name)
			hit := d.hits()
			d.set(nil)
			if len(hit) == 0 {
				break
			}
			injected++
			switch {
			case answer == "ok":
				unharmed++
				l.lines = append(l.lines, line(name, tag))
			case !plainly(answer):
				t.Errorf("%s, EIO at %v: %q does not say so", name, hit[0], answer)
			case strings.Contains(answer, "a part of the file cannot be read"):
				mapped++
			}
			w.well(t, l, name, hit[0])
		}
	}
	w.kept(t, d, l)
	if mapped == 0 || injected*step < 160 {
		t.Errorf("%d faults, %d in a page of the map: too few", injected, mapped)
	}
	t.Logf("%d faults in reading, %d of them unharmed (asked again by the system), %d met in a page of the map", injected, unharmed, mapped)
}

// well makes sure that the operation succeeds, and the library checks, in the process
// that has met the fault.
func (w *doer) well(t *testing.T, l *ledger, name, where string) {
	t.Helper()
	tag, answer := w.tell(t, name)
	if answer != "ok" {
		t.Fatalf("%s, %s: after the fault has gone: %s", name, where, answer)
	}
	l.lines = append(l.lines, line(name, tag))
	if _, answer := w.tell(t, "check"); answer != "ok" {
		t.Fatalf("%s, %s: %s", name, where, answer)
	}
}

// kept holds the ledger against what is on the disk.
func (w *doer) kept(t *testing.T, d *disk, l *ledger) {
	t.Helper()
	where := t.TempDir()
	d.clone().put(t, where)
	for _, bad := range l.verify(t.Context(), where) {
		t.Error(bad)
	}
}

// Each page of the library is a bad sector: to read it, to check it and to write
// to it ends in a sentence or well, and nothing is held for ever.
func TestBadSectors(t *testing.T) {
	skipRaced(t)
	d, l := base(t)
	d.cold = true
	dir, unmount := d.mount(t)
	w := startDoer(t, dir)
	defer func() { w.end(); unmount() }()
	page := int64(os.Getpagesize())
	if _, answer := w.tell(t, "read"); answer != "ok" {
		t.Fatal(answer)
	}
	_, held := w.tell(t, "held")
	failed, pages := map[string]int{}, 0
	size := d.size() // it grows meanwhile
	for at := int64(0); at < size; at += page * int64(1+min(stride(), 9)/4) {
		pages++
		for _, name := range []string{"read", "check", "tag", "file", "backup"} {
			d.set(&fault{errno: syscall.EIO, reads: true, sector: at + 7})
			tag, answer := w.tell(t, name)
			hit := d.hits()
			d.set(nil)
			switch {
			case answer == "ok":
				l.lines = append(l.lines, line(name, tag))
			case len(hit) == 0:
				t.Errorf("page %d, %s: without a fault: %s", at/page, name, answer)
			case !plainly(answer):
				t.Errorf("page %d, %s: %q does not say so", at/page, name, answer)
			default:
				failed[name]++
			}
		}
	}
	if _, answer := w.tell(t, "check"); answer != "ok" {
		t.Errorf("when the disk is well again: %s", answer)
	}
	if _, answer := w.tell(t, "read"); answer != "ok" {
		t.Errorf("when the disk is well again: %s", answer)
	}
	w.kept(t, d, l)
	_, after := w.tell(t, "held")
	t.Logf("%d pages, each bad in turn; failed with a sentence: %v; held %q, then %q", pages, failed, held, after)
	for _, name := range []string{"read", "check"} {
		if failed[name] < 3 {
			t.Errorf("%s failed only %d times: nothing was bad", name, failed[name])
		}
	}
}

func (d *disk) size() int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return int64(len(d.names[library.FileName].data))
}

// bbolt alone does not live through a page of the map that cannot be read.
func TestBareProcessDiesOfABadSector(t *testing.T) {
	d, _ := base(t)
	d.cold = true
	dir, unmount := d.mount(t)
	w := startDoer(t, dir)
	defer func() { w.end(); unmount() }()
	d.set(&fault{errno: syscall.EIO, reads: true, nth: 6, lasting: true})
	fmt.Fprintln(w.in, "bare")
	if answer, alive := <-w.lines; alive {
		t.Errorf("it says %q", answer)
	}
}

// The library is cut short under a running process, between its transactions, and
// is whole again later.
func TestCutUnderAProcess(t *testing.T) {
	skipRaced(t)
	d, l := base(t)
	dir, unmount := d.mount(t)
	w := startDoer(t, dir)
	defer func() { w.end(); unmount() }()
	path := dir + "/" + library.FileName
	whole := slices.Clone(d.names[library.FileName].data)
	for _, to := range []int64{0, 1, 4095, 4096, 8191, 8192, 12288, 20000, int64(len(whole)) / 2} {
		if err := os.Truncate(path, to); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"read", "tag", "file", "backup", "compact"} {
			if _, answer := w.tell(t, name); !strings.HasPrefix(answer, "damaged ") {
				t.Errorf("%s of %d bytes: %s", name, to, answer)
			}
		}
		if err := os.WriteFile(path, whole, 0o600); err != nil {
			t.Fatal(err)
		}
		w.well(t, l, "read", fmt.Sprint("cut to ", to))
		whole = slices.Clone(d.clone().names[library.FileName].data)
	}
	w.kept(t, d, l)
}
