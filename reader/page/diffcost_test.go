package page

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"diurna/reader/align/aligntest"
)

// TestDiffCost compares the CPU time of `diurna diff A B` as a whole process with
// that of git over the real pairs, the two by turns:
//
//	.ci/build /tmp/diurna && DIURNA_BENCH=/tmp/diurna DIURNA_FULL=1 go test -v -run TestDiffCost ./reader/page
//
// The program is copied first, as an installed one is: of a file that the linker
// wrote the system keeps smaller pieces, and a start takes a tenth longer.
func TestDiffCost(t *testing.T) {
	built := os.Getenv("DIURNA_BENCH")
	if built == "" {
		t.Skip("DIURNA_BENCH does not name the program as it is released")
	}
	dir := t.TempDir()
	program, err := os.ReadFile(built)
	if err != nil {
		t.Fatal(err)
	}
	exe, a, b := filepath.Join(dir, "diurna"), filepath.Join(dir, "a.html"), filepath.Join(dir, "b.html")
	if err := os.WriteFile(exe, program, 0o700); err != nil {
		t.Fatal(err)
	}
	run := func(name string, args ...string) time.Duration {
		cmd := exec.Command(name, args...)
		cmd.Dir, cmd.Env = dir, []string{"HOME=" + dir, "PATH=" + os.Getenv("PATH"), "GIT_PAGER=cat"}
		if err := cmd.Run(); err != nil && cmd.ProcessState.ExitCode() != 1 { // git's when files differ
			t.Fatal(name, args, err)
		}
		return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	var git, ours time.Duration
	for range 3 {
		for _, p := range aligntest.Pairs(t) {
			for name, page := range map[string][]byte{a: p.A, b: p.B} {
				if err := os.WriteFile(name, page, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			git += run("git", "diff", "--no-index", "--word-diff", a, b)
			ours += run(exe, "diff", a, b)
		}
	}
	ratio := ours.Seconds() / git.Seconds()
	t.Logf("git %.2f s of CPU, diurna %.2f: %.2f times", git.Seconds(), ours.Seconds(), ratio)
	if ratio > 1.9 {
		t.Errorf("more than 1.9 times git's")
	}
}
