package store

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"diurna/store/codec"
	"diurna/store/record"
)

func beUint64(b []byte) uint64 { return binary.BigEndian.Uint64(b) }
func beUint32(b []byte) uint32 { return binary.BigEndian.Uint32(b) }

// read runs one read transaction.
//
//go:noinline
func (s *Store) read(ctx context.Context, fn func(*txn) error) error {
	return s.lib.do(ctx, &job{fn: fn})
}

// Shelf reads the live feeds, the totals and the newest n rows of w (0: none,
// negative: all).
func (s *Store) Shelf(ctx context.Context, w Which, n int) (Shelf, error) {
	var out Shelf
	err := s.read(ctx, func(t *txn) (err error) {
		if out.Feeds, err = t.allFeeds(false); err != nil {
			return err
		}
		out.Totals = t.totals()
		if n == 0 {
			return nil
		}
		out.Rows, err = t.rows(RowQuery{Which: w, Limit: max(n, 0)})
		return err
	})
	if err != nil {
		return Shelf{}, err
	}
	return out, nil
}

func (t *txn) totals() Totals {
	h := &t.head
	return Totals{Feeds: h.Feeds, Items: h.Items, Unread: h.Unread, Saved: h.Saved, Facts: h.Facts, Tx: t.Number()}
}

// Totals reads the library's counters: a few records.
func (s *Store) Totals(ctx context.Context) (Totals, error) {
	var out Totals
	err := s.read(ctx, func(t *txn) (err error) {
		out = t.totals()
		out.Hidden, err = t.hiddenUnread()
		return err
	})
	return out, err
}

