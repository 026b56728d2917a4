// Package db runs transactions on a bbolt file that several processes share. A
// job is queued, waits for its turn at two lock files, and runs on a Tx, which
// opens the file, believes no record without checking it, commits and closes
// again: no file is open between transactions. Writers that queue up share one.
// Watchers hear of the commits of others, Pause holds everything back, and while
// somebody compacts each transaction notes what it changed.
//
// What the records mean is for the Session of those who use it. Reading order:
// db.go (jobs, and one transaction), tx.go, turn.go, quiesce.go, watch.go,
// create.go, changes.go, draft.go.
package db

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	bolt "go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"diurna/store/lock"
	"diurna/store/pages"
	"diurna/store/record"
)

// batchJobs bounds how many waiting writers share one transaction.
const batchJobs = 256

// Options say which file a DB is, and what it means to those who use it.
type Options struct {
	Dir, Name          string
	LockName, TurnName string           // of the lock files, in Dir
	File               string           // instead of Dir/Name: a private copy, without locks
	Buckets            []*record.Bucket // made with the file
	Wait               time.Duration    // for other processes
	Role, Version      string
	MaxSize            int64 // in bytes; 0: no limit
	Grow               int   // in what steps the file grows, in bytes; 0: bbolt's
	NoSync             bool

	// Begin begins a session at the head of each transaction; nil: there is none.
	Begin func(*Tx) (Session, error)
	// Fill puts the records with which a file begins; with Begin only.
	Fill func(put func(b *record.Bucket, key, payload []byte) error) error
}

// Session is what a transaction means to its jobs. It lives as long as the
// transaction, which several jobs may share.
type Session interface {
	// Flush is called after each job of a writer, to write what it gathered.
	Flush() error
	// Written is called after each put.
	Written(b *record.Bucket, payload []byte) error
}

// DB is one bbolt file with its lock files.
type DB struct {
	Options

	Gate     lock.Gate
	mu       sync.Mutex
	queue    []*Job
	serving  bool
	closed   bool
	active   int           // jobs under way
	idle     chan struct{} // closed when none is left, after close
	paused   chan struct{} // not nil while Pause holds back what comes; closed when it goes on
	turn     *os.File      // held while waiting for the lock; see step aside in quiesce.go
	taking   bool          // serve is waiting for its turn, or has just got it
	known    uint64        // newest commit that is ours or was reported
	watchers map[chan uint64]bool
}

// New opens and touches nothing.
func New(o Options) *DB { return &DB{Options: o} }

// Job is one caller's share of a transaction.
type Job struct {
	Write   bool
	Create  bool   // make the file if there is none
	Role    string // noted in the lock file; a writer without one gets the DB's
	Fn      func(*Tx) error
	bare    func(*Hold) error // instead of fn: no transaction, only the lock
	claimed atomic.Bool       // by the server, or by the caller giving up
	done    chan error
}

// bug is a panic of our own code, carried to the caller's goroutine.
type bug struct {
	value any
	stack string
}

func (b *bug) Error() string { return fmt.Sprintf("store: %v\n%s", b.value, b.stack) }

// Do queues j and waits for it. A caller gives up when ctx ends or after the
// store's wait, but only while j has not begun: from then on it is a matter of
// milliseconds, and an answer that says what really happened is better.
func (l *DB) Do(ctx context.Context, j *Job) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if !j.Create && j.bare == nil && !l.Exists() {
		return ErrNone
	}
	j.done = make(chan error, 1)
	l.mu.Lock()
	if l.closed {
		l.mu.Unlock()
		return ErrClosed
	}
	l.queue = append(l.queue, j)
	if !l.serving {
		l.serving = true
		go l.serve()
	}
	l.mu.Unlock()

	err := l.await(ctx, j)
	var b *bug
	if errors.As(err, &b) {
		panic(b)
	}
	return err
}

// stopLook is how often a waiting caller looks whether whom it waits for is stopped.
const stopLook = 400 * time.Millisecond

// await waits for the job's answer. The time in which this process was stopped
// itself is not counted: a tick counts once, however late it comes.
func (l *DB) await(ctx context.Context, j *Job) error {
	every := min(stopLook, l.Wait)
	tick := time.NewTicker(every)
	defer tick.Stop()
	for waited := time.Duration(0); ; {
		var give error
		select {
		case err := <-j.done:
			return err
		case <-ctx.Done():
			give = ctx.Err()
		case <-tick.C:
			if l.isPaused() {
				continue
			}
			waited += every
			give = l.busy(waited)
		}
		if give == nil {
			continue
		}
		if j.claimed.CompareAndSwap(false, true) {
			return give
		}
		return <-j.done
	}
}

