package main

import (
	"encoding/xml"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
)

// describes holds docs/architecture.md to the tree: every package stands in it, and
// every package and file that stands in it exists.
func describes(t *testing.T, list map[string]sourcePackage) {
	t.Helper()
	text, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	for name := range list {
		if name != "" && !strings.Contains(string(text), "`"+name+"`") {
			t.Errorf("%s does not stand in docs/architecture.md", name)
		}
	}
	contributing, err := os.ReadFile("CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	both := map[string]string{"docs/architecture.md": string(text), "CONTRIBUTING.md": string(contributing)}
	named := regexp.MustCompile("`((?:docs|ranking|reader|scheduler|store|testdata|tools|ui)/[a-z_/]+(\\.go)?)`")
	for page, text := range both {
		for _, m := range named.FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat(m[1]); err != nil {
				t.Errorf("%s names %s, which does not exist", page, m[1])
			}
		}
	}
	keysLive(t, string(contributing))
}

// keysLive holds the rows of CONTRIBUTING.md that say in which file the method of
// a key stands, and its sentences that say so of another name ("`x` in `ui/y.go`").
func keysLive(t *testing.T, text string) {
	t.Helper()
	rows, quoted := 0, regexp.MustCompile("`([^`]+)`")
	for line := range strings.Lines(text) {
		cells := strings.Split(line, " | ")
		if len(cells) != 3 || !strings.Contains(cells[2], ".go`") {
			continue
		}
		rows++
		file := quoted.FindStringSubmatch(cells[2])[1]
		code, err := os.ReadFile(file)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, m := range quoted.FindAllStringSubmatch(cells[1], -1) {
			if !regexp.MustCompile(`(?m)^func (\([^)]*\) )?` + m[1] + `\(`).Match(code) {
				t.Errorf("CONTRIBUTING.md says that %s stands in %s; it does not", m[1], file)
			}
		}
	}
	for _, m := range regexp.MustCompile("`([A-Za-z]+)`(?: in|,)?\\s\\(?`([a-z/_]+\\.go)`").FindAllStringSubmatch(text, -1) {
		if code, err := os.ReadFile(m[2]); err != nil || !regexp.MustCompile(`\b`+m[1]+`\b`).Match(code) {
			t.Errorf("CONTRIBUTING.md says that %s stands in %s; it does not (%v)", m[1], m[2], err)
		}
	}
	if rows < 15 {
		t.Errorf("CONTRIBUTING.md has %d rows of keys", rows)
	}
}

// TestPropertyListIsXML: launchd takes no file that is not well-formed, and a comment must
// not hold two hyphens.
func TestPropertyListIsXML(t *testing.T) {
	f, err := os.Open(".ci/packaging/diurna.plist")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	d := xml.NewDecoder(f)
	for {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}
