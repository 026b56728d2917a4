//go:build linux

package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"diurna/store/db"
	"diurna/store/library"
	"diurna/store/record"
)

func init() {
	// A process in the middle of a transaction that it never ends.
	children["ponderer"] = func() error {
		s, err := childStore()
		if err != nil {
			return err
		}
		return s.lib.Do(tbackground, &library.Job{Write: true, Role: "fetch", Fn: func(t *library.Txn) error {
			if err := t.Put(record.Meta, []byte(library.OwnPrefix+"view"), []byte("never")); err != nil {
				return err
			}
			fmt.Println("inside")
			select {}
		}})
	}
	// One that waits for its turn.
	children["waiter"] = func() error {
		s, err := childStore()
		if err != nil {
			return err
		}
		fmt.Println("waiting")
		return s.SetMeta(tbackground, "view", []byte("never"))
	}
}

// A process that is stopped in a transaction keeps the others out, who say who it
// is; once it is killed they go on at once, and what it had not committed is gone.
// So is the place in the queue of one that is killed while it waits.
func TestStoppedHolder(t *testing.T) {
	dir := t.TempDir() + "/lib"
	s, ctx := openStore(t, Options{Dir: dir, Wait: 300 * time.Millisecond}), t.Context()
	fill(t, s, 1, 3, 100)
	before := must(s.Totals(ctx))(t)
	holder, _, lines := start(t, "ponderer", dir)
	if l := <-lines; l != "inside" {
		t.Fatal(l)
	}
	holder.Process.Signal(syscall.SIGSTOP)
	waiter, _, words := start(t, "waiter", dir)
	<-words
	for name, try := range map[string]func() error{
		"read":  func() error { return second(s.Totals(ctx)) },
		"write": func() error { return s.SetMeta(ctx, "view", []byte("mine")) },
		"check": func() error { return second(s.Check(ctx, true, nil)) },
	} {
		begin, err := time.Now(), try()
		var busy *BusyError
		if !errors.As(err, &busy) || busy.PID != holder.Process.Pid || busy.Role != "fetch" {
			t.Errorf("%s: got %v, want pid %d (fetch)", name, err, holder.Process.Pid)
		}
		if took := time.Since(begin); took > 5*time.Second {
			t.Errorf("%s waited %v", name, took)
		}
	}
	waiter.Process.Kill()
	waiter.Wait()
	holder.Process.Kill()
	holder.Wait()
	patient := openStore(t, Options{Dir: dir})
	if got := must(patient.Totals(ctx))(t); got != before {
		t.Errorf("%+v after the holder's death, %+v before", got, before)
	}
	if v := must(patient.Meta(ctx, "view"))(t); v != nil {
		t.Errorf("the dead holder's word was kept: %s", v)
	}
	sound(t, patient, true)
}

// Somebody cleans up: lock files are removed, cut short or filled with rubbish
// while others work. Nobody gets in whoever else is in, and nothing is lost.
func TestLockFilesTouched(t *testing.T) {
	dir := t.TempDir() + "/lib"
	s, ctx := openStore(t, Options{Dir: dir, NoSync: true}), t.Context()
	fill(t, s, 2, 20, 100)
	var touched, kept atomic.Int64
	more := func() bool { return !t.Failed() && (touched.Load() < 90 || kept.Load() == 0) }
	done := make(chan int, 3)
	for i := range 3 {
		own := openStore(t, Options{Dir: dir, NoSync: true})
		go func() {
			n := 0
			for more() {
				_, err := own.Act(ctx, day, "", Change{Kind: Tagged, Value: fmt.Sprint(i, ".", n), Items: []ItemID{MakeItemID(1, uint32(1+i))}})
				if err == nil {
					n++
					kept.Add(1)
				} else if !errors.Is(err, ErrBusy) {
					t.Error(err)
					break
				}
			}
			done <- n
		}()
	}
	for i := 0; more(); i++ {
		path := filepath.Join(dir, []string{"lock", "turn"}[i%2])
		switch i / 2 % 3 {
		case 0:
			os.Remove(path)
		case 1:
			os.Truncate(path, 0)
		default:
			os.Truncate(path, 3)
		}
		touched.Add(1)
		time.Sleep(5 * time.Millisecond)
	}
	acts := <-done + <-done + <-done
	twoHolders(t, filepath.Join(dir, "lock"))
	steps := must(s.Steps(ctx, 0))(t)
	if len(steps) != acts+1 {
		t.Errorf("%d steps, %d acts acknowledged", len(steps)-1, acts)
	}
	sound(t, s, true)
}

