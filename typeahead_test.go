//go:build linux

package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"diurna/reader"
	"diurna/ui/cli"
	"diurna/ui/cli/exit"
	"diurna/ui/cli/session"
)

// TestTypedBeforeTheDemo: keys typed while the demo's library is still to be made
// are not echoed, act in order on its first screen, and the terminal is given
// back with the modes it had before all that, to an editor too. Nothing puts it into
// those for a moment in between, in which a key would be echoed.
func TestTypedBeforeTheDemo(t *testing.T) {
	t.Parallel()
	p, w := &person{t: t, home: t.TempDir()}, openWall(t, true)
	modes, editor := filepath.Join(p.home, "modes"), filepath.Join(p.home, "editor")
	if err := os.WriteFile(editor, []byte("#!/bin/sh\nstty -g > "+modes+".new && mv "+modes+".new "+modes+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	p.env = []string{"HOME=" + p.home, "TMPDIR=" + p.home, "TZ=UTC", "TERM=xterm-256color", "PATH=" + os.Getenv("PATH"), "EDITOR=" + editor}
	plain := exec.Command("stty", "-g")
	plain.Stdin = w.slave
	cooked, err := plain.Output()
	if err != nil {
		t.Fatal(err)
	}
	was, err := unix.IoctlGetTermios(int(w.slave.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	cmd := p.background("demo")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = w.slave, w.slave, w.slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	late := time.AfterFunc(3*time.Minute, func() { _ = cmd.Process.Kill() })
	defer late.Stop()
	await := func(what string, is func() bool) {
		t.Helper()
		for end := time.Now().Add(2 * time.Minute); !is(); time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				_ = cmd.Process.Kill()
				t.Fatalf("%s: not within two minutes; drawn last: %q", what, tail(w.text(), 2000))
			}
		}
	}
	await("raw mode", func() bool { return w.raw(t, was) })
	w.master.WriteString("2/zebra")
	await("the screen", func() bool { return w.shows("\x1b[?1049h") })
	before, _, _ := strings.Cut(w.text(), "\x1b[?1049h")
	if n := w.changes(); n != 1 {
		t.Errorf("the modes of the terminal changed %d times before the screen, not once", n)
	}
	if strings.Contains(before, "/z") || strings.Contains(before, "zebra") {
		t.Errorf("what was typed was echoed: %q", before)
	}
	// ^l draws the whole screen again, with the word in one piece.
	await("the word in its box", func() bool {
		w.master.WriteString("\x0c")
		time.Sleep(20 * time.Millisecond)
		return w.shows("zebra")
	})
	var suspended []byte
	w.master.WriteString("\rE")
	await("the editor", func() bool { suspended, _ = os.ReadFile(modes); return suspended != nil })
	if string(suspended) != string(cooked) {
		t.Errorf("the editor got a terminal with the modes %s, not %s", suspended, cooked)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	<-done // or late ends it
	if w.raw(t, was) {
		t.Error("the terminal was not given back as it was")
	}
}

// text is all that was drawn so far.
func (w *wall) text() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return string(w.drawn)
}

// changes is how often the terminal, if it is watched, went to raw modes or back.
func (w *wall) changes() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.changed
}

// tail is the last n bytes of s, or fewer.
func tail(s string, n int) string { return s[max(0, len(s)-n):] }

// TestInputIsHeldFirst: the demo holds the input before it opens its library, and
// lets go after the screen.
func TestInputIsHeldFirst(t *testing.T) {
	t.Parallel()
	var calls []string
	env := session.Env{Out: io.Discard, Err: io.Discard, Width: 80, High: 24,
		HoldInput: func() func() {
			calls = append(calls, "hold")
			return func() { calls = append(calls, "back") }
		},
		Open: func(session.Where) (*reader.Reader, func() error, error) {
			calls = append(calls, "open")
			return nil, nil, errors.New("enough")
		},
		Screen: func(context.Context, *reader.Reader, session.Where) error { return nil },
	}
	if code := cli.Run(t.Context(), []string{"demo"}, env); code != exit.Error {
		t.Errorf("exit code %d", code)
	}
	if got := strings.Join(calls, " "); got != "hold open back" {
		t.Errorf("the demo did: %s", got)
	}
}
