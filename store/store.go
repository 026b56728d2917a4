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
// the source: store.go (the face; filing.go, webpages.go, salvage.go, secrets.go,
// errors.go, ids.go and the methods of Cache in their files belong to it),
// run.go (one transaction), state.go (what a change does), act.go, undo.go,
// file.go, model.go, check.go.
package store

import (
	"context"
	"time"
)

// Kind says what a Fact tells. The numbers are on disk: never change one.
type Kind uint8

// The kinds of facts.
const (
	Subscribed   Kind = 1
	Unsubscribed Kind = 2
	Adjusted     Kind = 3 // a feed's field: title, folder, tags (one a line), url, hidden, allow_private, or a name of your own; of feed 0 the library's value of that name
	Fetched      Kind = 4
	Arrived      Kind = 5
	Edited       Kind = 6 // by the publisher
	Shown        Kind = 7
	Looked       Kind = 8
	Opened       Kind = 9 // makes read; no step
	MarkedRead   Kind = 10
	MarkedUnread Kind = 11
	Saved        Kind = 12
	Unsaved      Kind = 13
	Tagged       Kind = 14
	Untagged     Kind = 15
	Undone       Kind = 16
	Redone       Kind = 17
	Asked        Kind = 18 // somebody wants a feed fetched
	Taught       Kind = 19 // the evidence was adjusted by hand
	Forgotten    Kind = 20 // an opening that is not remembered as one: its items are read
	Placed       Kind = 21 // items that stand elsewhere in the lists than their arrival says: a clock was wrong
)

// Dateless stands in Fact.Nums of an Arrived fact for an item without a date.
const Dateless = int64(-1 << 62)

// Fact is one thing that happened. Facts are only ever appended.
type Fact struct {
	No    uint64    // 1, 2, 3, ...
	Kind  Kind      //
	At    time.Time // to the millisecond, in the writer's UTC offset, so that local time of day can be learned
	Step  uint64    // No of the first fact of its step; 0: no deliberate act
	Feed  FeedID    // 0: of no single feed
	Items []ItemID  // ascending; for a deliberate act only those it really changed
	Ref   uint64    // Undone, Redone: the step; Fetched: the Looked fact that started the fetch, 0 for none
	// Field, Old and New: of Adjusted the field's name and its values, of Tagged,
	// Untagged and Taught the word in New, of Subscribed the address in New. Of
	// Fetched Field is the outcome's kind and New the feed's own title where it
	// changed.
	Field, Old, New string
	Scope           string  // first fact of a step: "River", "folder:comics older:1w", "import feeds.opml"
	Nums            []int64 // Arrived: published minus At in s, an item each, or Dateless; Placed: the place minus At in s, an item each; Fetched: see Fetch; else the writer's
	Unread          []bool  // Arrived: which came unread; Edited: which were made unread again
}

// Flags are an item's state in a list.
type Flags uint8

