// Package charset turns the bytes of a feed into UTF-8, whatever they are in and
// whatever is said of them.
package charset

import (
	"bytes"
	"mime"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"

	"diurna/reader/feed/xmlscan"
	"diurna/reader/plain"
)

// Decode returns a document as UTF-8 without byte order mark, the name of the
// encoding it was in, and a sentence about what was wrong with it, "" if nothing
// was. The bytes have the first word: what is valid UTF-8 is UTF-8, whatever
// contentType, the header, says.
func Decode(b []byte, contentType string) (text []byte, name, problem string) {
	if enc, name, skip := wide(b); enc != nil {
		if out, err := enc.NewDecoder().Bytes(b[skip:]); err == nil {
			return bytes.TrimPrefix(out, []byte("\ufeff")), name, ""
		}
	}
	b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	multi, bad := census(b)
	if bad == 0 && (multi > 0 || !bytes.Contains(b, []byte("\x1b$"))) {
		return b, utf8Name, ""
	}
	enc, name := declared(b, contentType)
	if enc == nil && multi <= bad {
		if out, name := plain.Guess(b); name != "" {
			return out, name, "the feed does not declare its encoding; it was read as " + name
		}
	}
	switch {
	case enc == nil && bad == 0: // ASCII, whatever its escapes are for
		return b, utf8Name, ""
	// A few bad bytes among many good sequences: UTF-8 with pieces of something
	// else pasted in, the commonest damage of all.
	case enc == nil || multi > 3*bad:
		if name = utf8Name; multi == 0 {
			name = "windows-1252"
		}
		return repair(b), name, "the text is not valid UTF-8; the bad bytes were read as Windows-1252"
	default:
		if out, err := enc.NewDecoder().Bytes(b); err == nil {
			return out, name, ""
		}
	}
	return repair(b), utf8Name, ""
}

const utf8Name = "utf-8"

// wide recognises UTF-16 and UTF-32 by byte order mark or by the zero bytes
// around the first "<" or "{". It returns its name and how many bytes to skip.
func wide(b []byte) (enc encoding.Encoding, name string, skip int) {
	if len(b) < 4 {
		return nil, "", 0
	}
	little, big := unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	first := func(c byte) bool { return c == '<' || c == '{' || xmlscan.IsSpace(c) }
	switch {
	case b[0] == 0xFF && b[1] == 0xFE && b[2] == 0 && b[3] == 0:
		return utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM), "utf-32le", 4
	case b[0] == 0 && b[1] == 0 && b[2] == 0xFE && b[3] == 0xFF:
		return utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM), "utf-32be", 4
	case b[0] == 0xFF && b[1] == 0xFE:
		return little, "utf-16le", 2
	case b[0] == 0xFE && b[1] == 0xFF:
		return big, "utf-16be", 2
	case b[0] == 0 && b[1] == 0 && b[2] == 0 && first(b[3]):
		return utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM), "utf-32be", 0
	case first(b[0]) && b[1] == 0 && b[2] == 0 && b[3] == 0:
		return utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM), "utf-32le", 0
	case b[0] == 0 && first(b[1]) && b[2] == 0 && b[3] != 0:
		return big, "utf-16be", 0
	case first(b[0]) && b[1] == 0 && b[2] != 0 && b[3] == 0:
		return little, "utf-16le", 0
	}
	return nil, "", 0
}

// census counts the valid multi-byte sequences and the bad bytes of b.
func census(b []byte) (multi, bad int) {
	if utf8.Valid(b) {
		for _, c := range b {
			if c >= 0xC0 {
				return 1, 0
			}
		}
		return 0, 0
	}
	for len(b) > 0 {
		if b[0] < utf8.RuneSelf {
			b = b[1:]
			continue
		}
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n <= 1 {
			bad++
		} else {
			multi++
		}
		b = b[n:]
	}
	return multi, bad
}

// declared returns the encoding that the header or the document names; nil if
// they name none that is known, or only UTF-8.
func declared(b []byte, contentType string) (encoding.Encoding, string) {
	_, params, _ := mime.ParseMediaType(contentType)
	for _, label := range []string{params["charset"], xmlEncoding(b), plain.MetaCharset(b)} {
		enc, name := plain.Encoding(label)
		// Bytes that are not UTF-8 cannot be what a label of UTF-8 or UTF-16
		// promises: the next label is asked.
		if enc != nil && !strings.HasPrefix(name, "utf-") {
			return enc, name
		}
	}
	return nil, ""
}

// xmlEncoding returns the encoding an XML declaration names.
func xmlEncoding(b []byte) string {
	b = bytes.TrimLeft(b[:min(len(b), 1024)], " \t\r\n")
	if !bytes.HasPrefix(b, []byte("<?xml")) {
		return ""
	}
	label := ""
	if i := bytes.IndexByte(b, '>'); i > 5 {
		xmlscan.EachAttr(bytes.TrimRight(b[5:i], "? "), func(name, value []byte) {
			if bytes.EqualFold(name, []byte("encoding")) {
				label = string(value)
			}
		})
	}
	return label
}

// repair reads every run of bytes that are not UTF-8 as windows-1252, the
// superset of Latin-1 that nearly all such text is in.
func repair(b []byte) []byte {
	out := make([]byte, 0, len(b)+len(b)/16)
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n <= 1 {
			// 0x80-0x9F become C1 controls here and the glyphs of windows-1252 in
			// reader/plain, which owns that table.
			out = utf8.AppendRune(out, rune(b[0]))
			b = b[1:]
			continue
		}
		out = append(out, b[:n]...)
		b = b[n:]
	}
	return out
}
