package lock

import (
	"errors"
	"os"
	"sync"
)

// ErrShut is the error of a Gate that was shut.
var ErrShut = errors.New("the library is closed")

// Gate opens lock files until it is shut. Whoever gave up waiting for a lock may still
// stand in a queue when its owner is done, and the folder may be removed by then: no
// lock file must be made in it any more. The zero Gate is open.
type Gate struct {
	mu   sync.Mutex
	shut bool
}

// Shut waits for what is being opened and lets nothing be opened from then on.
func (g *Gate) Shut() {
	g.mu.Lock()
	g.shut = true
	g.mu.Unlock()
}

// While does something unless the gate is shut, which waits for it; else the error is
// ErrShut.
func (g *Gate) While(do func() error) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shut {
		return ErrShut
	}
	return do()
}

// OpenLock is OpenLock until the gate is shut.
func (g *Gate) OpenLock(path string, mode Mode) (f *os.File, err error) {
	err = g.While(func() (err error) {
		f, err = OpenLock(path, mode)
		return err
	})
	return f, err
}

// Take is Take, but makes no lock file once the gate is shut.
func (g *Gate) Take(path string, mode Mode) (*os.File, error) { return take(path, mode, g.OpenLock) }
