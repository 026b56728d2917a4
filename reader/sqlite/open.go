package sqlite

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Open opens a database for reading, with SQLite's shared lock until Close: a program
// that writes to it waits so long, or is in the way now (ErrLocked). ErrUnfinished: a
// journal or a write-ahead log lies beside it, whose changes only SQLite can bring in or
// take back. Nothing is written, and no file is made.
func Open(path string) (*File, error) {
	if st, err := os.Stat(path); err == nil && !st.Mode().IsRegular() { // to open a pipe would wait
		return nil, fmt.Errorf("%w, but no file at all", ErrNotDatabase)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	db, err := open(f, path)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	db.close = func() error { // which gives the lock back too
		err := unmap(db.mapped)
		db.mapped = nil
		return errors.Join(err, f.Close())
	}
	return db, nil
}

func open(f *os.File, path string) (*File, error) {
	if err := lockShared(f); err != nil {
		return nil, err
	}
	st, err := f.Stat() // as it is under the lock
	if err != nil {
		return nil, err
	}
	for _, beside := range []struct{ suffix, what string }{{"-journal", "a journal"}, {"-wal", "a write-ahead log"}} {
		busy, err := holds(path + beside.suffix)
		if err != nil {
			return nil, err
		}
		if busy {
			return nil, fmt.Errorf("%w: %s lies beside it (%s)", ErrUnfinished, beside.what, path+beside.suffix)
		}
	}
	db, err := New(f, st.Size())
	if err == nil {
		db.mapped = mapped(f, st.Size())
	}
	return db, err
}

// holds reports whether a journal or log has anything in it. SQLite empties one by
// removing it, cutting it or writing zeros over its head.
func holds(path string) (bool, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	var head [8]byte
	n, err := io.ReadFull(f, head[:])
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return n > 0 && !bytes.Equal(head[:n], make([]byte, n)), errors.Join(err, f.Close())
}
