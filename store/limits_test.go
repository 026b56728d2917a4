//go:build linux

package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"
	"golang.org/x/sys/unix"
)

// Opening, and reading what is not there, leaves no trace.
func TestNothingThere(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "share", "diurna")
	s, ctx := openStore(t, Options{Dir: dir}), t.Context()
	for name, read := range readings(s) {
		if _, err := read(); !errors.Is(err, ErrNone) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, err := range map[string]error{
		"note":    s.Note(ctx, day, Fact{Kind: Looked}),
		"meta":    s.SetMeta(ctx, "a", nil),
		"backup":  s.Backup(ctx, filepath.Join(t.TempDir(), "b")),
		"undo":    second(s.Undo(ctx, day, 0, 0)),
		"check":   second(s.Check(ctx, true, nil)),
		"act":     second(s.Act(ctx, day, "", Change{Kind: MarkedRead, Items: []ItemID{1 << 32}})),
		"file":    second(s.File(ctx, day, nil)),
		"qtine":   second(s.Quarantine(ctx, day)),
		"restore": nil,
	} {
		if name != "restore" && !errors.Is(err, ErrNone) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := os.Stat(filepath.Dir(dir)); !errors.Is(err, os.ErrNotExist) {
		t.Error("a folder was made")
	}
	must(s.Act(ctx, day, "", Change{Kind: Subscribed, Sub: &Subscription{URL: "https://a.example"}}))(t)
	for _, name := range []string{"", "diurna.db", "lock", "turn"} {
		if fi := must(os.Stat(filepath.Join(dir, name)))(t); fi.Mode().Perm()&0o077 != 0 {
			t.Errorf("%q has mode %v", name, fi.Mode())
		}
	}
}

func second[T any](_ T, err error) error { return err }

func TestUnsafe(t *testing.T) {
	base := t.TempDir()
	for name, spoil := range map[string]func(dir string) error{
		"readable by others": func(dir string) error { return os.Chmod(filepath.Join(dir, "diurna.db"), 0o644) },
		"open folder":        func(dir string) error { return os.Chmod(dir, 0o777) },
		"shared folder":      func(dir string) error { return os.Chmod(dir, 0o777|os.ModeSticky) },
		"symbolic link": func(dir string) error {
			db := filepath.Join(dir, "diurna.db")
			if err := os.Rename(db, db+".real"); err != nil {
				return err
			}
			return os.Symlink(db+".real", db)
		},
		"a folder": func(dir string) error {
			db := filepath.Join(dir, "diurna.db")
			return errors.Join(os.Remove(db), os.Mkdir(db, 0o700))
		},
		"another's": func(dir string) error {
			if os.Geteuid() != 0 {
				return os.Chmod(filepath.Join(dir, "diurna.db"), 0o604) // only root can give files away
			}
			return os.Chown(filepath.Join(dir, "diurna.db"), 12345, -1)
		},
		"another's folder": func(dir string) error {
			if os.Geteuid() != 0 {
				return os.Chmod(dir, 0o720)
			}
			return os.Chown(dir, 12345, -1)
		},
	} {
		dir := filepath.Join(base, strings.ReplaceAll(name, " ", "-"))
		s := openStore(t, Options{Dir: dir, NoSync: true})
		fill(t, s, 1, 2, 50)
		if err := spoil(dir); err != nil {
			t.Fatal(name, err)
		}
		if _, err := Open(Options{Dir: dir}); !errors.Is(err, ErrUnsafe) {
			t.Errorf("%s: open: %v", name, err)
		}
		// The kernel and bbolt alone would not mind.
		if strings.HasPrefix(name, "readable") || strings.HasPrefix(name, "symbolic") || strings.HasPrefix(name, "open") {
			if db, err := bolt.Open(s.Path(), 0o600, &bolt.Options{Timeout: time.Second}); err != nil || db.Close() != nil {
				t.Errorf("%s: without the look at modes and owners: %v", name, err)
			}
		}
		if _, err := s.Totals(t.Context()); !errors.Is(err, ErrUnsafe) && !strings.HasSuffix(name, "folder") {
			t.Errorf("%s: read: %v", name, err)
		}
	}
}

// tmpfs mounts a small disk; the test is skipped where that is not allowed.
func tmpfs(t *testing.T, options string) string {
	t.Helper()
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, options); err != nil {
		t.Skip("no small disk to be had:", err)
	}
	t.Cleanup(func() { unix.Unmount(dir, unix.MNT_DETACH) })
	return dir
}

