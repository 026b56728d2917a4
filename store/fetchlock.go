package store

import (
	"errors"
	"time"

	"diurna/store/hosts"
	"diurna/store/lock"
)

// FetchLock is the right to be the one process that fetches: the kernel's lock
// on the file fetch.lock.
type FetchLock = lock.Mutex

// FetchLock tries to become the one process that fetches, without waiting. If
// another is, the lock returned is not held and the error is a BusyError that
// names it; Wait then waits for it.
func (s *Store) FetchLock(role string) (*FetchLock, error) {
	makeDir := func() error { return translate(s.lib.makeDir()) }
	l := lock.NewMutex(s.lib.in(fetchLockName), role, &s.lib.gate, makeDir)
	if err := makeDir(); err != nil {
		return l, err
	}
	err := l.Try()
	if errors.Is(err, ErrBusy) {
		pid, role := l.Holder()
		return l, &BusyError{PID: pid, Role: role}
	}
	return l, err
}

// HostTurn books the start of a request to host among all processes that share the
// folder of the cache; see hosts.Turn.
func (s *Store) HostTurn(host string, gap time.Duration, now, was time.Time) time.Time {
	if s.cache.makeDir() != nil {
		return now
	}
	return hosts.Turn(s.cache.in("hosts"), host, gap, now, was)
}
