package term

import (
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
