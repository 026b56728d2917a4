package store

import (
	"context"
	"fmt"
	"math"

	"diurna/store/record"
)

// This file is the face of what is kept of watched web pages. A page is a feed
// whose items are its changes; beside them lie its revisions, packed by the
// caller against each other, and notes: small records that the caller keeps of
// the addresses it watches. All are written by File, in the transaction of the
// items that tell of them.

// PageFiling is what a fetch of a watched page leaves beside its items.
type PageFiling struct {
	After     uint32 // number of the newest revision when the page was compared; else ErrStale
	Revisions []PageRevision
	Notes     map[uint64][]byte // by the caller's keys; nil removes one
	Drop      []uint32          // revisions to forget; none that is kept may stand on one
}

// PageHeads reads the counts of all feeds that have revisions.
func (s *Store) PageHeads(ctx context.Context) (map[FeedID]PageHead, error) {
	out := map[FeedID]PageHead{}
	err := s.read(ctx, func(t *txn) error {
		return t.Scan(record.PageHeads, nil, nil, func(k, v []byte) error {
			h, ok := record.DecodePageHead(v)
			if !ok || len(k) != 4 {
				return record.PageHeads.Damage(k, "does not decode")
			}
			out[FeedID(beUint32(k))] = h
			return nil
		})
	})
	return out, err
}

// PageRevisions reads the revisions of a feed, oldest first, without what is
// packed.
func (s *Store) PageRevisions(ctx context.Context, feed FeedID) ([]PageRevision, error) {
	var out []PageRevision
	err := s.read(ctx, func(t *txn) (err error) {
		out, err = t.pageRevisions(feed)
		return err
	})
	return out, err
}

// PageChain reads the revisions needed to unpack revision no of a feed: the one
// that stands alone first, no last. ErrUnknown if no is not kept.
func (s *Store) PageChain(ctx context.Context, feed FeedID, no uint32) ([]PageRevision, error) {
	var chain []PageRevision
	err := s.read(ctx, func(t *txn) error {
		for n := no; n != 0; {
			r, err := t.pageRevision(feed, n)
			if err != nil {
				return err
			}
			if r.Base >= n {
				return record.Pages.Damage(record.PageKey(feed, n), "stands on a later revision")
			}
			chain = append([]PageRevision{r}, chain...)
			n = r.Base
		}
		return nil
	})
	return chain, err
}

// PageNotes reads the notes of a feed by their keys.
func (s *Store) PageNotes(ctx context.Context, feed FeedID) (map[uint64][]byte, error) {
	out := map[uint64][]byte{}
	err := s.read(ctx, func(t *txn) error {
		prefix := record.Key4(uint32(feed))
		return t.Scan(record.PageNotes, prefix, prefix, func(k, v []byte) error {
			if len(k) != 12 {
				return record.PageNotes.Damage(k, "no such key")
			}
			out[beUint64(k[4:])] = append([]byte{}, v...)
			return nil
		})
	})
	return out, err
}

// NotePlace is where a note lies.
type NotePlace struct {
	Feed FeedID
	Key  uint64
}

// NotesAt visits the notes at those places that have one, by the index of the place;
// a note is only lent.
func (s *Store) NotesAt(ctx context.Context, places []NotePlace, visit func(i int, note []byte)) error {
	return s.read(ctx, func(t *txn) error {
		for i, p := range places {
			v, err := t.Get(record.PageNotes, record.IDKey(p.Feed, p.Key))
			if err != nil {
				return err
			}
			if v != nil {
				visit(i, v)
			}
		}
		return nil
	})
}

func (t *txn) pageHead(f FeedID) (PageHead, error) {
	key := record.Key4(uint32(f))
	v, err := t.Get(record.PageHeads, key)
	if err != nil || v == nil {
		return PageHead{}, err
	}
	h, ok := record.DecodePageHead(v)
	if !ok {
		return PageHead{}, record.PageHeads.Damage(key, "does not decode")
	}
	return h, nil
}

// pageRevision reads one with a copy of what is packed.
func (t *txn) pageRevision(f FeedID, no uint32) (PageRevision, error) {
	key := record.PageKey(f, no)
	v, err := t.Get(record.Pages, key)
	if err != nil {
		return PageRevision{}, err
	}
	if v == nil {
		return PageRevision{}, fmt.Errorf("%w: revision %d of %s", ErrUnknown, no, f)
	}
	var p PageRevision
	if !p.Decode(no, v) {
		return p, record.Pages.Damage(key, "revision does not decode")
	}
	p.Packed = append([]byte{}, p.Packed...)
	return p, nil
}

