package store

import (
	"context"
	"encoding/binary"
	"slices"
	"sort"

	"diurna/store/codec"
	"diurna/store/record"
)

// hiddenKey is where the numbers of the live hidden feeds are kept, from schema 5
// on: what counts or lists unread items need not read all feeds to leave those out.
const hiddenKey = "hidden feeds"

// hiddenFeeds are the numbers of the live hidden feeds, ascending.
func (t *txn) hiddenFeeds() ([]FeedID, error) {
	if t.hiddenRead {
		return t.hidden, nil
	}
	if t.Schema < 5 {
		return t.findHidden()
	}
	v, err := t.Get(record.Meta, []byte(hiddenKey))
	if err != nil {
		return nil, err
	}
	r := codec.Reader{B: v}
	list := make([]FeedID, r.Count(1))
	for i := range list {
		list[i] = FeedID(r.Uvarint())
	}
	if v != nil && !r.Done() {
		return nil, record.Meta.Damage([]byte(hiddenKey), "the hidden feeds do not decode")
	}
	t.hidden, t.hiddenRead = list, true
	return list, nil
}

// findHidden reads all feeds, as libraries from before schema 5 need it. What
// is damaged is for Check to tell.
func (t *txn) findHidden() ([]FeedID, error) {
	var list []FeedID
	c := t.Bucket(record.Feeds).Cursor()
	for k, rec := c.First(); k != nil; k, rec = c.Next() {
		var r record.FeedRecord
		if v, err := record.Feeds.Open(k, rec); err == nil && record.DecMode.Unmarshal(v, &r) == nil && r.Hidden && !r.Removed {
			list = append(list, FeedID(beUint32(k)))
		}
	}
	return list, nil
}

// noteHidden keeps the list right when a feed's record is written.
func (t *txn) noteHidden(f FeedID, hidden bool) error {
	list, err := t.hiddenFeeds()
	if err != nil {
		return err
	}
	i, there := slices.BinarySearch(list, f)
	switch {
	case there == hidden:
		return nil
	case hidden:
		list = slices.Insert(slices.Clone(list), i, f)
	default:
		list = slices.Delete(slices.Clone(list), i, i+1)
	}
	return t.putHidden(list)
}

func (t *txn) putHidden(list []FeedID) error {
	v := binary.AppendUvarint(nil, uint64(len(list)))
	for _, f := range list {
		v = binary.AppendUvarint(v, uint64(f))
	}
	t.hidden, t.hiddenRead = list, true
	return t.Put(record.Meta, []byte(hiddenKey), v)
}

// hiddenUnread counts the unread items of hidden feeds from their counters.
func (t *txn) hiddenUnread() (int, error) {
	list, err := t.hiddenFeeds()
	n := 0
	for _, f := range list {
		c, err := t.count(f)
		if err != nil {
			return 0, err
		}
		if c == nil {
			return 0, record.Counts.Damage(record.Key4(uint32(f)), "the feed has no counters")
		}
		n += c.Unread
	}
	return n, err
}

// Front reads what a first frame needs and no more, however large the library:
// the totals, the newest n unread rows of feeds that are not hidden, and the feeds
// of these rows.
func (s *Store) Front(ctx context.Context, n int) (Shelf, error) {
	var out Shelf
	err := s.read(ctx, func(t *txn) (err error) {
		out = Shelf{Totals: t.totals()}
		if out.Totals.Hidden, err = t.hiddenUnread(); err != nil {
			return err
		}
		if out.Rows, err = t.visible(n); err != nil {
			return err
		}
		seen := map[FeedID]bool{}
		for i := range out.Rows {
			seen[out.Rows[i].ID.Feed()] = true
		}
		for f := range seen {
			feed, err := t.oneFeed(f)
			if err != nil {
				return err
			}
			out.Feeds = append(out.Feeds, feed)
		}
		sort.Slice(out.Feeds, func(i, j int) bool { return out.Feeds[i].ID < out.Feeds[j].ID })
		return nil
	})
	if err != nil {
		return Shelf{}, err
	}
	return out, nil
}

// visible reads the newest n unread rows of feeds that are not hidden.
func (t *txn) visible(n int) ([]Row, error) {
	hidden, err := t.hiddenFeeds()
	if err != nil {
		return nil, err
	}
	var out []Row
	for at := (Cursor{}); len(out) < n; {
		rows, err := t.rows(RowQuery{Which: Unread, Limit: n, Before: at})
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

// oneFeed reads one feed with its counters and its poll.
func (t *txn) oneFeed(id FeedID) (Feed, error) {
	key := record.Key4(uint32(id))
	v, err := t.Get(record.Feeds, key)
	if err != nil {
		return Feed{}, err
	}
	c, err := t.count(id)
	if err != nil {
		return Feed{}, err
	}
	if v == nil || c == nil {
		return Feed{}, record.Feeds.Damage(key, "the feed is missing")
	}
	var r record.FeedRecord
	if record.DecMode.Unmarshal(v, &r) != nil {
		return Feed{}, record.Feeds.Damage(key, "feed does not decode")
	}
	f := r.Feed(id, c)
	return f, t.poll(id, &f.Poll)
}
