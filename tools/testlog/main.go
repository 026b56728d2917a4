// Command testlog reads what `go test -json` prints and tells what matters of it:
// one line per package, the whole output of each test that failed, and at the end
// every test that was skipped, with its reason.
//
//	go test -json ./... | testlog
//
// It exits with 1 if a test or a package failed.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
)

func main() {
	failed, err := tell(os.Stdin, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "testlog:", err)
		os.Exit(2)
	}
	if failed {
		os.Exit(1)
	}
}

// event is one line of `go test -json`; see `go doc test2json`.
type event struct {
	Action, Package, Test, Output, ImportPath string
	Elapsed                                   float64
}

// tell reads events until there are no more and reports whether anything failed.
// A line that is no event is printed as it is.
func tell(in io.Reader, out io.Writer) (failed bool, err error) {
	said := map[string]*strings.Builder{} // by package and test; by import path of a build
	var skipped []string
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadString('\n')
		if err == io.EOF && line == "" {
			break
		}
		if err != nil && err != io.EOF {
			return failed, err
		}
		var e event
		if json.Unmarshal([]byte(line), &e) != nil || e.Action == "" {
			io.WriteString(out, line)
			continue
		}
		key := e.Package + e.ImportPath + " " + e.Test
		b := said[key]
		if b == nil {
			b = &strings.Builder{}
			said[key] = b
		}
		switch e.Action {
		case "output", "build-output":
			b.WriteString(e.Output)
			continue
		case "fail", "build-fail":
			failed = true
			io.WriteString(out, b.String())
		case "skip":
			if e.Test != "" {
				skipped = append(skipped, fmt.Sprintf("%s %s: %s", e.Package, e.Test, reason(b.String())))
			}
		}
		if e.Test == "" && e.Package != "" && (e.Action == "pass" || e.Action == "fail") {
			fmt.Fprintf(out, "%-4s %7.1f s  %s\n", e.Action, e.Elapsed, e.Package)
		}
		if e.Action == "pass" || e.Action == "skip" {
			delete(said, key)
		}
	}
	fmt.Fprintf(out, "%d tests skipped\n", len(skipped))
	for _, s := range skipped {
		fmt.Fprintln(out, " ", s)
	}
	return failed, nil
}

// reason is what a skipped test said last, without the place in the source.
func reason(output string) string {
	why := "no reason given"
	for line := range strings.Lines(output) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "===") && !strings.HasPrefix(line, "---") {
			if _, after, ok := strings.Cut(line, ".go:"); ok {
				_, line, _ = strings.Cut(after, ": ")
			}
			why = line
		}
	}
	return why
}
