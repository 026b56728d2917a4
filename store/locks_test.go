//go:build linux

package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

func init() {
	// A process in the middle of a transaction that it never ends.
	children["ponderer"] = func() error {
		s, err := childStore()
		if err != nil {
			return err
		}
		return s.lib.do(tbackground, &job{write: true, role: "fetch", fn: func(t *txn) error {
			if err := t.put(bMeta, []byte(ownPrefix+"view"), []byte("never")); err != nil {
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
	stop := time.Now().Add(500 * time.Millisecond)
	done := make(chan int, 3)
	for i := range 3 {
		own := openStore(t, Options{Dir: dir, NoSync: true})
		go func() {
			n := 0
			for time.Now().Before(stop) {
				_, err := own.Act(ctx, day, "", Change{Kind: Tagged, Value: fmt.Sprint(i, ".", n), Items: []ItemID{MakeItemID(1, uint32(1+i))}})
				if err == nil {
					n++
				} else if !errors.Is(err, ErrBusy) {
					t.Error(err)
					break
				}
			}
			done <- n
		}()
	}
	for i := 0; time.Now().Before(stop); i++ {
		path := filepath.Join(dir, []string{"lock", "turn"}[i%2])
		switch i / 2 % 3 {
		case 0:
			os.Remove(path)
		case 1:
			os.Truncate(path, 0)
		default:
			os.Truncate(path, 3)
		}
		time.Sleep(5 * time.Millisecond)
	}
	acts := <-done + <-done + <-done
	twoHolders(t, filepath.Join(dir, "lock"))
	steps := must(s.Steps(ctx, 0))(t)
	if len(steps) != acts+1 || acts == 0 {
		t.Errorf("%d steps, %d acts acknowledged", len(steps)-1, acts)
	}
	sound(t, s, true)
}

// twoHolders: to the kernel a lock file that was removed and made anew is another
// one. It alone would let two in.
func twoHolders(t *testing.T, path string) {
	t.Helper()
	for range 2 {
		f := must(os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600))(t)
		defer f.Close()
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
			t.Errorf("the kernel keeps the second one out by itself: %v", err)
		}
		os.Remove(path)
	}
}

// A lock file that leads elsewhere, or is none, is refused with its name.
func TestStrangeLockFiles(t *testing.T) {
	for _, name := range []string{"lock", "turn", fetchLockName} {
		for kind, spoil := range map[string]func(path string) error{
			"link":   func(p string) error { return os.Symlink(p+".elsewhere", p) },
			"folder": func(p string) error { return os.Mkdir(p, 0o700) },
			"pipe":   func(p string) error { return syscall.Mkfifo(p, 0o600) },
			"open":   func(p string) error { return errors.Join(os.WriteFile(p, nil, 0o600), os.Chmod(p, 0o666)) },
		} {
			dir := t.TempDir() + "/lib"
			s := openStore(t, Options{Dir: dir, NoSync: true})
			fill(t, s, 1, 1, 100)
			path := filepath.Join(dir, name)
			os.Remove(path)
			if err := spoil(path); err != nil {
				t.Fatal(err)
			}
			err := s.SetMeta(t.Context(), "a", []byte("b"))
			if name == fetchLockName {
				_, err = s.FetchLock("run")
			}
			if err == nil || !strings.Contains(err.Error(), path) {
				t.Errorf("%s is a %s: %v", name, kind, err)
			}
			if _, err := os.Lstat(path + ".elsewhere"); err == nil {
				t.Errorf("%s: a file was made through the link", name)
			}
		}
	}
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
