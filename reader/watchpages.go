package reader

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
type watchStore interface {
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
type watchLibrary interface {
	Feeds(ctx context.Context) ([]model.Feed, error)
	FindFeed(ctx context.Context, s string) (model.Feed, error)
	Article(ctx context.Context, id store.ItemID) (model.Article, error)
}

// Fetcher is what fetches feeds and pages alike, each by one goroutine at a time, and
// files what came.
type watchFetcher interface {
	// Claim marks a page as being fetched until done is called; ok is false where it is
	// already.
	Claim(f *store.Feed) (done func(), ok bool)
	// FileVisit keeps what a visit brought; first: nothing of the page is kept yet.
	FileVisit(ctx context.Context, v *Visit, first bool) error
	// Nudge makes the running fetcher look at the plan again.
	Nudge()
}

// Parts are what Pages works with.
type watchParts struct {
	Store   watchStore
	Library watchLibrary
	Web     *web.Client
	Fetcher watchFetcher
	Turns   *compareSem
	Rules   poll.Rules
	Second  time.Duration // between the two fetches a watch begins with; negative: no second one
	Now     func() time.Time
}

// Pages are the watched pages of a library. Their methods are safe for use by several
// goroutines.
type Pages struct {
	store      watchStore
	lib        watchLibrary
	web        *web.Client
	fetcher    watchFetcher
	compareSem *compareSem
	rules      poll.Rules
	second     time.Duration
	now        func() time.Time
}

// New returns the watched pages of a library.
func newPages(p watchParts) *Pages {
	return &Pages{p.Store, p.Library, p.Web, p.Fetcher, p.Turns, p.Rules, p.Second, p.Now}
}

// What can be wrong with a page, for errors.Is.
var (
	errNoPage     = errors.New("no page there")      // what the address answers cannot be watched
	errNotWatched = errors.New("not a watched page") // what was named is no watched page
)
