package store

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"diurna/store/codec"
	"diurna/store/pages"
	"diurna/store/record"
)

// Rows reads a list, newest first. A list read to its end is counted against the
// counters: a lost page is an ErrDamaged, never a shorter list.
func (s *Store) Rows(ctx context.Context, q RowQuery) ([]Row, error) {
	var out []Row
	err := s.read(ctx, func(t *txn) (err error) {
		out, err = t.rows(q)
		return err
	})
	return out, err
}

// rowScan walks one list downwards.
type rowScan struct {
	b    *record.Bucket
	c    *pages.Cursor
	k, v []byte
}

func (t *txn) newRowScan(b *record.Bucket, before Cursor) *rowScan {
	s := &rowScan{b: b, c: t.Bucket(b).Cursor()}
	if before == (Cursor{}) {
		s.k, s.v = s.c.Last()
		return s
	}
	if k, _ := s.c.Seek(record.RowKey(before.At, before.ID)); k == nil {
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
		scans = append(scans, t.newRowScan(record.UnreadRows, q.Before))
	case All:
		scans = append(scans, t.newRowScan(record.UnreadRows, q.Before), t.newRowScan(record.ReadRows, q.Before))
	case SavedRows:
		scans = append(scans, t.newRowScan(record.SavedRows, q.Before))
	case ReadRows:
		scans = append(scans, t.newRowScan(record.ReadRows, q.Before))
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
			return nil, s.b.Damage(s.k, "no such key")
		}
		at, id := record.SplitRowKey(s.k)
		if q.Feed == 0 || id.Feed() == q.Feed {
			p, err := s.b.Open(s.k, s.v)
			if err != nil {
				return nil, err
			}
			if !g.add(at, id, p) {
				return nil, s.b.Damage(s.k, "row does not decode")
			}
		}
		s.k, s.v = s.c.Prev()
	}
	whole := q.Before == (Cursor{}) && (q.Limit <= 0 || len(g.rows) < q.Limit)
	if whole && len(g.rows) != want || len(g.rows) > want {
		return nil, &DamagedError{What: fmt.Sprintf("%d rows of %d are there", len(g.rows), want), Record: "lists"}
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
	c := &record.Count{Items: t.head.Items, Unread: t.head.Unread, Saved: t.head.Saved}
	if q.Feed != 0 {
		var err error
		if c, err = t.count(q.Feed); err != nil {
			return 0, err
		}
		if c == nil {
			return 0, fmt.Errorf("%w: %s", ErrUnknown, q.Feed)
		}
		if !c.Live {
			return 0, nil
		}
	}
	switch q.Which {
	case Unread:
		return c.Unread, nil
	case SavedRows:
		return c.Saved, nil
	case ReadRows:
		return c.Items - c.Unread, nil
	}
	return c.Items, nil
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
	r := codec.Reader{B: payload}
	g.rows = append(g.rows, Row{ID: id, At: at, Flags: Flags(r.Byte()), Words: uint32(r.Uvarint())})
	title, author := r.Bytes(), r.Bytes()
	g.text.Write(title)
	g.text.Write(author)
	tags := r.Count(1)
	g.cuts = append(g.cuts, uint32(len(title)), uint32(len(author)), uint32(tags))
	for range tags {
		tag := r.Bytes()
		g.text.Write(tag)
		g.cuts = append(g.cuts, uint32(len(tag)))
	}
	if row := &g.rows[len(g.rows)-1]; !r.Bad && len(r.B) > 0 {
		if was := r.Text(); row.Flags&FlagChanged != 0 {
			row.Was = was
		}
	}
	return r.Done()
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
			r.Tags, r.Muted = record.SplitMuted(r.Flags, r.Tags)
		}
	}
	return g.rows
}
