package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestSafetyTable keeps docs/safety.md honest: every row of the attack table and
// of the etiquette is there once, and every test that it names exists in the
// package that it names.
func TestSafetyTable(t *testing.T) {
	doc, err := os.ReadFile("docs/safety.md")
	if err != nil {
		t.Fatal(err)
	}
	missing := map[string]bool{}
	for _, group := range []struct {
		name string
		n    int
	}{{"T", 6}, {"C", 4}, {"N", 15}, {"P", 6}, {"I", 5}, {"F", 7}, {"U", 2}, {"E", 16}} {
		for i := range group.n {
			missing[fmt.Sprintf("%s%d", group.name, i+1)] = true
		}
	}
	rows, tests, lifted := 0, 0, 0
	for line := range strings.Lines(string(doc)) {
		cells := strings.Split(line, " | ")
		row := strings.TrimPrefix(cells[0], "| ")
		if len(cells) != 5 || row == "row" {
			continue
		}
		if !missing[row] {
			t.Errorf("%s stands twice, or is no row", row)
		}
		delete(missing, row)
		rows++
		if !strings.HasPrefix(cells[4], "- ") {
			lifted++
		}
		tests += proven(t, row, cells[3])
		if m := regexp.MustCompile(`([a-z/]+) (Test\w+)`).FindStringSubmatch(cells[4]); m != nil && !declared(t, m[1], m[2]) {
			t.Errorf("%s: there is no %s in %s", row, m[2], m[1])
		}
	}
	for row := range missing {
		t.Errorf("%s is missing", row)
	}
	t.Logf("%d rows name %d tests; of %d it was seen what comes in without the defence", rows, tests, lifted)
}

// TestParsingTable does the same for docs/parsing.md.
func TestParsingTable(t *testing.T) {
	doc, err := os.ReadFile("docs/parsing.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(doc)) {
		cells := strings.Split(line, " | ")
		if row := strings.TrimPrefix(cells[0], "| "); len(cells) == 4 && row != "row" {
			if rows++; row != fmt.Sprintf("A%d", rows) {
				t.Errorf("%s follows on A%d", row, rows-1)
			}
			proven(t, row, cells[3])
		}
	}
	if rows != 19 {
		t.Errorf("%d rows", rows)
	}
}

// proven counts the tests that a cell names; each must exist.
func proven(t *testing.T, row, cell string) int {
	t.Helper()
	named := regexp.MustCompile("`([a-z/]+)\\.(Test\\w+)`").FindAllStringSubmatch(cell, -1)
	if len(named) == 0 {
		t.Errorf("%s names no test", row)
	}
	for _, m := range named {
		if !declared(t, strings.TrimPrefix(m[1], "main"), m[2]) {
			t.Errorf("%s: there is no %s in %s", row, m[2], m[1])
		}
	}
	return len(named)
}

// declared reports whether a folder's test files declare a test.
func declared(t *testing.T, folder, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(".", folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(b), "\nfunc "+name+"(t *testing.T)") {
			return true
		}
	}
	return false
}
