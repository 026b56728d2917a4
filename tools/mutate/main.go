// Command mutate changes one operator, condition or constant of the program at a
// time and asks the tests whether they see it. Run it from the repository's root:
//
//	go -C tools build -o /tmp/mutate ./mutate && /tmp/mutate -n 40 -seed 1
//
// The places are drawn at random, by the seed, from all statements of all packages.
// A change is caught if a test of its package fails, or of a package that imports
// it, or a test of the whole program. The source is never touched: the go command
// reads the changed file by way of an overlay.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

func main() {
	n := flag.Int("n", 40, "how many changes")
	seed := flag.Uint64("seed", 1, "of the draw")
	from := flag.Int("from", 0, "leave out this many of the draw: goes on where another run ended")
	only := flag.String("only", "", "draw from packages whose path begins so")
	dry := flag.Bool("list", false, "print the changes, run nothing")
	own := flag.Bool("own", false, "run the tests of the changed package only: quick, and catches fewer")
	program := flag.String("program", "", "of the tests of the whole program run only those that match")
	limit := flag.Duration("limit", 10*time.Minute, "for one run of tests; a change that makes them go on for ever is caught by it")
	flag.Parse()
	caught, err := run(*n, *from, *seed, *only, *dry, *own, trial{program: *program, limit: *limit})
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
	if !*dry {
		fmt.Printf("%d of %d caught (%.0f %%), seed %d\n", caught, *n, 100*float64(caught)/float64(*n), *seed)
	}
}

// run draws n changes, after those left out, and says of each whether it was caught.
func run(n, from int, seed uint64, only string, dry, own bool, t trial) (caught int, err error) {
	list, err := packages()
	if err != nil {
		return 0, err
	}
	t.root = list[0].ImportPath // the shortest path sorts first
	var places []place
	for _, p := range list {
		for _, name := range p.GoFiles {
			if !strings.HasPrefix(p.ImportPath, only) {
				continue
			}
			more, err := placesIn(filepath.Join(p.Dir, name), p.ImportPath)
			if err != nil {
				return 0, err
			}
			places = append(places, more...)
		}
	}
	r := rand.New(rand.NewPCG(seed, 0))
	r.Shuffle(len(places), func(i, j int) { places[i], places[j] = places[j], places[i] })
	if len(places) < from+n {
		return 0, fmt.Errorf("there are %d places only", len(places))
	}
	dir, err := os.MkdirTemp("", "mutate-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	for left, i := n, from; left > 0 && i < len(places); i++ {
		p := places[i]
		if dry {
			fmt.Println(p)
			left--
			continue
		}
		start := time.Now()
		asked := []string{p.pkg}
		if !own {
			asked = witnesses(p.pkg, t.root, list)
		}
		by, err := t.judge(p, asked, dir)
		switch {
		case errors.Is(err, errNotGo):
			fmt.Printf("left out  %v: does not compile\n", p)
			continue
		case err != nil:
			return caught, err
		case by == "":
			fmt.Printf("SURVIVED  %v (%.0f s)\n", p, time.Since(start).Seconds())
		default:
			caught++
			fmt.Printf("caught    %v by %s (%.0f s)\n", p, by, time.Since(start).Seconds())
		}
		left--
	}
	return caught, nil
}

// pkg is what `go list` says of one package.
type pkg struct {
	ImportPath, Dir                    string
	GoFiles                            []string
	Imports, TestImports, XTestImports []string
}

// packages lists those of the module in the current folder that a test could be of.
func packages() (list []pkg, err error) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Dir,GoFiles,Imports,TestImports,XTestImports", "./...").Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	for d := json.NewDecoder(strings.NewReader(string(out))); d.More(); {
		var p pkg
		if err := d.Decode(&p); err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}

// witnesses are the packages whose tests may see a change in one: itself, those that
// import it, the program.
func witnesses(of, root string, list []pkg) []string {
	out := []string{of}
	for _, p := range list {
		if slices.Contains(slices.Concat(p.Imports, p.TestImports, p.XTestImports), of) && !slices.Contains(out, p.ImportPath) {
			out = append(out, p.ImportPath)
		}
	}
	out = slices.DeleteFunc(out, func(path string) bool { return path == root })
	return append(out, root)
}

var errNotGo = errors.New("does not compile")

// A trial says how a change is put to the tests.
type trial struct {
	root    string // the package of the whole program
	program string // of the tests of the whole program those that match; "": all
	limit   time.Duration
}

var failed = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)|^panic: (.*)$`)

// judge runs the tests of the packages asked with the change until one fails, and says
// which it was; "" if none does.
func (t trial) judge(p place, asked []string, dir string) (by string, err error) {
	changed, overlay := filepath.Join(dir, "changed.go"), filepath.Join(dir, "overlay.json")
	text, err := p.changed()
	if err != nil {
		return "", err
	}
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{p.file: changed}})
	if err != nil {
		return "", err
	}
	if err := errors.Join(os.WriteFile(changed, text, 0o600), os.WriteFile(overlay, replace, 0o600)); err != nil {
		return "", err
	}
	// GOFLAGS, so that what tests build is changed as well.
	env := append(os.Environ(), "GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -overlay="+overlay))
	build := exec.Command("go", "build", p.pkg)
	build.Env = env
	if build.Run() != nil {
		return "", errNotGo
	}
	for _, path := range asked {
		args := []string{"test", "-vet=off", "-failfast", "-timeout", t.limit.String(), path}
		if path == t.root && t.program != "" {
			args = append(args, "-run", t.program)
		}
		ctx, cancel := context.WithTimeout(context.Background(), t.limit+time.Minute)
		test := exec.CommandContext(ctx, "go", args...)
		test.Env = env
		out, err := test.CombinedOutput()
		cancel()
		if err == nil {
			continue
		}
		by := path
		if all := failed.FindAllSubmatch(out, -1); all != nil { // a subtest stands below its test
			m := all[len(all)-1]
			by += " " + string(m[1]) + string(m[2])
		}
		return by, nil
	}
	return "", nil
}