// twoHolders: to the kernel a lock file that was removed and made again is another
// one. It alone would let two in.
func twoHolders(t *testing.T, path string) {
	t.Helper()
	os.Remove(path) // a reader beside may have the one that is there
	for range 2 {
		f := must(os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600))(t)
		defer f.Close()
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
			t.Errorf("the kernel keeps the second one out by itself: %v", err)
		}
		os.Remove(path)
	}
}

// A file of ours that leads elsewhere, or is none, is refused at once, with its name.
func TestStrangeFiles(t *testing.T) {
	touch := map[string]func(*Store) error{
		"lock":           func(s *Store) error { return s.SetMeta(tbackground, "a", []byte("b")) },
		"turn":           func(s *Store) error { return second(s.Totals(tbackground)) },
		library.FileName: func(s *Store) error { return second(s.Totals(tbackground)) },
		db.FetchLockName: func(s *Store) error { return second(s.FetchLock("run")) },
		"cache.lock":     func(s *Store) error { return second(s.Cache().Get(tbackground, "a", "b")) },
		cacheName:        func(s *Store) error { return second(s.Cache().Get(tbackground, "a", "b")) },
	}
	for name, use := range touch {
		for kind, spoil := range map[string]func(path string) error{
			"link":   func(p string) error { return os.Symlink(p+".elsewhere", p) },
			"folder": func(p string) error { return os.Mkdir(p, 0o700) },
			"pipe":   func(p string) error { return syscall.Mkfifo(p, 0o600) },
			"open":   func(p string) error { return errors.Join(os.WriteFile(p, nil, 0o600), os.Chmod(p, 0o666)) },
		} {
			dir := t.TempDir() + "/lib"
			s := openStore(t, Options{Dir: dir, NoSync: true})
			fill(t, s, 1, 1, 100)
			if err := s.Cache().Put(t.Context(), "a", map[string][]byte{"b": nil}); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, name)
			os.Remove(path)
			if err := spoil(path); err != nil {
				t.Fatal(err)
			}
			err := inTime(t, func() error {
				if lock, err := s.FetchLock("run"); name == db.FetchLockName && err != nil {
					lock.Holder()
				}
				s.Tx(tbackground)
				return use(s)
			})
			if !errors.Is(err, ErrUnsafe) || !strings.Contains(err.Error(), path) {
				t.Errorf("%s is a %s: %v", name, kind, err)
			}
			if _, err := os.Lstat(path + ".elsewhere"); err == nil {
				t.Errorf("%s: a file was made through the link", name)
			}
		}
	}
}

// inTime is what do returns; where it does not end the test does.
func inTime(t *testing.T, do func() error) error {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- do() }()
	select {
	case err := <-done:
		return err
	case <-time.After(2 * time.Minute):
		t.Fatal("it waits without end")
		return nil
	}
}

// Only a plain file that begins as a library does is copied, whatever its length.
func TestRestoreOfNoLibrary(t *testing.T) {
	dir := t.TempDir() + "/lib"
	s := openStore(t, Options{Dir: dir, NoSync: true})
	fill(t, s, 1, 3, 100)
	before := must(s.Totals(t.Context()))(t)
	pipe, long := dir+".pipe", dir+".long"
	if err := errors.Join(syscall.Mkfifo(pipe, 0o600), os.WriteFile(long, nil, 0o600), os.Truncate(long, 1<<40)); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/dev/zero", pipe, long, dir} {
		if err := inTime(t, func() error { return second(s.Restore(tbackground, day, path)) }); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if got := must(s.Totals(t.Context()))(t); got != before {
		t.Errorf("%+v afterwards, %+v before", got, before)
	}
}

