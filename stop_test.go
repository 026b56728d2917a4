//go:build unix

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"diurna/store"
)

// fetcher is what doctor says of the process that fetches.
func (p *person) fetcher() string {
	cmd := exec.Command("diurna", "doctor")
	cmd.Env, cmd.Dir = p.env, p.home
	out, _ := cmd.Output() // 3 when a feed is in trouble
	for line := range strings.Lines(string(out)) {
		if rest, ok := strings.CutPrefix(line, "fetching"); ok {
			return strings.TrimSpace(rest)
		}
	}
	return string(out)
}

// TestStoppedRunLetsGo: a `run` that is stopped gives fetch.lock away before,
// and takes it again when it is continued.
func TestStoppedRunLetsGo(t *testing.T) {
	t.Parallel()
	p := atHarbour(t)
	run := exec.Command("diurna", "run")
	run.Env, run.Dir = p.env, p.home
	run.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // as a shell starts a job
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { run.Process.Kill(); _ = run.Wait() }()
	p.until("run fetches", func() bool { return strings.Contains(p.fetcher(), "(run)") })
	for range 2 {
		if err := run.Process.Signal(syscall.SIGTSTP); err != nil {
			t.Fatal(err)
		}
		var status syscall.WaitStatus
		if _, err := syscall.Wait4(run.Process.Pid, &status, syscall.WUNTRACED, nil); err != nil || !status.Stopped() {
			t.Fatalf("run is not stopped: %v, %v", status, err)
		}
		if got := p.fetcher(); strings.Contains(got, "pid") {
			t.Errorf("run is stopped, and doctor says %q", got)
		}
		p.diurna("fetch", "--all") // would wait for ever for a holder that is stopped
		if err := run.Process.Signal(syscall.SIGCONT); err != nil {
			t.Fatal(err)
		}
		p.until("run fetches again", func() bool { return strings.Contains(p.fetcher(), "(run)") })
	}
	if err := run.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = run.Wait() // the code says it
	if code := run.ProcessState.ExitCode(); code != 143 {
		t.Errorf("run ended in %d", code)
	}
}

// inShell is a user whose screen runs in a shell with job control, which tells when
// it has the terminal; on what a line "on" runs, "left" comes last.
func inShell(t *testing.T, on string, before ...func(*person)) *person {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell here")
	}
	p := atHarbour(t)
	for _, do := range before {
		do(p)
	}
	p.sitAt(exec.Command(sh, "-m", "-c", `diurna; while read x && [ "$x" = on ]; do `+on+`; done; echo left`))
	return p
}

// TestSuspendedScreen: ^z gives terminal and fetch.lock to the shell, fg takes
// both again; a stop from outside does the same.
func TestSuspendedScreen(t *testing.T) {
	t.Parallel()
	p := inShell(t, "fg", (*person).wantMouse)
	p.until("the screen fetches", func() bool { return strings.Contains(p.fetcher(), "(screen)") })
	stops := []func(){func() { p.press("\x1a") }, func() {
		pid := strings.Fields(p.fetcher())[2]
		if out, err := exec.Command("kill", "-TSTP", pid).CombinedOutput(); err != nil {
			t.Fatalf("kill %s: %v: %s", pid, err, out)
		}
	}}
	const reports, silent = "\x1b[?1002h\x1b[?1006h", "\x1b[?1002l\x1b[?1003l\x1b[?1006l"
	for _, stop := range stops {
		n := p.bytes()
		stop()
		p.until("nobody fetches", func() bool { return !strings.Contains(p.fetcher(), "pid") })
		p.until("the mouse is the shell's", func() bool { return strings.Contains(p.raw(n), silent) })
		n = p.bytes()
		p.press("on\r")
		p.until("the screen is drawn again", func() bool { return strings.Contains(p.text(n), "Enter open") })
		p.until("the mouse is reported again", func() bool { return strings.Contains(p.raw(n), reports) })
		p.until("the screen fetches again", func() bool { return strings.Contains(p.fetcher(), "(screen)") })
	}
	p.press("m")
	p.until("keys are heard", func() bool { return p.diurna("unread") == "11\n" })
	p.leaveShell()
}

// leaveShell ends the screen, and then the shell that it was started from.
func (p *person) leaveShell() {
	p.t.Helper()
	p.press("Q")
	p.until("the screen has ended", func() bool { return !strings.Contains(p.fetcher(), "pid") })
	n := p.bytes()
	p.press("off\r")
	p.until("the shell goes on", func() bool { return strings.Contains(p.text(n), "left") })
}

// TestNoShellBehindTheScreen: in a terminal that the program is the first in,
// as in a tmux window opened with it, ^z stops nothing and says so.
func TestNoShellBehindTheScreen(t *testing.T) {
	t.Parallel()
	p := atHarbour(t)
	p.sit()
	p.press("\x1a")
	p.until("it is said", func() bool { return strings.Contains(p.look(), "No shell waits behind this screen") })
	p.press("m")
	p.until("keys are heard", func() bool { return p.diurna("unread") == "11\n" })
	p.until("it fetches", func() bool { return strings.Contains(p.fetcher(), "(screen)") })
}

// TestSignalLeavesTimeForActs: what a screen shows as done may still wait for its
// turn at the library when a signal asks to stop, and is not given up before.
func TestSignalLeavesTimeForActs(t *testing.T) {
	if stopWithin <= store.LockTimeout {
		t.Errorf("a signal waits %v, an act up to %v", stopWithin, store.LockTimeout)
	}
}

// TestSignalEndsAWait: a command that waits for bytes nobody sends ends at the
// first signal, and a pipe in the place of a file of ours holds none at all.
func TestSignalEndsAWait(t *testing.T) {
	t.Parallel()
	p := newPerson(t, "")
	take := exec.Command("diurna", "take", "Ferry")
	take.Env, take.Dir = p.env, p.home
	open, err := take.StdinPipe() // stays open, and silent
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	if err := take.Start(); err != nil {
		t.Fatal(err)
	}
	guard := time.AfterFunc(time.Minute, func() { take.Process.Kill() })
	defer guard.Stop()
	// More than a pipe holds: once it is written, the command reads.
	if _, err := open.Write(make([]byte, 1<<17)); err != nil {
		t.Fatal(err)
	}
	if err := take.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = take.Wait()
	if code := take.ProcessState.ExitCode(); code != 128+int(syscall.SIGTERM) {
		t.Errorf("take exited with %d", code)
	}
	if take.ProcessState.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL {
		t.Error("take did not end")
	}
	for _, name := range []string{"keys.toml", "config.toml"} {
		path := filepath.Join(p.home, ".config", "diurna", name)
		_ = os.Remove(path)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), syscall.Mkfifo(path, 0o600)); err != nil {
			t.Fatal(err)
		}
		unread := exec.Command("diurna", "unread")
		unread.Env, unread.Dir = p.env, p.home
		guard := time.AfterFunc(time.Minute, func() { unread.Process.Kill() })
		out, err := unread.CombinedOutput()
		guard.Stop()
		if err != nil || !strings.Contains(string(out), name+" is not a plain file") {
			t.Errorf("a pipe for %s: %v, %s", name, err, out)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}
