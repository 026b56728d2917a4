package store

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

func beUint64(b []byte) uint64 { return binary.BigEndian.Uint64(b) }
func beUint32(b []byte) uint32 { return binary.BigEndian.Uint32(b) }

// read runs one read transaction.
func (s *Store) read(ctx context.Context, fn func(*txn) error) error {
	return s.lib.do(ctx, &job{fn: fn})
}

func (s *Store) shelf(ctx context.Context, w Which, n int) (Shelf, error) {
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
	return Totals{h.feeds, h.items, h.unread, h.saved, h.facts, t.number()}
}

func (s *Store) totals(ctx context.Context) (Totals, error) {
	var out Totals
	err := s.read(ctx, func(t *txn) error {
		out = t.totals()
		return nil
	})
	return out, err
}

func (s *Store) unreadAmong(ctx context.Context, ids []ItemID) (int, error) {
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
		var st state
		for _, id := range ids {
			if !live[id.Feed()] {
				continue
			}
			if ok, err := t.state(id, &st); err != nil {
				return err
			} else if !ok {
				return t.missing(id)
			}
			if st.flags&FlagRead == 0 {
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

// allFeeds reads feeds, counters and polls side by side.
func (t *txn) allFeeds(removed bool) ([]Feed, error) {
	out := make([]Feed, 0, t.head.feeds)
	live, last, old := 0, FeedID(0), t.older()
	err := t.scan(bFeeds, nil, nil, func(k, v []byte) error {
		id := FeedID(beUint32(k))
		last = id
		c, err := t.count(id)
		if err != nil {
			return err
		}
		if c == nil {
			return bCounts.damage(k, "the feed has no counters")
		}
		if c.live {
			live++
		} else if !removed {
			return nil
		}
		if old != nil {
			v = old.record(bFeeds, k, v)
		}
		var r feedRec
		if decMode.Unmarshal(v, &r) != nil {
			return bFeeds.damage(k, "feed does not decode")
		}
		f := r.feed(id, c)
		if err := t.poll(id, &f.Poll); err != nil {
			return err
		}
		out = append(out, f)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if live != t.head.feeds || last+1 != t.head.nextFeed {
		return nil, &DamagedError{fmt.Sprintf("%d feeds of %d are there", live, t.head.feeds), "feeds"}
	}
	return out, nil
}

// poll reads a feed's poll record into p; without one p is left as it is.
func (t *txn) poll(f FeedID, p *Poll) error {
	key := key4(uint32(f))
	v, err := t.get(bPolls, key)
	if err != nil || v == nil {
		return err
	}
	if old := t.older(); old != nil {
		v = old.record(bPolls, key, v)
	}
	var r pollRec
	if decMode.Unmarshal(v, &r) != nil {
		return bPolls.damage(key, "poll does not decode")
	}
	ok := false
	if *p, ok = r.poll(); !ok {
		return bPolls.damage(key, "poll does not decode")
	}
	return nil
}

func (s *Store) rows(ctx context.Context, q RowQuery) ([]Row, error) {
	var out []Row
	err := s.read(ctx, func(t *txn) (err error) {
		out, err = t.rows(q)
		return err
	})
	return out, err
}

// rowScan walks one list downwards.
type rowScan struct {
	b    *bucket
	c    *cursor
	k, v []byte
}

func (t *txn) newRowScan(b *bucket, before Cursor) *rowScan {
	s := &rowScan{b: b, c: t.cursor(b)}
	if before == (Cursor{}) {
		s.k, s.v = s.c.Last()
		return s
	}
	if k, _ := s.c.Seek(rowKey(before.At, before.ID)); k == nil {
		s.k, s.v = s.c.Last() // all keys are below
	} else {
		s.k, s.v = s.c.Prev()
	}
	return s
}

// rows merges the lists that q.Which stands for. Titles, authors and tags are
// cut from one string (gather): 100,000 rows are then some allocations, not
// 300,000.
func (t *txn) rows(q RowQuery) ([]Row, error) {
	var scans []*rowScan
	switch q.Which {
	case Unread:
		scans = append(scans, t.newRowScan(bUnread, q.Before))
	case All:
		scans = append(scans, t.newRowScan(bUnread, q.Before), t.newRowScan(bRead, q.Before))
	case SavedRows:
		scans = append(scans, t.newRowScan(bSaved, q.Before))
	case ReadRows:
		scans = append(scans, t.newRowScan(bRead, q.Before))
	default:
		return nil, fmt.Errorf("%w: list %d", ErrInvalid, q.Which)
	}
	want, err := t.expected(q)
	if err != nil {
		return nil, err
	}
	g := newGather(want, q.Limit)
	for q.Limit <= 0 || len(g.rows) < q.Limit {
		s := newest(scans)
		if s == nil {
			break
		}
		if len(s.k) != 16 {
			return nil, s.b.damage(s.k, "no such key")
		}
		at, id := splitRowKey(s.k)
		if q.Feed == 0 || id.Feed() == q.Feed {
			p, err := s.b.open(s.k, s.v)
			if err != nil {
				return nil, err
			}
			if !g.add(at, id, p) {
				return nil, s.b.damage(s.k, "row does not decode")
			}
		}
		s.k, s.v = s.c.Prev()
	}
	whole := q.Before == (Cursor{}) && (q.Limit <= 0 || len(g.rows) < q.Limit)
	if whole && len(g.rows) != want || len(g.rows) > want {
		return nil, &DamagedError{fmt.Sprintf("%d rows of %d are there", len(g.rows), want), "lists"}
	}
	return g.finish(), nil
}

// newest picks the list whose row is next; nil if all are at their end.
func newest(scans []*rowScan) (best *rowScan) {
	for _, s := range scans {
		if s.k != nil && (best == nil || bytes.Compare(s.k, best.k) > 0) {
			best = s
		}
	}
	return best
}

// expected is how many rows the counters promise.
func (t *txn) expected(q RowQuery) (int, error) {
	c := &count{items: t.head.items, unread: t.head.unread, saved: t.head.saved}
	if q.Feed != 0 {
		var err error
		if c, err = t.count(q.Feed); err != nil {
			return 0, err
		}
		if c == nil {
			return 0, fmt.Errorf("%w: %s", ErrUnknown, q.Feed)
		}
		if !c.live {
			return 0, nil
		}
	}
	switch q.Which {
	case Unread:
		return c.unread, nil
	case SavedRows:
		return c.saved, nil
	case ReadRows:
		return c.items - c.unread, nil
	}
	return c.items, nil
}

// gather collects rows with their strings in one block of bytes.
type gather struct {
	rows []Row
	text strings.Builder
	cuts []uint32 // lengths: title, author, number of tags, tags
}

func newGather(want, limit int) *gather {
	if limit > 0 && limit < want {
		want = limit
	}
	want = max(0, min(want, 1<<20)) // a damaged counter must not ask for memory
	g := &gather{rows: make([]Row, 0, want), cuts: make([]uint32, 0, want*3)}
	g.text.Grow(want * 64)
	return g
}

func (g *gather) add(at int64, id ItemID, payload []byte) bool {
	r := reader{b: payload}
	g.rows = append(g.rows, Row{ID: id, At: at, Flags: Flags(r.byte()), Words: uint32(r.uvarint())})
	title, author := r.bytes(), r.bytes()
	g.text.Write(title)
	g.text.Write(author)
	tags := r.count(1)
	g.cuts = append(g.cuts, uint32(len(title)), uint32(len(author)), uint32(tags))
	for range tags {
		tag := r.bytes()
		g.text.Write(tag)
		g.cuts = append(g.cuts, uint32(len(tag)))
	}
	if row := &g.rows[len(g.rows)-1]; !r.bad && len(r.b) > 0 {
		if was := r.string(); row.Flags&FlagChanged != 0 {
			row.Was = was
		}
	}
	return r.done()
}

func (g *gather) finish() []Row {
	text, cuts := g.text.String(), g.cuts
	cut := func() string {
		s := text[:cuts[0]]
		text, cuts = text[cuts[0]:], cuts[1:]
		return s
	}
	for i := range g.rows {
		r := &g.rows[i]
		r.Title, r.Author = cut(), cut()
		tags := cuts[0]
		cuts = cuts[1:]
		if tags > 0 {
			r.Tags = make([]string, tags)
			for j := range r.Tags {
				r.Tags[j] = cut()
			}
		}
	}
	return g.rows
}

func (s *Store) items(ctx context.Context, ids []ItemID) ([]Item, error) {
	out := make([]Item, 0, len(ids))
	err := s.read(ctx, func(t *txn) error {
		var st state
		var it itemRec
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
			out = append(out, it.item(id, &st))
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
	if c != nil && id.N() > 0 && id.N() < c.next {
		return bState.damage(key8(uint64(id)), "the item's state is missing")
	}
	return fmt.Errorf("%w: %s", ErrUnknown, id)
}

// visit decodes all facts after number after into one Fact.
func (t *txn) visit(after uint64, visit func(*Fact) error) (last uint64, err error) {
	if after >= t.head.facts {
		return t.head.facts, nil
	}
	c := t.cursor(bFacts)
	want := factKey(after + 1)
	k, rec := c.Seek(want)
	if !bytes.Equal(k, want) { // it lies inside the run before
		if k == nil {
			k, rec = c.Last()
		} else {
			k, rec = c.Prev()
		}
	}
	var d factReader
	next := uint64(0)
	for ; k != nil; k, rec = c.Next() {
		no := beUint64(k)
		if no > after+1 && no != next || next == 0 && no > after+1 {
			return 0, bFacts.damage(k, "facts are missing before this")
		}
		run, err := bFacts.open(k, rec)
		if err != nil {
			return 0, err
		}
		d.begin(no, run)
		for d.next() {
			if d.f.No > after {
				if err := visit(&d.f); err != nil {
					return d.f.No, err
				}
			}
		}
		if !d.r.done() {
			return 0, bFacts.damage(k, "facts do not decode")
		}
		next = d.f.No + 1
	}
	if next != t.head.facts+1 {
		return 0, &DamagedError{fmt.Sprintf("facts end at %d of %d", int64(next)-1, t.head.facts), "facts"}
	}
	return t.head.facts, nil
}

func (s *Store) facts(ctx context.Context, after uint64, visit func(*Fact) error) (last uint64, err error) {
	err = s.read(ctx, func(t *txn) (err error) {
		last, err = t.visit(after, visit)
		return err
	})
	return last, err
}

func (s *Store) match(ctx context.Context, feed FeedID, keys []uint64) (Matched, error) {
	out := Matched{ByKey: make(map[uint64]Match)}
	err := s.read(ctx, func(t *txn) error {
		c, err := t.count(feed)
		if err != nil {
			return err
		}
		if c == nil {
			return fmt.Errorf("%w: %s", ErrUnknown, feed)
		}
		out.Next = c.next
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
	k := idKey(feed, key)
	v, err := t.get(bIDs, k)
	if err != nil || v == nil {
		return 0, err
	}
	r := reader{b: v}
	n := uint32(r.uvarint())
	if !r.done() || n == 0 {
		return 0, bIDs.damage(k, "key does not decode")
	}
	return n, nil
}

func (t *txn) matched(id ItemID) (Match, error) {
	var st state
	var it itemRec
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
	return Match{N: id.N(), Hash: it.Hash, Flags: st.flags, Title: it.Title, Link: it.Link, Published: timeOf(it.Published)}, nil
}

func (s *Store) meta(ctx context.Context, key string) ([]byte, error) {
	var out []byte
	err := s.read(ctx, func(t *txn) error {
		v, err := t.get(bMeta, []byte(ownPrefix+key))
		if v != nil {
			out = bytes.Clone(v)
		}
		return err
	})
	return out, err
}

// putOwn sets a value that Meta reads; empty removes it.
func (t *txn) putOwn(name, value string) error {
	key := []byte(ownPrefix + name)
	switch {
	case value != "":
		return t.put(bMeta, key, []byte(value))
	case t.record(bMeta, key) != nil:
		return t.delete(bMeta, key)
	}
	return nil
}

func (s *Store) setMeta(ctx context.Context, key string, val []byte) error {
	return s.lib.do(ctx, &job{write: true, fn: func(t *txn) error {
		if val == nil {
			return t.delete(bMeta, []byte(ownPrefix+key))
		}
		return t.put(bMeta, []byte(ownPrefix+key), val)
	}})
}
