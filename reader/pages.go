package reader

import (
	"context"
	"time"

	"diurna/reader/condition"
	"diurna/reader/page"
	"diurna/reader/pagestate"
)

// This file is the face of watching pages; reader.go is the face of the rest.

// Page is a watched web page: a source like a feed, whose items are its
// significant changes. Its JSON form is {id,url,title,folder,tags,unread,
// revisions,score,threshold,changed,class,why,last_fetch,next_fetch,state,
// since,error,last_class,last_score,compared,select,ignore,ignore_blocks,keywords,has,not,when,depth,interval_s,keep}.
type Page struct {
	Feed
	Revisions int       // kept ones
	Score     float64   // of the last told change, 0: none was told
	Changed   time.Time // when that was fetched; zero: none
	Class     string    // of it: "content", "links", ...
	Why       string    // what its score is made of
	Compared  time.Time // when last an answer was compared with what is kept; zero: not yet
	LastClass string    // what that found, told or not: "order", "none", ...
	LastScore float64   // of it
	LastItem  ItemID    // its row in River, 0: none

	Threshold                float64       // a change with a higher score is told; 0: all but volatile ones
	Interval                 time.Duration // set by hand, 0: the plan decides
	Select, Ignore, Keywords []string
	IgnoreBlocks             []string // rules, see page.Row.Rule
	Has, Not                 []string // only changes with, without these words are reported
	When                     string   // "price<44": reported when it becomes true, and nothing else is
	held                     string   // why the last change was not reported, besides its class and score
	Depth                    int      // 0: the page; 1: the pages it links to as well; 2: and theirs on the same host
	Children                 int      // child pages that are watched with it
	Keep                     int      // revisions to keep at least, 0: all

	// State says what the last answer was. In trouble Error is the person's
	// sentence, Since when that began.
	State pagestate.State
}

// Untold says what the last comparison found if that was not told: "order only
// (score 0.3)". It is "" where it was told, or where nothing was found.
func (p *Page) Untold() string { return p.untold() }

// Revision is one kept state of a watched page, or of a child page.
type Revision struct {
	No      int // 1, 2, 3, ... within the watch
	Base    int // the revision of the same address before it, 0: none is kept
	At      time.Time
	Address string // where it was served
	Child   bool   // of a child page
	Bytes   int    // as served
	Charset string
	Told    bool    // it is a change that was told
	Score   float64 // of that change
}

// Change is what happened between two revisions of a watched page.
type Change struct {
	Page     Page
	From, To Revision
	Of       int // the number of the newest revision
	Diff     page.Diff
}

// ItemEdit is what a publisher changed in an item of a feed.
type ItemEdit struct {
	Item Item
	Old  string    // the title as it was
	At   time.Time // when the edit was fetched
	No   int       // 1: the first edit
	Of   int       // how many edits are kept
	page.ItemChange
}

// Ignored is a rule by which blocks of a page are ignored.
type Ignored struct {
	No     int    `json:"no"`     // 1, 2, ... in the order they were made
	Rule   string `json:"rule"`   // what the blocks read like, with # for numbers
	Blocks int    `json:"blocks"` // how many it hides on the newest revision
	Text   string `json:"text"`   // what the first of them says there
}

// Told is a change of a watched page that was just filed.
type Told struct {
	Item  ItemID
	Page  string // its title
	What  string // of the item's title: what changed
	Why   string // what the score is made of
	Link  string
	Score float64
}

// WatchOptions are what a person may say of a watch. Selectors are CSS; the
// zero value watches the whole page by the plan with the default threshold and
// keeps all revisions.
type WatchOptions struct {
	Title        string
	Folder       string
	Tags         []string
	Select       []string
	Ignore       []string
	Keywords     []string
	Has, Not     []string      // words that what changed must have, must not have
	When         string        // see condition.ParseCondition
	Every        time.Duration // at least 15 minutes; 0: the plan decides
	Threshold    float64       // 0: page.DefaultThreshold; page.Everything: all but volatile changes
	Depth        int           // 0 to 2
	Keep         int           // revisions; 0: all
	AllowPrivate bool
}

// Watched tells what beginning to watch brought.
type Watched struct {
	Step  uint64
	Page  Page
	Words int // visible words that are watched

	Reading condition.Reading // what WatchOptions.When found
	Main    pagestate.Part    // the clear main part, without Selector if there is none or a part is selected
	// Second is how long SecondFetch waits, 0: it asks for nothing. NoSecond says
	// why; it is "" where the settings want none.
	Second   time.Duration
	NoSecond string
	sent     sent
}

