package search

import (
	"context"
	"fmt"
	"slices"
	"sort"

	"diurna/reader/model"
	"diurna/reader/query"
	"diurna/reader/texts"
	"diurna/reader/words"
	"diurna/store"
)

// readAtOnce is how many rows or texts are read in one transaction, snipAtOnce how many of
// those that are shown: somebody who types on needs none of them.
const (
	readAtOnce = 512
	snipAtOnce = 32
)

func (s *Searcher) rowsOf(ctx context.Context, hits []Hit, feeds map[store.FeedID]*model.Feed) ([]Found, error) {
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
			if f := feeds[rows[i].ID.Feed()]; !f.LeavesOut(&rows[i]) {
				out = append(out, Found{Row: rows[i], Feed: f, Score: group[i].Score})
			}
		}
	}
	return out, nil
}

// exact keeps what fits, by the links and texts.
func (s *Searcher) exact(ctx context.Context, q query.Query, list []Found) ([]Found, error) {
	m := q.Matcher()
	fits := make([]bool, len(list))
	byID := make([]int, len(list)) // neighbours are packed together
	for i := range byID {
		byID[i] = i
	}
	sort.Slice(byID, func(i, j int) bool { return list[byID[i]].Row.ID < list[byID[j]].Row.ID })
	for group := range slices.Chunk(byID, readAtOnce) {
		ids := make([]store.ItemID, len(group))
		for i, k := range group {
			ids[i] = list[k].Row.ID
		}
		err := texts.Deep(ctx, s.lib, q, ids, func(i int, deep *query.Deep) {
			f := &list[group[i]]
			fits[group[i]] = m.Answer(query.Item{Row: &f.Row, Feed: f.Feed, Deep: deep}) == query.Yes
		})
		if err != nil {
			return nil, err
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
	for group := range slices.Chunk(ids, snipAtOnce) {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := texts.Of(ctx, s.lib, group, func(id store.ItemID, of []string) {
			at[id].Snippet, at[id].Marks = Snippet(of, phrases)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Whole reads the whole items of what was found, in its order.
func (s *Searcher) Whole(ctx context.Context, found []Found) ([]model.FoundItem, error) {
	ids := make([]store.ItemID, len(found))
	for i := range found {
		ids[i] = found[i].Row.ID
	}
	got, err := s.lib.Items(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("read the items: %w", err)
	}
	items := make([]model.Item, len(got))
	for i := range got {
		items[i] = model.ItemOf(&got[i])
		items[i].Feed = found[i].Feed.Title
	}
	texts.Lead(ctx, s.lib, items)
	list := make([]model.FoundItem, len(items))
	for i := range items {
		list[i] = model.FoundItem{Item: items[i], Score: found[i].Score, Snippet: found[i].Snippet, Marks: found[i].Marks}
	}
	return list, nil
}
