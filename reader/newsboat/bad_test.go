//go:build unix

package newsboat_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"diurna/reader"
	"diurna/reader/newsboat"
	"diurna/reader/sqlite/sqlitetest"
)

// A cache that cannot be read is a sentence, and nothing is imported.
func TestBadCaches(t *testing.T) {
	m := makeUp(t, 5, 100, 20)
	whole, err := os.ReadFile(filepath.Join(m.dir, "cache.db"))
	if err != nil {
		t.Fatal(err)
	}
	f, _ := newsboat.At(m.dir)
	try := func(what, want string, b []byte) {
		t.Helper()
		m.write(t, "cache.db", string(b))
		_, err := newsboat.Read(f)
		if !errors.Is(err, newsboat.ErrCache) || !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%s: %v", what, err)
		}
	}
	try("cut", "cut short", whole[:len(whole)-4096])
	try("another file", "not an SQLite database", []byte("hello"))
	try("empty", "not an SQLite database", nil)
	spoilt := bytes.Clone(whole)
	copy(spoilt[3*4096:], make([]byte, 4096))
	try("a page of zeros", "damaged: page 4", spoilt)
	try("no articles", "no such table: rss_item", sqlitetest.Database(512, 3, sqlitetest.Table{Name: "t", SQL: "create table t(a)"}))
	try("another table", `rss_item has no "guid"`, sqlitetest.Database(512, 3, sqlitetest.Table{Name: "rss_item", SQL: "create table rss_item(a)"}))
	m.save(t, 3)
	future, err := os.ReadFile(filepath.Join(m.dir, "cache.db"))
	if err != nil {
		t.Fatal(err)
	}
	try("a newer one", "schema 3; this program knows 2", future)
	m.write(t, "cache.db-journal", "\xd9\xd5\x05\xf9")
	try("a journal", "its last change is incomplete", whole)
	os.Remove(filepath.Join(m.dir, "cache.db-journal"))
	os.Remove(filepath.Join(m.dir, "cache.db"))
	if err := os.Mkdir(filepath.Join(m.dir, "cache.db"), 0o700); err != nil {
		t.Fatal(err)
	}
	if f, _ := newsboat.At(m.dir); f.Cache == "" {
		t.Error("a folder in the place of the cache is passed over")
	} else if _, err := newsboat.Read(f); !errors.Is(err, newsboat.ErrCache) {
		t.Errorf("a folder: %v", err)
	}
	os.Remove(filepath.Join(m.dir, "cache.db"))
	m.write(t, "cache.db", string(whole))
	if s, err := newsboat.Read(f); err != nil {
		t.Error(err)
	} else {
		s.Close()
	}
}

// TestHold is no test: it is the other process of TestRunning, which has a lock.
func TestHold(t *testing.T) {
	path, start := os.Getenv("DIURNA_HOLD"), int64(0)
	if path == "" {
		t.Skip("run by TestRunning")
	}
	if strings.HasSuffix(path, ".db") {
		start = 0x40000000 + 1 // as SQLite does that writes: reserved, pending, shared
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	l := syscall.Flock_t{Type: syscall.F_WRLCK, Start: start}
	if err := syscall.FcntlFlock(f.Fd(), syscall.F_SETLK, &l); err != nil {
		t.Fatal(err)
	}
	fmt.Println("held")
	os.Stdin.Read(make([]byte, 1)) //nolint // until the other end is closed
	f.Close()
}

// A newsboat that is running has its cache to itself.
func TestRunning(t *testing.T) {
	m := makeUp(t, 2, 10, 5)
	f, _ := newsboat.At(m.dir)
	for _, name := range []string{"cache.db.lock", "cache.db"} {
		c := exec.Command(os.Args[0], "-test.run=^TestHold$", "-test.v")
		c.Env = append(os.Environ(), "DIURNA_HOLD="+filepath.Join(m.dir, name))
		in, err := c.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		said := ""
		for b := make([]byte, 1000); !strings.Contains(said, "held"); {
			n, err := out.Read(b)
			if said += string(b[:n]); err != nil {
				t.Fatal(said, err)
			}
		}
		if _, err := newsboat.Read(f); !errors.Is(err, newsboat.ErrRunning) {
			t.Errorf("%s: %v", name, err)
		}
		in.Close()
		c.Wait()
		s, err := newsboat.Read(f)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		s.Close()
	}
	r, _ := open(t, t.TempDir(), m)
	if rep := m.bring(t, r, reader.ImportOptions{NoFetch: true}); rep.Filed != 10 {
		t.Errorf("%d filed", rep.Filed)
	}
}

func TestFind(t *testing.T) {
	home := t.TempDir()
	touch := func(path string) {
		t.Helper()
		path = filepath.Join(home, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, ok := newsboat.Find(home, "", ""); ok {
		t.Error("found nothing there")
	}
	if _, ok := newsboat.Find("", "", ""); ok {
		t.Error("found in no home")
	}
	touch(".newsboat/urls")
	touch(".newsboat/cache.db")
	f, ok := newsboat.Find(home, "", "")
	if !ok || f.Cache != filepath.Join(home, ".newsboat/cache.db") || f.Config != "" || fmt.Sprint(f.Names()) != "[urls cache.db]" {
		t.Errorf("%+v", f)
	}
	touch("c/newsboat/urls")
	touch("c/newsboat/config")
	touch(".local/share/newsboat/cache.db")
	f, ok = newsboat.Find(home, filepath.Join(home, "c"), "relative")
	if !ok || f.Dir != filepath.Join(home, "c/newsboat") || f.Cache != filepath.Join(home, ".local/share/newsboat/cache.db") || fmt.Sprint(f.Names()) != "[urls cache.db config]" {
		t.Errorf("%+v", f)
	}
}
