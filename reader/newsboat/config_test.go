package newsboat

import (
	"os"
	"path/filepath"
	"testing"
)

// Every line is taken or named, also a last one that ends in a backslash; settings of
// podboat lead to those of downloads.
func TestConfigLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(path, []byte("player mpv\ndownload-path ~/pods\ndownload-timeout 30\nmax-\\\nitems 5\nshow-read-feeds no\\"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := readConfig(path)
	want := []string{
		"config line 1: player mpv: set player in config.toml",
		"config line 2: download-path ~/pods: set downloads in config.toml; see diurna queue",
		"config line 3: download-timeout 30: diurna fetches politely by itself; see [net] in config.toml",
		"config line 4: max-items 5: diurna keeps all items",
		"config line 6: show-read-feeds no: no counterpart",
	}
	if len(c.NotTaken) != len(want) || c.Lines != len(want) {
		t.Fatalf("%d of %d lines are not taken: %v", len(c.NotTaken), c.Lines, c.NotTaken)
	}
	for i := range want {
		if got := c.NotTaken[i].String(); got != want[i] {
			t.Errorf("%q, want %q", got, want[i])
		}
	}
}
