package search

import (
	"context"
	"fmt"
	"slices"

	"diurna/reader/model"
	"diurna/reader/query"
	"diurna/reader/words"
	"diurna/store"
)

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

var fieldsOf = map[query.Field]Fields{query.Title: Title, query.Author: Author, query.Link: Link, query.Text: Text}

func (b *binding) part(p query.Part, negated bool) Expr {
	if p.IsDeep() {
		// What may fit, until the texts are read.
		b.deep = true
		if negated {
			return Any{}
		}
		pattern, in, everywhere := p.Pattern()
		fields := fieldsOf[in]
		if everywhere {
			fields = Anywhere
		}
		must := mustHave(pattern, fields)
		switch {
		case must == nil:
			return All{}
		case everywhere:
			return Any{must, b.ofFeeds(p)}
		}
		return must
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
	var fits feedSet
	for id, f := range b.feeds {
		if p.OfFeed(f) {
			fits.add(id)
		}
	}
	if fits == nil {
		return Any{}
	}
	return fits.test()
}

// feedSet is a set of feeds, by their numbers, which are small.
type feedSet []bool

func (s *feedSet) add(id store.FeedID) {
	if int(id) >= len(*s) {
		*s = append(*s, make(feedSet, int(id)+1-len(*s))...)
	}
	(*s)[id] = true
}

func (s feedSet) test() Test {
	return func(id store.ItemID) bool { f := int(id.Feed()); return f < len(s) && s[f] }
}