// pageRevisions reads all of a feed and counts them against the head: a lost
// page of the file is damage, never a shorter list.
func (t *txn) pageRevisions(f FeedID) ([]PageRevision, error) {
	h, err := t.pageHead(f)
	if err != nil {
		return nil, err
	}
	out := make([]PageRevision, 0, h.Count)
	prefix := record.Key4(uint32(f))
	err = t.Scan(record.Pages, prefix, prefix, func(k, v []byte) error {
		var p PageRevision
		if len(k) != 8 || !p.Decode(beUint32(k[4:]), v) {
			return record.Pages.Damage(k, "revision does not decode")
		}
		p.Packed = nil
		out = append(out, p)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(out) != h.Count || h.Count > 0 && out[len(out)-1].No != h.Last {
		return nil, record.Pages.Damage(prefix, fmt.Sprintf("%d revisions of %d are there", len(out), h.Count))
	}
	return out, nil
}

// page files what a fetch left of a watched page. first is the number that the
// first of the filing's new items got.
func (w *filer) page(f *Filing, first uint32) error {
	p := f.Page
	if p == nil {
		return nil
	}
	h, err := w.t.pageHead(f.Feed)
	if err != nil {
		return err
	}
	was := h
	for i := range p.Revisions {
		r := p.Revisions[i]
		if h.Last == math.MaxUint32 {
			return fmt.Errorf("store: a page's numbers are used up")
		}
		h.Last++
		h.Count++
		if r.Item != 0 {
			r.Item += first - 1
		}
		if r.Base > was.Last || len(r.Packed) == 0 {
			return fmt.Errorf("%w: a revision that stands on none", ErrInvalid)
		}
		if err := w.t.Put(record.Pages, record.PageKey(f.Feed, h.Last), r.Encode()); err != nil {
			return err
		}
	}
	for _, no := range p.Drop {
		key := record.PageKey(f.Feed, no)
		v, err := w.t.Get(record.Pages, key)
		if err != nil {
			return err
		}
		if v == nil || no == h.Last {
			continue // forgotten already; the newest is kept
		}
		if err := w.t.Delete(record.Pages, key); err != nil {
			return err
		}
		h.Count--
	}
	if h != was {
		if err := w.t.Put(record.PageHeads, record.Key4(uint32(f.Feed)), h.Encode()); err != nil {
			return err
		}
	}
	return w.pageNotes(f)
}

func (w *filer) pageNotes(f *Filing) error {
	for note, v := range f.Page.Notes {
		key := record.IDKey(f.Feed, note)
		if v != nil {
			if err := w.t.Put(record.PageNotes, key, v); err != nil {
				return err
			}
			continue
		}
		if old, err := w.t.Get(record.PageNotes, key); err != nil || old == nil {
			if err != nil {
				return err
			}
			continue
		}
		if err := w.t.Delete(record.PageNotes, key); err != nil {
			return err
		}
	}
	return nil
}

// pages holds every revision against its feed, the item that tells of it and
// the one it stands on.
func (c *checker) pages() error {
	var heads []FeedID
	err := c.t.Scan(record.PageHeads, nil, nil, func(k, v []byte) error {
		if _, ok := record.DecodePageHead(v); !ok || len(k) != 4 {
			return record.PageHeads.Damage(k, "does not decode")
		}
		heads = append(heads, FeedID(beUint32(k)))
		return nil
	})
	if err != nil {
		return err
	}
	sum := 0
	for _, f := range heads {
		list, err := c.t.pageRevisions(f)
		if err != nil {
			return err
		}
		sum += len(list)
		kept := map[uint32]bool{}
		for _, r := range list {
			where := fmt.Sprintf("%s revision %d", f, r.No)
			kept[r.No] = true
			switch {
			case c.m.Feeds[f] == nil:
				c.rep.find("revision: of no feed", where)
			case r.Item != 0 && c.m.Item(MakeItemID(f, r.Item)) == nil:
				c.rep.find("revision: the item that tells of it is not there", where)
			case r.Base != 0 && !kept[r.Base]:
				c.rep.find(fmt.Sprintf("revision: revision %d, on which it stands, is not there", r.Base), where)
			}
		}
	}
	c.rep.Revisions = sum
	n := 0
	err = c.t.Scan(record.Pages, nil, nil, func(_, _ []byte) error { n++; return nil })
	if err == nil && n != sum {
		c.rep.find(fmt.Sprintf("revision: %d are stored, %d are counted", n, sum), "pages")
	}
	if err != nil {
		return err
	}
	return c.t.Scan(record.PageNotes, nil, nil, func(k, _ []byte) error {
		if len(k) != 12 || c.m.Feeds[FeedID(beUint32(k))] == nil {
			c.rep.find("note: of no feed", record.PageNotes.KeyName(k))
		}
		return nil
	})
}
