package db

import (
	"errors"
	"os"
	"time"

	"diurna/store/lock"
)

// A process that is stopped for a while (^Z) keeps its locks, and all others wait
// for it. So it stops only while it has none.

// quiesceWithin bounds the wait for the library's turn: whoever has it may be
// stopped itself. What waits for its turn steps aside then.
const quiesceWithin = time.Second

// errSteppedAside ends a wait for the library's turn; the job stays in the queue.
var errSteppedAside = errors.New("store: stepped aside")

// Pause waits for the transactions under way and holds back all others, so that
// the process has no lock and may be stopped. Call resume to go on.
func (l *DB) Pause() (resume func()) {
	l.mu.Lock()
	if l.paused != nil { // by somebody else, who resumes
		l.mu.Unlock()
		return func() {}
	}
	hold := make(chan struct{})
	l.paused = hold
	l.mu.Unlock()
	l.settled(quiesceWithin)
	return func() {
		l.mu.Lock()
		l.paused = nil
		l.mu.Unlock()
		close(hold)
	}
}

// settled waits until no transaction is under way and, for as long as within
// says, until nobody waits for a turn; then who waits lets go of it.
func (l *DB) settled(within time.Duration) {
	late := time.NewTimer(within)
	defer late.Stop()
	for expired := false; ; {
		l.mu.Lock()
		if l.active == 0 && (!l.taking || expired) {
			if l.taking && l.turn != nil {
				lock.Unlock(l.turn)
			}
			l.mu.Unlock()
			return
		}
		if l.idle == nil {
			l.idle = make(chan struct{})
		}
		idle := l.idle
		l.mu.Unlock()
		select {
		case <-idle:
		case <-late.C:
			expired = true
		}
	}
}

// took notes that serve has its turn, or will not get it.
func (l *DB) took() {
	l.mu.Lock()
	l.taking = false
	l.wakeIdle()
	l.mu.Unlock()
}

// haveTurn notes that turn is held, for settled. False: step aside.
func (l *DB) haveTurn(turn *os.File) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.paused != nil {
		return false
	}
	l.turn = turn
	return true
}

func (l *DB) leaveTurn(turn *os.File) {
	l.mu.Lock()
	l.turn = nil
	l.mu.Unlock()
	turn.Close()
}

func (l *DB) isPaused() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.paused != nil
}

// stoppedHolder is a process that shuts this one out of the library and is
// stopped; 0 if there is none, or the system does not tell.
func (l *DB) stoppedHolder() int {
	for _, name := range []string{l.LockName, l.TurnName} {
		for _, pid := range lock.Holders(l.In(name)) {
			if pid != os.Getpid() && lock.IsStopped(pid) {
				return pid
			}
		}
	}
	return 0
}
