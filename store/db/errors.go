package db

import (
	"diurna/store/lock"
	"diurna/store/pages"
	"errors"
	"fmt"
	"time"
)

// The errors that callers tell apart.
var (
	ErrNone     = errors.New("there is no library yet")
	ErrBusy     = lock.ErrBusy                                             // see BusyError
	ErrNewer    = errors.New("the library was written by a newer program") // see NewerError; nothing was changed
	ErrOlder    = errors.New("the library was written by a version of diurna that was never released")
	ErrDamaged  = pages.ErrDamaged // see DamagedError
	ErrFull     = lock.ErrFull     // disk, quota, size limit or MaxSize
	ErrReadOnly = lock.ErrReadOnly
	ErrUnsafe   = lock.ErrUnsafe // another owner, others may write, a symbolic link
	ErrClosed   = errors.New("the store is closed")
	// ErrReplaced ends a Compact, which has changed nothing then.
	ErrReplaced = errors.New("the library was replaced, or written to by another program, while it was being compacted")
)

// BusyError says who held the library (or fetch.lock) for so long. PID is 0 and
// Role empty where the system does not tell. errors.Is(err, ErrBusy) holds.
type BusyError struct {
	PID     int
	Role    string
	Waited  time.Duration
	Stopped bool // by a signal: it will not let go before it is continued
}

func (e *BusyError) Error() string {
	who := "another process"
	if e.PID != 0 {
		who = fmt.Sprintf("pid %d", e.PID)
	}
	if e.Role != "" {
		who += " (" + e.Role + ")"
	}
	if e.Stopped {
		return fmt.Sprintf("the library is in use by %s, which is stopped", who)
	}
	if e.Waited == 0 {
		return "the library is in use by " + who
	}
	return fmt.Sprintf("the library is in use by %s for %d s now", who, int(e.Waited.Round(time.Second).Seconds()))
}

// Is makes errors.Is(err, ErrBusy) true.
func (e *BusyError) Is(target error) bool { return target == ErrBusy }

// NewerError says which version of the program wrote the library and which one
// this is; either may be empty. errors.Is(err, ErrNewer) holds.
type NewerError struct{ By, Here string }

func (e *NewerError) Error() string {
	by, here := pages.Short(e.By), pages.Short(e.Here)
	if by == "" || here == "" || by == here {
		return ErrNewer.Error()
	}
	return "this library was written by diurna " + by + "; this is " + here
}

// Is makes errors.Is(err, ErrNewer) true.
func (e *NewerError) Is(target error) bool { return target == ErrNewer }

// DamagedError says what does not check, and where.
type DamagedError = pages.Damage

// ErrForeign is the damage of a bbolt file that another program made.
var ErrForeign = &DamagedError{What: "this is no library of diurna", Record: ""}
