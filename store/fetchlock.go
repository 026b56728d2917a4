package store

import (
	"errors"
	"time"

	"diurna/store/db"
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
	makeDir := func() error { return db.Translate(s.lib.MakeDir()) }
	l := lock.NewMutex(s.lib.In(db.FetchLockName), role, &s.lib.Gate, makeDir)
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
	if s.cache.MakeDir() != nil {
		return now
	}
	return hosts.Turn(s.cache.In("hosts"), host, gap, now, was)
}
