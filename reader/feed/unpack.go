package feed

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"

	"diurna/reader/feed/charset"
)

// unpack decompresses gzip and zstd files that a server sent as they are,
// recognised by their magic numbers, up to MaxBody.
func unpack(b []byte) ([]byte, error) {
	for range 2 { // a compressed file served with a compressing server's help
		var r io.Reader
		switch {
		case bytes.HasPrefix(b, []byte{0x1f, 0x8b, 8}):
			z, err := gzip.NewReader(bytes.NewReader(b))
			if err != nil {
				return nil, fmt.Errorf("%w: the gzip file is damaged", ErrNotFeed)
			}
			r = z
		case bytes.HasPrefix(b, []byte{0x28, 0xb5, 0x2f, 0xfd}):
			z, err := zstd.NewReader(bytes.NewReader(b), zstd.WithDecoderConcurrency(1),
				zstd.WithDecoderMaxMemory(2*MaxBody), zstd.WithDecoderMaxWindow(8<<20))
			if err != nil {
				return nil, fmt.Errorf("%w: the zstd file is damaged", ErrNotFeed)
			}
			defer z.Close()
			r = z
		}
		if r == nil {
			break
		}
		// What a damaged file gave before the damage is still worth salvaging.
		out, err := io.ReadAll(io.LimitReader(r, MaxBody+1))
		if len(out) == 0 && err != nil {
			return nil, fmt.Errorf("%w: the compressed file is damaged", ErrNotFeed)
		}
		b = out
	}
	if len(b) > MaxBody {
		return nil, ErrTooLarge
	}
	return b, nil
}

// decode returns the body as UTF-8 and notes what it was written in.
func (p *parser) decode(b []byte) []byte {
	text, name, problem := charset.Decode(b, p.in.ContentType)
	p.doc.Charset = name
	if problem != "" {
		p.problem("%s", problem)
	}
	return text
}
