package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"
)

// kin reads the first fact of both: facts are only ever appended, and no two
// libraries begin in the same millisecond. Libraries of any age have it.
func (s *Store) kin(ctx context.Context, path string) (bool, error) {
	var own, other time.Time
	if err := s.lib.do(ctx, &job{fn: func(t *txn) (err error) { own, err = t.begun(); return err }}); err != nil {
		return false, err
	}
	copied := &library{dir: filepath.Dir(path), name: libraryName, file: path, buckets: allBuckets, wait: s.lib.wait}
	err := copied.transact(&hold{}, false, []*job{{fn: func(t *txn) (err error) { other, err = t.begun(); return err }}}, nil)
	return err == nil && (other.IsZero() || own.Equal(other)), err
}

// begun is the time of the library's first fact; zero if it has none.
func (t *txn) begun() (at time.Time, err error) {
	enough := errors.New("enough")
	err = t.scan(bFacts, nil, nil, func(k, v []byte) error {
		var d factReader
		if d.begin(beUint64(k), v); !d.next() {
			return bFacts.damage(k, "facts do not decode")
		}
		at = d.f.At
		return enough
	})
	if err == enough {
		err = nil
	}
	return at, err
}

func (s *Store) writable(ctx context.Context) error {
	if !s.lib.exists() {
		return ErrNone
	}
	return s.lib.do(ctx, &job{write: true, bare: func(*hold) error {
		f, err := openFile(s.lib.path(), os.O_RDWR)
		if err != nil {
			return err
		}
		return f.Close()
	}})
}
