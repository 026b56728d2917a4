package db

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"sync"
	"testing"
	"time"

	"diurna/store/lock"
	"diurna/store/record"
)

// newDB is a DB with nothing but the bucket of Meta, as cache.db is.
func newDB(t *testing.T) *DB {
	t.Helper()
	d := New(Options{Dir: t.TempDir() + "/db", Name: "x.db", LockName: "lock", TurnName: "turn", Buckets: []*record.Bucket{record.Meta}, Wait: time.Minute})
	t.Cleanup(d.Close)
	if err := d.Do(t.Context(), &Job{Write: true, Create: true, Fn: func(*Tx) error { return nil }}); err != nil {
		t.Fatal(err)
	}
	return d
}

// putting writes one record and then fails with err, if that is not nil.
func putting(key string, err error) *Job {
	return &Job{Write: true, Fn: func(x *Tx) error { return errors.Join(x.Put(record.Meta, []byte(key), []byte("value")), err) }}
}

func (l *DB) is(what func() bool) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return what()
}

func has(t *testing.T, d *DB, key string) bool {
	t.Helper()
	there := false
	err := d.Do(t.Context(), &Job{Fn: func(x *Tx) error {
		v, err := x.Get(record.Meta, []byte(key))
		there = v != nil
		return err
	}})
	if err != nil {
		t.Fatal(err)
	}
	return there
}

// What queues up while a transaction runs shares the next one. A job that fails
// among them fails alone, and one that was called off does nothing.
func TestSharedTransaction(t *testing.T) {
	for _, bad := range []error{nil, errors.New("bad")} {
		d, ctx := newDB(t), t.Context()
		held, let := make(chan bool), make(chan bool)
		var wg sync.WaitGroup
		wg.Go(func() {
			d.Do(ctx, &Job{Write: true, Fn: func(*Tx) error { held <- true; <-let; return nil }})
		})
		<-held
		keys := []string{"a", "b", "c", "d", "e"}
		errs := make([]error, len(keys))
		for i, key := range keys {
			wg.Go(func() {
				job := putting(key, nil)
				if i == 2 {
					job = putting(key, bad)
				}
				errs[i] = d.Do(ctx, job)
			})
		}
		cancelled, cancel := context.WithCancel(ctx)
		gone := make(chan error, 1)
		go func() { gone <- d.Do(cancelled, putting("never", nil)) }()
		for !d.is(func() bool { return len(d.queue) == len(keys)+1 }) {
			time.Sleep(time.Millisecond)
		}
		cancel()
		if err := <-gone; !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled while waiting: %v", err)
		}
		before := d.ReadTx()
		let <- true
		wg.Wait()
		for i, key := range keys {
			var want error
			if i == 2 {
				want = bad
			}
			if !errors.Is(errs[i], want) || has(t, d, key) != (want == nil) {
				t.Errorf("%s: %v, there %t", key, errs[i], has(t, d, key))
			}
		}
		if has(t, d, "never") {
			t.Error("a job that was called off ran")
		}
		// The one that was held, and the shared one or each for itself.
		want := uint64(2)
		if bad != nil {
			want = uint64(len(keys))
		}
		if n := d.ReadTx() - before; n > want {
			t.Errorf("%d transactions, want %d", n, want)
		}
	}
}

// Whoever gave up waiting for its turn makes no lock file when that comes after
// Close: the folder may be removed by then.
func TestNoFileAfterClose(t *testing.T) {
	d := newDB(t)
	turn, err := lock.Take(d.In(d.TurnName), lock.Exclusive)
	if err != nil {
		t.Fatal(err)
	}
	defer turn.Close()
	ctx, giveUp := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- d.Do(ctx, putting("view", nil)) }()
	for !d.is(func() bool { return d.taking }) {
		time.Sleep(time.Millisecond)
	}
	giveUp()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	d.Close()
	for _, name := range []string{d.TurnName, d.LockName} {
		if err := os.Remove(d.In(name)); err != nil {
			t.Fatal(err)
		}
	}
	turn.Close() // now its turn comes
	for d.is(func() bool { return d.serving }) {
		time.Sleep(time.Millisecond)
	}
	for _, name := range []string{d.TurnName, d.LockName} {
		if _, err := os.Lstat(d.In(name)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s was made after Close: %v", name, err)
		}
	}
}
