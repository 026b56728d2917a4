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
// the source: store.go (the types), run.go (one transaction), state.go (what a
// change does), act.go, undo.go, file.go, model.go, check.go.
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

// Exists tells whether there is a library.
func (s *Store) Exists() bool { return s.lib.exists() }

// Path is where the library is or will be.
func (s *Store) Path() string { return s.lib.path() }

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
func (s *Store) Tx(context.Context) uint64 { return s.lib.readTx() }

// Cache is what can be rebuilt: cache.db in CacheDir, under its own locks. A
// damaged cache is thrown away and begun anew.
func (s *Store) Cache() *Cache { return &Cache{s.cache} }
