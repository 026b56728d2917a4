package store

import (
	"context"
	"errors"
	"os"
	"sync"
)

// FetchLock is the right to be the one process that fetches: the kernel's lock
// on the file fetch.lock. There is no clock and nothing to renew.
type FetchLock struct {
	lib  *library
	role string

	mu      sync.Mutex
	file    *os.File
	pending chan taken // a wait in the kernel that its caller may have left
}

// Wait blocks until the lock is held or ctx ends. The kernel passes the lock on
// when its holder lets go or dies.
func (l *FetchLock) Wait(ctx context.Context) error { return l.wait(ctx) }

// Try takes the lock if nobody has it. Otherwise the error is ErrBusy.
func (l *FetchLock) Try() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file != nil {
		return nil
	}
	f, err := l.lib.takeFetchLock(true)
	if err == nil {
		l.have(f)
	}
	return err
}

// Held tells whether this process is the fetcher through l. It no longer is once
// somebody has removed the lock file, whatever the kernel says of the old one.
func (l *FetchLock) Held() bool { return l.held() }

// Holder reads who fetches; pid 0 if nobody does.
func (l *FetchLock) Holder() (pid int, role string) { return l.holder() }

// Stopped is the process that fetches if a signal has stopped it, so that it will
// fetch nothing; 0 if none has, or the system does not tell.
func (l *FetchLock) Stopped() (pid int) {
	pid, _ = l.holder()
	if pid == 0 || pid == os.Getpid() || !isStopped(pid) {
		return 0
	}
	return pid
}

// Release lets go, if held. Wait may be called again.
func (l *FetchLock) Release() error { return l.release() }

type taken struct {
	file *os.File
	err  error
}

const fetchLockName = "fetch.lock"

func (s *Store) fetchLock(role string) (*FetchLock, error) {
	l := &FetchLock{lib: s.lib, role: role}
	if err := s.lib.makeDir(); err != nil {
		return l, translate(err)
	}
	err := l.Try()
	if errors.Is(err, ErrBusy) {
		pid, role := l.holder()
		return l, &BusyError{PID: pid, Role: role}
	}
	return l, err
}

// takeFetchLock waits for the kernel's lock, or with try asks for it.
func (l *library) takeFetchLock(try bool) (*os.File, error) {
	for {
		f, err := l.openLock(fetchLockName, true)
		if err != nil {
			return nil, err
		}
		if err := flock(f, true, try); err != nil {
			f.Close()
			return nil, err
		}
		if sameFile(f, l.in(fetchLockName)) {
			return f, nil
		}
		f.Close() // removed by somebody while we waited
	}
}

func (l *FetchLock) have(f *os.File) {
	l.file = f
	writeHolder(f, l.role)
}

// wait leaves the waiting in the kernel to a goroutine, which cannot be called
// back: if ctx ends first it stays, and lets go again at once when its turn
// comes, unless a later Wait has taken it over.
func (l *FetchLock) wait(ctx context.Context) error {
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

func (l *FetchLock) take(to chan<- taken) {
	if err := l.lib.makeDir(); err != nil {
		to <- taken{nil, translate(err)}
		return
	}
	f, err := l.lib.takeFetchLock(false)
	to <- taken{f, err}
}

func (l *FetchLock) held() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file != nil && !sameFile(l.file, l.lib.in(fetchLockName)) {
		_ = l.file.Close() // removed by somebody: whoever comes now holds another one
		l.file = nil
	}
	return l.file != nil
}

func (l *FetchLock) holder() (int, string) {
	path := l.lib.in(fetchLockName)
	f, err := openFile(path, os.O_RDONLY)
	if err != nil {
		return 0, ""
	}
	defer f.Close()
	if !l.held() && flock(f, false, true) == nil {
		return 0, "" // nobody has it; closing gives it back
	}
	return holder(path)
}

func (l *FetchLock) release() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return nil
	}
	f := l.file
	l.file = nil
	return f.Close()
}