// busy is why a caller that has waited so long gives up; nil if it does not yet.
func (l *DB) busy(waited time.Duration) error {
	if pid := l.stoppedHolder(); pid != 0 {
		_, role := lock.Holder(l.In(l.LockName))
		return &BusyError{PID: pid, Role: role, Waited: waited, Stopped: true}
	}
	if waited < l.Wait {
		return nil
	}
	pid, role := lock.Holder(l.In(l.LockName))
	if pid == 0 {
		role = ""
		if pids := lock.Holders(l.In(l.TurnName)); len(pids) > 0 {
			pid = pids[0]
		}
	}
	return &BusyError{PID: pid, Role: role, Waited: waited}
}

// serve is the one goroutine that takes turns for this library. It ends when
// the queue is empty. Everything of one kind that has queued up while it waited
// goes into one transaction (writers) or runs side by side (readers).
func (l *DB) serve() {
	for {
		l.mu.Lock()
		l.dropAbandoned()
		if len(l.queue) == 0 {
			l.serving = false
			l.mu.Unlock()
			return
		}
		if hold := l.paused; hold != nil {
			l.mu.Unlock()
			<-hold
			continue
		}
		first := l.queue[0]
		l.taking = true
		l.mu.Unlock()

		role := first.Role
		if role == "" && first.Write {
			role = l.Role
		}
		if first.Create {
			if err := l.Gate.While(l.MakeDir); err != nil {
				l.took()
				l.fail(first, Translate(err))
				continue
			}
		}
		h, err := l.acquire(first.Write, role)
		if err != nil {
			l.took()
			if err != errSteppedAside {
				l.fail(first, Translate(err))
			}
			continue
		}
		batch := l.claim(first.Write)
		switch {
		case len(batch) == 0: // all gave up
			h.release()
			l.took()
		case first.Write:
			l.took()
			l.writeAll(h, batch)
			h.release()
			l.ended(len(batch))
		default:
			l.took()
			go l.readAll(h, batch)
		}
	}
}

// dropAbandoned removes callers that gave up from the front of the queue.
func (l *DB) dropAbandoned() {
	for len(l.queue) > 0 && l.queue[0].claimed.Load() {
		l.queue = l.queue[1:]
	}
}

// fail answers the job that could not get its turn.
func (l *DB) fail(j *Job, err error) {
	if j.claimed.CompareAndSwap(false, true) {
		j.done <- err
	}
}

// claim takes the jobs of one kind from the front of the queue.
func (l *DB) claim(write bool) (batch []*Job) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.queue) > 0 && len(batch) < batchJobs {
		j := l.queue[0]
		alone := j.bare != nil
		if j.Write != write || alone && len(batch) > 0 {
			break
		}
		l.queue = l.queue[1:]
		if j.claimed.CompareAndSwap(false, true) {
			l.active++
			batch = append(batch, j)
			if alone {
				break
			}
		}
	}
	return batch
}

func (l *DB) readAll(h *Hold, batch []*Job) {
	var wg sync.WaitGroup
	for _, j := range batch {
		wg.Go(func() {
			j.done <- l.transact(h, false, []*Job{j}, nil)
		})
	}
	wg.Wait()
	h.release()
	l.ended(len(batch))
}

// writeAll runs a batch in one transaction. If one job fails after it has
// changed something, everything is rolled back and each runs in its own.
func (l *DB) writeAll(h *Hold, batch []*Job) {
	if batch[0].bare != nil {
		batch[0].done <- Translate(batch[0].bare(h))
		return
	}
	errs := make([]error, len(batch))
	mixed := errors.New("store: a job of the batch failed")
	err := l.transact(h, true, batch, func(i int, err error, dirty bool) error {
		errs[i] = err
		if err != nil && dirty {
			return mixed
		}
		return nil
	})
	if err == mixed && len(batch) > 1 {
		for _, j := range batch {
			j.done <- l.transact(h, true, []*Job{j}, nil)
		}
		return
	}
	for i, j := range batch {
		if err != nil && err != mixed {
			j.done <- err
		} else {
			j.done <- errs[i]
		}
	}
}