// Suggestion is advice about one watch, at most one a week: "raise the
// interval", "raise the threshold", "ignore this block", "this page always
// changes" (which changes nothing but silences the advice).
type Suggestion struct {
	Page   FeedID
	Title  string
	Kind   page.Advice
	Rule   string  // page.IgnoreBlock: the rule
	From   string  // what is set now
	To     string  // what accepting sets
	Reason string  // "you looked at 1 of 9 reported changes"
	Chance float64 // that it improves the watch, by the game
}

// Pages lists the watched pages by folder and title.
func (r *Reader) Pages(ctx context.Context) ([]Page, error) { return r.pages(ctx) }

// FindPage finds the watched page that s names, as FindFeed finds feeds.
func (r *Reader) FindPage(ctx context.Context, s string) (Page, error) { return r.findPage(ctx, s) }

// Revisions lists the kept revisions of a page and its child pages, oldest
// first.
func (r *Reader) Revisions(ctx context.Context, id FeedID) ([]Revision, error) {
	return r.pageRevisions(ctx, id)
}

// RevisionRaw returns a revision byte for byte as it was served, with the
// Content-Type it came with ("" if there was none).
func (r *Reader) RevisionRaw(ctx context.Context, id FeedID, no int) (body []byte, contentType string, err error) {
	return r.revisionRaw(ctx, id, no)
}

// Change compares two revisions of a page under the settings of today. With
// from 0 it is the one before to; with to 0 the last change that was told.
func (r *Reader) Change(ctx context.Context, id FeedID, from, to int) (Change, error) {
	return r.change(ctx, id, from, to)
}

// ChangeOf is the change that an item of a watched page tells of.
func (r *Reader) ChangeOf(ctx context.Context, id ItemID) (Change, error) {
	return r.changeOf(ctx, id)
}

// PreviewIgnore says how many of the changes between the last 20 kept revisions
// (of says how many there are)
// are significant without rule, and how many are with it.
func (r *Reader) PreviewIgnore(ctx context.Context, id FeedID, rule string) (now, then, of int, err error) {
	return r.previewIgnore(ctx, id, rule)
}

// IgnoredBlocks lists the rules by which blocks of a page are ignored, with what
// each of them hides on its newest revision. Adjust with "ignore_blocks" takes
// rules back.
func (r *Reader) IgnoredBlocks(ctx context.Context, id FeedID) ([]Ignored, error) {
	return r.ignoredBlocks(ctx, id)
}

// IgnoreBlock ignores the blocks of a page that read like rule (page.Row.Rule),
// as one step. Other settings of a page are changed by Adjust: "select",
// "ignore", "keywords", "has" and "not" (with commas between them), "ignore_blocks" (a
// line each), "when", "threshold", "depth", "keep" and "interval".
func (r *Reader) IgnoreBlock(ctx context.Context, id FeedID, rule string) (Done, error) {
	return r.ignoreBlock(ctx, id, rule)
}

// Watch begins to watch the page at an address, as one step, and keeps its
// first revision, which is no change.
func (r *Reader) Watch(ctx context.Context, address string, o WatchOptions) (Watched, error) {
	return r.watchPage(ctx, address, o)
}

// LastChanges lists the last change of a page that was reported, the last one that
// was suppressed and the last volatile one, each with its places and the rule that
// put it there.
func (r *Reader) LastChanges(ctx context.Context, id FeedID) ([]Seen, error) {
	return r.lastChanges(ctx, id)
}

// ReadCondition is what a page's condition (Adjust "when") finds on the newest kept
// revision; not Found without one.
func (r *Reader) ReadCondition(ctx context.Context, id FeedID) (condition.Reading, error) {
	return r.readCondition(ctx, id)
}

// SecondFetch fetches a page that Watch just returned once more, after a few
// seconds and without validators: what differs then changes by itself and is
// volatile from now on. Ended by ctx before that, it changes nothing.
func (r *Reader) SecondFetch(ctx context.Context, w Watched) (Second, error) {
	return r.secondFetch(ctx, w)
}

// Suggestions lists the advice to offer now, at most one for a watch and week.
func (r *Reader) Suggestions(ctx context.Context) ([]Suggestion, error) { return r.suggestions(ctx) }

// AnswerSuggestion notes the answer to advice, which teaches when to offer it
// again, and with accept changes the setting, all as one step.
func (r *Reader) AnswerSuggestion(ctx context.Context, s Suggestion, accept bool) (Done, error) {
	return r.answerSuggestion(ctx, s, accept)
}
