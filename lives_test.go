//go:build linux

package main

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// life is somebody's days with the program, played in virtual time: real processes,
// short and long ones, against a publisher that writes everything down.
type life struct {
	t     *testing.T
	bin   string // the folder of its programs
	home  string
	env   []string
	start time.Time
	clock *virtualClock
	web   *lifeWeb

	commands commands
}

// newLife gives somebody a home in a zone, at a moment of that zone's wall clock
// ("2031-03-04 05:06"), with the config of everybody but that it allows this machine.
func newLife(t *testing.T, zone, start string) *life {
	t.Helper()
	bin := onVirtualClock(t)
	in, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	l := &life{t: t, bin: bin, home: t.TempDir()}
	l.clock = &virtualClock{zone: in}
	l.start = l.at(start)
	l.clock = newVirtualClock(t, in, l.start)
	l.commands.bin = bin
	t.Cleanup(func() {
		if err := l.commands.close(); err != nil {
			t.Errorf("its commands: %v", err)
		}
	})
	l.web = newLifeWeb(t, l.clock)
	l.env = []string{noRest, "VIRTUAL_CLOCK=" + l.clock.path, "HOME=" + l.home, "PATH=" + os.Getenv("PATH"), "TZ=" + zone, "TERM=xterm-256color", "LANG=C.UTF-8",
		"XDG_DATA_HOME=" + l.home + "/.local/share", "XDG_CONFIG_HOME=" + l.home + "/.config", "XDG_STATE_HOME=" + l.home + "/.local/state",
		"XDG_CACHE_HOME=" + l.home + "/.cache", "XDG_RUNTIME_DIR=" + l.home + "/.run", "NO_PROXY=127.0.0.1"}
	l.config("[net]\nallow_private = [\"127.0.0.0/8\"]\nper_host_every = \"0s\"\nsecond_fetch = \"0s\"\n")
	return l
}

// config replaces config.toml.
func (l *life) config(text string) {
	l.t.Helper()
	dir := filepath.Join(l.home, ".config", "diurna")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		l.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "config.toml"), []byte(text), 0o600); err != nil {
		l.t.Fatal(err)
	}
}

// at is a moment of the life's wall clock.
func (l *life) at(text string) time.Time {
	l.t.Helper()
	at, err := time.ParseInLocation("2006-01-02 15:04", text, l.clock.zone)
	if err != nil {
		l.t.Fatal(err)
	}
	return at
}

// ran is a command that has ended.
type ran struct {
	out, talk string
	code      int
}

// command is the program in this life, not started.
func (l *life) command(args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(l.bin, "diurna"), args...)
	cmd.Env, cmd.Dir = l.env, l.home
	return cmd
}

// run lets time pass up to a moment and runs a command to its end then.
func (l *life) run(at time.Time, args ...string) ran {
	l.t.Helper()
	l.clock.until(at)
	a, err := l.commands.run(l.env, l.home, args...)
	if err != nil {
		l.t.Fatalf("diurna %v: %v", args, err)
	}
	return ran{string(a.Out), string(a.Talk), a.Code}
}

// must is run for a command that has to succeed; it gives what was printed.
func (l *life) must(at time.Time, args ...string) string {
	l.t.Helper()
	r := l.run(at, args...)
	if r.code != 0 {
		l.t.Fatalf("at %v diurna %v: exit code %d\n%s", at, args, r.code, r.talk)
	}
	return r.out
}

// json is must for a command whose --json gives one object per line.
func (l *life) json(at time.Time, args ...string) []map[string]any {
	l.t.Helper()
	var list []map[string]any
	for line := range strings.Lines(l.must(at, append(args, "--json")...)) {
		var one map[string]any
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			l.t.Fatalf("diurna %v: %v in %q", args, err, line)
		}
		list = append(list, one)
	}
	return list
}

// cron runs a command at every step from a moment on, before another.
func (l *life) cron(from, to time.Time, step time.Duration, args ...string) {
	l.t.Helper()
	for at := from; at.Before(to); at = at.Add(step) {
		l.must(at, args...)
	}
}

// sit opens the screen at a moment; person's methods press keys and look at it.
func (l *life) sit(at time.Time) *person {
	l.t.Helper()
	l.clock.until(at)
	p := &person{t: l.t, home: l.home, env: l.env}
	p.sitAt(l.command())
	return p
}

// onTerminal is run for a command on a terminal of its own, as typed by a user.
func (l *life) onTerminal(at time.Time, args ...string) string {
	l.t.Helper()
	l.clock.until(at)
	cmd := l.command(args...)
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: 100, Rows: 30})
	if err != nil {
		l.t.Skipf("no pseudo-terminal here: %v", err)
	}
	defer tty.Close()
	late := time.AfterFunc(2*time.Minute, func() { _ = cmd.Process.Kill() })
	defer late.Stop()
	out, _ := io.ReadAll(tty) // a terminal whose program has ended gives EIO
	if err := cmd.Wait(); err != nil {
		l.t.Errorf("at %v diurna %v: %v\n%s", at, args, err, out)
	}
	return string(out)
}

// begin starts a command that goes on until end is called or the test is over.
func (l *life) begin(at time.Time, args ...string) (cmd *exec.Cmd, end func()) {
	l.t.Helper()
	l.clock.until(at)
	cmd = l.command(args...)
	if err := cmd.Start(); err != nil {
		l.t.Fatal(err)
	}
	ended := false
	end = func() {
		if ended {
			return
		}
		ended = true
		_ = cmd.Process.Signal(syscall.SIGCONT)
		_ = cmd.Process.Signal(syscall.SIGTERM)
		late := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
		defer late.Stop()
		_ = cmd.Wait() // it was told to stop
	}
	l.t.Cleanup(end)
	return cmd, end
}

// pass lets time go by in steps, with a short rest after each in which programs
// that wait for a moment do what they waited for.
func (l *life) pass(to time.Time, step, rest time.Duration) {
	for at := l.clock.now().Add(step); at.Before(to); at = at.Add(step) {
		l.clock.until(at)
		time.Sleep(rest)
	}
	l.clock.until(to)
	time.Sleep(rest)
}

// suspend stops programs, lets the wall clock alone move on, as a machine that
// sleeps does, and wakes them.
func (l *life) suspend(d time.Duration, programs ...*exec.Cmd) {
	for _, p := range programs {
		_ = p.Process.Signal(syscall.SIGSTOP)
	}
	l.clock.jump(d)
	for _, p := range programs {
		_ = p.Process.Signal(syscall.SIGCONT)
	}
}
