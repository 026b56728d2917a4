// Package termtest is a terminal for the tests of what draws on one: it keeps
// what was written to it, and says when.
package termtest

import (
	"bytes"
	"errors"
	"os"
	"sync"
	"syscall"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/creack/pty"
)

// Terminal is a terminal that counts: what a Program writes to it, and when.
type Terminal struct {
	Master, Slave *os.File

	mu   sync.Mutex
	cond *sync.Cond
	out  []byte
}

// NewTerminal opens a pseudo-terminal of w by h cells.
func NewTerminal(t testing.TB, w, h int) *Terminal {
	t.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		t.Skipf("no pseudo-terminal here: %v", err)
	}
	if err := pty.Setsize(master, &pty.Winsize{Cols: uint16(w), Rows: uint16(h)}); err != nil {
		t.Fatal(err)
	}
	master = interruptible(t, master)
	g := &Terminal{Master: master, Slave: slave}
	g.cond = sync.NewCond(&g.mu)
	go func() {
		buf := make([]byte, 1<<16)
		for {
			n, err := master.Read(buf)
			g.mu.Lock()
			g.out = append(g.out, buf[:n]...)
			g.cond.Broadcast()
			g.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() { master.Close(); slave.Close() })
	return g
}

// interruptible gives f as a file whose Close ends a Read under way: a
// terminal opened as a blocking file stays open for as long as it is read.
func interruptible(t testing.TB, f *os.File) *os.File {
	t.Helper()
	fd, err := syscall.Dup(int(f.Fd()))
	if err == nil {
		err = errors.Join(syscall.SetNonblock(fd, true), f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	return os.NewFile(uintptr(fd), f.Name())
}

// Run starts a Program on the terminal; the result comes on the channel.
func (g *Terminal) Run(m tea.Model, more ...tea.ProgramOption) (*tea.Program, <-chan error) {
	opts := []tea.ProgramOption{tea.WithInput(g.Slave), tea.WithOutput(g.Slave),
		tea.WithEnvironment([]string{"TERM=xterm-256color", "COLORTERM=truecolor"})}
	p := tea.NewProgram(m, append(opts, more...)...)
	ended := make(chan error, 1)
	go func() {
		_, err := p.Run()
		ended <- err
	}()
	return p, ended
}

// Len gives the bytes written so far.
func (g *Terminal) Len() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.out)
}

// From gives what was written after the first n bytes.
func (g *Terminal) From(n int) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return string(g.out[n:])
}

// Await waits until want, at least one byte, has been written after the first
// n, and gives how many bytes there are then.
func (g *Terminal) Await(t testing.TB, n int, want string) int {
	t.Helper()
	stop := time.AfterFunc(20*time.Second, func() { g.cond.Broadcast() })
	defer stop.Stop()
	end := time.Now().Add(20 * time.Second)
	g.mu.Lock()
	defer g.mu.Unlock()
	for {
		if len(g.out) > n && bytes.Contains(g.out[n:], []byte(want)) {
			return len(g.out)
		}
		if time.Now().After(end) {
			t.Fatalf("%q was not drawn; after it: %q", want, g.out[n:])
		}
		g.cond.Wait()
	}
}

// Quiet waits until nothing has been written for d, and gives the bytes there are.
func (g *Terminal) Quiet(d time.Duration) int {
	for n := -1; ; {
		now := g.Len()
		if now == n {
			return n
		}
		n = now
		time.Sleep(d)
	}
}

// Settled waits until what p was told so far is drawn, and gives the bytes there
// are. A text of our own comes out before the frame that is drawn for it, so that
// a second one stands behind all frames of what came before.
func (g *Terminal) Settled(t testing.TB, p *tea.Program) int {
	t.Helper()
	for _, mark := range []string{"\x00settling\x00", "\x00settled\x00"} {
		n := g.Len()
		p.Send(tea.RawMsg{Msg: mark})
		g.Await(t, n, mark)
		g.mu.Lock()
		before, after, _ := bytes.Cut(g.out[n:], []byte(mark))
		g.out = append(append(g.out[:n:n], before...), after...)
		g.mu.Unlock()
	}
	return g.Len()
}

// Quickest is how long the quickest of some tries takes: a busy machine lets one
// of them wait, not all.
func Quickest(try func() time.Duration) time.Duration {
	best := try()
	for n := 1; n < 5 && best > time.Second; n++ {
		best = min(best, try())
	}
	return best
}

// Ended gives what a program that was started by Run ended with.
func Ended(t *testing.T, done <-chan error) error {
	t.Helper()
	select {
	case err := <-done:
		return err
	case <-time.After(20 * time.Second):
		t.Fatal("the program does not end")
		return nil
	}
}

// Words of every width: ASCII, ideographs, emoji with joiners, marks, Hangul.
var (
	Feeds  = []string{"Kernel Notes", "Harbour Gazette", "港の便り", "Comet Desk 🌠", "부두 소식"}
	Titles = []string{
		"The new block layer, six months on, and what became of the promise",
		"Ferry 3 🚢 out of service until Monday, and what the council says about it",
		"三月の潮と港の工事について、港の便りが届きました。来月の分もあります、長い題です",
		"Patches worth reading, 13–19 November 👨\u200d👩\u200d👧 for the family, with a flag 🇩🇪 and a heart ❤\ufe0f",
		"Tie\u0302\u0301ng Vie\u0323\u0302t, n\u0303andu\u0301, q\u0303: a bug in wcwidth and what came of it in the end",
		"한국어 문장도 하나 있습니다",
	}
)
