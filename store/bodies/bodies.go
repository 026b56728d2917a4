// Package bodies keeps the texts of items, packed in chunks with their neighbours,
// and what a text was before an edit.
package bodies

import (
	"encoding/binary"
	"errors"
	"sort"

	"diurna/store/codec"
	"diurna/store/db"
	"diurna/store/record"
)

// Bodies are the texts of items, as a transaction reads and writes them. Those of
// neighbours are packed into one record, a chunk.
type Bodies struct {
	tx     *db.Tx
	packer *record.Packer
}

// New is the texts of the library of a transaction.
func New(tx *db.Tx, packer *record.Packer) *Bodies { return &Bodies{tx, packer} }

// ChunkAt reads the chunk that holds item id, or the last one before it. It is
// nil if the feed has none there.
func (b *Bodies) ChunkAt(id record.ItemID) (first record.ItemID, chunk []record.Entry, err error) {
	k, p, err := b.tx.Floor(record.Bodies, record.Key8(uint64(id)))
	if err != nil || len(k) != 8 || record.ItemID(record.Uint64(k)).Feed() != id.Feed() {
		return 0, nil, err
	}
	chunk, ok := b.packer.Unpack(p)
	if !ok || len(chunk) == 0 || chunk[0].N != record.ItemID(record.Uint64(k)).N() {
		return 0, nil, record.Bodies.Damage(k, "bodies do not unpack")
	}
	return record.ItemID(record.Uint64(k)), chunk, nil
}

func (b *Bodies) putChunk(feed record.FeedID, chunk []record.Entry) error {
	c, err := Pack(b.packer, chunk)
	if err != nil {
		return err
	}
	return b.Put(feed, c)
}

// Put writes a chunk in the place of the one that begins with the same item.
func (b *Bodies) Put(feed record.FeedID, c Chunk) error {
	b.tx.Bucket(record.Bodies).FillPercent = 0.9 // mostly appended, feed by feed
	return b.tx.Put(record.Bodies, record.Key8(uint64(record.MakeItemID(feed, c.first))), c.record)
}

// Rewrite puts what is left of the texts of a chunk, perhaps none, in the place of the
// one that begins with item first.
func (b *Bodies) Rewrite(first record.ItemID, chunk []record.Entry) error {
	if len(chunk) == 0 || chunk[0].N != first.N() {
		if err := b.tx.Delete(record.Bodies, record.Key8(uint64(first))); err != nil || len(chunk) == 0 {
			return err
		}
	}
	return b.putChunk(first.Feed(), chunk)
}

// Add files the bodies of new items, numbered upwards.
func (b *Bodies) Add(feed record.FeedID, fresh []record.Entry) error {
	if len(fresh) == 0 {
		return nil
	}
	_, chunk, err := b.ChunkAt(record.MakeItemID(feed, fresh[0].N))
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
	return record.Chunks(chunk, fresh, func(chunk []record.Entry) error { return b.putChunk(feed, chunk) })
}

// Insert puts texts, ascending, among those of a feed.
func (b *Bodies) Insert(feed record.FeedID, add []record.Entry) error {
	for len(add) > 0 {
		id := record.MakeItemID(feed, add[0].N)
		_, chunk, err := b.ChunkAt(id)
		if err != nil {
			return err
		}
		n := len(add)
		prefix := record.Key4(uint32(feed))
		err = b.tx.Scan(record.Bodies, record.Key8(uint64(id)+1), prefix, func(k, _ []byte) error {
			next := record.ItemID(record.Uint64(k)).N()
			n = sort.Search(len(add), func(i int) bool { return add[i].N >= next })
			return errEnough
		})
		if err != nil && err != errEnough {
			return err
		}
		chunk = append(chunk, add[:n]...)
		add = add[n:]
		sort.Slice(chunk, func(i, j int) bool { return chunk[i].N < chunk[j].N })
		if err := record.Chunks(nil, chunk, func(chunk []record.Entry) error { return b.putChunk(feed, chunk) }); err != nil {
			return err
		}
	}
	return nil
}

var errEnough = errors.New("enough")

// Of reads an item's text.
func (b *Bodies) Of(id record.ItemID) (record.Body, error) {
	_, chunk, err := b.ChunkAt(id)
	if err != nil {
		return record.Body{}, err
	}
	i := EntryAt(chunk, id.N())
	if i < 0 {
		return record.Body{}, record.Bodies.Damage(record.Key8(uint64(id)), "the body is missing")
	}
	return chunk[i].Body, nil
}

// Replace puts an edited text in the old one's place.
func (b *Bodies) Replace(id record.ItemID, to record.Body) error {
	_, chunk, err := b.ChunkAt(id)
	if err != nil {
		return err
	}
	for i := range chunk {
		if chunk[i].N == id.N() {
			chunk[i].Body = to
			return b.putChunk(id.Feed(), chunk)
		}
	}
	return record.Bodies.Damage(record.Key8(uint64(id)), "the body is missing")
}

// PutRevision keeps what an item said before its edit number n.
func (b *Bodies) PutRevision(id record.ItemID, n int, untilMS int64, title string, text record.Body) error {
	packed, err := b.packer.Pack([]record.Entry{{N: 1, Body: text}})
	if err != nil {
		return err
	}
	payload := codec.AppendString(binary.AppendVarint(nil, untilMS), title)
	return b.tx.Put(record.Revisions, append(record.Key8(uint64(id)), record.Key4(uint32(n))...), append(payload, packed...))
}

// Chunk is the record of a chunk and the number of its first item.
type Chunk struct {
	first  uint32
	record []byte
}

// Pack makes a chunk of the texts of items.
func Pack(p *record.Packer, of []record.Entry) (Chunk, error) {
	packed, err := p.Pack(of)
	return Chunk{of[0].N, packed}, err
}

// EntryAt is the place of item n in a chunk, -1 if it is not there.
func EntryAt(chunk []record.Entry, n uint32) int {
	for i := range chunk {
		if chunk[i].N == n {
			return i
		}
	}
	return -1
}
