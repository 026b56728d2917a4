package search

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"diurna/reader/model"
	"diurna/reader/plain"
	"diurna/reader/query"
	"diurna/reader/words"
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
	return &Searcher{lib, feeds, New(lib, lib.Cache(), TextOf)}
}

// TextOf is the text of an item, in which words are looked for.
func TextOf(b store.Body) string { return plain.FromHTML(cmp.Or(b.HTML, b.Summary), 0) }

// Result is what a search found.
type Result struct {
	Items []Found // the best first
	Count int     // how many items fit
}

// Found is an item that fits.
type Found struct {
	Row   store.Row
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
	facts, none, err := s.Pending(ctx)
	if err == nil && !none && facts > 0 && facts <= keepAtMost {
		err = s.index.Update(ctx, nil)
	}
	if err != nil && ctx.Err() == nil {
		slog.Debug("the texts could not be indexed", "error", err)
	}
}

// Touched tells that titles or authors of items changed without a fact.
func (s *Searcher) Touched(ctx context.Context, ids []store.ItemID) {
	if len(ids) == 0 {
		return
	}
	if _, none, err := s.Pending(ctx); err != nil || none {
		return
	}
	if err := s.index.Touch(ctx, ids); err != nil && ctx.Err() == nil {
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
	e := All{b.expr(q), Test(func(id store.ItemID) bool { return b.feeds[id.Feed()] != nil })}
	most := limit
	if b.deep {
		most = 0
	}
	hits, count, err := s.index.Find(ctx, e, now, most)
	if err != nil {
		return Result{}, fmt.Errorf("search: %w", err)
	}
	out := Result{Count: count}
	if out.Items, err = s.rowsOf(ctx, hits); err != nil {
		return Result{}, err
	}
	if b.deep {
		if out.Items, err = s.exact(ctx, q, b, out.Items); err != nil {
			return Result{}, err
		}
		out.Count = len(out.Items)
		if limit > 0 {
			out.Items = out.Items[:min(limit, len(out.Items))]
		}
	}
	return out, s.snip(ctx, out.Items, b.phrases)
}

// readRows reads the rows of items where a part of the query asks for what they say.
func (s *Searcher) readRows(ctx context.Context, q query.Query, b *binding) error {
	if !query.Reduce(q, func(p query.Part, _ bool) bool { return !p.IsDeep() && !inIndex(p) && !p.AsksFeed() }, anyOf, anyOf, same) {
		return nil
	}
	ask := store.RowQuery{Which: store.All}
	switch {
	case q.WantsSaved():
		ask.Which = store.SavedRows
	case q.WantsUnread():
		ask.Which = store.Unread
	}
	rows, err := s.lib.Rows(ctx, ask)
	if err != nil {
		return fmt.Errorf("read the items: %w", err)
	}
	b.rows = make(map[store.ItemID]*store.Row, len(rows))
	for i := range rows {
		b.rows[rows[i].ID] = &rows[i]
	}
	return nil
}

func anyOf(list []bool) bool { return slices.Contains(list, true) }
func same(v bool) bool       { return v }

func inIndex(p query.Part) bool {
	_, _, _, ok := p.Phrase()
	return ok
}

// binding makes an Expr of a query.
type binding struct {
	feeds   map[store.FeedID]*model.Feed // those whose items may be found
	rows    map[store.ItemID]*store.Row
	phrases []words.Phrase // that are wanted, for the snippets
	deep    bool           // the Expr finds more than fits
}

func (b *binding) expr(q query.Query) Expr {
	return query.Reduce(q, b.part, func(l []Expr) Expr { return All(l) }, func(l []Expr) Expr { return Any(l) }, func(e Expr) Expr { return Not{e} })
}

var fieldsOf = map[query.Field]Fields{query.Title: Title, query.Author: Author, query.Text: Text}

func (b *binding) part(p query.Part, negated bool) Expr {
	if p.IsDeep() {
		// What may fit, until the texts are read.
		b.deep = true
		if negated {
			return Any{}
		}
		return All{}
	}
	if phrase, in, everywhere, ok := p.Phrase(); ok {
		if !negated {
			b.phrases = append(b.phrases, phrase)
		}
		if !everywhere {
			return &Phrase{phrase, fieldsOf[in]}
		}
		return Any{&Phrase{phrase, Anywhere}, b.ofFeeds(p)}
	}
	if p.AsksFeed() {
		return b.ofFeeds(p)
	}
	m := p.Query().Matcher()
	return Test(func(id store.ItemID) bool {
		row, f := b.rows[id], b.feeds[id.Feed()]
		return row != nil && f != nil && m.Answer(query.Item{Row: row, Feed: f, Deep: &query.Deep{}}) == query.Yes
	})
}

// ofFeeds tests for the feeds of which a part holds.
func (b *binding) ofFeeds(p query.Part) Expr {
	fits := map[store.FeedID]bool{}
	for id, f := range b.feeds {
		if p.OfFeed(f) {
			fits[id] = true
		}
	}
	if len(fits) == 0 {
		return Any{}
	}
	return Test(func(id store.ItemID) bool { return fits[id.Feed()] })
}

// readAtOnce is how many rows or texts are read in one transaction.
const readAtOnce = 512

func (s *Searcher) rowsOf(ctx context.Context, hits []Hit) ([]Found, error) {
	out := make([]Found, 0, len(hits))
	for group := range slices.Chunk(hits, readAtOnce) {
		ids := make([]store.ItemID, len(group))
		for i, h := range group {
			ids[i] = h.Item
		}
		rows, err := s.lib.RowsOf(ctx, ids)
		if err != nil {
			return nil, fmt.Errorf("read the items: %w", err)
		}
		for i := range rows {
			out = append(out, Found{Row: rows[i], Score: group[i].Score})
		}
	}
	return out, nil
}

// exact keeps what fits, by the links and texts.
func (s *Searcher) exact(ctx context.Context, q query.Query, b *binding, list []Found) ([]Found, error) {
	m := q.Matcher()
	fits := make([]bool, len(list))
	byID := make([]int, len(list)) // neighbours are packed together
	for i := range byID {
		byID[i] = i
	}
	slices.SortFunc(byID, func(x, y int) int { return cmp.Compare(list[x].Row.ID, list[y].Row.ID) })
	for group := range slices.Chunk(byID, readAtOnce) {
		ids := make([]store.ItemID, len(group))
		for i, k := range group {
			ids[i] = list[k].Row.ID
		}
		links := make([]string, len(group))
		if q.NeedsLink() {
			items, err := s.lib.Items(ctx, ids)
			if err != nil {
				return nil, fmt.Errorf("read the items: %w", err)
			}
			for i := range items {
				links[i] = model.ShownLink(items[i].Link)
			}
		}
		i := 0
		err := s.lib.Bodies(ctx, ids, func(id store.ItemID, body store.Body) {
			for ids[i] != id {
				i++
			}
			k := group[i]
			fits[k] = m.Answer(query.Item{Row: &list[k].Row, Feed: b.feeds[id.Feed()], Deep: &query.Deep{Link: links[i], Text: TextOf(body)}}) == query.Yes
		})
		if err != nil {
			return nil, fmt.Errorf("read the texts: %w", err)
		}
	}
	kept := list[:0]
	for i := range list {
		if fits[i] {
			kept = append(kept, list[i])
		}
	}
	return kept, nil
}

// snip gives each item its snippet.
func (s *Searcher) snip(ctx context.Context, list []Found, phrases []words.Phrase) error {
	if len(phrases) == 0 {
		return nil
	}
	at := make(map[store.ItemID]*Found, len(list))
	for i := range list {
		at[list[i].Row.ID] = &list[i]
	}
	ids := make([]store.ItemID, 0, len(list))
	for id := range at {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for group := range slices.Chunk(ids, readAtOnce) {
		err := s.lib.Bodies(ctx, group, func(id store.ItemID, body store.Body) {
			at[id].Snippet, at[id].Marks = Snippet(TextOf(body), phrases)
		})
		if err != nil {
			return fmt.Errorf("read the texts: %w", err)
		}
	}
	return nil
}