// UnreadAmong counts those of ids that are unread items of live feeds.
func (s *Store) UnreadAmong(ctx context.Context, ids []ItemID) (int, error) {
	n := 0
	err := s.read(ctx, func(t *txn) error {
		n = 0
		feeds, err := t.allFeeds(false)
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
			if ok, err := t.state(id, &st); err != nil {
				return err
			} else if !ok {
				return t.missing(id)
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
	err := s.read(ctx, func(t *txn) (err error) {
		out, err = t.allFeeds(all)
		return err
	})
	return out, err
}

// releaseEvery is after how many feeds the pages that held them are released: 2 MB.
const releaseEvery = 128

// allFeeds reads feeds, counters and polls side by side.
func (t *txn) allFeeds(removed bool) ([]Feed, error) {
	out := make([]Feed, 0, t.head.Feeds)
	live, last := 0, FeedID(0)
	err := t.Scan(record.Feeds, nil, nil, func(k, v []byte) error {
		id := FeedID(beUint32(k))
		last = id
		if id%releaseEvery == 0 {
			t.Release()
		}
		c, err := t.count(id)
		if err != nil {
			return err
		}
		if c == nil {
			return record.Counts.Damage(k, "the feed has no counters")
		}
		if c.Live {
			live++
		} else if !removed {
			return nil
		}
		var r record.FeedRecord
		if record.DecMode.Unmarshal(v, &r) != nil {
			return record.Feeds.Damage(k, "feed does not decode")
		}
		f := r.Feed(id, c)
		if err := t.poll(id, &f.Poll); err != nil {
			return err
		}
		out = append(out, f)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if live != t.head.Feeds || last+1 != t.head.NextFeed {
		return nil, &DamagedError{What: fmt.Sprintf("%d feeds of %d are there", live, t.head.Feeds), Record: "feeds"}
	}
	return out, nil
}

// poll reads a feed's poll record into p; without one p is left as it is.
func (t *txn) poll(f FeedID, p *Poll) error {
	key := record.Key4(uint32(f))
	v, err := t.Get(record.Polls, key)
	if err != nil || v == nil {
		return err
	}
	var r record.PollRecord
	if record.DecMode.Unmarshal(v, &r) != nil {
		return record.Polls.Damage(key, "poll does not decode")
	}
	ok := false
	if *p, ok = r.Poll(); !ok {
		return record.Polls.Damage(key, "poll does not decode")
	}
	return nil
}

// Items reads several items in the order of ids; ErrUnknown if one is not there.
func (s *Store) Items(ctx context.Context, ids []ItemID) ([]Item, error) {
	out := make([]Item, 0, len(ids))
	err := s.read(ctx, func(t *txn) error {
		var st record.State
		var it record.ItemRecord
		for _, id := range ids {
			ok, err := t.state(id, &st)
			if err != nil {
				return err
			}
			if !ok {
				return t.missing(id)
			}
			if err := t.item(id, &it); err != nil {
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

// missing tells an item that never was from one that a damaged page hides.
func (t *txn) missing(id ItemID) error {
	c, err := t.count(id.Feed())
	if err != nil {
		return err
	}
	if c != nil && id.N() > 0 && id.N() < c.Next {
		return record.States.Damage(record.Key8(uint64(id)), "the item's state is missing")
	}
	return fmt.Errorf("%w: %s", ErrUnknown, id)
}

// visit decodes all facts after number after into one Fact.
func (t *txn) visit(after uint64, visit func(*Fact) error) (last uint64, err error) {
	if after >= t.head.Facts {
		return t.head.Facts, nil
	}
	c := t.Bucket(record.Facts).Cursor()
	want := record.FactKey(after + 1)
	k, rec := c.Seek(want)
	if !bytes.Equal(k, want) { // it lies inside the run before
		if k == nil {
			k, rec = c.Last()
		} else {
			k, rec = c.Prev()
		}
	}
	var d record.FactReader
	next := uint64(0)
	for ; k != nil; k, rec = c.Next() {
		no := beUint64(k)
		if no > after+1 && no != next || next == 0 && no > after+1 {
			return 0, record.Facts.Damage(k, "facts are missing before this")
		}
		run, err := record.Facts.Open(k, rec)
		if err != nil {
			return 0, err
		}
		d.Begin(no, run)
		for d.Next() {
			if d.Fact.No > after {
				if err := visit(&d.Fact); err != nil {
					return d.Fact.No, err
				}
			}
		}
		if !d.Rest.Done() {
			return 0, record.Facts.Damage(k, "facts do not decode")
		}
		next = d.Fact.No + 1
	}
	if next != t.head.Facts+1 {
		return 0, &DamagedError{What: fmt.Sprintf("facts end at %d of %d", int64(next)-1, t.head.Facts), Record: "facts"}
	}
	return t.head.Facts, nil
}

// Facts calls visit for every fact after number after, in order, and returns the
// number of the last. The Fact and its slices are reused for the next call: copy
// what you keep. visit must not block, nor call the Store.
func (s *Store) Facts(ctx context.Context, after uint64, visit func(*Fact) error) (last uint64, err error) {
	err = s.read(ctx, func(t *txn) (err error) {
		last, err = t.visit(after, visit)
		return err
	})
	return last, err
}

// RowsOf reads the rows of items, in their order, also of a removed feed.
func (s *Store) RowsOf(ctx context.Context, ids []ItemID) ([]Row, error) {
	var out []Row
	err := s.read(ctx, func(t *txn) error {
		out = make([]Row, 0, len(ids))
		var st record.State
		var it record.ItemRecord
		for _, id := range ids {
			if ok, err := t.state(id, &st); err != nil || !ok {
				return cmp.Or(err, t.missing(id))
			}
			if err := t.item(id, &it); err != nil {
				return err
			}
			r := rowOf(&it, &st)
			out = append(out, Row{ID: id, At: st.At, Words: r.Words, Flags: r.Flags, Title: r.Title, Author: r.Author, Was: r.Was})
			own := &out[len(out)-1]
			own.Tags, own.Muted = record.SplitMuted(r.Flags, r.Tags)
		}
		return nil
	})
	return out, err
}

// Match finds the stored items of a feed, a removed one too, that have any of keys.
func (s *Store) Match(ctx context.Context, feed FeedID, keys []uint64) (Matched, error) {
	out := Matched{ByKey: make(map[uint64]Match)}
	err := s.read(ctx, func(t *txn) error {
		c, err := t.count(feed)
		if err != nil {
			return err
		}
		if c == nil {
			return fmt.Errorf("%w: %s", ErrUnknown, feed)
		}
		out.Next = c.Next
		found := make(map[uint32]Match)
		sorted := slices.Clone(keys)
		slices.Sort(sorted)
		for _, k := range slices.Compact(sorted) {
			n, err := t.owner(feed, k)
			if err != nil {
				return err
			}
			if n == 0 {
				continue
			}
			m, ok := found[n]
			if !ok {
				if m, err = t.matched(MakeItemID(feed, n)); err != nil {
					return err
				}
				found[n] = m
			}
			out.ByKey[k] = m
		}
		return nil
	})
	return out, err
}

// owner is the number of the item that has a key; 0 if none has.
func (t *txn) owner(feed FeedID, key uint64) (uint32, error) {
	k := record.IDKey(feed, key)
	v, err := t.Get(record.IDs, k)
	if err != nil || v == nil {
		return 0, err
	}
	r := codec.Reader{B: v}
	n := uint32(r.Uvarint())
	if !r.Done() || n == 0 {
		return 0, record.IDs.Damage(k, "key does not decode")
	}
	return n, nil
}

func (t *txn) matched(id ItemID) (Match, error) {
	var st record.State
	var it record.ItemRecord
	ok, err := t.state(id, &st)
	if err != nil {
		return Match{}, err
	}
	if !ok {
		return Match{}, t.missing(id)
	}
	if err := t.item(id, &it); err != nil {
		return Match{}, err
	}
	whole := it.Item(id, &st)
	return whole.Match(), nil
}

// Meta reads a small value kept under key; nil if there is none.
func (s *Store) Meta(ctx context.Context, key string) ([]byte, error) {
	var out []byte
	err := s.read(ctx, func(t *txn) error {
		v, err := t.Get(record.Meta, []byte(ownPrefix+key))
		out = bytes.Clone(v)
		return err
	})
	return out, err
}

// putOwn sets a value that Meta reads; empty removes it.
func (t *txn) putOwn(name, value string) error {
	key := []byte(ownPrefix + name)
	if err := (ruleWriter{t}).note(name); err != nil {
		return err
	}
	switch {
	case value != "":
		return t.Put(record.Meta, key, []byte(value))
	case t.Bucket(record.Meta).Get(key) != nil:
		return t.Delete(record.Meta, key)
	}
	return nil
}

// SetMeta keeps a small value under key; nil removes it.
func (s *Store) SetMeta(ctx context.Context, key string, val []byte) error {
	return s.lib.do(ctx, &job{write: true, fn: func(t *txn) error {
		return t.putOwn(key, string(val))
	}})
}
