package pages

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"

	"diurna/ui/cli/session"
)

// TestDiffOnTheScreen: a comparison there leaves the collector as it is, since the
// process goes on.
func TestDiffOnTheScreen(t *testing.T) {
	percent := debug.SetGCPercent(100)
	limit := debug.SetMemoryLimit(-1)
	t.Cleanup(func() { debug.SetGCPercent(percent); debug.SetMemoryLimit(limit) })
	file := filepath.Join(t.TempDir(), "a.html")
	if err := os.WriteFile(file, []byte("<p>Pier 3"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, inside := range []bool{true, false} {
		var out bytes.Buffer
		s := New(session.New(session.Env{Out: &out, Inside: inside}))
		if err := s.diffFiles(file, file, &diffFlags{}); err != nil {
			t.Fatal(err)
		}
		got := debug.SetGCPercent(100)
		kept := got == 100 && debug.SetMemoryLimit(-1) == limit
		if kept != inside {
			t.Errorf("on the screen %v: the collector has %d %% and a limit of %d", inside, got, debug.SetMemoryLimit(-1))
		}
	}
}
