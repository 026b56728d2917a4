//go:build unix

package cli

import (
	"os"
	"os/signal"

	"golang.org/x/sys/unix"
)

func newStopper() *Stopper {
	s := &Stopper{Asked: make(chan os.Signal, 1)}
	signal.Notify(s.Asked, unix.SIGTSTP)
	return s
}

func (s *Stopper) stop(whole bool) bool {
	if orphaned() {
		return false
	}
	back := make(chan os.Signal, 1)
	signal.Notify(back, unix.SIGCONT)
	defer signal.Stop(back)
	pid := os.Getpid()
	if whole {
		pid = 0
	}
	// Not SIGTSTP: once it was asked for, Go's own handler stays and does
	// nothing, even after signal.Reset.
	if unix.Kill(pid, unix.SIGSTOP) != nil {
		return false
	}
	<-back
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

func (s *Stopper) close() { signal.Stop(s.Asked) }
