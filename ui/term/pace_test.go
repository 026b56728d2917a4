package term

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/creack/pty"

	"diurna/ui/term/termtest"
)

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
	v.AltScreen, v.MouseMode = true, tea.MouseModeCellMotion
	return v
}

// TestPaceReachesTheTicker fails when Bubble Tea moves the field: the screen
// still works then, at 60 frames a second.
func TestPaceReachesTheTicker(t *testing.T) {
	pace := newPacer()
	tea.NewProgram(counter{}, pace.options()...)
	if !pace.reached {
		t.Fatal("tea.Program has no field ticker of type *time.Ticker any more")
	}
	g := termtest.NewTerminal(t, 60, 10)
	p, done := g.Run(counter{}, Paced()...)
	g.Await(t, 0, "60x10 said")
	n := g.Settled(t, p)
	time.Sleep(500 * time.Millisecond) // 30 frames of the ticker that was replaced
	if now := g.Len(); now != n {
		t.Errorf("%d bytes written in 30 idle frames: %q", now-n, g.From(n))
	}
	g.Master.WriteString("q")
	if err := termtest.Ended(t, done); err != nil {
		t.Error(err)
	}
}

// TestPaceFallsBack runs a Program whose ticker was not reached: it draws on
// its own one.
func TestPaceFallsBack(t *testing.T) {
	g := termtest.NewTerminal(t, 60, 10)
	p := tea.NewProgram(counter{}, tea.WithFilter(newPacer().filter), tea.WithInput(g.Slave), tea.WithOutput(g.Slave))
	done := make(chan error, 1)
	go func() {
		_, err := p.Run()
		done <- err
	}()
	n := g.Await(t, 0, "60x10 said")
	g.Master.WriteString("a")
	g.Await(t, n, "a")
	p.Quit()
	if err := termtest.Ended(t, done); err != nil {
		t.Error(err)
	}
}

func TestPaceDraws(t *testing.T) {
	g := termtest.NewTerminal(t, 60, 10)
	p, done := g.Run(counter{slow: 40 * time.Millisecond}, Paced()...)
	g.Await(t, 0, "60x10 said")
	n := 0
	for _, k := range []string{"a", "b", "c"} { // each after a rest, and with a slow Update
		n = g.Quiet(50 * time.Millisecond)
		g.Master.WriteString(k)
		g.Await(t, n, k)
	}
	n = g.Quiet(50 * time.Millisecond)
	g.Master.WriteString("l") // a Cmd that answers while the screen is idle
	g.Await(t, n, "later")
	n = g.Len()
	if err := pty.Setsize(g.Master, &pty.Winsize{Cols: 50, Rows: 12}); err != nil {
		t.Fatal(err)
	}
	p.Send(tea.WindowSizeMsg{Width: 50, Height: 12}) // the signal goes to the test's own terminal
	g.Await(t, n, "50x12")
	n = g.Quiet(50 * time.Millisecond)
	g.Master.WriteString("x") // gives the terminal away and reverts it, as a suspension does
	g.Await(t, n, "executed")
	n = g.Quiet(50 * time.Millisecond)
	g.Master.WriteString("d")
	g.Await(t, n, "d")
	g.Master.WriteString("q")
	if err := termtest.Ended(t, done); err != nil {
		t.Error(err)
	}
}

// TestPaceLosesNothing sends bursts; the last message of each has to be on the
// screen, and a burst must not cost a frame a message.
func TestPaceLosesNothing(t *testing.T) {
	g := termtest.NewTerminal(t, 60, 10)
	p, done := g.Run(counter{}, Paced()...)
	g.Await(t, 0, "60x10 said")
	for burst := range 20 {
		n, began := g.Settled(t, p), time.Now()
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
		end := g.Await(t, n, last)
		// A slow burst may have the frames of its time.
		if frames := 200 + int(time.Since(began)/frameGap); end-n > frames*20 {
			t.Errorf("burst %d: %d bytes for 201 messages", burst, end-n)
		}
	}
	p.Quit()
	if err := termtest.Ended(t, done); err != nil {
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
		g := termtest.NewTerminal(t, 60, 10)
		p, done := g.Run(counter{}, append(Paced(), tea.WithInput(nil))...)
		g.Await(t, 0, "60x10 said")
		stop(p)
		if err := termtest.Ended(t, done); !errors.Is(err, tea.ErrProgramKilled) {
			t.Errorf("%s: Run gave %v", name, err)
		}
		// It has ended: both may be there by now.
		for _, mode := range []string{"?1002", "?1006"} {
			g.Await(t, 0, "\x1b["+mode+"l")
			out := g.From(0)
			on, off := strings.LastIndex(out, "\x1b["+mode+"h"), strings.LastIndex(out, "\x1b["+mode+"l")
			if on < 0 || off < on {
				t.Errorf("%s: mode %s was asked for at %d and ended at %d", name, mode, on, off)
			}
		}
	}
}

// TestGrowingRepaintsTwice: once in the new size, and once more when the
// renderer knows it.
func TestGrowingRepaintsTwice(t *testing.T) {
	const clear = "\x1b[2J"
	g := termtest.NewTerminal(t, 60, 10)
	p, done := g.Run(counter{}, Paced()...)
	g.Await(t, 0, "60x10 said")
	n := g.Settled(t, p)
	p.Send(tea.WindowSizeMsg{Width: 90, Height: 20})
	g.Await(t, n, "90x20")
	for range 2 {
		g.Await(t, n, clear)
		n += strings.Index(g.From(n), clear) + len(clear)
	}
	end := g.Settled(t, p)
	if now := g.Quiet(150 * time.Millisecond); now != end {
		t.Error("it goes on drawing")
	}
	p.Quit()
	if err := termtest.Ended(t, done); err != nil {
		t.Error(err)
	}
}

// TestSize: a terminal is as large as it says, and 80x24 where it says nothing.
func TestSize(t *testing.T) {
	master, slave, err := pty.Open()
	if err != nil {
		t.Skipf("no pseudo-terminal here: %v", err)
	}
	defer master.Close()
	defer slave.Close()
	file, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, c := range []struct {
		cols, rows uint16
		of         io.Writer
		w, h       int
	}{{0, 0, slave, 80, 24}, {132, 40, slave, 132, 40}, {0, 0, file, 80, 24}, {0, 0, new(record), 80, 24}} {
		if err := pty.Setsize(master, &pty.Winsize{Cols: c.cols, Rows: c.rows}); err != nil {
			t.Fatal(err)
		}
		if w, h := Size(c.of); w != c.w || h != c.h {
			t.Errorf("%dx%d: %dx%d", c.cols, c.rows, w, h)
		}
	}
}
