// Package reader turns the web into a list of items: it fetches what is due, keeps
// what is new, remembers what you did and says what to read next. Every change
// to the library goes through here.
//
// Start with New, then Snapshot for the first screen, Look and Subscribe for a new
// feed, Fetch for the net and Rows, Open and Mark for reading. Types stand in this
// file, library.go (the library as a whole), watched.go (watching pages) and rhythm.go;
// each method stands with what it does. Of the parts, reader/plan says when feeds are
// fetched, reader/interest ranks, reader/doctor checks and copies the library, and reader/model
// holds the types that they share.
package reader

import (
	"context"
	"encoding/json"
	"net/http"
	"net/netip"
	"time"

	"diurna/reader/discover"
	"diurna/reader/fetch"
	"diurna/reader/fulltext"
	"diurna/reader/interest"
	"diurna/reader/model"
	"diurna/reader/plan"
	"diurna/reader/query"
	"diurna/reader/retention"
	"diurna/reader/rules"
	"diurna/reader/search"
	"diurna/reader/watch"
	"diurna/reader/web"
	"diurna/reader/wording"
	"diurna/scheduler"
	"diurna/store"
)

// The store's identifiers and list rows are the reader's own: the screen sees
// them through these names and never imports the store.
type (
	FeedID = store.FeedID
	ItemID = store.ItemID
	Row    = store.Row
	Flags  = store.Flags
)

// How the fetch of a feed ended, and how a feed is doing.
type (
	Outcome   = model.Outcome
	FeedState = model.FeedState
)

// Settings are what a user set of a feed; Learning is how it stands to Ranked.
type (
	Settings = model.Settings
	Learning = model.Learning
)

// The ways to stand to Ranked.
const (
	LearnedFrom = model.LearnedFrom
	Pinned      = model.Pinned
	Excluded    = model.Excluded
)

// Wait is the cause of a wait, of which WaitStatus and WaitServer are kinds.
type Wait = store.Wait

// The causes of a wait that a user sees.
const (
	WaitServer = store.WaitServer
	WaitStatus = store.WaitStatus
)

// The outcomes of a fetch; see model.
const (
	OutcomeNotChanged = model.OutcomeNotChanged
	OutcomeFailed     = model.OutcomeFailed
	OutcomeEarly      = model.OutcomeEarly
	OutcomeFirst      = model.OutcomeFirst
	OutcomeNew        = model.OutcomeNew
	OutcomeEdited     = model.OutcomeEdited
)

// RuleServer is the rule that the screen words on its own.
const RuleServer = model.RuleServer

// The states of a feed; see model.
const (
	FeedOK      = model.FeedOK
	FeedNew     = model.FeedNew
	FeedFailing = model.FeedFailing
	FeedGone    = model.FeedGone
	FeedMoved   = model.FeedMoved
)

// What a Row's flags say.
const (
	FlagRead    = store.FlagRead
	FlagSaved   = store.FlagSaved
	FlagChanged = store.FlagChanged
)

// ParseItemID and ParseFeedID read the short ids that lists print ("b7q-41",
// "b7q"); ok is false for anything else.
func ParseItemID(s string) (ItemID, bool) { return store.ParseItemID(s) }
func ParseFeedID(s string) (FeedID, bool) { return store.ParseFeedID(s) }

// Net is what config.toml's [net] may say. The zero value means the etiquette
// that publishers wish for: one connection a host, 5 s between two requests to it, 8
// hosts at once, an hour between polls of one URL, 10 minutes by hand.
type Net struct {
	AllowPrivate    []netip.Prefix // private networks that may be reached, imports and redirects included
	PerHost         int            // connections a host; 0: 1
	MinHostInterval time.Duration  // between the starts of two requests to a host; 0: 5 s, negative: none
	HostsAtOnce     int            // 0: 8
	MinPoll         time.Duration  // between two polls of one URL; 0: 60 min, negative: none
	MinManual       time.Duration  // the same when asked for by hand; 0: 10 min, negative: none
	MinRetry        time.Duration  // first wait after an error; 0: 1 h
	SecondFetch     time.Duration  // between the two fetches a new watch begins with; 0: 5 s, negative: no second one
}