// fillUp files items until it fails, and makes sure that all that was
// acknowledged is there.
func fillUp(t *testing.T, s *Store) {
	t.Helper()
	ctx := t.Context()
	r := rand.New(rand.NewPCG(8, 8))
	f := subscribe(t, s, 1)[0]
	n := uint32(1)
	var err error
	for err == nil && n < 100_000 {
		var filed []Filed
		if filed, err = s.File(ctx, day, []Filing{{Feed: f, Next: n, New: arrivals(r, 20, 4000, true)}}); err == nil {
			n += uint32(filed[0].New)
		}
	}
	if !errors.Is(err, ErrFull) {
		t.Fatalf("after %d items: %v", n-1, err)
	}
	if rows := must(s.Rows(ctx, RowQuery{}))(t); len(rows) != int(n-1) || n < 21 {
		t.Fatalf("%d rows, %d were acknowledged", len(rows), n-1)
	}
	must(s.Body(ctx, MakeItemID(f, n-1)))(t)
	sound(t, s, true)
	t.Logf("full after %d items", n-1)
}

func TestFullDisk(t *testing.T) {
	dir := tmpfs(t, "size=2m,mode=0700")
	s, ctx := openStore(t, Options{Dir: dir}), t.Context()
	junk := filepath.Join(dir, "junk")
	if err := os.WriteFile(junk, make([]byte, 500<<10), 0o600); err != nil {
		t.Fatal(err)
	}
	fillUp(t, s)
	if _, err := s.Act(ctx, day, "", Change{Kind: MarkedRead, Items: []ItemID{MakeItemID(1, 1)}}); err != nil && !errors.Is(err, ErrFull) {
		t.Errorf("act on a full disk: %v", err)
	}
	if err := s.Backup(ctx, filepath.Join(dir, "backup")); !errors.Is(err, ErrFull) {
		t.Errorf("backup on a full disk: %v", err)
	}
	if left := must(filepath.Glob(filepath.Join(dir, ".diurna*")))(t); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	os.Remove(junk)
	must(s.Act(ctx, day, "", Change{Kind: Saved, Items: []ItemID{MakeItemID(1, 1)}}))(t)
	sound(t, s, true)
}

func TestSizeLimit(t *testing.T) {
	fillUp(t, openStore(t, Options{Dir: t.TempDir() + "/lib", MaxSize: 1 << 20, NoSync: true}))
}

// The limit on file size of a shell (ulimit -f).
func TestFileSizeLimit(t *testing.T) {
	dir := t.TempDir() + "/lib"
	cmd, _, lines := start(t, "limited", dir)
	answer := <-lines
	if err := cmd.Wait(); err != nil || answer != "full" {
		t.Fatalf("%q, %v", answer, err)
	}
	sound(t, openStore(t, Options{Dir: dir}), true)
}

func init() {
	children["limited"] = func() error {
		limit := unix.Rlimit{Cur: 1 << 20, Max: 1 << 20}
		if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &limit); err != nil {
			return err
		}
		s, err := childStore()
		if err != nil {
			return err
		}
		r := rand.New(rand.NewPCG(8, 8))
		for i := range 1000 {
			d, err := s.Act(tbackground, day, "", Change{Kind: Subscribed, Sub: &Subscription{URL: fmt.Sprint(i)}})
			if err == nil {
				_, err = s.File(tbackground, day, []Filing{{Feed: d.Feeds[0], Next: 1, New: arrivals(r, 20, 4000, true)}})
			}
			if errors.Is(err, ErrFull) {
				fmt.Println("full")
				return nil
			}
			if err != nil {
				return err
			}
		}
		return errors.New("the limit did not hold")
	}
}

// From a disk that cannot be written a library is still read, with its lock
// files and without.
func TestReadOnlyDisk(t *testing.T) {
	dir := tmpfs(t, "size=8m,mode=0700")
	lib := filepath.Join(dir, "lib")
	fill(t, openStore(t, Options{Dir: lib}), 3, 5, 100)
	for _, locks := range []bool{true, false} {
		if !locks {
			if err := unix.Mount("", dir, "", unix.MS_REMOUNT, ""); err != nil {
				t.Fatal(err)
			}
			os.Remove(filepath.Join(lib, "lock"))
			os.Remove(filepath.Join(lib, "turn"))
		}
		if err := unix.Mount("", dir, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
			t.Skip("cannot make a disk read-only:", err)
		}
		s, ctx := openStore(t, Options{Dir: lib}), t.Context()
		if rows := must(s.Rows(ctx, RowQuery{}))(t); len(rows) != 15 {
			t.Fatalf("locks %t: %d rows", locks, len(rows))
		}
		sound(t, s, true)
		if _, err := s.Act(ctx, day, "", Change{Kind: MarkedRead, Items: []ItemID{MakeItemID(1, 1)}}); !errors.Is(err, ErrReadOnly) {
			t.Errorf("locks %t: act: %v", locks, err)
		}
		fresh := openStore(t, Options{Dir: filepath.Join(dir, "new")})
		if _, err := fresh.Act(ctx, day, "", Change{Kind: Subscribed, Sub: &Subscription{URL: "https://a.example"}}); !errors.Is(err, ErrReadOnly) {
			t.Errorf("locks %t: a new library: %v", locks, err)
		}
	}
}
