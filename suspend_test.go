//go:build linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// stateOf is the kernel's letter for a process: T is stopped.
func stateOf(pid int) string {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return ""
	}
	f := strings.Fields(string(stat)[strings.LastIndexByte(string(stat), ')')+1:])
	return f[0]
}

// jobOf is the pid of the screen that a shell has started.
func (p *person) jobOf() (pid int) {
	p.t.Helper()
	p.until("the screen fetches", func() bool { return strings.Contains(p.fetcher(), "(screen)") })
	words := strings.Fields(p.fetcher())
	for i, w := range words {
		if w == "pid" {
			pid, _ = strconv.Atoi(strings.Trim(words[i+1], ",;()"))
		}
	}
	if pid == 0 {
		p.t.Fatalf("doctor says %q", words)
	}
	return pid
}

// TestFirstKeyStops: ^z as the first key, while the look is being noted, leaves
// the library to others at once.
func TestFirstKeyStops(t *testing.T) {
	t.Parallel()
	p := inShell(t, "fg")
	pid := p.jobOf()
	for range 3 {
		p.tty.WriteString("\x1a")
		p.until("the screen is stopped", func() bool { return stateOf(pid) == "T" })
		if got := p.diurna("unread"); got != "12\n" {
			t.Errorf("unread says %q", got)
		}
		n := p.bytes()
		p.press("on\r")
		p.until("the screen is drawn again", func() bool { return strings.Contains(p.text(n), "Enter open") })
	}
	p.leaveShell()
}

// TestStoppedFromOutside: a screen that was stopped by somebody else takes its
// terminal again, in its own mode, and draws all of it.
func TestStoppedFromOutside(t *testing.T) {
	t.Parallel()
	p := inShell(t, "stty sane; fg")
	pid := p.jobOf()
	for range 2 {
		if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		p.until("the screen is stopped", func() bool { return stateOf(pid) == "T" })
		n := p.bytes()
		p.press("on\n") // the terminal is still in the screen's mode, where Return is no end of a line
		p.until("the screen is drawn again", func() bool { return strings.Contains(p.text(n), "Enter open") })
	}
	p.press("m")
	p.until("keys are heard", func() bool { return p.diurna("unread") == "11\n" })
	p.leaveShell()
}

// TestStoppedFetcherIsNamed: a `run` that was stopped from outside keeps fetch.lock;
// fetch and doctor say so, and what resumes it.
func TestStoppedFetcherIsNamed(t *testing.T) {
	t.Parallel()
	p := atHarbour(t)
	run := exec.Command("diurna", "run")
	run.Env, run.Dir = p.env, p.home
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = run.Process.Kill(); _ = run.Wait() }()
	p.until("run fetches", func() bool { return strings.Contains(p.fetcher(), "(run)") })
	says := func(args ...string) (string, int) {
		cmd := exec.Command("diurna", args...)
		cmd.Env, cmd.Dir = p.env, p.home
		out, _ := cmd.CombinedOutput()
		return string(out), cmd.ProcessState.ExitCode()
	}
	pid := run.Process.Pid
	p.until("run is stopped while it holds no other lock", func() bool {
		if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		p.until("the signal has come", func() bool { return stateOf(pid) == "T" })
		// unread opens the library alone, doctor its cache too.
		for _, args := range [][]string{{"unread"}, {"doctor", "-q"}} {
			if out, _ := says(args...); strings.Contains(out, "the library is in use by") {
				_ = syscall.Kill(pid, syscall.SIGCONT)
				return false
			}
		}
		return true
	})
	way := fmt.Sprintf("kill -CONT %d", pid)
	for _, args := range [][]string{{"fetch", "Harbour"}, {"fetch", "--all"}} {
		if out, code := says(args...); code != 4 || !strings.Contains(out, way) || !strings.Contains(out, "(run), the fetching process, is stopped") {
			t.Errorf("%v says %q, exit code %d", args, out, code)
		}
	}
	if out, code := says("doctor", "-q"); code != 3 || !strings.Contains(out, way) || !strings.Contains(out, "is the fetching process and is stopped") {
		t.Errorf("doctor says %q, exit code %d", out, code)
	}
	if err := syscall.Kill(pid, syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	p.until("all is well again", func() bool { out, code := says("fetch", "--all"); return code == 0 && !strings.Contains(out, way) })
}

// TestUnknownSize: a terminal that does not know its size is taken for 80x24.
func TestUnknownSize(t *testing.T) {
	t.Parallel()
	w := newWall(t)
	if err := pty.Setsize(w.master, &pty.Winsize{}); err != nil {
		t.Fatal(err)
	}
	cmd := atHarbour(t).background()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = w.slave, w.slave, w.slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	for end := time.Now().Add(2 * time.Minute); !w.shows("Rhythm"); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("nothing is drawn")
		}
	}
}
