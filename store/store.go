// Package store keeps facts and state in one bbolt file, each method one
// transaction.
//
// Start with Open, which creates and touches nothing; Act with a Subscribed
// change makes the library. Shelf reads everything of a first frame, Act does
// one undoable thing, File takes in what a fetch brought, and Check proves that
// the state is what the facts add up to.
//
// A method takes its turn among all processes (two lock files), opens the
// database, runs, commits and closes it again: no transaction outlives a call.
// Whatever a method returned without an error is on the disk. Reading order of
// the source: store.go (the types; those of the records are in store/record),
// txn.go (one transaction, on top of store/db), state.go (what a change does), act.go, undo.go,
// file.go, check.go.
package store

import (
	"context"
	"time"
)

// Row is an item as lists show it.
type Row struct {
	ID            ItemID
	At            int64  // unix s: the earlier of published and first seen, or where Placed says
	Words         uint32 // of the body
	Flags         Flags
	Title, Author string
	Tags          []string // sorted
	Was           string   // with FlagChanged, the title as its reader knows it; "" if that did not change
	Muted         int      // number of the rule that keeps it out of the unread items, with FlagRead; 0: none
}

// Which chooses a list.
type Which uint8

// The lists, each newest first.
const (
	Unread    Which = iota // unread items of live feeds
	All                    // all items of live feeds
	SavedRows              // saved items of live feeds
	ReadRows               // read items of live feeds
)

// Cursor is a place in a list: rows after it are older. The zero Cursor is the top.
type Cursor struct {
	At int64
	ID ItemID
}

// After is the place just below row r.
func After(r Row) Cursor { return Cursor{r.At, r.ID} }

// RowQuery asks for rows.
type RowQuery struct {
	Which  Which
	Feed   FeedID // 0: all live feeds
	Limit  int    // 0: all
	Before Cursor // only rows below this place
}

// Subscription is a feed to be added. Only URL is required.
type Subscription struct {
	URL, Title, Folder   string
	Tags                 []string
	Hidden, AllowPrivate bool
	Attrs                map[string]string
}

// Change is one deliberate thing. Items for MarkedRead, MarkedUnread, Saved,
// Unsaved, Tagged and Untagged (Value is the tag); Feed for Unsubscribed and
// Adjusted (Field and Value; of feed 0 the value is the library's, what Meta
// reads); Sub for Subscribed; anything for Taught.
type Change struct {
	Kind         Kind
	Items        []ItemID
	Feed         FeedID
	Field, Value string
	Sub          *Subscription
	Was          *string // of a value of the library: it must still be this, else ErrStale
}

// Done says what Act did. Feeds holds the feed of each Subscribed change in
// their order, Had whether it was subscribed already; Items those that changed.
type Done struct {
	Step    uint64 // 0: nothing changed, so there is nothing to undo
	Changed int    // items, or feeds where no item was named
	Feeds   []FeedID
	Had     []bool
	Items   []ItemID
}

// Step is one deliberate act, as a log shows it.
type Step struct {
	No         uint64
	At         time.Time
	Kind       Kind // of its first fact
	Feed       FeedID
	Count      int // items changed, or facts about feeds
	Scope, New string
	Field      string
	Undone     bool
	Items      []ItemID // only from Undo and Redo: the items it touched
}

// Totals are the library's counters, over live feeds.
type Totals struct {
	Feeds, Items, Unread, Saved int
	Hidden                      int    // of Unread: in hidden feeds; only from Totals and Front
	Facts                       uint64 // number of the newest fact
	Tx                          uint64 // changes with every commit
}

// Shelf is everything of a first frame, from one transaction.
type Shelf struct {
	Feeds  []Feed // live ones, by ID
	Totals Totals
	Rows   []Row
}

// Finding is one thing that is wrong: "read: state says unread, facts say read"
// at "b7q-41".
type Finding struct{ What, Where string }

// Report is the result of Check. Good means Findings is empty; no more than
// 1,000 are kept, Dropped counts the others.
type Report struct {
	Findings     []Finding
	Dropped      int
	Feeds, Items int
	Facts        uint64
	Records      int
	Revisions    int   // of watched pages
	Size, Free   int64 // bytes of the file, and of its free pages
	BodyBytes    int64 // of unpacked bodies
}

// Patience is how long a method waits for other processes if Options do not say.
const Patience = 10 * time.Second

// Options of a Store.
type Options struct {
	Dir      string        // of diurna.db and its lock files
	CacheDir string        // of cache.db; empty: Dir
	Wait     time.Duration // for other processes; 0: Patience
	Role     string        // of this process, for others' BusyError: "screen", "fetch"
	Version  string        // of this program, for the NewerError of an older one; short, may be empty
	MaxSize  int64         // of diurna.db in bytes; 0: no limit
	NoSync   bool          // never but as the control of a crash test: commits are lost in a power cut
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
// damaged cache is thrown away and begun anew.
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
