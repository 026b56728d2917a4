package fetch

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// pools keep what is costly to make for the next body.
type pools struct {
	buffers, gzips, brotlis, zstds sync.Pool
}

func (p *pools) buffer() *[]byte {
	if b, ok := p.buffers.Get().(*[]byte); ok {
		return b
	}
	b := make([]byte, 0, 64<<10)
	return &b
}

func (p *pools) keep(b *[]byte) {
	if cap(*b) <= keepBuffer {
		*b = (*b)[:0]
		p.buffers.Put(b)
	}
}

// unpack gives the body in plain, in memory of its own. cut says that wire is known
// to be only the beginning; then what can be unpacked is returned.
func (p *pools) unpack(encodings []string, wire []byte, limits Limits, cut bool) ([]byte, *Error) {
	names, err := encodingNames(encodings)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		// Files that are kept packed on the server come without the header.
		switch {
		case bytes.HasPrefix(wire, gzipMagic):
			names = []string{"gzip"}
		case bytes.HasPrefix(wire, zstdMagic):
			names = []string{"zstd"}
		default:
			return bytes.Clone(wire), nil
		}
	}
	body := wire
	for i := len(names) - 1; i >= 0; i-- {
		if misnamed(names[i], body) {
			continue
		}
		if body, err = p.unpackOne(names[i], body, limits); err != nil {
			if cut && err.Kind == KindCutShort && i == 0 {
				return body, nil
			}
			return body, err
		}
	}
	if len(body) > 0 && len(wire) > 0 && &body[0] == &wire[0] {
		body = bytes.Clone(body) // wire goes back to the pool
	}
	return body, nil
}

var (
	gzipMagic = []byte{0x1f, 0x8b, 8}
	zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}
)

// misnamed tells whether a body is not packed although a header says so; servers
// that unpack for themselves and keep the header are common enough.
func misnamed(name string, body []byte) bool {
	switch name {
	case "gzip":
		return !bytes.HasPrefix(body, gzipMagic)
	case "zstd":
		// A frame may also begin with a skippable one, 0x184D2A50 to 5F.
		skippable := len(body) >= 4 && body[0]&0xf0 == 0x50 && body[1] == 0x2a && body[2] == 0x4d && body[3] == 0x18
		return !bytes.HasPrefix(body, zstdMagic) && !skippable
	}
	return len(body) == 0
}

// encodingNames lists what a body is packed with, in the order it was applied.
func encodingNames(values []string) ([]string, *Error) {
	var names []string
	for _, v := range values {
		for _, n := range strings.Split(v, ",") {
			switch n = strings.ToLower(strings.TrimSpace(n)); n {
			case "", "identity", "none", "utf-8":
			case "gzip", "x-gzip":
				names = append(names, "gzip")
			case "br", "zstd", "deflate":
				names = append(names, n)
			default:
				return nil, &Error{Kind: KindEncoding, text: "unknown compression: " + plainToken(n, 20)}
			}
		}
	}
	if len(names) > 2 {
		return nil, &Error{Kind: KindEncoding, text: "compressed more than twice"}
	}
	return names, nil
}

func (p *pools) unpackOne(name string, wire []byte, limits Limits) ([]byte, *Error) {
	in := bytes.NewReader(wire)
	var r io.Reader
	hint := 4 * int64(len(wire))
	switch name {
	case "gzip":
		z, err := p.gzip(in)
		if err != nil {
			return nil, damaged(err)
		}
		defer p.gzips.Put(z)
		r = &members{z: z, in: in}
		// The trailer says how long the last member is, and there rarely is another.
		if len(wire) >= 18 {
			hint = int64(binary.LittleEndian.Uint32(wire[len(wire)-4:]))
		}
	case "br":
		z, _ := p.brotlis.Get().(*brotli.Reader)
		if z == nil {
			z = brotli.NewReader(nil)
		}
		if err := z.Reset(in); err != nil {
			return nil, damaged(err)
		}
		defer p.brotlis.Put(z)
		r = z
	case "zstd":
		z, err := p.zstd(in)
		if err != nil {
			return nil, damaged(err)
		}
		defer p.zstds.Put(z)
		r = z
	case "deflate":
		// The header means zlib, but some servers send it bare.
		z, err := zlib.NewReader(in)
		if err != nil {
			in.Reset(wire)
			z = flate.NewReader(in)
		}
		defer func() { _ = z.Close() }()
		r = z
	}
	return drain(r, int64(len(wire)), hint, limits)
}

// drain reads r within the limits for what packed bytes may become.
func drain(r io.Reader, packed, hint int64, limits Limits) ([]byte, *Error) {
	allowed := min(limits.Decoded, max(limits.RatioFrom, packed*limits.Ratio))
	// One byte beyond, to see the end or the excess without growing.
	out := make([]byte, 0, min(max(hint, 512), allowed)+1)
	for {
		if len(out) == cap(out) {
			out = append(out, 0)[:len(out)]
		}
		n, err := r.Read(out[len(out):min(int64(cap(out)), allowed+1)])
		out = out[:len(out)+n]
		switch {
		case int64(len(out)) > allowed && allowed < limits.Decoded:
			return nil, &Error{Kind: KindBomb, text: fmt.Sprintf("it unpacks to more than %d times its size", limits.Ratio)}
		case int64(len(out)) > allowed:
			return nil, &Error{Kind: KindTooLarge, text: "larger than " + size(limits.Decoded) + " unpacked"}
		case err == io.EOF:
			return fit(out), nil
		case errors.Is(err, io.ErrUnexpectedEOF):
			return fit(out), &Error{Kind: KindCutShort, Err: err, text: "the answer was cut short"}
		case err != nil:
			return nil, damaged(err)
		}
	}
}

// fit gives back memory when the guess was far too high.
func fit(b []byte) []byte {
	if cap(b) > len(b)+len(b)/4+4096 {
		return bytes.Clone(b)
	}
	return b
}

func damaged(err error) *Error {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return &Error{Kind: KindCutShort, Err: err, text: "the answer was cut short"}
	}
	return &Error{Kind: KindEncoding, Err: err, text: "the compressed answer is damaged"}
}

func (p *pools) gzip(in *bytes.Reader) (*gzip.Reader, error) {
	if z, ok := p.gzips.Get().(*gzip.Reader); ok {
		return z, z.Reset(in)
	}
	return gzip.NewReader(in)
}

func (p *pools) zstd(in io.Reader) (*zstd.Decoder, error) {
	if z, ok := p.zstds.Get().(*zstd.Decoder); ok {
		return z, z.Reset(in)
	}
	// One at a time means no goroutines; 8 MB is the window RFC 9659 allows on the
	// web, and what a frame may make us hold.
	return zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(8<<20))
}

// members reads gzip members one after the other and forgives what stands behind
// the last one: zeros and stray line ends are found in the wild.
type members struct {
	z  *gzip.Reader
	in *bytes.Reader
	on bool
}

func (m *members) Read(b []byte) (int, error) {
	if !m.on {
		m.on = true
		m.z.Multistream(false)
	}
	n, err := m.z.Read(b)
	if err != io.EOF {
		return n, err
	}
	if m.in.Len() < 18 {
		return n, io.EOF
	}
	if m.z.Reset(m.in) != nil {
		return n, io.EOF
	}
	m.z.Multistream(false)
	return n, nil
}
