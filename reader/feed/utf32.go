package feed

import (
	"encoding/binary"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/transform"
)

// utf32 decodes UTF-32, which the Encoding Standard dropped and a few test
// suites and old servers still send.
type utf32 struct{ order binary.ByteOrder }

func (u utf32) NewDecoder() *encoding.Decoder {
	return &encoding.Decoder{Transformer: utf32Decoder{order: u.order}}
}

func (u utf32) NewEncoder() *encoding.Encoder {
	return encoding.Nop.NewEncoder()
}

type utf32Decoder struct {
	transform.NopResetter
	order binary.ByteOrder
}

func (d utf32Decoder) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	for nSrc < len(src) {
		if len(src)-nSrc < 4 {
			if atEOF { // a cut code point
				return nDst, len(src), nil
			}
			return nDst, nSrc, transform.ErrShortSrc
		}
		if len(dst)-nDst < utf8.UTFMax {
			return nDst, nSrc, transform.ErrShortDst
		}
		r := rune(utf8.RuneError)
		if v := d.order.Uint32(src[nSrc:]); v <= utf8.MaxRune {
			r = rune(v)
		}
		nDst += utf8.EncodeRune(dst[nDst:], r)
		nSrc += 4
	}
	return nDst, nSrc, nil
}
