package lock

import (
	"context"
	"os"
	"sync"
)

// Mutex is an exclusive lock that one process keeps for long: the kernel's lock on
// a file. There is no clock and nothing to renew. Its methods may be called from
// several goroutines.
type Mutex struct {
	path, role string
	gate       *Gate
	makeDir    func() error

	mu      sync.Mutex
	file    *os.File
	pending chan taken // a wait in the kernel that its caller may have left
}

// NewMutex makes the lock on the file at path, not held yet. role is what Holder
// tells others. makeDir makes the folder before each Wait. Nothing is made any more once
// gate is shut.
func NewMutex(path, role string, gate *Gate, makeDir func() error) *Mutex {
	return &Mutex{path: path, role: role, gate: gate, makeDir: makeDir}
}

// Wait blocks until the lock is held or ctx ends. The kernel passes the lock on
// when its holder lets go or dies. The waiting is left to a goroutine, which
// cannot be called back: if ctx ends first it stays, and lets go again at once when
// its turn comes. One goroutine at a time may wait.
func (l *Mutex) Wait(ctx context.Context) error {
	l.mu.Lock()
	if l.file != nil {
		l.mu.Unlock()
		return nil
	}
	if l.pending == nil {
		l.pending = make(chan taken)
		go l.take(l.pending)
	}
	pending := l.pending
	l.mu.Unlock()
	select {
	case <-ctx.Done():
		l.mu.Lock()
		if l.pending == pending {
			l.pending = nil
		}
		l.mu.Unlock()
		go func() { // whoever gets it now gives it back
			if t := <-pending; t.file != nil {
				t.file.Close()
			}
		}()
		return ctx.Err()
	case t := <-pending:
		l.mu.Lock()
		defer l.mu.Unlock()
		l.pending = nil
		if t.err != nil {
			return t.err
		}
		l.have(t.file)
		return nil
	}
}

// Try takes the lock if nobody has it. Otherwise the error is ErrBusy.
func (l *Mutex) Try() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file != nil {
		return nil
	}
	f, err := l.gate.Take(l.path, Exclusive|Try)
	if err == nil {
		l.have(f)
	}
	return err
}

// Held tells whether this process holds the lock through l. It no longer is once
// somebody has removed the lock file, whatever the kernel says of the old one.
func (l *Mutex) Held() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file != nil && !IsAt(l.file, l.path) {
		_ = l.file.Close() // removed by somebody: whoever comes now holds another one
		l.file = nil
	}
	return l.file != nil
}

// Holder reads who holds the lock; pid 0 if nobody does.
func (l *Mutex) Holder() (int, string) {
	f, err := Open(l.path, os.O_RDONLY)
	if err != nil {
		return 0, ""
	}
	defer f.Close()
	if !l.Held() && Lock(f, Shared|Try) == nil {
		return 0, "" // nobody has it; closing gives it back
	}
	return Holder(l.path)
}

// Stopped is the process that holds the lock if a signal has stopped it; 0 if none
// has, or the system does not tell.
func (l *Mutex) Stopped() (pid int) {
	pid, _ = l.Holder()
	if pid == 0 || pid == os.Getpid() || !IsStopped(pid) {
		return 0
	}
	return pid
}

// Release lets go, if held. Wait may be called again.
func (l *Mutex) Release() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return nil
	}
	f := l.file
	l.file = nil
	Unlock(f)
	return f.Close()
}

type taken struct {
	file *os.File
	err  error
}

func (l *Mutex) have(f *os.File) {
	l.file = f
	WriteHolder(f, l.role)
}

func (l *Mutex) take(to chan<- taken) {
	if err := l.gate.While(l.makeDir); err != nil {
		to <- taken{nil, err}
		return
	}
	f, err := l.gate.Take(l.path, Exclusive)
	to <- taken{f, err}
}
