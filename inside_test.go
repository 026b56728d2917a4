package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"diurna/reader"
	"diurna/ui/cli"
	"diurna/ui/cli/session"
)

// TestInsideCompletes: in a screen feeds are completed by their names, folders and
// tags by those there are, flags and their values too; the commands run on the
// library that is open.
func TestInsideCompletes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	w := session.Where{DataDir: dir, Config: filepath.Join(dir, "config.toml"), Role: "screen"}
	if err := os.WriteFile(w.Config, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	a := &app{}
	lib, done, err := a.open(w)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := done(); err != nil {
			t.Error(err)
		}
	}()
	const doc = `<opml version="2.0"><body><outline text="far sea"><outline type="rss" text="The harbour" category="tides" xmlUrl="https://harbour.example/feed"/></outline>` +
		`<outline type="rss" text="Bread" xmlUrl="https://bread.example/feed"/><outline type="rss" text="Twice" xmlUrl="https://one.example/feed"/>` +
		`<outline type="rss" text="Twice" xmlUrl="https://two.example/feed"/></body></opml>`
	if _, err := lib.Import(t.Context(), []byte(doc), reader.ImportOptions{NoFetch: true}, func(reader.Progress) {}); err != nil {
		t.Fatal(err)
	}
	in := cli.NewInside(session.Env{Settings: settings, Places: places, Keys: keyTable}, lib, w)
	for line, want := range map[string]string{
		"fetch |":              "Bread|The harbour",
		"items folder:":        `folder:"far sea"`,
		"mark read feed:":      `feed:"The harbour"|feed:Bread`,
		"add x --folder |":     "far sea",
		"items --order |":      "newest|oldest|ranked",
		"items --or":           "--order",
		"evidence |":           "freeze|more|reset",
		"watch https://x --th": "--threshold",
		"help ma":              "mark",
	} {
		var got []string
		words := strings.Fields(line)
		if words[len(words)-1] == "|" {
			words[len(words)-1] = ""
		}
		for _, c := range in.Complete(t.Context(), words) {
			value, _, _ := strings.Cut(c, "\t")
			got = append(got, value)
		}
		for _, value := range strings.Split(want, "|") {
			if !slices.Contains(got, value) {
				t.Errorf(":%s is completed by %q, without %s", line, got, value)
			}
		}
		if slices.Contains(got, "Twice") {
			t.Errorf(":%s offers a name that two feeds share", line)
		}
	}
	out, said, code := in.Run(t.Context(), []string{"rm", "The harbour"}, 78, 24)
	if code != 0 || out != "" || said != "unsubscribed from The harbour. u undoes." {
		t.Errorf("rm: %q %q %d", out, said, code)
	}
	if out, _, code = in.Run(t.Context(), []string{"list"}, 78, 24); code != 0 || strings.Contains(out, "harbour") || strings.Count(out, "\n") != 4 {
		t.Errorf("list after it, %d:\n%s", code, out)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, said, code = in.Run(ended, []string{"list"}, 78, 24); code != 130 || said != "stopped; what was fetched is kept" {
		t.Errorf("a command that is stopped says %q, code %d", said, code)
	}
}
