package ui

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/creack/pty"
)

// glass is a terminal that counts: what a Program writes to it, and when.
type glass struct {
	master, slave *os.File

	mu   sync.Mutex
	cond *sync.Cond
	out  []byte
}

// newGlass opens a pseudo-terminal of w by h cells.
func newGlass(t testing.TB, w, h int) *glass {
	t.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		t.Skipf("no pseudo-terminal here: %v", err)
	}
	if err := pty.Setsize(master, &pty.Winsize{Cols: uint16(w), Rows: uint16(h)}); err != nil {
		t.Fatal(err)
	}
	master = interruptible(t, master)
	g := &glass{master: master, slave: slave}
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

// run starts a paced Program on the glass; the result comes on the channel.
func (g *glass) run(m tea.Model, more ...tea.ProgramOption) (*tea.Program, <-chan error) {
	opts := append(newPacer().options(), tea.WithInput(g.slave), tea.WithOutput(g.slave),
		tea.WithEnvironment([]string{"TERM=xterm-256color", "COLORTERM=truecolor"}))
	p := tea.NewProgram(m, append(opts, more...)...)
	ended := make(chan error, 1)
	go func() {
		_, err := p.Run()
		ended <- err
	}()
	return p, ended
}

// len gives the bytes written so far.
func (g *glass) len() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.out)
}

// from gives what was written after the first n bytes.
func (g *glass) from(n int) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return string(g.out[n:])
}

// await waits until want, at least one byte, has been written after the first
// n, and gives how many bytes there are then.
func (g *glass) await(t testing.TB, n int, want string) int {
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

// quiet waits until nothing has been written for d, and gives the bytes there are.
func (g *glass) quiet(d time.Duration) int {
	for n := -1; ; {
		now := g.len()
		if now == n {
			return n
		}
		n = now
		time.Sleep(d)
	}
}

// settled waits until what p was told so far is drawn, and gives the bytes there
// are. A text of our own comes out before the frame that is drawn for it, so that
// a second one stands behind all frames of what came before.
func (g *glass) settled(t testing.TB, p *tea.Program) int {
	t.Helper()
	for _, mark := range []string{"\x00settling\x00", "\x00settled\x00"} {
		n := g.len()
		p.Send(tea.RawMsg{Msg: mark})
		g.await(t, n, mark)
		g.mu.Lock()
		before, after, _ := bytes.Cut(g.out[n:], []byte(mark))
		g.out = append(append(g.out[:n:n], before...), after...)
		g.mu.Unlock()
	}
	return g.len()
}

// quickest is how long the quickest of some tries takes: a busy machine lets one
// of them wait, not all.
func quickest(try func() time.Duration) time.Duration {
	best := try()
	for n := 1; n < 5 && best > time.Second; n++ {
		best = min(best, try())
	}
	return best
}

// counter counts messages and says what it was told.
type counter struct {
	n    int
	said string
	slow time.Duration
	w, h int
}

type sayMsg string

func (c counter) Init() tea.Cmd { return nil }

func (c counter) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		c.w, c.h = msg.Width, msg.Height
	case sayMsg:
		c.n++
		c.said = string(msg)
		if c.said == "panic" {
			panic("asked for")
		}
	case tea.KeyPressMsg:
		time.Sleep(c.slow)
		c.said = "key " + msg.String()
		switch msg.String() {
		case "q":
			return c, tea.Quit
		case "l":
			return c, func() tea.Msg { time.Sleep(60 * time.Millisecond); return sayMsg("later") }
		case "x":
			return c, tea.ExecProcess(exec.Command("true"), func(error) tea.Msg { return sayMsg("executed") })
		}
	}
	return c, nil
}

func (c counter) View() tea.View {
	v := tea.NewView(fmt.Sprintf("%dx%d said %s.\n%d messages", c.w, c.h, c.said, c.n))
	v.AltScreen = true
	return v
}

func ended(t *testing.T, done <-chan error) error {
	t.Helper()
	select {
	case err := <-done:
		return err
	case <-time.After(20 * time.Second):
		t.Fatal("the program does not end")
		return nil
	}
}

// TestPaceReachesTheTicker fails when Bubble Tea moves the field: the screen
// still works then, at 60 frames a second.
func TestPaceReachesTheTicker(t *testing.T) {
	pace := newPacer()
	tea.NewProgram(counter{}, pace.options()...)
	if !pace.reached {
		t.Fatal("tea.Program has no field ticker of type *time.Ticker any more")
	}
	g := newGlass(t, 60, 10)
	p, done := g.run(counter{})
	g.await(t, 0, "60x10 said")
	n := g.settled(t, p)
	time.Sleep(500 * time.Millisecond) // 30 frames of the ticker that was replaced
	if now := g.len(); now != n {
		t.Errorf("%d bytes written in 30 idle frames: %q", now-n, g.from(n))
	}
	g.master.WriteString("q")
	if err := ended(t, done); err != nil {
		t.Error(err)
	}
}

