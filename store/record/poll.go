package record

import "time"

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
	Brought               int       // items that ever came, also those whose rows were removed
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
	Err                               string    // a user's sentence
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
	NextReason                        SlotReason
	Checks                            []int64 // unix s of checks since the last Fetched fact; File moves them into the next one
	Days                              [28]DayCount
	Window                            int // items in the last document
	GuidPolicy                        uint8

	ReadAt      int64       // unix s of the last whole answer, or of the last time that "not changed" was doubted
	MoveWaits   bool        // a trusted move is the user's to decide
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
	Present     string      // which items the last whole document had, as Runs writes them; "": not known
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
	State                       PageState
	Score                       float64 // of the last reported change, with the next four
	Changed                     int64   // when, unix s
	Class                       ChangeClass
	Why                         string
	Item                        uint32      // number of its item
	Fetches, Differed, Children int         // answers that were the page; of them with a changed word; child pages
	LastClass                   ChangeClass // of the last comparison, reported or not
	LastScore                   float64
	LastAt                      int64  // when, unix s
	Held                        string // why it was not reported, besides its class and score
}

// Answered reports whether the feed ever answered. If not, what is stored of it another
// program kept, perhaps long ago and from elsewhere.
func (p *Poll) Answered() bool { return !p.LastOK.IsZero() }
