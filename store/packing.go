package store

import (
	"encoding/binary"
	"github.com/klauspost/compress/zstd"

	"diurna/store/codec"
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
	out := binary.AppendUvarint(make([]byte, 0, 64+total/2), uint64(len(chunk)))
	last := uint32(0)
	for _, e := range chunk {
		out = binary.AppendUvarint(out, uint64(e.n-last))
		out = binary.AppendUvarint(out, uint64(len(e.body.HTML)))
		out = binary.AppendUvarint(out, uint64(len(e.body.Summary)))
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
	r := codec.Reader{B: b}
	count := r.Count(1)
	lens := make([][2]uint64, count)
	chunk = make([]entry, count)
	n, total := uint64(0), uint64(0)
	for i := range chunk {
		n += r.Uvarint()
		lens[i] = [2]uint64{r.Uvarint(), r.Uvarint()}
		chunk[i].n = uint32(n)
		total += lens[i][0] + lens[i][1]
		if lens[i][0] > bodyMax || lens[i][1] > bodyMax || total > bodyMax || n > 1<<32-1 {
			return nil, false
		}
	}
	if r.Bad {
		return nil, false
	}
	raw, err := dec.DecodeAll(r.B, make([]byte, 0, total))
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

// packedChunk is the record of a chunk and the number of its first item.
type packedChunk struct {
	first  uint32
	record []byte
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
		err := chunks(nil, bodiesOf(f, 1), func(chunk []entry) error {
			record, err := l.pack(chunk)
			packed[i] = append(packed[i], packedChunk{chunk[0].n, record})
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return packed, nil
}

// bodiesOf are the bodies of a filing's new items, numbered from first on.
func bodiesOf(f *Filing, first uint32) []entry {
	list := make([]entry, len(f.New))
	for i := range f.New {
		list[i] = entry{first + uint32(i), f.New[i].Body}
	}
	return list
}

// chunks divides fresh entries, of which the first ones join open, the chunk before.
func chunks(open, fresh []entry, put func([]entry) error) error {
	size := 0
	for i := range open {
		size += open[i].size()
	}
	chunk := open
	for _, e := range fresh {
		if len(chunk) > 0 && size+e.size() > chunkRaw {
			if err := put(chunk); err != nil {
				return err
			}
			chunk, size = nil, 0
		}
		chunk = append(chunk, e)
		size += e.size()
	}
	return put(chunk)
}
