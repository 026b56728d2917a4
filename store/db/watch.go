package db

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
)

// lookEvery is how often the commit number is read where the system does not
// tell of changes, or while the folder is not there yet.
const lookEvery = 2 * time.Second

// Committed notes a commit of our own, tells the other processes, and tells our
// watchers if somebody else had committed in between.
func (l *DB) Committed(h *Hold, no uint64) {
	l.mu.Lock()
	foreign := l.known != 0 && no > l.known+1
	l.known = no
	if foreign {
		l.tell(no)
	}
	l.mu.Unlock()
	h.writeTx(no)
}

// tell hands the newest number to each watcher, in place of one not yet taken.
func (l *DB) tell(no uint64) {
	for ch := range l.watchers {
		select {
		case <-ch:
		default:
		}
		ch <- no // room for one, and only tell sends
	}
}

// look reads the number and tells the watchers if the commit was not ours.
func (l *DB) look() {
	no := l.ReadTx()
	l.mu.Lock()
	defer l.mu.Unlock()
	if no != 0 && no != l.known {
		l.known = no
		l.tell(no)
	}
}

// watchFolder looks whenever the lock file is written, until ctx ends. The
// folder is watched, not the file, which may not be there yet.
func (l *DB) watchFolder(ctx context.Context) {
	var events chan fsnotify.Event
	var failed chan error
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		if events == nil {
			if w := l.notifier(); w != nil {
				defer w.Close() // at most once: events stays set
				events, failed = w.Events, w.Errors
				tick.Stop()
				l.look() // what happened before the watch began
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			l.look()
		case e, ok := <-events:
			if !ok {
				return
			}
			switch name := filepath.Base(e.Name); {
			case name == l.LockName:
				l.look()
			case name == FetchLockName && e.Has(fsnotify.Remove|fsnotify.Rename):
				l.mu.Lock()
				l.tell(l.known) // whoever fetches sees to it
				l.mu.Unlock()
			}
		case <-failed: // events were lost: the number says whether any mattered
			l.look()
		}
	}
}

// notifier watches the folder; nil if it is not there or the system has no
// means to.
func (l *DB) notifier() *fsnotify.Watcher {
	if _, err := os.Stat(l.Dir); err != nil {
		return nil
	}
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil
	}
	if w.Add(l.Dir) != nil {
		w.Close()
		return nil
	}
	return w
}

// Watch sends the number of the newest commit whenever another process, or
// another DB, has committed. Only the newest number is kept if the receiver
// is slow. The channel closes when ctx ends.
func (l *DB) Watch(ctx context.Context) (<-chan uint64, error) {
	ch := make(chan uint64, 1)
	no := l.ReadTx()
	l.mu.Lock()
	if l.known == 0 {
		l.known = no
	}
	if l.watchers == nil {
		l.watchers = make(map[chan uint64]bool)
	}
	l.watchers[ch] = true
	l.mu.Unlock()
	go func() {
		l.watchFolder(ctx)
		l.mu.Lock()
		delete(l.watchers, ch)
		l.mu.Unlock()
		close(ch)
	}()
	return ch, nil
}

// FetchLockName is the lock file of whoever fetches, in Dir.
const FetchLockName = "fetch.lock"
