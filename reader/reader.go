// Package reader turns the web into a shelf: it fetches what is due, keeps
// what is new, remembers what you did and says what to read next. Every change
// to the library goes through here.
//
// Start with New, then Shelf for the first screen, Look and Subscribe for a new
// feed, Fetch for the net and Rows, Open and Mark for reading. The face of the
// package is this file, query.go, library.go (the library as a whole), pages.go
// (watching pages), secrets.go (what is secret in addresses), ranked.go (order and
// what is learned for it), rhythm.go, stats.go, freshness.go and why.go (when is
// fetched, and why); the others are how.
package reader

import (
	"context"
	"net/http"
	"net/netip"
	"time"

	"diurna/reader/feed"
	"diurna/reader/interest"
	"diurna/reader/model"
	"diurna/reader/plan"
	"diurna/scheduler"
	"diurna/store"
)

// The store's identifiers and list rows are the shelf's own: the screen sees
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

// Wait is the cause of a wait, of which WaitStatus and WaitServer are kinds.
type Wait = store.Wait

// ParseWait reads the words of a Wait.
func ParseWait(words string) Wait { return store.ParseWait(words) }

// The causes of a wait that a person is told of.
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

// ParseFeedID reads a feed's short id.
func ParseFeedID(s string) (FeedID, bool) { return store.ParseFeedID(s) }

// Net is what config.toml's [net] may say. The zero value means the etiquette
// of a good guest: one connection a host, 5 s between two requests to it, 8
// hosts at once, an hour between polls of one URL, 10 minutes by hand.
type Net struct {
	AllowPrivate []netip.Prefix // private networks that may be reached, imports and redirects included
	PerHost      int            // connections a host; 0: 1
	PerHostEvery time.Duration  // between the starts of two requests to a host; 0: 5 s, negative: none
	HostsAtOnce  int            // 0: 8
	MinPoll      time.Duration  // between two polls of one URL; 0: 60 min, negative: none
	MinManual    time.Duration  // the same when asked for by hand; 0: 10 min, negative: none
	MinRetry     time.Duration  // first wait after an error; 0: 1 h
	SecondFetch  time.Duration  // between the two fetches a new watch begins with; 0: 5 s, negative: no second one
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
}

// Totals of the library; of live feeds only. Unread is what River holds: items
// of hidden feeds do not count.
type Totals struct {
	Feeds, Items, Unread, Saved int
}

// The domain's types, which the parts of the reader share.
type (
	Feed      = model.Feed
	Loss      = model.Loss
	Item      = model.Item
	Enclosure = model.Enclosure
	Article   = model.Article
)

// Shelf is what a first screen needs, read in one transaction.
type Shelf struct {
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
	No     uint64    `json:"no"`
	At     time.Time `json:"at"`
	What   string    `json:"what"` // "214 marked read in River", a person's words
	Undone bool      `json:"undone"`
	Feeds  []FeedID  `json:"-"`
	Items  []ItemID  `json:"-"`
}

// Candidate is a feed that Look found, already fetched unless Err says why not.
type Candidate struct {
	URL      string
	Title    string
	Format   string
	Items    []Item // newest first
	PerDay   float64
	Fresh    int    // items that would come unread
	Known    FeedID // already subscribed to, 0: not
	KnownAs  string // "sea/Harbour Gazette since 3 Mar"
	Comments bool
	Problems []string
	Err      error // fetching or reading this one failed
	Fetched  bool  // false: call Fill before it is shown or kept

	got *harvest // what was fetched, so that subscribing needs no second request
}

// Found is the answer to an address.
type Found struct {
	Address    string // as understood: https://harbour.example
	Candidates []Candidate
	List       string // an OPML or urls file was named: its path; then there are no candidates
}

// SubscribeOptions are what a person may say while adding.
type SubscribeOptions struct {
	Title        string
	Folder       string
	Tags         []string
	AllUnread    bool
	AllowPrivate bool
}

// Subscribed tells what adding brought.
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

// FetchResult is how one feed fared.
type FetchResult struct {
	Feed    FeedID
	Title   string
	Outcome Outcome
	New     int
	Edited  int
	Told    []Told // of a watched page: the changes that were filed
	Bytes   int64
	Took    time.Duration
	Kind    string    // of a failure without an answer that could be used, as reader/fetch sorts them: "timeout"; "": none
	Err     string    // the person's sentence when failed, or cut short
	Since   time.Time // of the trouble; of Back when that began
	Back    string    // of a watched page that is itself again: what stood in its place, "404 not found"
	Next    time.Time
	Why     string // for early: "the server asks for an hour"; of a page that is not changed: "changed, not reported: order only (score 0.3)"
	LeftOut string // its document has more items than are read: the sentence; "": it has not
	Lost    string // items came and went since the fetch before: the sentence; "": none are known to
}