// Options of a Reader.
type Options struct {
	Version   string // of the program, for the User-Agent
	Home      string // the address that the User-Agent names for publishers; empty: the project's
	Role      string // "screen", "run", "fetch", "add": what fetch.lock says of its holder
	Net       Net
	Transport http.RoundTripper // a fake web in tests; nil: the net
	PerDay    int               // fetches per feed and day; 0: 6
	PlanFor   scheduler.PlanFor // what the budget is spent on
	NovelOnly bool              // plan for novel items only
	Retention retention.Ages    // after which texts and rows that were read go
	RulesLost bool              // config.toml may have rules, and is not understood: nothing comes in
	Rules     []Rule            // of config.toml
	// Credentials are the headers that a host wants, as config.toml's commands give them.
	Credentials fetch.Credentials
}

// Totals of the library; of live feeds only. Unread is what River holds: items
// of hidden feeds do not count.
type Totals struct {
	Feeds, Items, Unread, Saved int
}

// Query is a question to the library: see query.Parse.
type Query = query.Query

// The domain's types, which the parts of the reader share.
type (
	Feed      = model.Feed
	Item      = model.Item
	Enclosure = model.Enclosure
	Article   = model.Article
	FullText  = model.FullText
)

// Snapshot is what a first screen needs, read in one transaction.
type Snapshot struct {
	Rows    []Row  // the newest of River, at most as many as asked for
	Feeds   []Feed // those of Rows
	Totals  Totals
	Tx      uint64 // number of the library's last transaction
	Empty   bool   // no feed was ever subscribed to
	Partial bool   // there are more feeds or rows than these
}

// Done is what a deliberate act changed.
type Done = model.Done

// Act is what Mark does to items.
type Act uint8

// The acts on items. Tag and Untag need a tag.
const (
	MarkRead Act = iota + 1
	MarkUnread
	Save
	Unsave
	Tag
	Untag
)

// Step is one deliberate change, as log lists and undo takes back.
type Step struct {
	No     uint64
	At     time.Time
	What   string // "214 marked read in River", a user's words
	Undone bool
	Feeds  []FeedID
	Items  []ItemID
}

// MarshalJSON writes {no,at,what,undone}.
func (s Step) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		No     uint64         `json:"no"`
		At     wording.Moment `json:"at"`
		What   string         `json:"what"`
		Undone bool           `json:"undone"`
	}{s.No, wording.Moment{Time: s.At}, s.What, s.Undone})
}

// What is found at an address.
type (
	Candidate = discover.Candidate
	Found     = discover.Found
	Preview   = discover.Preview
)

// SubscribeOptions are what a user may say while adding.
type SubscribeOptions struct {
	Title     string
	Folder    string
	Tags      []string
	AllUnread bool
}

// Subscribed is what adding a feed brought.
type Subscribed struct {
	Step   uint64
	Feed   Feed
	Items  int
	Unread int
}

// FetchRequest says what to fetch. With no Feeds it is one step of the plan:
// what is due. All asks for everything that the rules between us and the
// publishers allow now.
type FetchRequest struct {
	Feeds []FeedID // by hand: the shorter floor holds
	All   bool
}

// FetchResult is how the fetch of one feed ended.
type FetchResult struct {
	Feed     FeedID
	Title    string
	Outcome  Outcome
	New      int
	Edited   int
	Reported []watch.Notification // what is rung for: filed changes of a watched page, items that a rule notifies of
	Called   []rules.Call         // what rules of config.toml run commands for
	Bytes    int64
	Took     time.Duration
	Kind     string    // of a failure without an answer that could be used, as reader/fetch sorts them: "timeout"; "": none
	Err      string    // the user's sentence when failed, or cut short
	Since    time.Time // of the trouble; of Back when that began
	Back     string    // of a watched page that is itself again: what stood in its place, "404 not found"
	Next     time.Time
	Rule     model.RuleKind // for early: what forbade the fetch
	Why      string         // for early: "the server asks for an hour"; of a page that is not changed: "changed, not reported: order only (score 0.3)"
	LeftOut  string         // its document has more items than are read: the sentence; "": it has not
	Lost     string         // items came and went since the fetch before: the sentence; "": none are known to
}

// ReachedNobody reports whether no server was reached at all: then the fault is probably in
// this machine's connection, not in the feed.
func (f *FetchResult) ReachedNobody() bool { return f.reachedNobody() }

// Progress is sent while fetching: Done of Total feeds are settled.
type Progress struct {
	Done, Total int
	Result      *FetchResult // the one just settled; nil at the start
	Waiting     string       // "pid 4211 (run)" fetches and has given no sign for a while
}

