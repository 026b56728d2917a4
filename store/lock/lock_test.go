package lock

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
)

func TestModes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	for _, c := range []struct {
		held, asked Mode
		err         error
	}{
		{Shared, Shared | Try, nil},
		{Shared, Exclusive | Try, ErrBusy},
		{Exclusive, Shared | Try, ErrBusy},
		{Exclusive, Exclusive | Try, ErrBusy},
	} {
		one, err := Take(path, c.held)
		if err != nil {
			t.Fatal(err)
		}
		two, err := Take(path, c.asked)
		if err != c.err {
			t.Errorf("%d while %d is held: %v, want %v", c.asked, c.held, err, c.err)
		}
		if two != nil {
			two.Close()
		}
		one.Close()
		if again, err := Take(path, Exclusive|Try); err != nil {
			t.Errorf("after closing: %v", err)
		} else {
			again.Close()
		}
	}
}

// Whoever waits for a lock file that is removed meanwhile gets the lock on the one
// that is there then.
func TestTakeOfARemovedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	old, err := Take(path, Exclusive)
	if err != nil {
		t.Fatal(err)
	}
	got := make(chan error, 1)
	go func() {
		f, err := Take(path, Exclusive)
		if err == nil {
			defer f.Close()
			if !IsAt(f, path) {
				err = errors.New("the lock is on a file that is gone")
			}
		}
		got <- err
	}()
	if err := os.Rename(path, path+".old"); err != nil {
		t.Skip("an open file cannot be renamed here:", err)
	}
	if IsAt(old, path) {
		t.Error("the old file is still said to be at its path")
	}
	old.Close()
	if err := <-got; err != nil {
		t.Error(err)
	}
}

func TestOpenLockOfAReader(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "lib")
	if err := os.Mkdir(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "lock")
	if f, err := os.Create(path); err == nil {
		f.Close()
		t.Skip("modes mean nothing to this user or system")
	}
	if f, err := Take(path, Shared); f != nil || err != nil {
		t.Errorf("reading: %v, %v", f, err)
	}
	if _, err := Take(path, Exclusive); !errors.Is(err, ErrReadOnly) {
		t.Errorf("writing: %v", err)
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	folder, file, link, none := filepath.Join(dir, "folder"), filepath.Join(dir, "file"), filepath.Join(dir, "link"), filepath.Join(dir, "none")
	if err := errors.Join(os.Mkdir(folder, 0o700), os.WriteFile(file, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	if f, err := Open(file, os.O_RDWR); err != nil {
		t.Error(err)
	} else {
		f.Close()
	}
	if _, err := Open(none, os.O_RDONLY); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("none: %v", err)
	}
	bad := []string{folder}
	if os.Symlink(file, link) == nil {
		bad = append(bad, link)
	}
	for _, path := range bad {
		if _, err := Open(path, os.O_RDONLY); !errors.Is(err, ErrUnsafe) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if err := CheckDir(none); err != nil {
		t.Errorf("no folder: %v", err)
	}
	if err := CheckDir(file); !errors.Is(err, ErrUnsafe) {
		t.Errorf("a file for a folder: %v", err)
	}
}

func TestHolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	if pid, role := Holder(path); pid != 0 || role != "" {
		t.Errorf("no file: %d %q", pid, role)
	}
	f, err := Take(path, Exclusive)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	long := strings.Repeat("x", 50)
	WriteHolder(f, long)
	if pid, role := Holder(path); pid != os.Getpid() || role != long[:35] {
		t.Errorf("%d %q", pid, role)
	}
}

func TestMutex(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	makeDir := func() error { return nil }
	one, two := NewMutex(path, "one", new(Gate), makeDir), NewMutex(path, "two", new(Gate), makeDir)
	if err := errors.Join(one.Try(), one.Try()); err != nil || !one.Held() {
		t.Fatalf("held %v, %v", one.Held(), err)
	}
	if err := two.Try(); err != ErrBusy || two.Held() {
		t.Errorf("a second one: %v", err)
	}
	if pid, role := two.Holder(); pid != os.Getpid() || role != "one" || two.Stopped() != 0 {
		t.Errorf("the holder is %d %q", pid, role)
	}
	if err := errors.Join(one.Release(), one.Release()); err != nil || one.Held() {
		t.Errorf("held %v, %v", one.Held(), err)
	}
	if pid, _ := two.Holder(); pid != 0 {
		t.Errorf("after release the holder is %d", pid)
	}
	broken := NewMutex(path, "three", new(Gate), func() error { return ErrReadOnly })
	if err := broken.Wait(t.Context()); err != ErrReadOnly {
		t.Errorf("without a folder: %v", err)
	}
}

// A Wait that was called off never keeps the lock, and a later one gets it. The
// goroutine that it leaves behind ends before synctest.Test returns, and so before
// its folder is removed.
func TestMutexWaitCalledOff(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	synctest.Test(t, func(t *testing.T) { waitCalledOff(t, path) })
}

func waitCalledOff(t *testing.T, path string) {
	makeDir := func() error { return nil }
	one, two := NewMutex(path, "one", new(Gate), makeDir), NewMutex(path, "two", new(Gate), makeDir)
	if err := one.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := two.Wait(ctx); !errors.Is(err, context.Canceled) || two.Held() {
		t.Errorf("called off: %v, held %v", err, two.Held())
	}
	if err := one.Release(); err != nil {
		t.Fatal(err)
	}
	if err := two.Wait(t.Context()); err != nil || !two.Held() || one.Held() {
		t.Errorf("%v, held %v and %v", err, one.Held(), two.Held())
	}
	two.Release()
}

// TestMutexAfterShut: whoever gave up waiting makes no lock file when its turn comes
// after the gate was shut.
func TestMutexAfterShut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fetch.lock")
	makeDir := func() error { return nil }
	var gate Gate
	one, two := NewMutex(path, "one", new(Gate), makeDir), NewMutex(path, "two", &gate, makeDir)
	if err := one.Try(); err != nil {
		t.Fatal(err)
	}
	late := make(chan taken, 1)
	go two.take(late) // as Wait does, whose caller may leave
	gate.Shut()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := one.Release(); err != nil {
		t.Fatal(err)
	}
	if got := <-late; !errors.Is(got.err, ErrShut) {
		t.Errorf("got %v, %v", got.file, got.err)
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the lock file was made again:", err)
	}
}
