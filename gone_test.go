//go:build unix

package main

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
