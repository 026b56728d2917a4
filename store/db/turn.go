package db

import (
	"encoding/binary"
	"os"
	"path/filepath"

	"diurna/store/lock"
)

// Hold is the right to run a transaction: the lock file, locked. A nil lock
// means a folder that cannot be written and has no lock file: nobody can change
// the library then, and reading needs no lock.
type Hold struct{ lock *os.File }

// acquire waits for the library's turn. turn is held only while waiting for
// lock, so whoever comes next waits behind us at turn and not beside us: with lock alone
// readers that overlap kept a writer out without end. The kernel lets in who came first.
func (l *DB) acquire(exclusive bool, role string) (*Hold, error) {
	mode := lock.Shared
	if exclusive {
		mode = lock.Exclusive
	}
	turn, err := l.Gate.OpenLock(l.In(l.TurnName), mode)
	if err != nil || turn == nil {
		return &Hold{}, err
	}
	defer l.leaveTurn(turn)
	if err := lock.Lock(turn, lock.Exclusive); err != nil {
		return nil, err
	}
	if !l.haveTurn(turn) {
		return nil, errSteppedAside
	}
	f, err := l.Gate.Take(l.In(l.LockName), mode)
	if err != nil || f == nil {
		return &Hold{}, err
	}
	if l.isPaused() {
		f.Close()
		return nil, errSteppedAside
	}
	if role != "" {
		lock.WriteHolder(f, role)
	}
	return &Hold{f}, nil
}

func (h *Hold) release() {
	if h.lock != nil {
		h.lock.Close()
	}
}

// ReadTx reads the number of the newest commit.
func (l *DB) ReadTx() uint64 {
	f, err := lock.Open(l.In(l.LockName), os.O_RDONLY)
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
func (h *Hold) writeTx(no uint64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], no)
	if h.lock == nil {
		return // a private file
	}
	_, _ = h.lock.WriteAt(b[:], 0) // the commit stands; who misses this sees the next one
}

// In is the path of a file of this name in Dir.
func (l *DB) In(name string) string { return filepath.Join(l.Dir, name) }

// Path is where the file is or will be.
func (l *DB) Path() string {
	if l.File != "" {
		return l.File
	}
	return l.In(l.Name)
}

// Exists tells whether there is a file.
func (l *DB) Exists() bool {
	_, err := os.Lstat(l.Path())
	return err == nil
}