// FetchReport sums up a fetch.
type FetchReport struct {
	Results   []FetchResult // in order of settling
	Fetched   int           // answered or failed
	Failed    int           // of Fetched
	Early     int           // a rule did not allow a fetch yet
	Waiting   int           // of Early: their servers asked for it
	New       int           // items
	Elsewhere bool          // another process holds fetch.lock and served it
}

// Reader is the library with the web behind it. Its methods are safe for use
// by several goroutines; none keeps the library open between calls.
type Reader struct {
	store    *store.Store
	opts     Options
	web      *web.Client
	plan     *plan.Planner
	interest *interest.Ranker
	texts    *search.Searcher
	rules    *rules.Keeper
	refresh  *refresher
	at       time.Time // when everything happens; zero: as it happens
}

//go:noinline // 21 places
func (r *Reader) now() time.Time {
	if r.at.IsZero() {
		return time.Now()
	}
	return r.at
}

// New returns a Reader over s. It touches neither disk nor net.
func New(s *store.Store, o Options) *Reader {
	o = o.withDefaults()
	r := &Reader{store: s, opts: o, web: newClient(o, s)}
	r.interest = interest.New(s, r, func(ctx context.Context, now time.Time) (map[FeedID]int, error) { return r.plan.Rates(ctx, now) })
	r.texts = search.NewSearcher(s, r)
	r.rules = rules.NewKeeper(s.RuleBook(), s, r, o.Rules, o.RulesLost)
	r.refresh = newRefresher(r.store, &r.opts, r.interest, r.texts, r.rules)
	r.plan = r.refresh.plan
	r.refresh = r.refresh.on(r.web, r, r.now)
	return r
}

// Close ends idle connections. The store stays its owner's.
func (r *Reader) Close() error { r.web.Close(); return nil }

// Exists reports whether there is a library at all; reading never makes one.
func (r *Reader) Exists() bool { return r.store.Exists() }

// TagName is the form in which a tag is kept: one word without the signs that
// queries use; "" if nothing is left.
func TagName(tag string) string { return model.TagName(tag) }

// Fetch fetches and files. Progress may be nil. Failing feeds are data in the
// report, never an error.
func (r *Reader) Fetch(ctx context.Context, q FetchRequest, progress func(Progress)) (FetchReport, error) {
	if err := r.rules.Known(); err != nil {
		return FetchReport{}, err
	}
	return r.refresh.fetch(ctx, q, progress)
}

// Retain removes the texts and rows that are past their retention, once a day and a few
// thousand at most. say is a sentence for the user where no retention is set and could be;
// it comes once.
func (r *Reader) Retain(ctx context.Context) (say string, err error) {
	keeper := retention.New(r.store, r.opts.Retention, r.texts.Touched)
	if _, err = keeper.Run(ctx, r.now()); err == nil {
		say, err = keeper.Offer(ctx, r.now())
	}
	return say, err
}

// Run fetches by the plan until ctx ends, as the screen and `diurna run` do. It holds
// fetch.lock or waits for its holder. tell, which may be nil, is called with what happens,
// from one goroutine. Fetches missed while the machine slept are spread out by the plan,
// never made in a burst. The error is the library's.
func (r *Reader) Run(ctx context.Context, tell func(Event)) error {
	if err := r.rules.Await(ctx, r.opts.Role == "screen"); err != nil || ctx.Err() != nil {
		return err
	}
	return r.refresh.run(ctx, tell)
}

// Changes signals the screen that this process filed something: a value arrives after each
// commit of fetched items. Signals merge when they are received slowly.
func (r *Reader) Changes() <-chan struct{} { return r.refresh.news.ch }

// At returns the same reader with its clock set to t, to replay a recorded or made-up past.
// The zero time means the present again.
func (r *Reader) At(t time.Time) *Reader {
	past := *r
	past.at, past.web = t, r.web.On(t)
	past.refresh = r.refresh.on(past.web, &past, past.now)
	return &past
}

// Later moves all that happened in the library d later, in the given zone: see store.Later.
func Later(ctx context.Context, r *Reader, d time.Duration, zone *time.Location) error {
	return r.store.Later(ctx, d, zone, func(note []byte) ([]byte, error) {
		if fulltext.IsNote(note) {
			return note, nil
		}
		return watch.LaterNote(note, d, zone)
	})
}