// Somebody removes fetch.lock under its holder: whoever comes then fetches, and
// the holder knows that it does not.
func TestFetchLockRemoved(t *testing.T) {
	dir := t.TempDir() + "/lib"
	a, b := openStore(t, Options{Dir: dir}), openStore(t, Options{Dir: dir})
	fill(t, a, 1, 1, 100)
	news := must(a.Watch(t.Context()))(t)
	one := must(a.FetchLock("screen"))(t)
	if !one.Held() {
		t.Fatal("not held")
	}
	path, heard := filepath.Join(dir, db.FetchLockName), false
	for i := 0; i < 400 && !heard; i++ { // until the folder is watched
		os.WriteFile(path, nil, 0o600)
		os.Remove(path)
		select {
		case <-news:
			heard = true
		case <-time.After(50 * time.Millisecond):
		}
	}
	if !heard {
		t.Error("nobody is told")
	}
	two := must(b.FetchLock("run"))(t)
	if one.Held() || !two.Held() {
		t.Errorf("the first holds it: %v, the second: %v", one.Held(), two.Held())
	}
	if pid, role := one.Holder(); pid != os.Getpid() || role != "run" {
		t.Errorf("the holder is %d (%s)", pid, role)
	}
	two.Release()
	if err := one.Wait(t.Context()); err != nil || !one.Held() {
		t.Errorf("it is not taken again: %v", err)
	}
}

// Without its lock file two may be at the library. What one of them commits to a
// file that the other has replaced is not called kept.
func TestReplacedUnderAWriter(t *testing.T) {
	dir := t.TempDir() + "/lib"
	a, b := openStore(t, Options{Dir: dir}), openStore(t, Options{Dir: dir})
	fill(t, a, 1, 3, 100)
	if err := a.Backup(t.Context(), dir+".copy"); err != nil {
		t.Fatal(err)
	}
	err := a.lib.Do(tbackground, &library.Job{Write: true, Fn: func(x *library.Txn) error {
		if err := x.Put(record.Meta, []byte(library.OwnPrefix+"view"), []byte("never")); err != nil {
			return err
		}
		os.Remove(filepath.Join(dir, "lock"))
		return second(b.Restore(tbackground, day, dir+".copy"))
	}})
	v := must(b.Meta(t.Context(), "view"))(t)
	if !errors.Is(err, ErrBusy) || v != nil {
		t.Errorf("%v, and the library has %q", err, v)
	}
	if err := a.SetMeta(t.Context(), "view", []byte("kept")); err != nil {
		t.Error(err)
	}
	sound(t, b, true)
}

// lockless is a disk whose file system knows no locks, as network folders may be.
type lockless struct{ fs.Inode }

type locklessFile struct{ fs.MemRegularFile }

func (n *lockless) Create(ctx context.Context, name string, _, _ uint32, out *fuse.EntryOut) (*fs.Inode, fs.FileHandle, uint32, syscall.Errno) {
	f := &locklessFile{}
	f.Attr.Mode, f.Attr.Uid = syscall.S_IFREG|0o600, uint32(os.Geteuid())
	out.Attr = f.Attr
	child := n.NewInode(ctx, f, fs.StableAttr{Mode: syscall.S_IFREG})
	n.AddChild(name, child, true)
	return child, nil, 0, 0
}

func (*locklessFile) Setlk(context.Context, fs.FileHandle, uint64, *fuse.FileLock, uint32) syscall.Errno {
	return syscall.ENOLCK
}

func (*locklessFile) Setlkw(context.Context, fs.FileHandle, uint64, *fuse.FileLock, uint32) syscall.Errno {
	return syscall.ENOLCK
}

// On a file system without locks nothing is begun, and the error says why.
func TestNoLocks(t *testing.T) {
	dir := t.TempDir()
	server, err := fs.Mount(dir, &lockless{}, &fs.Options{MountOptions: fuse.MountOptions{DirectMountStrict: true, FsName: "lockless", EnableLocks: true, DisableXAttrs: true},
		UID: uint32(os.Geteuid()), GID: uint32(os.Getegid()), RootStableAttr: &fs.StableAttr{Mode: syscall.S_IFDIR | 0o700}})
	if err != nil {
		t.Skip("no FUSE here:", err)
	}
	defer server.Unmount()
	s := openStore(t, Options{Dir: dir})
	_, err = s.Act(t.Context(), day, "", Change{Kind: Subscribed, Sub: &Subscription{URL: "https://a.example"}})
	if !errors.Is(err, ErrUnsafe) || !strings.Contains(err.Error(), "file system without locks") {
		t.Errorf("act: %v", err)
	}
	if s.Exists() {
		t.Error("a library was made without a lock")
	}
}
