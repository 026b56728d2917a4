package backups

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"diurna/store/db"
	"diurna/store/library"
	"diurna/store/lock"
	"diurna/store/pages"
	"diurna/store/record"
)

const (
	// copyStep is about how many bytes of records are read in one transaction:
	// writers of all processes wait for it, which is some milliseconds.
	copyStep = 1 << 20
	// fewChanges is how many bytes may be left for the moment in which everybody
	// waits.
	fewChanges = 128 << 10
	// maxRounds ends catching up with writers that are faster than the copy.
	maxRounds = 1000
)

// Compaction writes a copy of the library beside it, step by step, while others
// read and write. Each of their transactions notes what it changed (changes.go),
// and the copy follows until little is left. Only for that and for putting the
// copy in the library's place does everybody wait.
//
// Whoever dies here leaves the library as it was, or compacted. The copy has all
// that was acknowledged, because the notes are written with what they tell of,
// their numbers have no gap, and the last are read under the exclusive lock.
// Nobody writes to the old file afterwards: it is opened by name for each
// transaction, under the lock.
type Compaction struct {
	lib           *library.Library
	Lock          *os.File    // compact.lock, held
	run           []byte      // of this compaction alone
	was           fs.FileInfo // of the library's file
	Done          uint64      // the draft has the changes of all transactions up to this
	draft         *db.Draft
	installed     bool
	Before, After int64
}

// Compact rewrites the library without its free pages and returns its sizes
// before and after in bytes. Others read and write meanwhile; they wait for
// milliseconds at a time. Errors: ErrReplaced; a BusyError if somebody compacts.
func (k *Keeper) Compact(ctx context.Context) (before, after int64, err error) {
	if !k.Lib.Exists() {
		return 0, 0, db.ErrNone
	}
	c := k.Compaction()
	defer c.End(ctx)
	err = db.Unharmed(func() error { return c.all(ctx) })
	if errors.Is(err, db.ErrNone) {
		err = db.ErrReplaced // there was one
	}
	return c.Before, c.After, err
}

// Compaction is one that has not begun.
func (k *Keeper) Compaction() *Compaction { return &Compaction{lib: k.Lib} }

