package store

import (
	"context"
	"slices"
	"sort"

	"diurna/store/library"
)

// Front reads what a first frame needs and no more, however large the library:
// the totals, the newest n unread rows of feeds that are not hidden, and the feeds
// of these rows.
func (s *Store) Front(ctx context.Context, n int) (Snapshot, error) {
	var out Snapshot
	err := s.lib.Read(ctx, func(t *library.Txn) (err error) {
		out = Snapshot{Totals: t.Totals()}
		if out.Totals.Hidden, err = t.HiddenUnread(); err != nil {
			return err
		}
		if out.Rows, err = visible(t, n); err != nil {
			return err
		}
		seen := map[FeedID]bool{}
		for i := range out.Rows {
			seen[out.Rows[i].ID.Feed()] = true
		}
		for f := range seen {
			feed, err := t.OneFeed(f)
			if err != nil {
				return err
			}
			out.Feeds = append(out.Feeds, feed)
		}
		sort.Slice(out.Feeds, func(i, j int) bool { return out.Feeds[i].ID < out.Feeds[j].ID })
		return nil
	})
	if err != nil {
		return Snapshot{}, err
	}
	return out, nil
}

// visible reads the newest n unread rows of feeds that are not hidden.
func visible(t *library.Txn, n int) ([]Row, error) {
	hidden, err := t.HiddenFeeds()
	if err != nil {
		return nil, err
	}
	var out []Row
	for at := (Cursor{}); len(out) < n; {
		rows, err := t.Rows(RowQuery{Which: Unread, Limit: n, Before: at})
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			if _, hides := slices.BinarySearch(hidden, r.ID.Feed()); !hides && len(out) < n {
				out = append(out, r)
			}
		}
		if len(rows) < n {
			break
		}
		at = After(rows[len(rows)-1])
	}
	return out, nil
}
