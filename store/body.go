package store

import (
	"bytes"
	"context"
	"encoding/binary"

	"diurna/store/codec"
	"diurna/store/db"
	"diurna/store/record"
)

// chunkAt reads the chunk that holds item id, or the last one before it. It is
// nil if the feed has none there.
func (t *txn) chunkAt(id ItemID) (first ItemID, chunk []record.Entry, err error) {
	key := record.Key8(uint64(id))
	c := t.Bucket(record.Bodies).Cursor()
	k, rec := c.Seek(key)
	if !bytes.Equal(k, key) {
		if err := db.Gap(record.Bodies, c, k, rec, key); err != nil {
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
	p, err := record.Bodies.Open(k, rec)
	if err != nil {
		return 0, nil, err
	}
	chunk, ok := t.lib.packer.Unpack(p)
	if !ok || len(chunk) == 0 || chunk[0].N != ItemID(beUint64(k)).N() {
		return 0, nil, record.Bodies.Damage(k, "bodies do not unpack")
	}
	return ItemID(beUint64(k)), chunk, nil
}

func (t *txn) putChunk(feed FeedID, chunk []record.Entry) error {
	packed, err := t.lib.packer.Pack(chunk)
	if err != nil {
		return err
	}
	return t.putPacked(feed, packedChunk{chunk[0].N, packed})
}

func (t *txn) putPacked(feed FeedID, c packedChunk) error {
	t.Bucket(record.Bodies).FillPercent = 0.9 // mostly appended, feed by feed
	return t.Put(record.Bodies, record.Key8(uint64(MakeItemID(feed, c.first))), c.record)
}

// addBodies files the bodies of new items, numbered upwards.
func (t *txn) addBodies(feed FeedID, fresh []record.Entry) error {
	if len(fresh) == 0 {
		return nil
	}
	_, chunk, err := t.chunkAt(MakeItemID(feed, fresh[0].N))
	if err != nil {
		return err
	}
	size := 0
	for i := range chunk {
		size += chunk[i].Size()
	}
	if size >= record.ChunkOpen {
		chunk = nil
	}
	return record.Chunks(chunk, fresh, func(chunk []record.Entry) error { return t.putChunk(feed, chunk) })
}

// bodyOf reads an item's text.
func (t *txn) bodyOf(id ItemID) (Body, error) {
	_, chunk, err := t.chunkAt(id)
	if err != nil {
		return Body{}, err
	}
	i := entryAt(chunk, id.N())
	if i < 0 {
		return Body{}, record.Bodies.Damage(record.Key8(uint64(id)), "the body is missing")
	}
	return chunk[i].Body, nil
}

// replaceBody puts an edited text in the old one's place.
func (t *txn) replaceBody(id ItemID, b Body) error {
	_, chunk, err := t.chunkAt(id)
	if err != nil {
		return err
	}
	for i := range chunk {
		if chunk[i].N == id.N() {
			chunk[i].Body = b
			return t.putChunk(id.Feed(), chunk)
		}
	}
	return record.Bodies.Damage(record.Key8(uint64(id)), "the body is missing")
}

// Body reads one item's text.
func (s *Store) Body(ctx context.Context, id ItemID) (Body, error) {
	var out Body
	err := s.read(ctx, func(t *txn) error {
		var st record.State
		ok, err := t.state(id, &st)
		if err != nil {
			return err
		}
		if !ok {
			return t.missing(id)
		}
		var it record.ItemRecord
		if err := t.item(id, &it); err != nil {
			return err
		}
		if out, err = t.bodyOf(id); err != nil {
			return err
		}
		if len(out.HTML)+len(out.Summary) != it.BodySize {
			return record.Bodies.Damage(record.Key8(uint64(id)), "the body has another size")
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
	packed, err := t.lib.packer.Pack([]record.Entry{{N: 1, Body: b}})
	if err != nil {
		return err
	}
	payload := codec.AppendString(binary.AppendVarint(nil, untilMS), title)
	return t.Put(record.Revisions, append(record.Key8(uint64(id)), record.Key4(uint32(n))...), append(payload, packed...))
}

// Revisions reads what an item said before its edits, oldest first.
func (s *Store) Revisions(ctx context.Context, id ItemID) ([]Revision, error) {
	var out []Revision
	err := s.read(ctx, func(t *txn) error {
		prefix := record.Key8(uint64(id))
		return t.Scan(record.Revisions, prefix, prefix, func(k, v []byte) error {
			rev, ok := t.lib.packer.Revision(v)
			if !ok {
				return record.Revisions.Damage(k, "revision does not decode")
			}
			out = append(out, rev)
			return nil
		})
	})
	return out, err
}

// packFirst packs the bodies of each filing of a feed that never had an item: their
// chunks depend on nothing stored. So this happens before the library is locked. One
// encoder does it, while the next feeds are read: a second one saved no time and cost 2 MB.
func (l *library) packFirst(filings []Filing) ([][]packedChunk, error) {
	packed := make([][]packedChunk, len(filings))
	for i := range filings {
		f := &filings[i]
		if f.Next != 1 || len(f.New) == 0 {
			continue
		}
		err := record.Chunks(nil, bodiesOf(f, 1), func(chunk []record.Entry) error {
			record, err := l.packer.Pack(chunk)
			packed[i] = append(packed[i], packedChunk{chunk[0].N, record})
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return packed, nil
}

// bodiesOf are the bodies of a filing's new items, numbered from first on.
func bodiesOf(f *Filing, first uint32) []record.Entry {
	list := make([]record.Entry, len(f.New))
	for i := range f.New {
		list[i] = record.Entry{N: first + uint32(i), Body: f.New[i].Body}
	}
	return list
}

// packedChunk is the record of a chunk and the number of its first item.
type packedChunk struct {
	first  uint32
	record []byte
}
