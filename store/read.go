package store

import (
	"bytes"
	"cmp"
	"context"

	"diurna/store/library"
	"diurna/store/lists"
	"diurna/store/record"
)

// Snapshot reads the live feeds, the totals and the newest n rows of w (0: none,
// negative: all).
func (s *Store) Snapshot(ctx context.Context, w Which, n int) (Snapshot, error) {
	var out Snapshot
	err := s.lib.Read(ctx, func(t *library.Txn) (err error) {
		if out.Feeds, err = t.AllFeeds(false); err != nil {
			return err
		}
		out.Totals = t.Totals()
		if n == 0 {
			return nil
		}
		out.Rows, err = t.Rows(RowQuery{Which: w, Limit: max(n, 0)})
		return err
	})
	if err != nil {
		return Snapshot{}, err
	}
	return out, nil
}

// Totals reads the library's counters: a few records.
func (s *Store) Totals(ctx context.Context) (Totals, error) {
	var out Totals
	err := s.lib.Read(ctx, func(t *library.Txn) (err error) {
		out = t.Totals()
		out.Hidden, err = t.HiddenUnread()
		return err
	})
	return out, err
}

// UnreadAmong counts those of ids that are unread items of live feeds.
func (s *Store) UnreadAmong(ctx context.Context, ids []ItemID) (int, error) {
	n := 0
	err := s.lib.Read(ctx, func(t *library.Txn) error {
		n = 0
		feeds, err := t.AllFeeds(false)
		if err != nil {
			return err
		}
		live := make(map[FeedID]bool, len(feeds))
		for i := range feeds {
			live[feeds[i].ID] = true
		}
		var st record.State
		for _, id := range ids {
			if !live[id.Feed()] {
				continue
			}
			if ok, err := t.State(id, &st); err != nil {
				return err
			} else if !ok {
				return t.Missing(id)
			}
			if st.Flags&FlagRead == 0 {
				n++
			}
		}
		return nil
	})
	return n, err
}

func (s *Store) feeds(ctx context.Context, all bool) ([]Feed, error) {
	var out []Feed
	err := s.lib.Read(ctx, func(t *library.Txn) (err error) {
		out, err = t.AllFeeds(all)
		return err
	})
	return out, err
}

// Items reads several items in the order of ids; ErrUnknown if one is not there. One
// whose row was removed has FlagGone and what Remove left of it.
func (s *Store) Items(ctx context.Context, ids []ItemID) ([]Item, error) {
	out := make([]Item, 0, len(ids))
	err := s.lib.Read(ctx, func(t *library.Txn) error {
		var st record.State
		var it record.ItemRecord
		for _, id := range ids {
			ok, err := t.State(id, &st)
			if err != nil {
				return err
			}
			if !ok {
				return t.Missing(id)
			}
			if err := t.ItemOrGone(id, &st, &it); err != nil {
				return err
			}
			out = append(out, it.Item(id, &st))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Facts calls visit for every fact after number after, in order, and returns the
// number of the last. The Fact and its slices are reused for the next call: copy
// what you keep. visit must not block, nor call the Store.
func (s *Store) Facts(ctx context.Context, after uint64, visit func(*Fact) error) (last uint64, err error) {
	err = s.lib.Read(ctx, func(t *library.Txn) (err error) {
		last, err = t.Log.Visit(after, visit)
		return err
	})
	return last, err
}

// RowsOf reads the rows of items, in their order, also of a removed feed.
func (s *Store) RowsOf(ctx context.Context, ids []ItemID) ([]Row, error) {
	var out []Row
	err := s.lib.Read(ctx, func(t *library.Txn) error {
		out = make([]Row, 0, len(ids))
		var st record.State
		var it record.ItemRecord
		for _, id := range ids {
			if ok, err := t.State(id, &st); err != nil || !ok {
				return cmp.Or(err, t.Missing(id))
			}
			if err := t.ItemOrGone(id, &st, &it); err != nil {
				return err
			}
			r := lists.RowOf(&it, &st)
			out = append(out, Row{ID: id, At: st.At, Words: r.Words, Flags: r.Flags, Title: r.Title, Author: r.Author, Was: r.Was})
			own := &out[len(out)-1]
			own.Tags, own.Muted = record.SplitMuted(r.Flags, r.Tags)
		}
		return nil
	})
	return out, err
}

// Meta reads a small value kept under key; nil if there is none.
func (s *Store) Meta(ctx context.Context, key string) ([]byte, error) {
	var out []byte
	err := s.lib.Read(ctx, func(t *library.Txn) error {
		v, err := t.Get(record.Meta, []byte(library.OwnPrefix+key))
		out = bytes.Clone(v)
		return err
	})
	return out, err
}

// SetMeta keeps a small value under key; nil removes it.
func (s *Store) SetMeta(ctx context.Context, key string, val []byte) error {
	return s.lib.Do(ctx, &library.Job{Write: true, Fn: func(t *library.Txn) error {
		return t.PutOwn(key, string(val))
	}})
}

// Rows reads a list, newest first. A list read to its end is counted against the
// counters: a lost page is an ErrDamaged, never a shorter list.
func (s *Store) Rows(ctx context.Context, q RowQuery) ([]Row, error) {
	var out []Row
	err := s.lib.Read(ctx, func(t *library.Txn) (err error) {
		out, err = t.Rows(q)
		return err
	})
	return out, err
}
