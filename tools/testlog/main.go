// Command testlog reads what `go test -json` prints and tells what matters of it:
// one line per package, the whole output of each test that failed, and at the end
// every test that was skipped, with its reason.
//
//	go test -json ./... | testlog [-again FILE]
//
// It exits with 1 if a test or a package failed. FILE then gets a line for each
// package with the pattern of its failed tests, to run them once more on their own;
// none if more failed than a busy machine explains.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
)

func main() {
	again := flag.String("again", "", "the `FILE` for what is worth another run")
	flag.Parse()
	failed, once, err := tell(os.Stdin, os.Stdout)
	if err == nil && *again != "" {
		err = os.WriteFile(*again, []byte(once), 0o600)
	}
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

// tell reads events until there are no more and reports whether anything failed,
// and what of it is worth another run. A line that is no event is printed as it is.
func tell(in io.Reader, out io.Writer) (failed bool, again string, err error) {
	said := map[string]*strings.Builder{} // by package and test; by import path of a build
	var skipped []string
	var f failures
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadString('\n')
		if err == io.EOF && line == "" {
			break
		}
		if err != nil && err != io.EOF {
			return failed, "", err
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
			if e.Test == "" { // what its tests said that were still running, if it died
				for _, of := range slices.Sorted(maps.Keys(said)) {
					if strings.HasPrefix(of, e.Package+" ") && of != key {
						io.WriteString(out, said[of].String())
					}
				}
			}
			io.WriteString(out, b.String())
			f.add(&e, b.String())
		case "skip":
			if e.Test != "" {
				skipped = append(skipped, fmt.Sprintf("%s %s: %s", e.Package, e.Test, reason(b.String())))
			}
		}
		if e.Test == "" && e.Package != "" && (e.Action == "pass" || e.Action == "fail") {
			fmt.Fprintf(out, "%-4s %7.1f s  %s\n", e.Action, e.Elapsed, e.Package)
		}
		switch e.Action {
		case "pass", "skip", "fail":
			delete(said, key)
		}
	}
	fmt.Fprintf(out, "%d tests skipped\n", len(skipped))
	for _, s := range skipped {
		fmt.Fprintln(out, " ", s)
	}
	return failed, f.again(), nil
}

// mostAgain is how many tests may be run once more.
const mostAgain = 3

// failures are what failed, as far as it is worth another run: single tests, not a
// build, a data race or a package that died.
type failures struct {
	order []string // packages
	tests map[string][]string
	n     int
	final bool
}

func (f *failures) add(e *event, output string) {
	top, _, below := strings.Cut(e.Test, "/")
	switch {
	case strings.Contains(output, "DATA RACE"), strings.Contains(output, "panic:"), e.Action == "build-fail":
		f.final = true
	case below: // its top test fails too
	case e.Test != "":
		if f.tests == nil {
			f.tests = map[string][]string{}
		}
		if f.tests[e.Package] == nil {
			f.order = append(f.order, e.Package)
		}
		f.tests[e.Package] = append(f.tests[e.Package], top)
		f.n++
	case f.tests[e.Package] == nil:
		f.final = true
	}
}

// again is a line per package, its path and the pattern of its tests.
func (f *failures) again() string {
	var b strings.Builder
	if !f.final && f.n <= mostAgain {
		for _, p := range f.order {
			fmt.Fprintf(&b, "%s ^(%s)$\n", p, strings.Join(f.tests[p], "|"))
		}
	}
	return b.String()
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