// TestPaceFallsBack runs a Program whose ticker was not reached: it draws on
// its own one.
func TestPaceFallsBack(t *testing.T) {
	g := newGlass(t, 60, 10)
	p := tea.NewProgram(counter{}, tea.WithFilter(newPacer().filter), tea.WithInput(g.slave), tea.WithOutput(g.slave))
	done := make(chan error, 1)
	go func() {
		_, err := p.Run()
		done <- err
	}()
	n := g.await(t, 0, "60x10 said")
	g.master.WriteString("a")
	g.await(t, n, "a")
	p.Quit()
	if err := ended(t, done); err != nil {
		t.Error(err)
	}
}

func TestPaceDraws(t *testing.T) {
	g := newGlass(t, 60, 10)
	p, done := g.run(counter{slow: 40 * time.Millisecond})
	g.await(t, 0, "60x10 said")
	n := 0
	for _, k := range []string{"a", "b", "c"} { // each after a rest, and with a slow Update
		n = g.quiet(50 * time.Millisecond)
		g.master.WriteString(k)
		g.await(t, n, k)
	}
	n = g.quiet(50 * time.Millisecond)
	g.master.WriteString("l") // a Cmd that answers while the screen is idle
	g.await(t, n, "later")
	n = g.len()
	if err := pty.Setsize(g.master, &pty.Winsize{Cols: 50, Rows: 12}); err != nil {
		t.Fatal(err)
	}
	p.Send(tea.WindowSizeMsg{Width: 50, Height: 12}) // the signal goes to the test's own terminal
	g.await(t, n, "50x12")
	n = g.quiet(50 * time.Millisecond)
	g.master.WriteString("x") // gives the terminal away and takes it back, as a suspension does
	g.await(t, n, "executed")
	n = g.quiet(50 * time.Millisecond)
	g.master.WriteString("d")
	g.await(t, n, "d")
	g.master.WriteString("q")
	if err := ended(t, done); err != nil {
		t.Error(err)
	}
}

// TestPaceLosesNothing sends bursts; the last message of each has to be on the
// screen, and a burst must not cost a frame a message.
func TestPaceLosesNothing(t *testing.T) {
	g := newGlass(t, 60, 10)
	p, done := g.run(counter{})
	g.await(t, 0, "60x10 said")
	for burst := range 20 {
		n, began := g.settled(t, p), time.Now()
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for range 50 {
					p.Send(sayMsg("more"))
				}
			})
		}
		wg.Wait()
		// No letter stands where it stood before: those would not be written again.
		last := fmt.Sprintf("%c%c%c", 'A'+burst, 'C'+burst, 'B'+burst)
		p.Send(sayMsg(last))
		end := g.await(t, n, last)
		// A slow burst may have the frames of its time.
		if frames := 200 + int(time.Since(began)/frameGap); end-n > frames*20 {
			t.Errorf("burst %d: %d bytes for 201 messages", burst, end-n)
		}
	}
	p.Quit()
	if err := ended(t, done); err != nil {
		t.Error(err)
	}
}

func TestPaceSurvivesPanicAndKill(t *testing.T) {
	stderr := os.Stderr
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { os.Stderr = stderr; null.Close() }()
	os.Stderr = null // the stack of the panic that is asked for
	// Without input: on a kill Bubble Tea closes its reader while it reads,
	// which the race detector reports and which is not the pacer's doing.
	for name, stop := range map[string]func(*tea.Program){
		"panic": func(p *tea.Program) { p.Send(sayMsg("panic")) },
		"kill":  func(p *tea.Program) { p.Kill() },
	} {
		g := newGlass(t, 60, 10)
		p, done := g.run(counter{}, tea.WithInput(nil))
		g.await(t, 0, "60x10 said")
		stop(p)
		if err := ended(t, done); !errors.Is(err, tea.ErrProgramKilled) {
			t.Errorf("%s: Run gave %v", name, err)
		}
	}
}

// TestGrowingRepaintsTwice: once in the new size, and once more when the
// renderer knows it.
func TestGrowingRepaintsTwice(t *testing.T) {
	const clear = "\x1b[2J"
	g := newGlass(t, 60, 10)
	p, done := g.run(counter{})
	g.await(t, 0, "60x10 said")
	n := g.settled(t, p)
	p.Send(tea.WindowSizeMsg{Width: 90, Height: 20})
	g.await(t, n, "90x20")
	for range 2 {
		g.await(t, n, clear)
		n += strings.Index(g.from(n), clear) + len(clear)
	}
	end := g.settled(t, p)
	if now := g.quiet(150 * time.Millisecond); now != end {
		t.Error("it goes on drawing")
	}
	p.Quit()
	if err := ended(t, done); err != nil {
		t.Error(err)
	}
}
