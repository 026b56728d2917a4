package term

import "os"

// Stopper takes what asks the process to stop for a while (^Z, kill -TSTP) in
// place of the stop itself, so that what other processes wait for can be let
// go first: a stopped process keeps its locks.
type Stopper struct {
	Asked chan os.Signal // a value for each time it was asked; nil where nothing stops a process
	// Continued has a value for each time the process goes on after somebody else
	// has stopped it (kill -STOP); nil where nothing stops a process.
	Continued chan struct{}
	stopper
}

// InForeground reports whether the process has its terminal: a shell's job in the
// background must not touch it. True where there is no terminal.
func InForeground() bool { return inForeground() }

// NewStopper takes over; Close gives back.
func NewStopper() *Stopper { return newStopper() }

// Stop stops the process, or the whole of its process group as ^Z does, and
// returns once it is continued. It is false when nothing stopped it: there is
// no shell behind the terminal that could continue it.
func (s *Stopper) Stop(whole bool) bool { return s.stop(whole) }

// Close leaves the process to be stopped as any other.
func (s *Stopper) Close() { s.close() }

// SizeOf is the number of columns and rows of the terminal that f is, 0 and 0
// if it is none.
func SizeOf(f interface{ Fd() uintptr }) (width, high int) { return sizeOf(f.Fd()) }

// Private keeps other people of the machine from reading what the program
// writes, whatever the shell's umask is.
func Private() { private() }