// The flags.
const (
	FlagRead    Flags = 1
	FlagSaved   Flags = 2
	FlagChanged Flags = 4 // edited by its publisher after it was read, or a change of a watched page; Opened clears it
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

// Feed is a subscription with its counters and how fetching goes.
type Feed struct {
	ID                    FeedID
	URL                   string
	Title                 string // given by the reader, or else the publisher's
	GivenTitle, FeedTitle string // the two of them
	Site, Folder, Format  string
	Tags                  []string
	Hidden, AllowPrivate  bool
	Attrs                 map[string]string // unknown OPML attributes, and settings by name
	Subscribed            time.Time         // first time
	Removed               bool
	Items, Unread, Saved  int
	LastPost              time.Time // newest Row.At; zero: no items
	Poll                  Poll
}

// DayCount counts one day of fetching a feed.
type DayCount struct {
	Day                  int32 // days since 1970-01-01
	Requests, NotChanged uint16
	KB                   uint32
}

// Poll is the exact state of fetching one feed. It is not folded from facts.
type Poll struct {
	ETag, LastModified, ValidatorsFor string // byte for byte, and the URL they came from
	BodyHash                          uint64
	LastFetch, LastOK, LastNew        time.Time
	Status                            int // HTTP
	Outcome                           Answer
	Err                               string    // a person's sentence
	Since                             time.Time // of the trouble
	Tries                             int
	NotBefore                         time.Time
	NotBeforeBy                       Wait
	TTL                               time.Duration
	SkipHours, SkipDays               []int
	MovedTo                           string
	MovedSince                        time.Time
	MovedSeen                         int
	Gone, Partial                     bool
	NextFetch                         time.Time
	NextReason                        string
	Checks                            []int64 // unix s of checks since the last Fetched fact; File moves them into the next one
	Days                              [28]DayCount
	Window                            int // items in the last document
	GuidPolicy                        uint8

	ReadAt      int64       // unix s of the last whole answer, or of the last time that "not changed" was doubted
	MoveWaits   bool        // a trusted move is the person's to decide
	Self        string      // what the document calls its own address
	Adopted     string      // the new address that was taken once: when undone, not again
	TitlesTaken bool        // its items' titles were taken over with the last document: what differs is an edit
	SharedIDs   string      // ids that different items bore, so that they name nothing
	LeftOut     int         // how many items of the last document were beyond the most that are read
	NoNetwork   bool        // the last try did not leave this machine
	Trouble     Trouble     // what Err is about
	BusyRun     int         // how often in a row the host answered 429 or 503, whichever its feed
	Lost        []Loss      // fetches of the last 28 days that showed nothing known, oldest first
	Fetches     []FetchMark // of late
	Watch       WatchPoll   // of a watched page
}

// Loss is a fetch, At, that showed none of the items that were Known at another,
// in unix seconds.
type Loss struct{ Known, At int64 }

// FetchMark is N fetches of one feed at one moment. What redirects lead to is part
// of the same fetch; a page watched with what it leads to makes several. Moments
// are kept, not a day's count: which day they belong to depends on where the
// reader is by now, and a reader who travels must neither be granted a day's
// fetches twice nor go without.
type FetchMark struct {
	At     int64 // unix s
	N      int
	Opened bool // because the screen was opened
}

// WatchPoll is what the row of a watched page shows, and what advice is made of.
type WatchPoll struct {
	State                       string  // a word for the last answer, "" if it was the page
	Score                       float64 // of the last reported change, with the next four
	Changed                     int64   // when, unix s
	Class, Why                  string
	Item                        uint32 // number of its item
	Fetches, Differed, Children int    // answers that were the page; of them with a changed word; child pages
	LastClass                   string // of the last comparison, reported or not
	LastScore                   float64
	LastAt                      int64  // when, unix s
	Held                        string // why it was not reported, besides its class and score
}

// Enclosure is a file that comes with an item, as its record has it.
type Enclosure struct {
	URL    string `cbor:"1,keyasint,omitempty"`
	Type   string `cbor:"2,keyasint,omitempty"` // media type
	Title  string `cbor:"3,keyasint,omitempty"`
	Length int64  `cbor:"4,keyasint,omitempty"` // bytes; 0: unknown
}

// Item is everything about an item but its body.
type Item struct {
	ID                            ItemID
	IDRaw, Title, Link, Author    string
	Published, Updated, FirstSeen time.Time // zero: unknown
	Categories                    []string
	Enclosures                    []Enclosure
	Words                         int
	Flags                         Flags
	Tags                          []string
	Edits                         int       // by the publisher
	Woken                         int       // how often an edit made it unread again
	WokenAt                       time.Time // the last time
	Hash                          uint64    // of the content, the filer's
	BodySize                      int       // bytes of HTML and Summary
	Corrected                     int       // how often a Correction was taken
	CorrectedAt                   time.Time // the last time
}

// Body is an item's text as it was filed.
type Body struct{ HTML, Summary string }

// Revision is what an item said before its publisher edited it. Until is when
// the edit was filed.
type Revision struct {
	Until time.Time
	Title string
	Body  Body
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

// Close waits for the transactions under way and refuses later ones.
func (s *Store) Close() error { return s.close() }

// Exists tells whether there is a library.
func (s *Store) Exists() bool { return s.lib.exists() }

// Path is where the library is or will be.
func (s *Store) Path() string { return s.lib.path() }

// Shelf reads the live feeds, the totals and the newest n rows of w (0: none,
// negative: all).
func (s *Store) Shelf(ctx context.Context, w Which, n int) (Shelf, error) { return s.shelf(ctx, w, n) }

// Front reads what a first frame needs and no more, however large the library:
// the totals, the newest n unread rows of feeds that are not hidden, and the feeds
// of these rows.
func (s *Store) Front(ctx context.Context, n int) (Shelf, error) { return s.front(ctx, n) }

// Feeds reads the live feeds by ID.
func (s *Store) Feeds(ctx context.Context) ([]Feed, error) { return s.feeds(ctx, false) }

// FeedsAll reads all feeds there ever were, by ID.
func (s *Store) FeedsAll(ctx context.Context) ([]Feed, error) { return s.feeds(ctx, true) }

// Totals reads the library's counters: a few records.
func (s *Store) Totals(ctx context.Context) (Totals, error) { return s.totals(ctx) }

// UnreadAmong counts those of ids that are unread items of live feeds.
func (s *Store) UnreadAmong(ctx context.Context, ids []ItemID) (int, error) {
	return s.unreadAmong(ctx, ids)
}

// Rows reads a list, newest first. A list read to its end is counted against the
// counters: a lost page is an ErrDamaged, never a shorter list.
func (s *Store) Rows(ctx context.Context, q RowQuery) ([]Row, error) { return s.rows(ctx, q) }

// Item reads one item, also of a removed feed.
func (s *Store) Item(ctx context.Context, id ItemID) (Item, error) {
	l, err := s.items(ctx, []ItemID{id})
	if err != nil {
		return Item{}, err
	}
	return l[0], nil
}

// Items reads several items in the order of ids; ErrUnknown if one is not there.
func (s *Store) Items(ctx context.Context, ids []ItemID) ([]Item, error) { return s.items(ctx, ids) }

// Body reads one item's text.
func (s *Store) Body(ctx context.Context, id ItemID) (Body, error) { return s.body(ctx, id) }

// Bodies calls visit with the text of each of ids, in their order. Ascending ids
// are read fastest. visit must not block, nor call the Store; the group of 512
// around a failed read may be visited again.
func (s *Store) Bodies(ctx context.Context, ids []ItemID, visit func(ItemID, Body)) error {
	return s.bodies(ctx, ids, visit)
}

// Revisions reads what an item said before its edits, oldest first.
func (s *Store) Revisions(ctx context.Context, id ItemID) ([]Revision, error) {
	return s.revisions(ctx, id)
}

// Facts calls visit for every fact after number after, in order, and returns the
// number of the last. The Fact and its slices are reused for the next call: copy
// what you keep. visit must not block, nor call the Store.
func (s *Store) Facts(ctx context.Context, after uint64, visit func(*Fact) error) (last uint64, err error) {
	return s.facts(ctx, after, visit)
}

// Steps reads the newest steps, newest first; limit 0: all.
func (s *Store) Steps(ctx context.Context, limit int) ([]Step, error) { return s.steps(ctx, limit) }

// Meta reads a small value kept under key; nil if there is none.
func (s *Store) Meta(ctx context.Context, key string) ([]byte, error) { return s.meta(ctx, key) }

// SetMeta keeps a small value under key; nil removes it.
func (s *Store) SetMeta(ctx context.Context, key string, val []byte) error {
	return s.setMeta(ctx, key, val)
}

// Act does one deliberate thing as one step: all of changes or, with an error,
// nothing. Only what really changes is recorded; if nothing does there is no
// step. A Subscribed change makes the library if there is none. Errors:
// ErrUnknown for an unknown feed or item, ErrTaken, ErrInvalid.
func (s *Store) Act(ctx context.Context, now time.Time, scope string, changes ...Change) (Done, error) {
	return s.act(ctx, now, scope, changes)
}

// Undo takes a step back: the newest not undone, or the one named if no later
// step that still holds touches the same (else ErrDepends). Steps up to number
// after are left alone (ErrNothing). The step returned says what was taken back.
func (s *Store) Undo(ctx context.Context, now time.Time, step, after uint64) (Step, error) {
	return s.undo(ctx, now, step, after)
}

// Redo does again what was undone last; ErrNothing if an act came since.
func (s *Store) Redo(ctx context.Context, now time.Time) (Step, error) { return s.redo(ctx, now) }

// Note records Looked, Opened (which makes its items read), Shown, Asked and
// Taught facts. They are no steps. No and Step are filled in; a zero At is now.
func (s *Store) Note(ctx context.Context, now time.Time, facts ...Fact) error {
	return s.note(ctx, now, facts)
}

// Forget rewrites the log: what the facts since then tell about interest (shown,
// opened, taught) is gone, and cannot be undone; read stays read. It returns how
// many facts were changed. Free pages hold old bytes until Compact.
func (s *Store) Forget(ctx context.Context, since time.Time) (int, error) {
	return s.forget(ctx, since)
}

// Check proves the library: the file's pages, every record's checksum, the links between records,
// state = fold(facts); full also unpacks every body.
// progress may be nil; it gets what is being checked, how far, of how many. A
// library too damaged to be read to the end is a Finding, not an error.
func (s *Store) Check(ctx context.Context, full bool, progress func(what string, done, of int)) (Report, error) {
	return s.check(ctx, full, progress)
}

// Backup writes a checked copy of the library to path, atomically. What is at
// path is replaced only if it is a regular file.
func (s *Store) Backup(ctx context.Context, path string) error { return s.backup(ctx, path) }

// Descent tells which library the file at path holds and how far it goes; "" is
// this library. For a file no lock is taken: it must be at rest, as a backup is.
func (s *Store) Descent(ctx context.Context, path string) (Descent, error) {
	return s.descent(ctx, path)
}

// Writable finds out whether the library could be written now, and writes
// nothing. Errors: ErrReadOnly, ErrUnsafe, ErrNone.
func (s *Store) Writable(ctx context.Context) error { return s.writable(ctx) }

// Compact rewrites the library without its free pages and returns its sizes
// before and after in bytes. Others read and write meanwhile; they wait for
// milliseconds at a time. Errors: ErrReplaced; a BusyError if somebody compacts.
func (s *Store) Compact(ctx context.Context) (before, after int64, err error) { return s.compact(ctx) }

// Restore puts the backup at path in the library's place, where it begins a new
// line of descent. It must check first.
// What was there is set aside and its new path returned, empty if nothing was.
// Errors: BackupError.
func (s *Store) Restore(ctx context.Context, now time.Time, path string) (aside string, err error) {
	return s.restore(ctx, now, path)
}

// Quarantine sets the library aside as diurna.db.damaged-2006-01-02 (or -2, -3)
// and returns that path. There is no library afterwards.
func (s *Store) Quarantine(ctx context.Context, now time.Time) (string, error) {
	return s.quarantine(ctx, now)
}

// FetchLock tries to become the one process that fetches, without waiting. If
// another is, the lock returned is not held and the error is a BusyError that
// names it; Wait then waits for it.
func (s *Store) FetchLock(role string) (*FetchLock, error) { return s.fetchLock(role) }

// HostTurn books the start of a request to host among all processes that share
// the folder of the cache: gap after the last one, or now. was, if not zero, is a
// start booked earlier that went by unused; if it is still the last one it is moved
// to now. Where nothing can be written it is now.
func (s *Store) HostTurn(host string, gap time.Duration, now, was time.Time) time.Time {
	return s.hostTurn(host, gap, now, was)
}

// Watch sends the number of the newest commit whenever another process, or
// another Store, has committed. Only the newest number is kept if the receiver
// is slow. The channel closes when ctx ends.
func (s *Store) Watch(ctx context.Context) (<-chan uint64, error) { return s.watch(ctx) }

// Tx reads the number of the newest commit from the lock file, without opening
// the library; 0 if there is none.
func (s *Store) Tx(context.Context) uint64 { return s.lib.readTx() }

// Cache is what can be rebuilt: cache.db in CacheDir, under its own locks. A
// damaged cache is thrown away and begun anew.
func (s *Store) Cache() *Cache { return &Cache{s.cache} }
