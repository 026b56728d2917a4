//go:build linux

package main

import (
	"bytes"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// wall is a terminal that outlives the program on it.
type wall struct {
	master, slave *os.File
	mu            sync.Mutex
	drawn         []byte

	changed int // how often the flow of the terminal was set otherwise, if watched
}

func newWall(t *testing.T) *wall { return openWall(t, false) }

// openWall opens a terminal. A watched one (TIOCPKT) counts how often its modes went
// from raw to cooked or back: raw ones have no ^S and ^Q.
func openWall(t *testing.T, watched bool) *wall {
	master, slave, err := pty.Open()
	if err != nil {
		t.Skipf("no pseudo-terminal here: %v", err)
	}
	if err := pty.Setsize(master, &pty.Winsize{Cols: 80, Rows: 24}); err != nil {
		t.Fatal(err)
	}
	w := &wall{master: master, slave: slave}
	if watched {
		if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCPKT, 1); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { slave.Close(); master.Close() })
	go func() {
		buf := make([]byte, 1<<16)
		for {
			n, err := master.Read(buf)
			text := buf[:n]
			w.mu.Lock()
			if watched && n > 0 {
				text = text[1:]
				if buf[0]&(unix.TIOCPKT_DOSTOP|unix.TIOCPKT_NOSTOP) != 0 {
					w.changed++
				}
			}
			w.drawn = append(w.drawn, text...)
			w.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return w
}

func (w *wall) shows(text string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return bytes.Contains(w.drawn, []byte(text))
}

// modes are the private modes of a terminal that were set last and not taken
// back: "?1049" is the other screen, "?1004" reports of focus.
func (w *wall) modes() (left []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, mode := range []string{"?1049", "?1000", "?1002", "?1003", "?1004", "?1006", "?2004", "?2026", "?2027"} {
		if bytes.LastIndex(w.drawn, []byte("\x1b["+mode+"h")) > bytes.LastIndex(w.drawn, []byte("\x1b["+mode+"l")) {
			left = append(left, mode)
		}
	}
	if bytes.LastIndex(w.drawn, []byte("\x1b[?25l")) > bytes.LastIndex(w.drawn, []byte("\x1b[?25h")) {
		left = append(left, "no cursor")
	}
	return left
}

// raw reports whether the terminal is not as it was.
func (w *wall) raw(t *testing.T, was *unix.Termios) bool {
	now, err := unix.IoctlGetTermios(int(w.slave.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	return *now != *was
}

// mouseModes are those in which a terminal reports the mouse.
var mouseModes = []string{"?9", "?1000", "?1001", "?1002", "?1003", "?1005", "?1006", "?1015", "?1016"}

// TestTheTerminalIsGivenBack: whatever ends the program, the terminal is as it was;
// only what no program can answer leaves it raw and on the other screen.
func TestTheTerminalIsGivenBack(t *testing.T) {
	for name, c := range map[string]struct {
		key    string
		signal syscall.Signal
		back   bool
		mouse  bool
	}{
		"q":       {key: "q", back: true},
		"Q":       {key: "Q", back: true, mouse: true},
		"SIGTERM": {signal: syscall.SIGTERM, back: true, mouse: true},
		"SIGHUP":  {signal: syscall.SIGHUP, back: true, mouse: true},
		"SIGKILL": {signal: syscall.SIGKILL, back: false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, w := atHarbour(t), newWall(t)
			if c.mouse {
				p.wantMouse()
			}
			was, err := unix.IoctlGetTermios(int(w.slave.Fd()), unix.TCGETS)
			if err != nil {
				t.Fatal(err)
			}
			cmd := p.background()
			cmd.Stdin, cmd.Stdout, cmd.Stderr = w.slave, w.slave, w.slave
			cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			done := make(chan error, 1)
			go func() { done <- cmd.Wait() }()
			for end := time.Now().Add(2 * time.Minute); !w.shows("Enter open") && time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			}
			if !w.raw(t, was) || !strings.Contains(strings.Join(w.modes(), " "), "?1049") {
				t.Fatalf("the program does not own its terminal: modes %q", w.modes())
			}
			for _, mode := range mouseModes {
				if asked := w.shows("\x1b[" + mode + "h"); asked != (c.mouse && (mode == "?1002" || mode == "?1006")) {
					t.Errorf("mode %s of the mouse is asked for: %v", mode, asked)
				}
			}
			if c.key != "" {
				w.master.WriteString(c.key)
			} else if err := cmd.Process.Signal(c.signal); err != nil {
				t.Fatal(err)
			}
			select {
			case <-done:
			case <-time.After(time.Minute):
				_ = cmd.Process.Kill()
				t.Fatal("it does not end")
			}
			w.slave.WriteString("written last") // it comes through the terminal behind all that the program wrote
			for end := time.Now().Add(time.Minute); !w.shows("written last") && time.Now().Before(end); time.Sleep(time.Millisecond) {
			}
			if raw, left := w.raw(t, was), w.modes(); (!raw && len(left) == 0) != c.back {
				t.Errorf("raw %v, modes left %q; want it given back: %v", raw, left, c.back)
			}
		})
	}
}
