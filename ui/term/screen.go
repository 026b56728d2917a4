package term

import (
	"io"
	"os"

	"diurna/ui/cells"
)

// Screen is the terminal that a Program draws on, with the marks of lines that run
// from right to left in their place. name is that of the terminal ($TERM): the
// console of Linux draws a mark as a sign of one cell, and gets none.
func Screen(out io.Writer, name string) io.Writer {
	marks := name != "linux"
	if f, ok := out.(*os.File); ok {
		return screenFile{f, marks}
	}
	return screen{out, marks}
}

type screen struct {
	out   io.Writer
	marks bool
}

func (s screen) Write(p []byte) (int, error) { return write(s.out, p, s.marks) }

// screenFile is a screen that Bubble Tea knows for a terminal.
type screenFile struct {
	*os.File
	marks bool
}

func (s screenFile) Write(p []byte) (int, error) { return write(s.File, p, s.marks) }

// Terminal is the file itself, for a program that is given the terminal: it must
// not get a pipe in its place.
func (s screenFile) Terminal() *os.File { return s.File }

func write(out io.Writer, p []byte, marks bool) (int, error) {
	text := cells.Isolates(string(p), marks)
	n, err := io.WriteString(out, text)
	if err != nil {
		return min(n, len(p)), err
	}
	return len(p), nil
}