// ReachedNobody reports whether no server was met at all: what is wrong then is
// more likely this end of the line than the feed.
func (f *FetchResult) ReachedNobody() bool { return f.reachedNobody() }

// Progress is sent while fetching: Done of Total feeds are settled.
type Progress struct {
	Done, Total int
	Result      *FetchResult // the one just settled; nil at the start
	Waiting     string       // "pid 4211 (run)" fetches and has given no sign for a while
}

// FetchReport sums up a fetch.
type FetchReport struct {
	Results                              []FetchResult // in order of settling
	Fetched, Early, Waiting, Failed, New int
	Elsewhere                            bool // another process holds fetch.lock and served it
}

// Preview is what an address or file would bring, without subscribing. Its
// JSON form is {"feed":…,"parser":…,"items":[…],"problems":[…]}; its items carry id_raw,
// updated, categories, enclosures and content_html besides the usual fields.
type Preview struct {
	Feed     Feed
	Articles []Article
	Problems []string
	Parser   feed.Parser // what read the document
	Others   []Candidate // further feeds its page names
	Named    bool        // the address was a page that named the feed
}

// Reader is the library with the web behind it. Its methods are safe for use
// by several goroutines; none keeps the library open between calls.
type Reader struct {
	store    *store.Store
	opts     Options
	web      *web
	news     *news
	plan     *plan.Planner
	interest *interest.Ranker
	shift    *shift
	scales   *scales
	wake     chan struct{} // the running fetcher looks at the plan again
	at       time.Time     // when everything happens; zero: as it happens
	sweep    time.Duration // sweepAfter, but where a test has half a year to get through
}

func (r *Reader) now() time.Time {
	if r.at.IsZero() {
		return time.Now()
	}
	return r.at
}

// New returns a Reader over s. It touches neither disk nor net.
func New(s *store.Store, o Options) *Reader {
	o = o.withDefaults()
	r := &Reader{store: s, opts: o, web: newWeb(o, s), news: newNews(), interest: interest.New(s), shift: newShift(), wake: make(chan struct{}, 1), scales: &scales{}, sweep: sweepAfter}
	r.plan = r.newPlanner()
	return r
}

// Close ends idle connections. The store stays its owner's.
func (r *Reader) Close() error { return r.web.close() }

// Exists reports whether there is a library at all; reading never makes one.
func (r *Reader) Exists() bool { return r.store.Exists() }

// Shelf reads the first screen: the newest n rows of River with their feeds,
// and totals; it costs the same whatever the size of the library. A library that does not exist yet is an empty shelf, no error.
func (r *Reader) Shelf(ctx context.Context, n int) (Shelf, error) { return r.shelf(ctx, n) }

// Rows lists the items that fit q, newest first, at most limit (0: all).
func (r *Reader) Rows(ctx context.Context, q Query, limit int) ([]Row, error) {
	return r.rows(ctx, q, limit)
}

// Feeds lists the subscriptions by folder and title.
func (r *Reader) Feeds(ctx context.Context) ([]Feed, error) { return r.feeds(ctx) }

// Totals counts the library from its counters, in one small read.
func (r *Reader) Totals(ctx context.Context) (Totals, error) { return r.totals(ctx) }

// Items returns the whole items of ids, in their order.
func (r *Reader) Items(ctx context.Context, ids []ItemID) ([]Item, error) { return r.items(ctx, ids) }

// FindFeed finds the feed that s names: its short id, its address, or a unique
// part of its title. An *AmbiguousError lists the feeds that fit.
func (r *Reader) FindFeed(ctx context.Context, s string) (Feed, error) { return r.findFeed(ctx, s) }

// Article reads an item with its text and changes nothing.
func (r *Reader) Article(ctx context.Context, id ItemID) (Article, error) {
	return r.article(ctx, id)
}

// Open reads an item for its reader: it notes the fact and marks it read,
// which is no step that undo would take back.
func (r *Reader) Open(ctx context.Context, id ItemID) (Article, error) { return r.open(ctx, id) }

// Mark does act to exactly ids, as one step. Scope says where ("River").
func (r *Reader) Mark(ctx context.Context, act Act, scope string, ids []ItemID, tag string) (Done, error) {
	return r.mark(ctx, act, scope, ids, tag)
}

// TagName is the form in which a tag is kept: one word without the signs that
// queries use; "" if nothing is left.
func TagName(tag string) string { return cleanTag(tag) }

// Undo takes back the step no (0: the newest that stands). With after > 0 only
// steps younger than that number are considered. ErrNothing: there is none.
func (r *Reader) Undo(ctx context.Context, no, after uint64) (Step, error) {
	return r.undo(ctx, no, after)
}