// transact is the one function that runs a transaction: open the file, run the
// jobs, commit, close. SetPanicOnFault is per goroutine: a file cut short under
// our map is then a panic and not the end of the process. settle decides about
// each job's error; without it the first one ends the transaction.
func (l *DB) transact(h *Hold, write bool, jobs []*Job, settle func(i int, err error, dirty bool) error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	var file *os.File
	var db *bolt.DB
	var tx *bolt.Tx
	defer func() {
		if p := recover(); p != nil {
			if d, ok := p.(*DamagedError); ok { // raised by us, not within bbolt
				closeDB(db, tx)
				err = d
				return
			}
			err = classify(p)
			drop(file, db, tx, write)
			return
		}
		closeDB(db, tx)
	}()
	if err := l.createFor(jobs); err != nil {
		return Translate(err)
	}
	if db, err = l.openDB(l.Path(), write, &file); err != nil {
		db = nil
		return Translate(err)
	}
	if write {
		if err := l.setGrowth(db, file); err != nil {
			return Translate(err)
		}
	}
	if tx, err = db.Begin(write); err != nil {
		return Translate(err)
	}
	t := &Tx{db: l, Bolt: tx, Write: write}
	if err := t.begin(file); err != nil {
		return err
	}
	if err := t.each(jobs, settle); err != nil || !write {
		return err
	}
	if err := t.noteChanges(); err != nil {
		return Translate(err)
	}
	no := t.Number()
	if err := tx.Commit(); err != nil {
		return Translate(fmt.Errorf("commit: %w", err))
	}
	if !lock.IsAt(file, l.Path()) {
		// Somebody removed the lock file and another process then put another
		// library in this one's place: what was written is not in it.
		return &BusyError{}
	}
	l.Committed(h, no)
	if t.announced == 0 && h.lock != nil && l.Begin != nil {
		// Once, so that a power cut leaves no empty lock file: see newest.
		_ = h.lock.Sync()
	}
	return nil
}

