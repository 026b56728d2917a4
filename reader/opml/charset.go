package opml

import (
	"bytes"
	"regexp"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"

	"diurna/reader/plain"
)

// decode gives b as UTF-8. What the bytes themselves show goes before what the XML
// declaration claims: valid UTF-8 is UTF-8 (one declaration in ten is copied from
// elsewhere), and invalid bytes of anything that claims to be UTF-8 are taken for
// windows-1252, each for itself, so that one bad name does not spoil the others.
func decode(b []byte) []byte {
	if e, skip := byMark(b); e != nil {
		return convert(b[skip:], e)
	}
	b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	label := declared(b)
	e, name := plain.Encoding(label)
	// 7-bit encodings with escapes are valid UTF-8 too, and only the label tells.
	if escapes := name == "iso-2022-jp" && bytes.IndexByte(b, 0x1b) >= 0; !escapes && utf8.Valid(b) {
		return b
	}
	if e == nil || name == "utf-8" || name == "utf-16le" || name == "utf-16be" {
		if label == "" {
			if text, _ := plain.Guess(b); text != nil {
				return text
			}
		}
		return repair(b)
	}
	return convert(b, e)
}

// byMark recognises byte order marks, and UTF-16 without one by its zero bytes.
func byMark(b []byte) (encoding.Encoding, int) {
	le, be := unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	switch {
	case bytes.HasPrefix(b, []byte("\xff\xfe\x00\x00")):
		return utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM), 4
	case bytes.HasPrefix(b, []byte("\x00\x00\xfe\xff")):
		return utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM), 4
	case bytes.HasPrefix(b, []byte("\xff\xfe")):
		return le, 2
	case bytes.HasPrefix(b, []byte("\xfe\xff")):
		return be, 2
	case len(b) >= 4 && b[0] != 0 && b[1] == 0 && b[2] != 0 && b[3] == 0:
		return le, 0
	case len(b) >= 4 && b[0] == 0 && b[1] != 0 && b[2] == 0 && b[3] != 0:
		return be, 0
	}
	return nil, 0
}

var encodingName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']?([A-Za-z0-9._:-]{1,40})`)
})

func declared(b []byte) string {
	if m := encodingName().FindSubmatch(b[:min(len(b), 400)]); m != nil {
		return string(m[1])
	}
	return ""
}

func convert(b []byte, e encoding.Encoding) []byte {
	out, err := e.NewDecoder().Bytes(b)
	if err != nil {
		return repair(b)
	}
	return out
}

// repair replaces every byte that is not part of valid UTF-8 by the character it is
// in windows-1252.
func repair(b []byte) []byte {
	out := make([]byte, 0, len(b)+len(b)/8)
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n == 1 {
			r = charmap.Windows1252.DecodeByte(b[0])
			out = utf8.AppendRune(out, r)
		} else {
			out = append(out, b[:n]...)
		}
		b = b[n:]
	}
	return out
}
