package reader

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sort"

	"diurna/reader/query"
	"diurna/reader/texts"
	"diurna/store"
)

// Rows lists the items that match q, newest first, at most limit (0: all). Links and texts
// are read only of the items that their rows do not decide.
func (r *Reader) Rows(ctx context.Context, q Query, limit int) ([]Row, error) {
	feeds, err := r.feedsByKey(ctx)
	if err != nil {
		return nil, err
	}
	if len(feeds) == 0 {
		return nil, nil
	}
	which := store.All
	switch {
	case q.WantsSaved():
		which = store.SavedRows
	case q.WantsUnread():
		which = store.Unread
	}
	ask := store.RowQuery{Which: which}
	hides := slices.ContainsFunc(slices.Collect(maps.Values(feeds)), func(f *Feed) bool {
		return f.Hidden && !q.ReachesHidden() || which == store.All && f.SavesPages()
	})
	if q.WholeList() && !hides {
		ask.Limit = limit // nothing is filtered away afterwards
	}
	all, err := r.store.Rows(ctx, ask)
	if err != nil {
		return nil, fmt.Errorf("read the items: %w", err)
	}
	s := scan{r: r, q: q, asker: q.Matcher(), feeds: feeds}
	group := len(all)
	if limit > 0 && q.IsDeep() {
		group = scanGroup
	}
	rows := all[:0]
	for from := 0; from < len(all) && (limit <= 0 || len(rows) < limit); from += group {
		if rows, err = s.fitting(ctx, rows, all[from:min(from+group, len(all))], limit); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// CountEach counts the items that match each of some queries, reading all rows once.
func CountEach(ctx context.Context, r *Reader, list []Query) ([]int, error) {
	feeds, err := r.feedsByKey(ctx)
	if err != nil || len(feeds) == 0 {
		return make([]int, len(list)), err
	}
	all, err := r.store.Rows(ctx, store.RowQuery{Which: store.All})
	if err != nil {
		return nil, fmt.Errorf("read the items: %w", err)
	}
	counts := make([]int, len(list))
	for i, q := range list {
		s := scan{r: r, q: q, asker: q.Matcher(), feeds: feeds}
		rows, err := s.fitting(ctx, nil, all, 0)
		if err != nil {
			return nil, err
		}
		counts[i] = len(rows)
	}
	return counts, nil
}

// scanGroup is how many rows are decided at a time where few are wanted.
const scanGroup = 1024

// scan answers a query for rows.
type scan struct {
	r     *Reader
	q     Query
	asker *query.Matcher
	feeds map[FeedID]*Feed
}

// fitting appends the rows of a group that match, in their order. The result may share
// memory with rows before them.
func (s *scan) fitting(ctx context.Context, rows, group []Row, limit int) ([]Row, error) {
	var open []int
	answers := make([]query.Answer, 0)
	deep := s.q.IsDeep()
	if deep {
		answers = make([]query.Answer, len(group))
	}
	for i := range group {
		a := s.asker.Answer(query.Item{Row: &group[i], Feed: s.feeds[group[i].ID.Feed()]})
		if deep {
			if answers[i] = a; a == query.Open {
				open = append(open, i)
			}
			continue
		}
		if a == query.Yes {
			if rows = append(rows, group[i]); len(rows) == limit {
				return rows, nil
			}
		}
	}
	if !deep {
		return rows, nil
	}
	if err := s.read(ctx, group, open, answers); err != nil {
		return rows, err
	}
	for i := range group {
		if answers[i] == query.Yes && (limit <= 0 || len(rows) < limit) {
			rows = append(rows, group[i])
		}
	}
	return rows, nil
}

// read decides about the rows that are still open by their links and texts. It goes by feed
// and number, so that texts that are packed together are unpacked once.
func (s *scan) read(ctx context.Context, group []Row, open []int, answers []query.Answer) error {
	sort.Slice(open, func(i, j int) bool { return group[open[i]].ID < group[open[j]].ID })
	for chunk := range slices.Chunk(open, scanGroup) {
		ids := make([]ItemID, len(chunk))
		for i, k := range chunk {
			ids[i] = group[k].ID
		}
		err := texts.Deep(ctx, s.r.store, s.q, ids, func(i int, deep *query.Deep) {
			k := chunk[i]
			answers[k] = s.asker.Answer(query.Item{Row: &group[k], Feed: s.feeds[ids[i].Feed()], Deep: deep})
		})
		if err != nil {
			return err
		}
	}
	return nil
}
