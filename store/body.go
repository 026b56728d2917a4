package store

import (
	"bytes"
	"context"
	"encoding/binary"

	"diurna/store/codec"
)

// chunkAt reads the chunk that holds item id, or the last one before it. It is
// nil if the feed has none there.
func (t *txn) chunkAt(id ItemID) (first ItemID, chunk []entry, err error) {
	key := key8(uint64(id))
	c := t.bucket(bBodies).Cursor()
	k, rec := c.Seek(key)
	if !bytes.Equal(k, key) {
		if err := bBodies.gap(c, k, rec, key); err != nil {
			return 0, nil, err
		}
		if k, _ = c.Seek(key); k == nil {
			k, rec = c.Last()
		} else {
			k, rec = c.Prev()
		}
	}
	if k == nil || len(k) != 8 || ItemID(beUint64(k)).Feed() != id.Feed() {
		return 0, nil, nil
	}
	p, err := bBodies.open(k, rec)
	if err != nil {
		return 0, nil, err
	}
	chunk, ok := t.lib.unpack(p)
	if !ok || len(chunk) == 0 || chunk[0].n != ItemID(beUint64(k)).N() {
		return 0, nil, bBodies.damage(k, "bodies do not unpack")
	}
	return ItemID(beUint64(k)), chunk, nil
}

func (t *txn) putChunk(feed FeedID, chunk []entry) error {
	packed, err := t.lib.pack(chunk)
	if err != nil {
		return err
	}
	return t.putPacked(feed, packedChunk{chunk[0].n, packed})
}

func (t *txn) putPacked(feed FeedID, c packedChunk) error {
	t.bucket(bBodies).FillPercent = 0.9 // mostly appended, feed by feed
	return t.put(bBodies, key8(uint64(MakeItemID(feed, c.first))), c.record)
}

// addBodies files the bodies of new items, numbered upwards.
func (t *txn) addBodies(feed FeedID, fresh []entry) error {
	if len(fresh) == 0 {
		return nil
	}
	_, chunk, err := t.chunkAt(MakeItemID(feed, fresh[0].n))
	if err != nil {
		return err
	}
	size := 0
	for i := range chunk {
		size += chunk[i].size()
	}
	if size >= chunkOpen {
		chunk = nil
	}
	return chunks(chunk, fresh, func(chunk []entry) error { return t.putChunk(feed, chunk) })
}

// bodyOf reads an item's text.
func (t *txn) bodyOf(id ItemID) (Body, error) {
	_, chunk, err := t.chunkAt(id)
	if err != nil {
		return Body{}, err
	}
	i := entryAt(chunk, id.N())
	if i < 0 {
		return Body{}, bBodies.damage(key8(uint64(id)), "the body is missing")
	}
	return chunk[i].body, nil
}

// replaceBody puts an edited text in the old one's place.
func (t *txn) replaceBody(id ItemID, b Body) error {
	_, chunk, err := t.chunkAt(id)
	if err != nil {
		return err
	}
	for i := range chunk {
		if chunk[i].n == id.N() {
			chunk[i].body = b
			return t.putChunk(id.Feed(), chunk)
		}
	}
	return bBodies.damage(key8(uint64(id)), "the body is missing")
}

// Body reads one item's text.
func (s *Store) Body(ctx context.Context, id ItemID) (Body, error) {
	var out Body
	err := s.read(ctx, func(t *txn) error {
		var st state
		ok, err := t.state(id, &st)
		if err != nil {
			return err
		}
		if !ok {
			return t.missing(id)
		}
		var it itemRec
		if err := t.item(id, &it); err != nil {
			return err
		}
		if out, err = t.bodyOf(id); err != nil {
			return err
		}
		if len(out.HTML)+len(out.Summary) != it.BodySize {
			return bBodies.damage(key8(uint64(id)), "the body has another size")
		}
		return nil
	})
	if err != nil {
		return Body{}, err
	}
	return out, nil
}

// putRevision keeps what an item said before its edit number n.
func (t *txn) putRevision(id ItemID, n int, untilMS int64, title string, b Body) error {
	packed, err := t.lib.pack([]entry{{1, b}})
	if err != nil {
		return err
	}
	payload := codec.AppendString(binary.AppendVarint(nil, untilMS), title)
	return t.put(bRevisions, append(key8(uint64(id)), key4(uint32(n))...), append(payload, packed...))
}

// Revisions reads what an item said before its edits, oldest first.
func (s *Store) Revisions(ctx context.Context, id ItemID) ([]Revision, error) {
	var out []Revision
	err := s.read(ctx, func(t *txn) error {
		prefix := key8(uint64(id))
		return t.scan(bRevisions, prefix, prefix, func(k, v []byte) error {
			rev, ok := t.lib.revision(v)
			if !ok {
				return bRevisions.damage(k, "revision does not decode")
			}
			out = append(out, rev)
			return nil
		})
	})
	return out, err
}

func (l *library) revision(v []byte) (Revision, bool) {
	r := codec.Reader{B: v}
	rev := Revision{Until: timeOf(r.Varint()), Title: r.Text()}
	if r.Bad {
		return rev, false
	}
	chunk, ok := l.unpack(r.B)
	if !ok || len(chunk) != 1 {
		return rev, false
	}
	rev.Body = chunk[0].body
	return rev, true
}