func (c *Compaction) all(ctx context.Context) error {
	for _, step := range []func(context.Context) error{c.Begin, c.Copy, c.CatchUp, c.Check, c.CatchUp, c.Swap} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Begin makes this process the only one that compacts, and has everybody note
// their changes from now on.
func (c *Compaction) Begin(ctx context.Context) error {
	err := c.lib.DB.Do(ctx, &db.Job{Write: true, Role: "compact", Fn: func(t *db.Tx) (err error) {
		if c.Lock == nil { // else: the transaction that this was part of failed, and it is done again
			if c.Lock, err = takeCompactLock(c.lib.DB); err != nil {
				return err
			}
		}
		if c.was, err = t.File.Stat(); err != nil {
			return err
		}
		c.Before, c.Done = c.was.Size(), uint64(t.Bolt.ID())
		if _, err := t.Bolt.CreateBucket(record.Changes.Name); err != nil {
			return err
		}
		c.run = binary.AppendUvarint(record.Key4(uint32(os.Getpid())), t.Number())
		return t.Put(record.Changes, record.Key8(0), c.run)
	}})
	if err != nil {
		return err
	}
	c.draft, err = c.lib.NewDraft(c.lib.Path() + db.DraftEnd)
	return err
}

// takeCompactLock does not wait.
func takeCompactLock(l *db.DB) (*os.File, error) {
	f, err := lock.Take(l.In(db.CompactLockName), lock.Exclusive|lock.Try)
	if errors.Is(err, db.ErrBusy) {
		pid, _ := lock.Holder(l.In(db.CompactLockName))
		return nil, &db.BusyError{PID: pid, Role: "compact"}
	}
	if err == nil {
		lock.WriteHolder(f, "compact")
	}
	return f, err
}

// step runs one short transaction, in which others may read.
func (c *Compaction) step(ctx context.Context, fn func(*db.Tx) error) error {
	return c.lib.DB.Do(ctx, &db.Job{Role: "compact", Fn: func(t *db.Tx) error {
		if err := c.same(t); err != nil {
			return err
		}
		return fn(t)
	}})
}

// same makes sure that this is the library that is being compacted, and that the
// notes are for us.
func (c *Compaction) same(t *db.Tx) error {
	now, err := t.File.Stat()
	if err != nil {
		return err
	}
	if !os.SameFile(c.was, now) || t.Bolt.Bucket(record.Changes.Name) == nil {
		return db.ErrReplaced
	}
	run, err := t.Get(record.Changes, record.Key8(0))
	if err == nil && !bytes.Equal(run, c.run) {
		err = db.ErrReplaced
	}
	return err
}

// found is a record of the library, of memory of its own; rec is nil if there is
// none.
type found struct {
	b        *record.Bucket
	key, rec []byte
}

func (c *Compaction) keep(all []found) error {
	for _, f := range all {
		if err := c.draft.Put(f.b, f.key, f.rec); err != nil {
			return err
		}
	}
	return nil
}

// Copy copies all records, bucket by bucket.
func (c *Compaction) Copy(ctx context.Context) error {
	if err := c.step(ctx, func(t *db.Tx) error { return onlyOurs(t, c.lib.Buckets) }); err != nil {
		return err
	}
	for _, b := range c.lib.Buckets {
		for from := []byte{}; from != nil; {
			var all []found
			var next []byte
			err := c.step(ctx, func(t *db.Tx) (err error) {
				all, next, err = some(t, b, from, copyStep)
				return err
			})
			if err != nil {
				return err
			}
			if err := c.keep(all); err != nil {
				return err
			}
			from = next
		}
	}
	return nil
}

// onlyOurs makes sure that nothing would be left behind.
func onlyOurs(t *db.Tx, buckets []*record.Bucket) error {
	known := map[string]bool{string(record.Changes.Name): true}
	for _, b := range buckets {
		known[string(b.Name)] = true
	}
	c := t.Bolt.Cursor()
	for name, _ := c.First(); name != nil; name, _ = c.Next() {
		if !known[string(name)] {
			return fmt.Errorf("the library has records of a kind that is not known here: %.40q", name)
		}
	}
	return nil
}

// some reads the records of b from key from on, up to about size bytes, and says
// where the next ones begin; nil: there are no more.
func some(t *db.Tx, b *record.Bucket, from []byte, size int) (all []found, next []byte, err error) {
	c := t.Bucket(b).Cursor()
	k, rec := c.Seek(from)
	if len(from) > 0 {
		// As in scan: a damaged key must not have us leave records out.
		if err := db.Gap(b, c, k, rec, from); err != nil {
			return nil, nil, err
		}
		k, rec = c.Seek(from)
	}
	space := make([]byte, 0, size+size/4)
	own := func(x []byte) []byte {
		if len(x) > cap(space)-len(space) {
			space = make([]byte, 0, max(len(x), size/4))
		}
		space = append(space, x...)
		return space[len(space)-len(x) : len(space) : len(space)]
	}
	for n := 0; k != nil; k, rec = c.Next() {
		if _, err := b.Open(k, rec); err != nil {
			return nil, nil, err
		}
		if n >= size {
			return all, bytes.Clone(k), nil
		}
		all = append(all, found{b, own(k), own(rec)})
		n += len(k) + len(rec)
	}
	return all, nil, nil
}

// CatchUp brings what was committed meanwhile into the draft, until little is left.
// Afterwards the draft is the library as of one commit.
func (c *Compaction) CatchUp(ctx context.Context) error {
	for range maxRounds {
		var all []found
		var size int
		var behind bool
		err := c.step(ctx, func(t *db.Tx) (err error) {
			all, size, behind, err = c.news(t, 8*copyStep)
			return err
		})
		if err != nil {
			return err
		}
		if err := c.keep(all); err != nil {
			return err
		}
		if !behind && size < fewChanges {
			break
		}
	}
	return nil
}

// news reads the records that were changed since done, by whole transactions, up
// to about most bytes; behind: there are more.
func (c *Compaction) news(t *db.Tx, most int) (all []found, size int, behind bool, err error) {
	type place struct {
		b   *record.Bucket
		key string
	}
	seen := map[place]bool{}
	newest := pages.Committed(t.Bolt)
	if newest < c.Done {
		return nil, 0, false, db.ErrReplaced
	}
	for c.Done < newest {
		if size >= most {
			return all, size, true, nil
		}
		noted, err := t.Changes(c.Done+1, func(b *record.Bucket, key []byte) error {
			if seen[place{b, string(key)}] {
				return nil
			}
			seen[place{b, string(key)}] = true
			v, err := t.Get(b, key)
			f := found{b: b, key: bytes.Clone(key)}
			if v != nil {
				f.rec = b.Seal(nil, key, v)
			}
			all = append(all, f)
			size += len(key) + len(f.rec)
			return err
		})
		if err != nil {
			return nil, 0, false, err
		}
		if !noted {
			return nil, 0, false, db.ErrReplaced
		}
		c.Done++
	}
	return all, size, false, nil
}

// Check closes the draft, proves all of it and opens it again.
func (c *Compaction) Check(ctx context.Context) error {
	if err := c.draft.Finish(); err != nil {
		return err
	}
	if err := checkFresh(ctx, c.lib, c.draft.Path); err != nil {
		return err
	}
	return c.draft.Open(0)
}

// Swap brings in what is left and puts the draft in the library's place, alone.
func (c *Compaction) Swap(ctx context.Context) error {
	return c.lib.Alone(ctx, "compact", func(h *db.Hold) error {
		err := c.lib.DB.Under(h, &db.Job{Fn: func(t *db.Tx) error {
			if err := c.same(t); err != nil {
				return err
			}
			all, _, _, err := c.news(t, int(^uint(0)>>1))
			if err != nil {
				return err
			}
			return c.keep(all)
		}})
		if err != nil {
			return err
		}
		if err := c.draft.Finish(); err != nil {
			return err
		}
		fi, err := os.Stat(c.draft.Path)
		if err != nil {
			return err
		}
		c.After = fi.Size()
		if err := install(c.lib, h, c.draft.Path, nil); err != nil {
			return err
		}
		c.installed = true
		return nil
	})
}

// End removes what is not needed any more, in whichever way this ended. Writers
// need not note their changes; where nothing can be written now, the next one
// will find that out.
func (c *Compaction) End(ctx context.Context) {
	if c.Lock == nil {
		return // another one is under way
	}
	if c.draft != nil {
		_ = c.draft.Close()
		_ = os.Remove(c.draft.Path) // there is none if it was installed
	}
	c.Lock.Close()
	if !c.installed {
		_ = c.lib.DB.Do(context.WithoutCancel(ctx), &db.Job{Write: true, Role: "compact", Fn: func(*db.Tx) error { return nil }})
	}
}
