// Package watch watches web pages: it says what an answer means for a watch, files
// what changed as items, and advises on settings. Start with Pages; its methods are
// what the screen and the commands call. Fetch and File are one visit of a page
// (visit.go, filing.go), in between of which target.go decides what is reported.
package watch

import (
	"context"
	"errors"
	"time"

	"diurna/reader/model"
	"diurna/reader/poll"
	"diurna/reader/web"
	"diurna/store"
)

// Store is what watching needs of the library file.
type Store interface {
	Act(ctx context.Context, now time.Time, scope string, changes ...store.Change) (store.Done, error)
	Undo(ctx context.Context, now time.Time, step, after uint64) (store.Step, error)
	Facts(ctx context.Context, after uint64, visit func(*store.Fact) error) (last uint64, err error)
	Feeds(ctx context.Context) ([]store.Feed, error)
	FeedsAll(ctx context.Context) ([]store.Feed, error)
	Match(ctx context.Context, feed store.FeedID, keys []uint64) (store.Matched, error)
	Meta(ctx context.Context, key string) ([]byte, error)
	SetMeta(ctx context.Context, key string, val []byte) error
	PageChain(ctx context.Context, feed store.FeedID, no uint32) ([]store.PageRevision, error)
	PageHeads(ctx context.Context) (map[store.FeedID]store.PageHead, error)
	PageNotes(ctx context.Context, feed store.FeedID) (map[uint64][]byte, error)
	PageRevisions(ctx context.Context, feed store.FeedID) ([]store.PageRevision, error)
}

// Library is the library as people know it: feeds by name and state.
type Library interface {
	Feeds(ctx context.Context) ([]model.Feed, error)
	FindFeed(ctx context.Context, s string) (model.Feed, error)
	Article(ctx context.Context, id store.ItemID) (model.Article, error)
}

// Fetcher is what fetches feeds and pages alike, each by one goroutine at a time, and
// files what came.
type Fetcher interface {
	// Claim marks a page as being fetched until done is called; ok is false where it is
	// already.
	Claim(f *store.Feed) (done func(), ok bool)
	// FileVisit keeps what a visit brought; first: nothing of the page is kept yet.
	FileVisit(ctx context.Context, v *Visit, first bool) error
	// Nudge makes the running fetcher look at the plan again.
	Nudge()
}

// Parts are what Pages works with.
type Parts struct {
	Store   Store
	Library Library
	Web     *web.Client
	Fetcher Fetcher
	Turns   *Turns
	Rules   poll.Rules
	Second  time.Duration // between the two fetches a watch begins with; negative: no second one
	Now     func() time.Time
}

// Pages are the watched pages of a library. Their methods are safe for use by several
// goroutines.
type Pages struct {
	store      Store
	lib        Library
	web        *web.Client
	fetcher    Fetcher
	compareSem *Turns
	rules      poll.Rules
	second     time.Duration
	now        func() time.Time
}

// New returns the watched pages of a library.
func New(p Parts) *Pages {
	return &Pages{p.Store, p.Library, p.Web, p.Fetcher, p.Turns, p.Rules, p.Second, p.Now}
}

// What can be wrong with a page, for errors.Is.
var (
	ErrNoPage     = errors.New("no page there")      // what the address answers cannot be watched
	ErrNotWatched = errors.New("not a watched page") // what was named is no watched page
)
