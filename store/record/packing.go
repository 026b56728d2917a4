package record

import (
	"encoding/binary"
	"sync"

	"github.com/klauspost/compress/zstd"

	"diurna/store/codec"
)

// Bodies of consecutive items share a record of up to chunkRaw bytes before
// packing: one article alone packs badly (3.8 KB into 1.7, twenty into 14) and
// leaves a third of a page empty. A new item joins the feed's last chunk while
// that has less than ChunkOpen bytes, for it must be packed again.
const (
	chunkRaw  = 64 << 10
	ChunkOpen = 32 << 10
	// MaxBody bounds what a damaged length may ask for; a body larger than this is refused.
	MaxBody = 32 << 20
	// MaxPage bounds a packed revision of a watched page.
	MaxPage = 64 << 20
)

// Entry is one body in a chunk.
type Entry struct {
	N    uint32
	Body Body
}

// Size is in bytes, before packing.
func (e *Entry) Size() int { return e.Body.Size() }

// Packer packs and unpacks bodies. The zero Packer is ready.
type Packer struct {
	encoding, decoding sync.Once
	enc                *zstd.Encoder
	dec                *zstd.Decoder
	noEnc, noDec       error
	room               sync.Pool // of *room
}

// encoder and decoder are made once, and only for a library whose bodies are asked for: they
// cost 1 ms and some MB.
func (p *Packer) encoder() (*zstd.Encoder, error) {
	p.encoding.Do(func() {
		p.enc, p.noEnc = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithEncoderConcurrency(1),
			zstd.WithWindowSize(128<<10), zstd.WithEncoderCRC(false), zstd.WithLowerEncoderMem(true))
	})
	return p.enc, p.noEnc
}

func (p *Packer) decoder() (*zstd.Decoder, error) {
	p.decoding.Do(func() {
		p.dec, p.noDec = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(MaxBody), zstd.WithDecoderLowmem(true))
	})
	return p.dec, p.noDec
}

// room is for a chunk before and after packing.
type room struct{ raw, out []byte }

// Pack is the record of a chunk: the number of entries, of each its number (less
// the one before) and two lengths, then everything packed.
func (p *Packer) Pack(chunk []Entry) ([]byte, error) {
	enc, err := p.encoder()
	if err != nil {
		return nil, err
	}
	r, _ := p.room.Get().(*room)
	if r == nil {
		r = new(room)
	}
	raw, out := r.raw[:0], binary.AppendUvarint(r.out[:0], uint64(len(chunk)))
	last := uint32(0)
	for _, e := range chunk {
		out = binary.AppendUvarint(out, uint64(e.N-last))
		out = binary.AppendUvarint(out, uint64(len(e.Body.HTML)))
		kept := e.Body.Kept()
		out = binary.AppendUvarint(out, uint64(len(kept)))
		raw = append(append(raw, e.Body.HTML...), kept...)
		last = e.N
	}
	out = enc.EncodeAll(raw, out)
	if cap(raw) <= 2*chunkRaw {
		r.raw, r.out = raw, out
		p.room.Put(r)
	}
	return append([]byte(nil), out...), nil
}

// Unpack is the opposite of pack; ok is false for anything pack has not made.
func (p *Packer) Unpack(b []byte) (chunk []Entry, ok bool) {
	dec, err := p.decoder()
	if err != nil {
		return nil, false
	}
	r := codec.Reader{B: b}
	count := r.Count(1)
	lens := make([][2]uint64, count)
	chunk = make([]Entry, count)
	n, total := uint64(0), uint64(0)
	for i := range chunk {
		n += r.Uvarint()
		lens[i] = [2]uint64{r.Uvarint(), r.Uvarint()}
		chunk[i].N = uint32(n)
		total += lens[i][0] + lens[i][1]
		if lens[i][0] > MaxBody || lens[i][1] > MaxBody || total > MaxBody || n > 1<<32-1 {
			return nil, false
		}
	}
	if r.Bad {
		return nil, false
	}
	space, _ := p.room.Get().(*room)
	if space == nil || uint64(cap(space.raw)) < total {
		space = &room{raw: make([]byte, 0, max(total, 2*chunkRaw))}
	}
	raw, err := dec.DecodeAll(r.B, space.raw[:0])
	if err != nil || uint64(len(raw)) != total {
		return nil, false
	}
	text := string(raw)
	if total <= 2*chunkRaw {
		p.room.Put(space)
	}
	for i := range chunk {
		chunk[i].Body = BodyOf(text[lens[i][0]:][:lens[i][1]])
		chunk[i].Body.HTML, text = text[:lens[i][0]], text[lens[i][0]+lens[i][1]:]
	}
	return chunk, true
}

// Chunks divides fresh entries, of which the first ones join open, the chunk before. put
// does not keep what it gets.
func Chunks(open, fresh []Entry, put func([]Entry) error) error {
	size := 0
	for i := range open {
		size += open[i].Size()
	}
	chunk := open
	for _, e := range fresh {
		if len(chunk) > 0 && size+e.Size() > chunkRaw {
			if err := put(chunk); err != nil {
				return err
			}
			chunk, size = chunk[:0], 0
		}
		chunk = append(chunk, e)
		size += e.Size()
	}
	return put(chunk)
}

// Revision reads the record of a revision of an item; false if it does not decode.
func (p *Packer) Revision(v []byte) (Revision, bool) {
	r := codec.Reader{B: v}
	rev := Revision{Until: Time(r.Varint()), Title: r.Text()}
	if r.Bad {
		return rev, false
	}
	chunk, ok := p.Unpack(r.B)
	if !ok || len(chunk) != 1 {
		return rev, false
	}
	rev.Body = chunk[0].Body
	return rev, true
}
