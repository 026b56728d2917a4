//go:build linux

package store

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// put writes the disk's files to a plain folder, where they can be looked at.
func (d *disk) put(t *testing.T, dir string) {
	t.Helper()
	for name, f := range d.names {
		if err := os.WriteFile(filepath.Join(dir, name), f.data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// cut lets three mixers work on d, cuts the power at any moment and returns the
// disk that is found when it is back. The mixers' words go into the ledger.
func (d *disk) cut(t *testing.T, r *rand.Rand, l *ledger, env ...string) *disk {
	dir, unmount := d.mount(t)
	defer unmount()
	c := &cast{t: t, dir: dir, env: env}
	for i := range mixers {
		c.start(i)
	}
	c.await(r, 1+r.IntN(40))
	found := d.lose(r)
	for i := range mixers {
		c.kill(i, l)
	}
	return found
}

// apart verifies in a process of its own: a library that lost writes may hold a
// tree that leads back into itself, and bbolt's stack then ends the process.
func (l *ledger) apart(t *testing.T, dir string) []string {
	t.Helper()
	cmd, in, lines := start(t, "verifier", dir)
	fmt.Fprintln(in, strings.Join(l.lines, "\n"))
	in.Close()
	var bad []string
	done := false
	for line := range lines {
		if done = line == "verified"; !done {
			bad = append(bad, line)
		}
	}
	if err := cmd.Wait(); err != nil || !done {
		bad = append(bad, fmt.Sprint("looking at it exited with ", err))
	}
	return bad
}

func init() {
	children["verifier"] = func() error {
		text, err := io.ReadAll(os.Stdin)
		if err != nil {
			return err
		}
		l := &ledger{lines: strings.Split(strings.TrimSpace(string(text)), "\n")}
		for _, bad := range l.verify(tbackground, os.Getenv("DIURNA_STORE_DIR")) {
			fmt.Println(strings.ReplaceAll(bad, "\n", " "))
		}
		fmt.Println("verified")
		return nil
	}
}

// powerCuts cuts the power n times and returns how often something was wrong
// afterwards, and the first such thing. Work goes on with what is found; after
// a failure, and every 15 cuts, with an empty disk.
func powerCuts(t *testing.T, n int, env ...string) (failed, acknowledged int, first string) {
	const epoch = 15
	r := rand.New(rand.NewPCG(uint64(n), uint64(len(env))))
	env = append(env, "DIURNA_STORE_ASIDE="+t.TempDir())
	var d *disk
	var l *ledger
	for i := range n {
		if i%epoch == 0 || d == nil {
			d, l = newDisk(), &ledger{}
		}
		before := len(l.lines)
		d = d.cut(t, r, l, env...)
		acknowledged += len(l.lines) - before
		dir := t.TempDir()
		d.put(t, dir)
		if bad := l.apart(t, dir); len(bad) > 0 {
			failed++
			if first == "" {
				first = fmt.Sprintf("cut %d, %d lines: %s", i, len(bad), strings.Join(bad[:min(4, len(bad))], "; "))
			}
			d = nil
		}
		os.RemoveAll(dir)
	}
	return failed, acknowledged, first
}

// After a power cut everything that was acknowledged is there, and the library
// checks. DIURNA_CUTS=2000 is the full run.
func TestPowerCuts(t *testing.T) {
	cuts := 12
	if testing.Short() {
		cuts = 4
	}
	if n, err := strconv.Atoi(os.Getenv("DIURNA_CUTS")); err == nil {
		cuts = n
	}
	failed, acknowledged, first := powerCuts(t, cuts)
	if failed > 0 {
		t.Errorf("%d of %d cuts lost something: %s", failed, cuts, first)
	}
	if acknowledged < cuts {
		t.Errorf("only %d acts acknowledged", acknowledged)
	}
	t.Logf("%d cuts, %d acts acknowledged, %d cuts lost something", cuts, acknowledged, failed)
}

// The same without syncs must lose acknowledged acts in most cuts, or the test
// above could not fail.
func TestPowerCutsWithoutSync(t *testing.T) {
	cuts := 24
	if n, err := strconv.Atoi(os.Getenv("DIURNA_CUTS")); err == nil {
		cuts = max(cuts, n/10)
	}
	failed, _, first := powerCuts(t, cuts, "DIURNA_STORE_NOSYNC=1")
	if failed*2 <= cuts {
		t.Errorf("only %d of %d cuts lost something", failed, cuts)
	}
	t.Logf("%d of %d cuts lost something, as they must; the first: %s", failed, cuts, first)
}
