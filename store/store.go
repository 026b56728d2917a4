// Package store keeps facts and state in one bbolt file, each method one
// transaction.
//
// Start with Open, which creates and touches nothing; Act with a Subscribed
// change makes the library. Snapshot reads everything of a first frame, Act does
// one undoable thing, File takes in what a fetch brought, and Check proves that
// the state is what the facts add up to.
//
// A method takes its turn among all processes (two lock files), opens the
// database, runs, commits and closes it again: no transaction outlives a call.
// Whatever a method returned without an error is on the disk. Reading order of
// the source: store/record (what lies in the library), store/db and store/library
// (one transaction), store/acts, store/filing, store/check; store.go and read.go
// here. names.go has the names of those packages that callers use.
package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"diurna/store/acts"
	"diurna/store/backups"
	"diurna/store/check"
	"diurna/store/db"
	"diurna/store/filing"
	"diurna/store/library"
	"diurna/store/lock"
	"diurna/store/record"
	"diurna/store/webpages"
)

// Snapshot is everything of a first frame, from one transaction.
type Snapshot struct {
	Feeds  []Feed // live ones, by ID
	Totals Totals
	Rows   []Row
}

// Open checks that Dir, if it is there, is ours and safe. It creates and touches
// nothing. Errors: ErrUnsafe, or the system's.
func Open(o Options) (*Store, error) { return open(o) }

// Exists tells whether there is a library.
func (s *Store) Exists() bool { return s.lib.Exists() }

// Path is where the library is or will be.
func (s *Store) Path() string { return s.lib.Path() }

// Feeds reads the live feeds by ID.
func (s *Store) Feeds(ctx context.Context) ([]Feed, error) { return s.feeds(ctx, false) }

// FeedsAll reads all feeds there ever were, by ID.
func (s *Store) FeedsAll(ctx context.Context) ([]Feed, error) { return s.feeds(ctx, true) }

// Item reads one item, also of a removed feed.
func (s *Store) Item(ctx context.Context, id ItemID) (Item, error) {
	l, err := s.Items(ctx, []ItemID{id})
	if err != nil {
		return Item{}, err
	}
	return l[0], nil
}

// Tx reads the number of the newest commit from the lock file, without opening
// the library; 0 if there is none.
func (s *Store) Tx(context.Context) uint64 { return s.lib.ReadTx() }

// Cache is what can be rebuilt: cache.db in CacheDir, under its own locks. A
// damaged cache is thrown away and begun again.
func (s *Store) Cache() *Cache { return &Cache{s.cache} }

// Quiesce waits for the transactions under way in this Store and holds back all
// others, so that the process has no lock of the library or the cache and may be
// stopped. Call resume to go on. It must not be called from within a transaction.
func (s *Store) Quiesce() (resume func()) {
	lib, cache := s.lib.Pause(), s.cache.Pause()
	return func() { lib(); cache() }
}

// Watch sends the number of the newest commit whenever another process, or
// another Store, has committed. Only the newest number is kept if the receiver
// is slow. The channel closes when ctx ends.
func (s *Store) Watch(ctx context.Context) (<-chan uint64, error) { return s.lib.Watch(ctx) }

// Secret returns the reference of value and remembers it: the first record
// written that holds the reference brings the value into the library, in its own
// transaction. Without such a record nothing is written.
func (s *Store) Secret(value string) (ref string) { return s.lib.Secrets.Secret(value) }

// Reveal returns text with the values in place of the references. It is
// ErrSecretLost if the library does not have one of them.
func (s *Store) Reveal(ctx context.Context, text string) (string, error) {
	out, err := s.lib.Secrets.Reveal(text)
	if err == nil {
		return out, nil
	}
	if err := s.lib.Read(ctx, func(t *library.Txn) error { return s.lib.Secrets.Load(t.Tx) }); err != nil && !errors.Is(err, ErrNone) {
		return "", err
	}
	return s.lib.Secrets.Reveal(text)
}

// LockTimeout is how long a method waits for other processes if Options do not say.
const LockTimeout = 10 * time.Second

const cacheName = "cache.db"

// cacheGrow is in what steps cache.db grows: most of it are texts' words, which are to
// take a third of the texts' own place.
const cacheGrow = 1 << 20

// Options of a Store.
type Options struct {
	Dir      string        // of diurna.db and its lock files
	CacheDir string        // of cache.db; empty: Dir
	Wait     time.Duration // for other processes; 0: LockTimeout
	Role     string        // of this process, for others' BusyError: "screen", "fetch"
	Version  string        // of this program, for the NewerError of an older one; short, may be empty
	MaxSize  int64         // of diurna.db in bytes; 0: no limit
	NoSync   bool          // never but as the control of a crash test: commits are lost in a power cut
}

func open(o Options) (*Store, error) {
	if o.Dir == "" {
		return nil, fmt.Errorf("%w: no folder named", ErrUnsafe)
	}
	if o.CacheDir == "" {
		o.CacheDir = o.Dir
	}
	if o.Wait == 0 {
		o.Wait = LockTimeout
	}
	lib := library.New(db.Options{Dir: o.Dir, Wait: o.Wait, Role: o.Role, Version: o.Version, MaxSize: o.MaxSize, NoSync: o.NoSync})
	s := &Store{lib: lib, packAfter: packAfter, Acts: acts.Acts{Lib: lib}, Inbox: filing.Inbox{Lib: lib}, Pages: webpages.Pages{Lib: lib}, Keeper: backups.Keeper{Lib: lib}, Checks: check.Checks{Lib: lib}, cache: db.New(db.Options{Dir: o.CacheDir, Name: cacheName, LockName: "cache.lock", TurnName: "cache.turn", Buckets: []*record.Bucket{record.Meta},
		Wait: o.Wait, Role: o.Role, NoSync: o.NoSync, Grow: cacheGrow})}
	if err := lock.CheckDir(o.Dir); err != nil {
		return nil, err
	}
	fi, err := os.Lstat(s.lib.Path())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s, nil
	case err != nil:
		return nil, err
	}
	if err := lock.CheckFile(s.lib.Path(), fi); err != nil {
		return nil, err
	}
	return s, nil
}

// Store is one library. All its methods may be called from several goroutines.
type Store struct {
	lib   *library.Library
	cache *db.DB
	acts.Acts
	filing.Inbox
	webpages.Pages
	backups.Keeper
	check.Checks
	packAfter int // items that are gone; see pack
}

// Close waits for the transactions under way and refuses later ones.
func (s *Store) Close() error {
	s.lib.Close()
	s.cache.Close()
	return nil
}
