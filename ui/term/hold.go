package term

import (
	"io"
	"os"
	"sync"

	xterm "github.com/charmbracelet/x/term"
)

// HoldInput puts the terminal that f is into raw mode before anything reads
// from it: what is typed meanwhile is not echoed and waits in the kernel,
// in order. back puts it as it was, once however often it is called. If f is no
// terminal, HoldInput and back do nothing.
func HoldInput(f *os.File) (back func()) {
	was, err := xterm.MakeRaw(f.Fd())
	if err != nil {
		return func() {}
	}
	return sync.OnceFunc(func() { _ = xterm.Restore(f.Fd(), was) })
}

// Where a terminal does not know its size, or there is none, it is taken to be this.
const (
	usualWidth = 80
	usualHigh  = 24
)

// Size gives the columns and rows of the terminal that out is; nil: standard output.
// A screen asks for it before its first key: Bubble Tea tells it beside them.
func Size(out io.Writer) (width, height int) {
	f, ok := out.(*os.File)
	if out == nil {
		f, ok = os.Stdout, true
	}
	if ok {
		if w, h, err := xterm.GetSize(f.Fd()); err == nil && w > 0 && h > 0 {
			return w, h
		}
	}
	return usualWidth, usualHigh
}
