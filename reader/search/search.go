package search

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"diurna/reader/model"
	"diurna/reader/query"
	"diurna/store"
)

// Store is what a Searcher needs of the store.
type Store interface {
	Library
	Exists() bool
	Rows(ctx context.Context, q store.RowQuery) ([]store.Row, error)
	RowsOf(ctx context.Context, ids []store.ItemID) ([]store.Row, error)
	Cache() *store.Cache
}

// Feeds reads the feeds with their titles as people know them.
type Feeds interface {
	Feeds(ctx context.Context) ([]model.Feed, error)
}

// Searcher finds items by queries whose words are looked for in the texts too.
type Searcher struct {
	lib   Store
	feeds Feeds
	index *Index
}

// NewSearcher searches lib. It touches nothing.
func NewSearcher(lib Store, feeds Feeds) *Searcher {
	return &Searcher{lib, feeds, New(lib, lib.Cache())}
}

// Result is what a search found.
type Result struct {
	Items []Found // the best first
	Count int     // how many items fit
	// Missing: there is no index, or it was thrown away since it is damaged, so that
	// nothing was found. Update makes it.
	Missing bool
}

// Found is an item that fits.
type Found struct {
	Row   store.Row
	Feed  *model.Feed
	Score float64
	// Snippet is one line of the text, the part that has most of the query's words;
	// Marks are where they stand in it, as pairs of offsets in bytes. It is empty where
	// no word of the query stands in the text.
	Snippet string
	Marks   [][2]int
}

// Update brings the index up to date; see Index.Update.
func (s *Searcher) Update(ctx context.Context, progress func(done, all int)) error {
	if !s.lib.Exists() {
		return nil
	}
	return s.index.Update(ctx, progress)
}

// Pending is how many facts of the library the index does not know; none tells that
// there is no index.
func (s *Searcher) Pending(ctx context.Context) (facts uint64, none bool, err error) {
	return s.index.Pending(ctx)
}

// keepAtMost is how many facts are worth indexing after a fetch: what is more waits for
// the next search.
const keepAtMost = 5000

// Keep brings the index up to date after items were filed, if there is one and little
// is missing. Failing costs nothing but the time of the next search.
func (s *Searcher) Keep(ctx context.Context) {
	defer s.index.recent.Forget()
	facts, none, err := s.Pending(ctx)
	if err == nil && !none && facts > 0 && facts <= keepAtMost {
		err = s.index.Update(ctx, nil)
	}
	if err != nil && ctx.Err() == nil {
		slog.Debug("the texts could not be indexed", "error", err)
	}
}

// Plain is plain.FromHTML; what it gives need not be made again in the next Keep.
func (s *Searcher) Plain(html string, most int) string { return s.index.recent.Plain(html, most) }

// Filed tells that items came, and which titles or authors were corrected. The texts of
// new items that Plain gave are at hand in the next Keep.
func (s *Searcher) Filed(ctx context.Context, now time.Time, filings []store.Filing, filed []store.Filed, corrected []store.ItemID) {
	for i := range filed {
		if filings[i].Page != nil {
			continue
		}
		for k, id := range filed[i].Items {
			s.index.recent.Filed(id, &filings[i].New[k], now)
		}
	}
	s.Touched(ctx, corrected)
}

// Touched tells that titles, authors or whole texts of items changed without a fact. It
// does so also if ctx ended meanwhile: what changed is kept already.
func (s *Searcher) Touched(ctx context.Context, ids []store.ItemID) {
	ctx = context.WithoutCancel(ctx)
	if len(ids) == 0 {
		return
	}
	if _, none, err := s.Pending(ctx); err != nil || none {
		return
	}
	if err := s.index.Touch(ctx, ids); err != nil {
		slog.Debug("changed titles could not be noted", "error", err)
	}
}

// Search finds the items that fit q, at most limit (0: all), by the index as it is.
func (s *Searcher) Search(ctx context.Context, q query.Query, now time.Time, limit int) (Result, error) {
	q = q.InTexts()
	feeds, err := s.feeds.Feeds(ctx)
	if err != nil || len(feeds) == 0 {
		return Result{}, err
	}
	b := &binding{feeds: make(map[store.FeedID]*model.Feed, len(feeds))}
	for i := range feeds {
		if f := &feeds[i]; !f.Hidden || q.ReachesHidden() {
			b.feeds[f.Key] = f
		}
	}
	if err := s.readRows(ctx, q, b); err != nil {
		return Result{}, err
	}
	var there feedSet
	for id := range b.feeds {
		there.add(id)
	}
	e := All{b.expr(q), there.test()}
	most := limit
	if b.deep {
		most = 0
	}
	hits, count, err := s.index.Find(ctx, e, now, most)
	if errors.Is(err, errMissing) {
		return Result{Missing: true}, nil
	}
	if err != nil {
		return Result{}, fmt.Errorf("search: %w", err)
	}
	out := Result{Count: count}
	if out.Items, err = s.rowsOf(ctx, hits, b.feeds); err != nil {
		return Result{}, err
	}
	out.Count -= len(hits) - len(out.Items) // pages that were taken off
	if b.deep {
		if out.Items, err = s.exact(ctx, q, out.Items); err != nil {
			return Result{}, err
		}
		out.Count = len(out.Items)
		if limit > 0 {
			out.Items = out.Items[:min(limit, len(out.Items))]
		}
	}
	return out, s.snip(ctx, out.Items, b.phrases)
}
