package term

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"

	tea "charm.land/bubbletea/v2"
)

// input passes what the terminal sends and tells when it sends no more: Bubble
// Tea takes the end of its input for a pause and never stops running.
type input struct {
	io.Reader
	gone func()
}

func (in input) Read(p []byte) (int, error) {
	n, err := in.Reader.Read(p)
	if err != nil {
		in.gone()
	}
	return n, err
}

// inputFile is input for a terminal, whose raw mode needs the file itself.
type inputFile struct {
	*os.File
	gone func()
}

func (in inputFile) Read(p []byte) (int, error) {
	n, err := in.File.Read(p)
	if err != nil {
		in.gone()
	}
	return n, err
}

// File is the terminal behind an input, for programs that need it.
func File(in io.Reader) (*os.File, bool) {
	f, ok := in.(inputFile)
	return f.File, ok
}

// makeRoom lets more goroutines run at a time. Bubble Tea reads a key, passes it on and
// waits for the next one in a system call that Go does not know to be long: it keeps its
// place among those that run, and the key waits behind it for up to 20 ms, unless another
// place is free. With what indexes and groups in the background none was. On a machine with
// other things to do that, and what collects garbage, keep their places while they wait for a
// processor.
var makeRoom = sync.OnceFunc(func() { runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + room) })

const room = 3

// Input gives the terminal's input: in, or without it stdin.
// Stdin that is no terminal (a list was
// piped in) gives way to the terminal itself.
func Input(in io.Reader, gone func()) (io.Reader, error) {
	makeRoom()
	if in == nil {
		in = os.Stdin
		if info, err := os.Stdin.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
			tty, _, err := tea.OpenTTY()
			if err != nil {
				return nil, fmt.Errorf("open the terminal: %w", err)
			}
			in = tty
		}
	}
	if f, ok := in.(*os.File); ok {
		return inputFile{f, gone}, nil
	}
	return input{in, gone}, nil
}

// stopped is the stop as Bubble Tea takes it: it gives the terminal back to
// the shell before and takes it again afterwards. Its own Suspend waits for
// SIGCONT without end where nothing stops the process, as in a tmux window that
// was opened with the program in it.
type stopped struct {
	stop  func(whole bool) bool
	whole bool
}

func (s stopped) Run() error {
	if !s.stop(s.whole) {
		return errNoShell
	}
	return nil
}

// nothing is a program that does nothing.
type nothing struct{ stopped }

func (nothing) Run() error { return nil }

// errNoShell: nothing stopped the process.
var errNoShell = errors.New("no shell waits behind this screen, so ^z does nothing; in tmux the prefix and d leave it running")

func (stopped) SetStdin(io.Reader)  {}
func (stopped) SetStdout(io.Writer) {}
func (stopped) SetStderr(io.Writer) {}

// Suspend is the stop of the process as a program of tea.Exec. stop reports whether
// the process was stopped; whole is for all of its group.
func Suspend(stop func(whole bool) bool, whole bool) tea.ExecCommand { return stopped{stop, whole} }

// Retake gives the terminal back and takes it again.
func Retake() tea.ExecCommand { return nothing{} }
