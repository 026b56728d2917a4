package store

import (
	"bytes"
	"context"
	"fmt"

	"github.com/klauspost/compress/zstd"
)

// Bodies of consecutive items share a record of up to chunkRaw bytes before
// packing: one article alone packs badly (3.8 KB into 1.7, twenty into 14) and
// leaves a third of a page empty. A new item joins the feed's last chunk while
// that has less than chunkOpen bytes, for it must be packed again.
const (
	chunkRaw  = 64 << 10
	chunkOpen = 32 << 10
	// bodyMax bounds what a damaged length may ask for; a body larger than this is refused.
	bodyMax = 32 << 20
	// pageMax bounds a packed revision of a watched page.
	pageMax = 64 << 20
)

// entry is one body in a chunk.
type entry struct {
	n    uint32
	body Body
}

func (e *entry) size() int { return len(e.body.HTML) + len(e.body.Summary) }

// zstd makes the encoder and decoder, once and only for a library whose bodies
// are asked for: they cost 1 ms and some MB.
func (l *library) zstd() (*zstd.Encoder, *zstd.Decoder, error) {
	l.zonce.Do(func() {
		l.zenc, l.zerr = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithEncoderConcurrency(1),
			zstd.WithWindowSize(128<<10), zstd.WithEncoderCRC(false), zstd.WithLowerEncoderMem(true))
		if l.zerr == nil {
			l.zdec, l.zerr = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(bodyMax), zstd.WithDecoderLowmem(true))
		}
	})
	return l.zenc, l.zdec, l.zerr
}

// pack is the record of a chunk: the number of entries, of each its number (less
// the one before) and two lengths, then everything packed.
func (l *library) pack(chunk []entry) ([]byte, error) {
	enc, _, err := l.zstd()
	if err != nil {
		return nil, err
	}
	total := 0
	for i := range chunk {
		total += chunk[i].size()
	}
	raw := make([]byte, 0, total)
	out := appendUvarint(make([]byte, 0, 64+total/2), uint64(len(chunk)))
	last := uint32(0)
	for _, e := range chunk {
		out = appendUvarint(out, uint64(e.n-last))
		out = appendUvarint(out, uint64(len(e.body.HTML)))
		out = appendUvarint(out, uint64(len(e.body.Summary)))
		raw = append(append(raw, e.body.HTML...), e.body.Summary...)
		last = e.n
	}
	return enc.EncodeAll(raw, out), nil
}

// unpack is the opposite of pack; ok is false for anything pack has not made.
func (l *library) unpack(b []byte) (chunk []entry, ok bool) {
	_, dec, err := l.zstd()
	if err != nil {
		return nil, false
	}
	r := reader{b: b}
	count := r.count(1)
	lens := make([][2]uint64, count)
	chunk = make([]entry, count)
	n, total := uint64(0), uint64(0)
	for i := range chunk {
		n += r.uvarint()
		lens[i] = [2]uint64{r.uvarint(), r.uvarint()}
		chunk[i].n = uint32(n)
		total += lens[i][0] + lens[i][1]
		if lens[i][0] > bodyMax || lens[i][1] > bodyMax || total > bodyMax || n > 1<<32-1 {
			return nil, false
		}
	}
	if r.bad {
		return nil, false
	}
	raw, err := dec.DecodeAll(r.b, make([]byte, 0, total))
	if err != nil || uint64(len(raw)) != total {
		return nil, false
	}
	text := string(raw)
	for i := range chunk {
		chunk[i].body.HTML, text = text[:lens[i][0]], text[lens[i][0]:]
		chunk[i].body.Summary, text = text[:lens[i][1]], text[lens[i][1]:]
	}
	return chunk, true
}

// chunkAt reads the chunk that holds item id, or the last one before it. It is
// nil if the feed has none there.
func (t *txn) chunkAt(id ItemID) (first ItemID, chunk []entry, err error) {
	key := key8(uint64(id))
	c := t.cursor(bBodies)
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
	t.bucket(bBodies).FillPercent = 0.9 // mostly appended, feed by feed
	return t.put(bBodies, key8(uint64(MakeItemID(feed, chunk[0].n))), packed)
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
		chunk, size = nil, 0
	}
	for _, e := range fresh {
		if e.size() > bodyMax {
			return fmt.Errorf("%w: a body of %d bytes", ErrInvalid, e.size())
		}
		if len(chunk) > 0 && size+e.size() > chunkRaw {
			if err := t.putChunk(feed, chunk); err != nil {
				return err
			}
			chunk, size = nil, 0
		}
		chunk = append(chunk, e)
		size += e.size()
	}
	return t.putChunk(feed, chunk)
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

func (s *Store) body(ctx context.Context, id ItemID) (Body, error) {
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
	payload := appendString(appendVarint(nil, untilMS), title)
	return t.put(bRevisions, append(key8(uint64(id)), key4(uint32(n))...), append(payload, packed...))
}

func (s *Store) revisions(ctx context.Context, id ItemID) ([]Revision, error) {
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
	r := reader{b: v}
	rev := Revision{Until: timeOf(r.varint()), Title: r.string()}
	if r.bad {
		return rev, false
	}
	chunk, ok := l.unpack(r.b)
	if !ok || len(chunk) != 1 {
		return rev, false
	}
	rev.Body = chunk[0].body
	return rev, true
}
