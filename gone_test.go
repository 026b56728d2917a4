//go:build unix

package main

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"diurna/reader"
	"diurna/store"
	"diurna/ui/cli/fetch"
	"diurna/ui/cli/library"
)

// TestDamageUnderAnOpenScreen: a library that is damaged while a screen is open is
// set aside as by any command, and the screen says what to do, for as long as there
// is no library.
func TestDamageUnderAnOpenScreen(t *testing.T) {
	t.Parallel()
	p := atHarbour(t)
	dir := filepath.Join(p.home, ".local/share/diurna")
	p.sit()
	rubbish := make([]byte, 32768)
	rand.Read(rubbish)
	if err := os.WriteFile(filepath.Join(dir, "diurna.db"), rubbish, 0o600); err != nil {
		t.Fatal(err)
	}
	says := func(what string, keys ...string) {
		t.Helper()
		for _, key := range keys {
			p.press(key)
			p.until("the screen says what to do after "+key, func() bool {
				text := strings.Join(strings.Fields(p.look()), " ")
				return strings.Contains(text, what) && strings.Contains(text, ": diurna restore")
			})
		}
	}
	says("set aside as diurna.db.damaged-", "m", "2", "1", "r", "\r")
	aside, _ := filepath.Glob(filepath.Join(dir, "diurna.db.damaged-*"))
	if len(aside) != 1 {
		t.Fatalf("set aside are %q", aside)
	}
	p.leave()
	if code := p.screen.ProcessState.ExitCode(); code != 5 {
		t.Errorf("it ends in %d", code)
	}
	p.diurna("restore")
	p.sit()
	// One that is gone is missed as well.
	if err := os.Remove(filepath.Join(dir, "diurna.db")); err != nil {
		t.Fatal(err)
	}
	says("There is no library, but the backup of today is here", "1", "m")
}

// TestGoneBeforeTheFirstRead: a library that goes before the screen has read anything
// else is missed, not taken for an empty one.
func TestGoneBeforeTheFirstRead(t *testing.T) {
	dir := t.TempDir()
	s, err := store.Open(store.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	r := reader.New(s, reader.Options{})
	defer r.Close()
	if _, err := r.Take(t.Context(), "Harbour", []byte(`<rss version="2.0"><channel><title>Harbour</title><item><guid>1</guid><title>Ferry</title></item></channel></rss>`)); err != nil {
		t.Fatal(err)
	}
	if err := library.Daily(t.Context(), r.Maintenance(), dir, time.Now()); err != nil {
		t.Fatal(err)
	}
	f := &fetch.Fetcher{Reader: r, Dir: dir, Screen: true, Had: r.Exists()}
	if err := os.Remove(filepath.Join(dir, "diurna.db")); err != nil {
		t.Fatal(err)
	}
	for what, read := range map[string]func() error{
		"rows":  func() error { _, err := f.Rows(t.Context(), reader.Query{}, 0); return err },
		"feeds": func() error { _, err := f.Feeds(t.Context()); return err },
	} {
		if err := read(); err == nil || !strings.Contains(err.Error(), "there is no library, but the backup of today is here") || !strings.Contains(err.Error(), "diurna restore") {
			t.Errorf("%s: %v", what, err)
		}
	}
}
