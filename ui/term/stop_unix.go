//go:build unix

package term

import (
	"os"
	"os/signal"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// stopper tells its own stops from those by others.
type stopper struct {
	signals chan os.Signal // SIGCONT
	back    chan struct{}  // the end of a stop of our own
	own     atomic.Bool    // such a stop is under way
}

func newStopper() *Stopper {
	s := &Stopper{Asked: make(chan os.Signal, 1), Continued: make(chan struct{}, 1),
		stopper: stopper{signals: make(chan os.Signal, 1), back: make(chan struct{}, 1)}}
	signal.Notify(s.Asked, unix.SIGTSTP)
	signal.Notify(s.signals, unix.SIGCONT)
	go func() {
		for range s.signals {
			to := s.Continued
			if s.own.Load() {
				to = s.back
			}
			select {
			case to <- struct{}{}:
			default: // one is waiting already
			}
		}
	}()
	return s
}

func inForeground() bool {
	tty, err := os.OpenFile("/dev/tty", os.O_RDONLY|unix.O_NOCTTY, 0)
	if err != nil {
		return true
	}
	defer tty.Close()
	group, err := unix.IoctlGetInt(int(tty.Fd()), unix.TIOCGPGRP)
	return err != nil || group == unix.Getpgrp()
}

func (s *Stopper) stop(whole bool) bool {
	if orphaned() {
		return false
	}
	s.own.Store(true)
	defer s.own.Store(false)
	pid := os.Getpid()
	if whole {
		pid = 0
	}
	// Not SIGTSTP: once it was asked for, Go's own handler stays and does
	// nothing, even after signal.Reset.
	if unix.Kill(pid, unix.SIGSTOP) != nil {
		return false
	}
	<-s.back
	return true
}

// orphaned reports whether nobody could continue this process group, and SIGTSTP
// would be ignored by the kernel for that reason: a session's first group has
// its parent in another session, and so has a process whose shell has gone.
func orphaned() bool {
	group, session := unix.Getpgrp(), sessionOf(0)
	if group == session {
		return true
	}
	parent := os.Getppid()
	of, err := unix.Getpgid(parent)
	return err != nil || of != group && sessionOf(parent) != session
}

// sessionOf is -1 where the kernel does not say.
func sessionOf(pid int) int {
	s, err := unix.Getsid(pid)
	if err != nil {
		return -1
	}
	return s
}

func (s *Stopper) close() {
	signal.Stop(s.Asked)
	signal.Stop(s.signals)
	close(s.signals) // nothing is sent any more once Stop has returned
}