// Redo does again what was undone last, as long as nothing was done since.
func (r *Reader) Redo(ctx context.Context) (Step, error) { return r.redo(ctx) }

// Steps lists what was done, newest first.
func (r *Reader) Steps(ctx context.Context, limit int) ([]Step, error) { return r.steps(ctx, limit) }

// Look finds what an address brings: a feed, the feeds a site names, or a
// subscription file on this machine. It subscribes to nothing.
func (r *Reader) Look(ctx context.Context, address string, allowPrivate bool) (Found, error) {
	return r.look(ctx, address, allowPrivate)
}

// Fill fetches a candidate that Look only named.
func (r *Reader) Fill(ctx context.Context, c Candidate, allowPrivate bool) (Candidate, error) {
	return r.fill(ctx, c, allowPrivate)
}

// Subscribe keeps a filled candidate with the items it brought, as one step.
func (r *Reader) Subscribe(ctx context.Context, c Candidate, o SubscribeOptions) (Subscribed, error) {
	return r.subscribe(ctx, c, o)
}

// Unsubscribe takes feeds off the shelf, as one step; undo brings them back
// with everything that was in them.
func (r *Reader) Unsubscribe(ctx context.Context, ids []FeedID) (Done, error) {
	return r.unsubscribe(ctx, ids)
}

// Adjust changes one setting of a feed, as one step: "title", "folder", "tags"
// (with commas between them), "url", "interval" (such as 2h), "hidden",
// "allow_private" and "by_titles" ("true"), "learning" ("pinned", "left out" or
// nothing).
func (r *Reader) Adjust(ctx context.Context, id FeedID, field, value string) (Done, error) {
	return r.adjust(ctx, id, field, value)
}

// TagFeeds changes the tags of feeds, as one step: each word is a tag to put on
// all of them, or with a leading "-" one to take off.
func (r *Reader) TagFeeds(ctx context.Context, ids []FeedID, words []string) (Done, error) {
	return r.tagFeeds(ctx, ids, words)
}

// Fetch fetches and files. Progress may be nil. Failing feeds are data in the
// report, never an error.
func (r *Reader) Fetch(ctx context.Context, q FetchRequest, progress func(Progress)) (FetchReport, error) {
	return r.fetch(ctx, q, progress)
}

// Run fetches by the plan until ctx ends, as the screen and `diurna run` do. It
// holds fetch.lock or waits for its holder; tell, which may be nil, hears what
// happens, from one goroutine. The error is the library's.
func (r *Reader) Run(ctx context.Context, tell func(Event)) error { return r.run(ctx, tell) }

// Preview shows what an address brings. It goes through the same function as
// Fetch and files nothing.
func (r *Reader) Preview(ctx context.Context, address string, allowPrivate bool) (Preview, error) {
	return r.preview(ctx, address, allowPrivate)
}

// PreviewBytes is Preview for a document at hand, as if base had served it
// with contentType (both may be empty).
func (r *Reader) PreviewBytes(doc []byte, base, contentType string) (Preview, error) {
	return r.previewBytes(doc, base, contentType)
}

// Looked notes that the reader came to the screen.
func (r *Reader) Looked(ctx context.Context) error { return r.looked(ctx) }

// LookedIfAway notes that the reader came to a list or an article outside the
// screen, unless a look, or something shown or opened, is less than LookAfter ago.
func (r *Reader) LookedIfAway(ctx context.Context) error { return r.lookedIfAway(ctx) }

// Opening returns the fetch that the plan made before the usual look which begins
// now; the zero Opening where there is none, or somebody looked since.
func (r *Reader) Opening(ctx context.Context) (Opening, error) { return r.opening(ctx) }

// Changes tells that the library has something new for the screen, filed by
// this process: a value arrives after each commit of fetched items. Slow
// receivers miss nothing but the count: signals are merged.
func (r *Reader) Changes() <-chan struct{} { return r.news.ch }

// Keep and Recall store small things between sittings (the last view, the
// history of boxes) under a name.
func (r *Reader) Keep(ctx context.Context, name string, value []byte) error {
	return r.keep(ctx, name, value)
}

// Recall returns what Keep stored, nil if there is nothing.
func (r *Reader) Recall(ctx context.Context, name string) ([]byte, error) {
	return r.recall(ctx, name)
}

// At returns the same reader, dating all it does at t: for playing a past, made
// up or recorded, into a library. The zero time means the present again.
func (r *Reader) At(t time.Time) *Reader {
	past := *r
	past.at = t
	return &past
}

// NewSinceLook counts the unread items that came since the reader last looked.
func (r *Reader) NewSinceLook(ctx context.Context) (int, error) { return r.newSinceLook(ctx) }
