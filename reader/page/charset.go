package page

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding/unicode"
)

// decode turns served bytes into UTF-8. What is valid UTF-8 is UTF-8, whatever
// the header or the page says: a server that changes its mind about the
// charset does not change the page.
func decode(b []byte, contentType string) ([]byte, string) {
	switch {
	case bytes.HasPrefix(b, []byte("\xEF\xBB\xBF")):
		return b[3:], "utf-8"
	case bytes.HasPrefix(b, []byte("\xFE\xFF")), bytes.HasPrefix(b, []byte("\xFF\xFE")):
		dec := unicode.UTF16(unicode.BigEndian, unicode.ExpectBOM).NewDecoder()
		if out, err := dec.Bytes(b); err == nil {
			return out, "utf-16"
		}
	case utf8.Valid(b) && !escapes(b):
		return b, "utf-8"
	}
	enc, name, _ := charset.DetermineEncoding(b[:min(len(b), 4096)], contentType)
	if name == "utf-8" {
		// Said to be UTF-8 and is not. A few bad bytes are bad bytes; many
		// mean that the label is wrong, and windows-1252 reads anything.
		if 100*invalid(b) < len(b) {
			return bytes.ToValidUTF8(b, []byte("\uFFFD")), "utf-8"
		}
		enc, name = charset.Lookup("windows-1252")
	}
	out, err := enc.NewDecoder().Bytes(b)
	if err != nil {
		return bytes.ToValidUTF8(b, []byte("\uFFFD")), "utf-8"
	}
	return bytes.TrimPrefix(out, []byte("\xEF\xBB\xBF")), name
}

// escapes reports the escape sequences of ISO-2022-JP, which is pure ASCII on
// the wire and so looks like valid UTF-8.
func escapes(b []byte) bool {
	return bytes.Contains(b, []byte("\x1b$B")) || bytes.Contains(b, []byte("\x1b$@"))
}

// invalid counts the bytes that are no UTF-8.
func invalid(b []byte) int {
	n := 0
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		if r == utf8.RuneError && size == 1 {
			n++
		}
		b = b[size:]
	}
	return n
}
