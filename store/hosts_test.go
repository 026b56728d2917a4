package store

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// Starts are booked one gap apart by whoever asks, in whichever process, and
// before there is a library.
const slots = 8192 // of package hosts

func TestHostTurn(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	now := time.Now().Truncate(time.Millisecond)
	gap := 5 * time.Second
	var mu sync.Mutex
	var wg sync.WaitGroup
	starts := map[time.Time]int{}
	for range 4 {
		s := openStore(t, Options{Dir: filepath.Join(t.TempDir(), "lib"), CacheDir: dir})
		wg.Go(func() {
			for range 5 {
				at := s.HostTurn("one.example", gap, now, time.Time{})
				mu.Lock()
				starts[at]++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	for i := range 20 {
		if at := now.Add(time.Duration(i) * gap); starts[at] != 1 {
			t.Errorf("%d starts at %v of 20", starts[at], at.Sub(now))
		}
	}
	s := openStore(t, Options{Dir: filepath.Join(t.TempDir(), "lib"), CacheDir: dir})
	if at := s.HostTurn("other.example", gap, now, time.Time{}); !at.Equal(now) {
		t.Errorf("another host waits %v", at.Sub(now))
	}
	if at := s.HostTurn("one.example", gap, now.Add(-time.Hour), time.Time{}); !at.Equal(now.Add(-time.Hour)) {
		t.Errorf("after a clock that was an hour ahead: %v", at.Sub(now))
	}
	if fi, err := os.Stat(filepath.Join(dir, "hosts")); err != nil || fi.Mode() != 0o600 || fi.Size() > 8*slots {
		t.Error(fi, err)
	}
}

// A start that went by unused is moved, unless somebody has booked behind it.
func TestHostTurnThatCameLate(t *testing.T) {
	s := openStore(t, Options{Dir: filepath.Join(t.TempDir(), "lib"), CacheDir: filepath.Join(t.TempDir(), "cache")})
	now, gap := time.Now(), 5*time.Second
	s.HostTurn("one.example", gap, now, time.Time{})
	was := s.HostTurn("one.example", gap, now, time.Time{})
	late := was.Add(3 * time.Second)
	if at := s.HostTurn("one.example", gap, late, was); !at.Equal(late) {
		t.Errorf("nobody is behind it, and it waits %v", at.Sub(late))
	}
	other := s.HostTurn("one.example", gap, late, time.Time{})
	if wait := other.Sub(late); wait < gap || wait > gap+time.Millisecond {
		t.Errorf("who comes behind it waits %v, want %v", wait, gap)
	}
	if wait := s.HostTurn("one.example", gap, other, late).Sub(other); wait < gap || wait > gap+time.Millisecond {
		t.Errorf("with somebody behind it, it waits %v, want %v", wait, gap)
	}
}

// Whatever stands in the file, and whatever it is, a request is at most put off.
func TestHostTurnOfGarbage(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, Options{Dir: filepath.Join(t.TempDir(), "lib"), CacheDir: dir})
	path := filepath.Join(dir, "hosts")
	now := time.Now()
	full := make([]byte, 8*slots)
	for i := range full {
		full[i] = 0xff
	}
	for _, put := range []func() error{
		func() error { return os.WriteFile(path, []byte("abc"), 0o600) },
		func() error { return os.WriteFile(path, full, 0o600) },
		func() error { return os.Remove(path) },
		func() error { _ = os.Remove(path); return os.Symlink("/dev/null", path) },
		func() error { _ = os.Remove(path); return os.Mkdir(path, 0o700) },
	} {
		if err := put(); err != nil {
			t.Fatal(err)
		}
		if at := s.HostTurn("one.example", time.Second, now, time.Time{}); !at.Equal(now) {
			t.Errorf("%v later", at.Sub(now))
		}
	}
}
