package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"diurna/ui/cli/session"
)

// A config that is not understood removes neither texts nor rows: it may have said that
// none go.
func TestNothingGoesByAnUnreadConfig(t *testing.T) {
	const never = -1
	for text, want := range map[string]time.Duration{
		"":                                    0, // as the library was made
		"[retention]\ntext = \"2y\"\n":        2 * 365 * 24 * time.Hour,
		"[retention]\ntext = \"off\"\n":       never,
		"[retention]\ntext = \"OFF\"\n":       never,
		"[retention]\ntext = \"6m\"\n":        never,
		"[retention]\ntext = \"29d\"\n":       never,
		"[retention]\ntext = 12\n":            never,
		"[retention]\ntexts = \"off\"\n":      never,
		"[retention\n":                        never,
		"width = 3\n[retention]\ntext=\"1y\"": never,
		"[retention]\nrows = \"6m\"\n":        never,
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "config.toml")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"} {
			t.Setenv(name, dir)
		}
		a := &app{}
		_, end, err := a.open(session.Where{DataDir: filepath.Join(dir, "lib"), Config: path, Role: "run"})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := a.config.Retention.Text.duration(); got != want || err != nil {
			t.Errorf("%q: texts go after %v, %v, want %v", text, got, err, want)
		}
		if got, err := a.config.Retention.Rows.duration(); got > 0 || err != nil {
			t.Errorf("%q: rows go after %v, %v", text, got, err)
		}
		if err := end(); err != nil {
			t.Error(err)
		}
	}
}
