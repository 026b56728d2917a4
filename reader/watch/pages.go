package watch

import (
	"time"

	"diurna/reader/advice"
	"diurna/reader/condition"
	"diurna/reader/model"
	"diurna/reader/page"
	"diurna/reader/pagestate"
	"diurna/store"
)

// Page is a watched web page: a source like a feed, whose items are its
// significant changes. Its JSON form is {id,url,title,folder,tags,unread,
// revisions,score,threshold,changed,class,why,last_fetch,next_fetch,state,
// since,error,last_class,last_score,compared,select,ignore,ignore_blocks,report_blocks,keywords,has,not,when,depth,interval_s,keep}.
type Page struct {
	model.Feed
	Revisions int          // kept ones
	Score     float64      // of the last reported change, 0: none was reported
	Changed   time.Time    // when that was fetched; zero: none
	Class     page.Class   // of it
	Why       string       // what its score is made of
	Compared  time.Time    // when last an answer was compared with what is kept; zero: not yet
	LastClass page.Class   // of what that found, reported or not
	LastScore float64      // of it
	LastItem  store.ItemID // its row in River, 0: none

	Threshold                float64       // a change with a higher score is reported; 0: all but volatile ones
	Interval                 time.Duration // set by hand, 0: the plan decides
	Select, Ignore, Keywords []string
	IgnoreBlocks             []string // rules, see page.Row.Rule
	ReportBlocks             []string // rules of places that are reported whatever is known of them
	Has, Not                 []string // only changes with, without these words are reported
	When                     string   // "price<44": reported when it becomes true, and nothing else is
	held                     string   // why the last change was not reported, besides its class and score
	Depth                    int      // 0: the page; 1: the pages it links to as well; 2: and theirs on the same host
	Children                 int      // child pages that are watched with it
	Keep                     int      // revisions to keep at least, 0: all

	// State says what the last answer was. In trouble Error is the user's
	// sentence, Since when that began.
	State pagestate.State
}

// Unreported says what the last comparison found if it was not reported: "order only
// (score 0.3)". It is "" where it was reported, or where nothing was found.
func (p *Page) Unreported() string { return p.unreported() }

// Revision is one kept state of a watched page, or of a child page.
type Revision struct {
	No       int // 1, 2, 3, ... within the watch
	Base     int // the revision of the same address before it, 0: none is kept
	At       time.Time
	Address  string // where it was served
	Child    bool   // of a child page
	Bytes    int    // as served
	Charset  string
	Reported bool    // it is a change that was reported
	Score    float64 // of that change
}

// Change is what happened between two revisions of a watched page.
type Change struct {
	Page     Page
	From, To Revision
	Of       int // the number of the newest revision
	Diff     page.Diff
}

// Notification is a change of a watched page that was just filed, or another item that a rule
// notifies of.
type Notification struct {
	Item  store.ItemID
	Page  string // its title, or the feed's
	What  string // of the item's title: what changed
	Why   string // what the score is made of
	Link  string
	Score float64
	Rule  bool // a rule notifies of it
}

// Options are what a user may say of a watch. Selectors are CSS; the
// zero value watches the whole page by the plan with the default threshold and
// keeps all revisions.
type Options struct {
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

	Reading condition.Reading // what Options.When found
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
	Page   store.FeedID
	Title  string
	Kind   advice.Kind
	Rule   string  // advice.IgnoreBlock: the rule
	From   string  // what is set now
	To     string  // what accepting sets
	Reason string  // "you looked at 1 of 9 reported changes"
	Chance float64 // that it improves the watch, by the game
}
