// Package interest learns from impressions, openings and feedback what its reader
// opens, and ranks items by it. What is learned is a fold of the library's facts;
// it is loaded for each call and let go shortly after.
//
// Start with New, then Learn after items were filed, Arrange for the order of a
// list and Explain for the reasons behind it.
package interest

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"diurna/ranking"
	"diurna/reader/model"
	"diurna/reader/wording"
	"diurna/store"
)

// Library is what the ranker needs of the store.
type Library interface {
	Exists() bool
	Facts(ctx context.Context, after uint64, visit func(*store.Fact) error) (last uint64, err error)
	FeedsAll(ctx context.Context) ([]store.Feed, error)
	Totals(ctx context.Context) (store.Totals, error)
	Rows(ctx context.Context, q store.RowQuery) ([]store.Row, error)
	Item(ctx context.Context, id store.ItemID) (store.Item, error)
	Items(ctx context.Context, ids []store.ItemID) ([]store.Item, error)
	Bodies(ctx context.Context, ids []store.ItemID, visit func(store.ItemID, store.Body)) error
	Act(ctx context.Context, now time.Time, scope string, changes ...store.Change) (store.Done, error)
	Note(ctx context.Context, now time.Time, facts ...store.Fact) error
	Forget(ctx context.Context, since time.Time) (int, error)
	Compact(ctx context.Context) (before, after int64, err error)
	Cache() *store.Cache
}

// Feeds reads the feeds with their titles as people know them.
type Feeds interface {
	Feeds(ctx context.Context) ([]model.Feed, error)
}

// Rates returns how often feeds post, in items of the last 28 days.
type Rates func(ctx context.Context, now time.Time) (map[store.FeedID]int, error)

// hindsightDays is how far back Hindsight looks.
const hindsightDays = 28

// Ranker ranks the items of a library by what its reader opens. Its methods are
// safe for use by several goroutines. Between calls it holds what it learned for
// no longer than keptFor.
type Ranker struct {
	lib   Library
	feeds Feeds
	rates Rates

	mu    sync.Mutex // held while the cache is brought up to date
	facts uint64     // of the library when it was
	items int
	sweep *time.Timer // gives memory back after the last use
	swept sync.Mutex

	using sync.Mutex  // held while ranking: one at a time
	kept  *learned    // by the last one, with all items it vectorized
	drop  *time.Timer // of kept
	stale atomic.Bool // kept does not know the topics of now
}

// New returns a Ranker over lib; feeds and rates say what their names do. It reads nothing.
func New(lib Library, feeds Feeds, rates Rates) *Ranker {
	return &Ranker{lib: lib, feeds: feeds, rates: rates}
}

// Titles returns the title of a feed; false: there is no such feed.
type Titles func(store.FeedID) (string, bool)

// titlesOf returns the titles of feeds.
func titlesOf(feeds []model.Feed) Titles {
	titles := make(map[store.FeedID]string, len(feeds))
	for i := range feeds {
		titles[feeds[i].Key] = feeds[i].Title
	}
	return func(id store.FeedID) (title string, ok bool) {
		title, ok = titles[id]
		return title, ok
	}
}

// titles reads the titles of all feeds.
func (r *Ranker) titles(ctx context.Context) (Titles, error) {
	feeds, err := r.feeds.Feeds(ctx)
	return titlesOf(feeds), err
}

// OpensNeeded is how many opened items Ranked needs.
const OpensNeeded = ranking.OpensNeeded

// Feedback is what a user says about interest: more or less like an item, or
// like everything with one subject.
type Feedback struct {
	Less    bool
	Item    store.ItemID // 0: Subject and Name
	Subject string       // feed, category, topic, word or author
	Name    string       // of a feed its short id
}

// Impression is a row that stood on the screen, 1 the top.
type Impression struct {
	ID  store.ItemID
	Row int
}

// Evidence sums up what was learned.
type Evidence struct {
	Opened, Shown       int
	Since               time.Time // of the oldest evidence; zero: none
	Frozen              bool
	Explore, Keep, Idle float64  // chosen by the log
	OwnReading          bool     // the log has shown its own reading of rows
	Topics              []string // names of the learned topics, strongest terms first
	Features            int      // with evidence
	Pinned, LeftOut     []model.Feed
}

// Hindsight is what Ranked would have brought to the first screen.
type Hindsight struct {
	Opens          int `json:"opens"` // items opened, of those looked at
	Ranked, Newest int // of them on the first screen of Ranked, and of newest first
	Rows           int `json:"rows"` // of a screen
	Total          int `json:"opened"`

	Looks            int // in which something was opened
	NDCG, NDCGNewest float64
	Gain, Low, High  float64 // of nDCG@10, with 95 % confidence
	Judged           int     // rows shown whose chances were said a week before at most
	CalibrationError float64 // how far those chances were off on average
}

// Better reports whether Ranked is better than newest first beyond chance.
func (h *Hindsight) Better() bool { return h.Total >= OpensNeeded && h.Low > 0 }

// Missing says what is missing before Ranked is known to be better, "" if nothing is.
func (h *Hindsight) Missing() string {
	switch {
	case h.Total < OpensNeeded:
		return fmt.Sprintf("Ranked learns from %d opened items; you have opened %d.", OpensNeeded, h.Total)
	case h.Looks < 2:
		return "Ranked was not compared with newest first yet: that takes two looks in which you open something."
	case h.Low <= 0:
		return fmt.Sprintf("Ranked is not yet known to be better than newest first: %s over %s (diurna stats).", h.Interval(), wording.Plural(h.Looks, "look"))
	}
	return ""
}

// Means is the mean nDCG@10 of Ranked and of newest first, with two digits or as many as
// tell them apart: ".59" and ".48".
func (h *Hindsight) Means() (ranked, newest string) {
	for digits := 2; digits < 5 && ranked == newest; digits++ {
		ranked = strings.TrimPrefix(fmt.Sprintf("%.*f", digits, h.NDCG), "0")
		newest = strings.TrimPrefix(fmt.Sprintf("%.*f", digits, h.NDCGNewest), "0")
	}
	return ranked, newest
}

// Interval is the gain in words: "nDCG@10 +.12 (+.03 to +.21)".
func (h *Hindsight) Interval() string {
	sign := func(x float64) string { return strings.Replace(fmt.Sprintf("%+.2f", x), "0.", ".", 1) }
	return fmt.Sprintf("nDCG@10 %s (%s to %s)", sign(h.Gain), sign(h.Low), sign(h.High))
}