// each runs the jobs of a transaction.
func (t *Tx) each(jobs []*Job, settle func(i int, err error, dirty bool) error) error {
	for i, j := range jobs {
		t.Dirty = false
		err := j.Fn(t)
		if err == nil && t.Write && t.Session != nil {
			err = t.Session.Flush()
		}
		err = Translate(err)
		if settle != nil {
			err = settle(i, err, t.Dirty)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func closeDB(db *bolt.DB, tx *bolt.Tx) {
	if tx != nil {
		_ = tx.Rollback() // after a commit: already closed
	}
	if db != nil {
		_ = db.Close()
	}
}

// drop lets go of a file in which bbolt has come to grief. A reader's transaction
// holds no mutex that closing needs. Else bbolt may have left one locked: the
// handle is not closed and its map stays, which would keep bbolt's own lock too.
func drop(file *os.File, db *bolt.DB, tx *bolt.Tx, write bool) {
	defer func() { _ = recover() }() // the same page again
	if file != nil {
		lock.Unlock(file)
		defer file.Close()
	}
	if !write && tx != nil {
		closeDB(db, tx)
	}
}

// createFor makes the library if it is not there and one of the jobs may.
func (l *DB) createFor(jobs []*Job) error {
	if l.Exists() {
		return nil
	}
	for _, j := range jobs {
		if j.Create {
			return l.create()
		}
	}
	return ErrNone
}

// classify tells damage from bugs: a fault at an address is the mapped file's,
// and a panic raised in bbolt is its way of finding a page that makes no sense.
func classify(p any) error {
	if d, ok := p.(*DamagedError); ok {
		return d // Tx.bucket, store/pages
	}
	var fault interface{ Addr() uintptr }
	if e, ok := p.(error); ok && errors.As(e, &fault) {
		return &DamagedError{What: "a part of the file cannot be read", Record: ""}
	}
	pc := make([]uintptr, 40)
	frames := runtime.CallersFrames(pc[:runtime.Callers(3, pc)])
	for {
		f, more := frames.Next()
		if !strings.HasPrefix(f.Function, "runtime.") {
			if strings.HasPrefix(f.Function, "go.etcd.io/bbolt") {
				return &DamagedError{What: fmt.Sprint("bbolt: ", p), Record: ""}
			}
			break
		}
		if !more {
			break
		}
	}
	return &bug{p, string(debug.Stack())}
}

// mapRoom is how much is mapped of a file that is written to, however short it is: each
// time that bbolt needs a longer map, it copies all that the transaction has put so far.
const mapRoom = 64 << 20

// setGrowth has a file grow to a quarter more than it has, at most 16 MB more than what is
// needed: bbolt would make it as long as its map, or those 16 MB longer.
func (l *DB) setGrowth(db *bolt.DB, file *os.File) error {
	if db.AllocSize = l.Grow; l.Grow > 0 {
		return nil
	}
	fi, err := file.Stat()
	if err == nil {
		db.AllocSize = int(max(64<<10, min(fi.Size()/4, 16<<20)))
	}
	return err
}

// openDB opens a bbolt file that is there and not empty (bbolt would make an
// empty one new). file gets the descriptor, for the case of a panic.
func (l *DB) openDB(path string, write bool, file **os.File) (*bolt.DB, error) {
	room := 0
	if write && runtime.GOOS != "windows" { // where the file would become as long
		room = mapRoom
	}
	return bolt.Open(path, 0o600, &bolt.Options{
		InitialMmapSize: room,
		ReadOnly:        !write,
		Timeout:         time.Second,            // never waits: our lock is held; only a stranger's tool can be in the way
		FreelistType:    bolt.FreelistArrayType, // first fit: packed blocks would leave gaps that none fits into
		NoStatistics:    true,
		MaxSize:         int(l.MaxSize),
		NoSync:          l.NoSync,
		OpenFile: func(path string, flag int, _ os.FileMode) (*os.File, error) {
			f, err := lock.Open(path, flag&^os.O_CREATE)
			if err != nil {
				return nil, err
			}
			if fi, err := f.Stat(); err != nil || fi.Size() == 0 {
				f.Close()
				return nil, &DamagedError{What: "the file is empty", Record: path}
			}
			if write {
				if err := pages.FreeListEnds(f); err != nil {
					f.Close()
					return nil, err
				}
			}
			*file = f
			return f, nil
		},
	})
}

// Translate gives the system's and bbolt's errors our names.
func Translate(err error) error {
	if err == nil || errors.Is(err, ErrDamaged) {
		return err
	}
	err = lock.Classify(err)
	switch {
	case errors.Is(err, ErrFull), errors.Is(err, ErrReadOnly):
		return err
	case errors.Is(err, berrors.ErrMaxSizeReached):
		return fmt.Errorf("%w: %w", ErrFull, err)
	case errors.Is(err, berrors.ErrDatabaseReadOnly):
		return fmt.Errorf("%w: %w", ErrReadOnly, err)
	case errors.Is(err, berrors.ErrTimeout):
		return &BusyError{Waited: time.Second}
	case errors.Is(err, berrors.ErrInvalid), errors.Is(err, berrors.ErrChecksum), errors.Is(err, berrors.ErrVersionMismatch),
		strings.Contains(err.Error(), "file size too small"):
		return &DamagedError{What: err.Error(), Record: "the file's first pages"}
	}
	return err
}

// ended counts down the jobs under way. It is a number and a channel, not a
// WaitGroup, which could not serve both inside and outside a synctest bubble.
func (l *DB) ended(jobs int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.active -= jobs
	l.wakeIdle()
}

// wakeIdle tells who waits for the jobs under way that none is left. mu is held.
func (l *DB) wakeIdle() {
	if l.active == 0 && l.idle != nil {
		close(l.idle)
		l.idle = nil
	}
}

// Close refuses new jobs, answers the waiting ones and waits for those under way.
func (l *DB) Close() {
	l.mu.Lock()
	l.closed = true
	for _, j := range l.queue {
		if j.claimed.CompareAndSwap(false, true) {
			j.done <- ErrClosed
		}
	}
	var idle chan struct{}
	if l.active > 0 {
		if l.idle == nil {
			l.idle = make(chan struct{})
		}
		idle = l.idle
	}
	l.mu.Unlock()
	l.Gate.Shut()
	if idle != nil {
		<-idle
	}
}

// Alone runs fn while no other process has the library open.
func (l *DB) Alone(ctx context.Context, role string, fn func(*Hold) error) error {
	return l.Do(ctx, &Job{Write: true, Role: role, bare: func(h *Hold) error {
		return harmless(func() error { return fn(h) })
	}})
}

// Under runs a job under a hold that is had already, or none.
func (l *DB) Under(h *Hold, j *Job) error { return l.transact(h, j.Write, []*Job{j}, nil) }

// Unharmed runs fn, which works on files outside of a transaction. A fault in one
// of their maps is an error.
func Unharmed(fn func() error) error {
	err := Translate(harmless(fn))
	var b *bug
	if errors.As(err, &b) {
		panic(b)
	}
	return err
}

func harmless(fn func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = classify(p)
		}
	}()
	return fn()
}
