// Package webpages reads what a library keeps of watched web pages. A page is a feed
// whose items are its changes; beside them lie its revisions, packed by the caller
// against each other, and notes: small records that the caller keeps of the
// addresses it watches. store/filing writes them, in the transaction of the items
// that tell of them.
package webpages

import (
	"context"
	"fmt"

	"diurna/store/db"
	"diurna/store/library"
	"diurna/store/record"
)

// Pages reads what a library keeps of watched web pages.
type Pages struct{ Lib *library.Library }

// PageHeads reads the counts of all feeds that have revisions.
func (p *Pages) PageHeads(ctx context.Context) (map[record.FeedID]record.PageHead, error) {
	out := map[record.FeedID]record.PageHead{}
	err := p.Lib.Read(ctx, func(t *library.Txn) error {
		return t.Scan(record.PageHeads, nil, nil, func(k, v []byte) error {
			h, ok := record.DecodePageHead(v)
			if !ok || len(k) != 4 {
				return record.PageHeads.Damage(k, "does not decode")
			}
			out[record.FeedID(record.Uint32(k))] = h
			return nil
		})
	})
	return out, err
}

// PageRevisions reads the revisions of a feed, oldest first, without what is
// packed.
func (p *Pages) PageRevisions(ctx context.Context, feed record.FeedID) ([]record.PageRevision, error) {
	var out []record.PageRevision
	err := p.Lib.Read(ctx, func(t *library.Txn) (err error) {
		out, err = Revisions(t.Tx, feed)
		return err
	})
	return out, err
}

// PageChain reads the revisions needed to unpack revision no of a feed: the one
// that stands alone first, no last. ErrUnknown if no is not kept.
func (p *Pages) PageChain(ctx context.Context, feed record.FeedID, no uint32) ([]record.PageRevision, error) {
	var chain []record.PageRevision
	err := p.Lib.Read(ctx, func(t *library.Txn) error {
		for n := no; n != 0; {
			r, err := Revision(t.Tx, feed, n)
			if err != nil {
				return err
			}
			if r.Base >= n {
				return record.Pages.Damage(record.PageKey(feed, n), "stands on a later revision")
			}
			chain = append([]record.PageRevision{r}, chain...)
			n = r.Base
		}
		return nil
	})
	return chain, err
}

// PageNotes reads the notes of a feed by their keys.
func (p *Pages) PageNotes(ctx context.Context, feed record.FeedID) (map[uint64][]byte, error) {
	out := map[uint64][]byte{}
	err := p.Lib.Read(ctx, func(t *library.Txn) error {
		prefix := record.Key4(uint32(feed))
		return t.Scan(record.PageNotes, prefix, prefix, func(k, v []byte) error {
			if len(k) != 12 {
				return record.PageNotes.Damage(k, "no such key")
			}
			out[record.Uint64(k[4:])] = append([]byte{}, v...)
			return nil
		})
	})
	return out, err
}

// NotePlace is where a note lies.
type NotePlace struct {
	Feed record.FeedID
	Key  uint64
}

// NotesAt visits the notes at those places that have one, by the index of the place;
// a note is only lent.
func (p *Pages) NotesAt(ctx context.Context, places []NotePlace, visit func(i int, note []byte)) error {
	return p.Lib.Read(ctx, func(t *library.Txn) error {
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

// Head counts the revisions of a feed.
func Head(t *db.Tx, f record.FeedID) (record.PageHead, error) {
	key := record.Key4(uint32(f))
	v, err := t.Get(record.PageHeads, key)
	if err != nil || v == nil {
		return record.PageHead{}, err
	}
	h, ok := record.DecodePageHead(v)
	if !ok {
		return record.PageHead{}, record.PageHeads.Damage(key, "does not decode")
	}
	return h, nil
}

// Revision reads one with a copy of what is packed.
func Revision(t *db.Tx, f record.FeedID, no uint32) (record.PageRevision, error) {
	key := record.PageKey(f, no)
	v, err := t.Get(record.Pages, key)
	if err != nil {
		return record.PageRevision{}, err
	}
	if v == nil {
		return record.PageRevision{}, fmt.Errorf("%w: revision %d of %s", library.ErrUnknown, no, f)
	}
	var p record.PageRevision
	if !p.Decode(no, v) {
		return p, record.Pages.Damage(key, "revision does not decode")
	}
	p.Packed = append([]byte{}, p.Packed...)
	return p, nil
}

// Revisions reads all of a feed and counts them against the head: a lost
// page of the file is damage, never a shorter list.
func Revisions(t *db.Tx, f record.FeedID) ([]record.PageRevision, error) {
	h, err := Head(t, f)
	if err != nil {
		return nil, err
	}
	out := make([]record.PageRevision, 0, h.Count)
	prefix := record.Key4(uint32(f))
	err = t.Scan(record.Pages, prefix, prefix, func(k, v []byte) error {
		var p record.PageRevision
		if len(k) != 8 || !p.Decode(record.Uint32(k[4:]), v) {
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
