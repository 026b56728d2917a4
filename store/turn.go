package store

import (
	"encoding/binary"
	"os"
	"path/filepath"

	"diurna/store/lock"
)

// hold is the right to run a transaction: the lock file, locked. A nil lock
// means a folder that cannot be written and has no lock file: nobody can change
// the library then, and reading needs no lock.
type hold struct{ lock *os.File }

// acquire waits for the library's turn. turn is held only while waiting for
// lock, so whoever comes next waits behind us at turn and not beside us: with lock alone
// readers that overlap kept a writer out for ever. The kernel lets in who came first.
func (l *DB) acquire(exclusive bool, role string) (*hold, error) {
	mode := lock.Shared
	if exclusive {
		mode = lock.Exclusive
	}
	turn, err := l.gate.OpenLock(l.in(l.TurnName), mode)
	if err != nil || turn == nil {
		return &hold{}, err
	}
	defer l.leaveTurn(turn)
	if err := lock.Lock(turn, lock.Exclusive); err != nil {
		return nil, err
	}
	if !l.haveTurn(turn) {
		return nil, errSteppedAside
	}
	f, err := l.gate.Take(l.in(l.LockName), mode)
	if err != nil || f == nil {
		return &hold{}, err
	}
	if l.isPaused() {
		f.Close()
		return nil, errSteppedAside
	}
	if role != "" {
		lock.WriteHolder(f, role)
	}
	return &hold{f}, nil
}

func (h *hold) release() {
	if h.lock != nil {
		h.lock.Close()
	}
}

// readTx reads the number of the newest commit.
func (l *DB) readTx() uint64 {
	f, err := lock.Open(l.in(l.LockName), os.O_RDONLY)
	if err != nil {
		return 0
	}
	defer f.Close()
	var b [8]byte
	if _, err := f.ReadAt(b[:], 0); err != nil {
		return 0
	}
	return binary.LittleEndian.Uint64(b[:])
}

// writeTx tells the other processes of a commit, before the lock is let go.
func (h *hold) writeTx(no uint64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], no)
	if h.lock == nil {
		return // a private file
	}
	_, _ = h.lock.WriteAt(b[:], 0) // the commit stands; who misses this sees the next one
}

func (l *DB) in(name string) string { return filepath.Join(l.Dir, name) }

func (l *DB) path() string {
	if l.File != "" {
		return l.File
	}
	return l.in(l.Name)
}

func (l *DB) exists() bool {
	_, err := os.Lstat(l.path())
	return err == nil
}
