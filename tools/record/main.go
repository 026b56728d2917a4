// Command record plays the demo on a terminal of its own and writes what it showed
// as an animated SVG:
//
//	go -C tools run ./record
//
// makes docs/pictures/demo.svg again. The program is built as it stands, on a clock
// that begins at one moment always (testdata/clock), so that the same program gives
// the same picture. Its keys and how long each screen stands are in script.go; a
// key is pressed when what the one before asked for is on the screen.
package main

import (
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// The terminal, and when the recording takes place.
const (
	cols, rows = 100, 30
	theme      = "dark"
)

var begin = time.Date(2026, 11, 20, 18, 30, 5, 0, time.UTC)

func main() {
	out := flag.String("o", "../docs/pictures/demo.svg", "where the picture goes")
	root := flag.String("root", "..", "the program's source")
	flag.Parse()
	if err := record(*root, *out); err != nil {
		fmt.Fprintln(os.Stderr, "record: error:", err)
		os.Exit(1)
	}
}

func record(root, out string) (err error) {
	dir, err := os.MkdirTemp("", "record-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	exe, err := build(root, dir)
	if err != nil {
		return err
	}
	s, err := start(exe, dir)
	if err != nil {
		return err
	}
	frames, err := s.play(script)
	s.stop()
	if err != nil {
		return err
	}
	return os.WriteFile(out, []byte(movie("Diurna's demo: River, an article, Ranked and why, what changed on a page, find, help", frames)), 0o644)
}

// build makes the program on a clock of its own.
func build(root, dir string) (exe string, err error) {
	overlay := exec.Command("go", "run", "./testdata/clock", dir)
	overlay.Dir, overlay.Stderr = root, os.Stderr
	list, err := overlay.Output()
	if err != nil {
		return "", fmt.Errorf("edit the clock: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "overlay.json"), list, 0o600); err != nil {
		return "", err
	}
	exe = filepath.Join(dir, "diurna")
	c := exec.Command("go", "build", "-trimpath", "-overlay", filepath.Join(dir, "overlay.json"), "-o", exe, ".")
	c.Dir, c.Stderr = root, os.Stderr
	if err := c.Run(); err != nil {
		return "", fmt.Errorf("build the program: %w", err)
	}
	return exe, nil
}

// session is the program on its terminal.
type session struct {
	cmd *exec.Cmd
	tty *os.File
	emu *vt.SafeEmulator

	mu    sync.Mutex
	bytes int       // of output so far
	last  time.Time // of the newest output
}

func start(exe, dir string) (*session, error) {
	clock := make([]byte, 16) // nanoseconds ahead: of the wall clock, of the monotonic one
	binary.NativeEndian.PutUint64(clock, uint64(time.Until(begin)))
	if err := os.WriteFile(filepath.Join(dir, "clock"), clock, 0o600); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, "config.toml"), []byte("theme = \""+theme+"\"\n"), 0o600); err != nil {
		return nil, err
	}
	s := &session{cmd: exec.Command(exe, "demo", "--config", filepath.Join(dir, "config.toml")), emu: vt.NewSafeEmulator(cols, rows)}
	s.cmd.Env = []string{"HOME=" + dir, "TMPDIR=" + dir, "PATH=" + os.Getenv("PATH"), "TZ=UTC", "LANG=C.UTF-8",
		"TERM=xterm-256color", "COLORTERM=truecolor", "VIRTUAL_CLOCK=" + filepath.Join(dir, "clock")}
	var err error
	if s.tty, err = pty.StartWithSize(s.cmd, &pty.Winsize{Cols: cols, Rows: rows}); err != nil {
		return nil, err
	}
	go func() { _, _ = io.Copy(s.tty, s.emu) }() // answers to what the program asks the terminal
	go s.take()
	return s, nil
}

// take keeps the screen as the program draws it.
func (s *session) take() {
	buf := make([]byte, 1<<16)
	for {
		n, err := s.tty.Read(buf)
		s.mu.Lock()
		s.bytes, s.last = s.bytes+n, time.Now()
		s.mu.Unlock()
		if _, werr := s.emu.Write(buf[:n]); err != nil || werr != nil {
			return
		}
	}
}

func (s *session) stop() {
	_ = s.cmd.Process.Signal(os.Interrupt)
	late := time.AfterFunc(20*time.Second, func() { _ = s.cmd.Process.Kill() })
	_ = s.cmd.Wait() // it was interrupted, and says so
	late.Stop()
	s.tty.Close()
}

// rest is how long nothing more may be drawn before a screen counts as whole.
const rest = 400 * time.Millisecond

func (s *session) drawn() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bytes
}

// shows waits until more than n bytes were drawn, the screen has the text and
// stands still.
func (s *session) shows(text string, n int) error {
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		s.mu.Lock()
		quiet := s.bytes > n && time.Since(s.last) >= rest
		s.mu.Unlock()
		if quiet && strings.Contains(s.text(), text) {
			return nil
		}
	}
	return fmt.Errorf("the screen does not show %q:\n%s", text, s.text())
}

func (s *session) text() string {
	var b strings.Builder
	for y := range rows {
		for x := 0; x < cols; x++ {
			if c := s.emu.CellAt(x, y); c != nil && c.Content != "" {
				b.WriteString(c.Content)
				x += max(c.Width, 1) - 1
			} else {
				b.WriteByte(' ')
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// frame is a screen, how long it stands, and what is said below it.
type frame struct {
	rows    []string // as SVG, by row
	seconds float64
	says    string
}

// play presses the keys of the script and keeps what each brought.
func (s *session) play(script []step) ([]frame, error) {
	var frames []frame
	says := ""
	for _, st := range script {
		n := s.drawn()
		if st.keys == "" {
			n = 0
		}
		if _, err := s.tty.WriteString(st.keys); err != nil {
			return nil, err
		}
		if err := s.shows(st.until, n); err != nil {
			return nil, fmt.Errorf("after %q: %w", st.keys, err)
		}
		if st.says != "" {
			says = st.says
		}
		f := frame{seconds: st.seconds, says: says}
		for y := range rows {
			f.rows = append(f.rows, drawRow(s.emu, y))
		}
		frames = append(frames, f)
	}
	return frames, nil
}
