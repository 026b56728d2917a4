package align

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"

	"diurna/reader/plain"
)

// Decode turns served bytes into UTF-8. What is valid UTF-8 is UTF-8, whatever
// the header or the page says: a server that changes its mind about the
// charset does not change the page. A few bytes that are no UTF-8 stay as they
// are: what is shown is made plain anyway, and every range stays true.
func Decode(b []byte, contentType string) ([]byte, string) {
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
	bad, multi := broken(b)
	if bad == 0 && multi == 0 { // it escapes
		if out, err := decoderOf(jis).Bytes(b); err == nil {
			return out, jis
		}
	}
	if multi >= 8*bad {
		return b, "utf-8" // mostly UTF-8, whatever is said
	}
	_, label, _ := strings.Cut(strings.ToLower(contentType), "charset=")
	label, _, _ = strings.Cut(label, ";")
	enc, name := plain.Encoding(label)
	if enc == nil {
		if enc, name = plain.Encoding(plain.MetaCharset(b)); strings.HasPrefix(name, "utf-") {
			enc = nil // what is read as ASCII so far is no UTF-16
		}
	}
	if enc == nil || name == "utf-8" { // not said, or said wrongly
		if out, name := plain.Guess(b); name != "" {
			return out, name
		}
		enc, name = plain.Encoding("windows-1252") // reads anything
	}
	out, err := enc.NewDecoder().Bytes(b)
	if err != nil {
		return b, "utf-8"
	}
	return out, name
}

const jis = "iso-2022-jp"

// escapes reports the escape sequences of ISO-2022-JP, which is pure ASCII on
// the wire and so looks like valid UTF-8.
func escapes(b []byte) bool {
	return bytes.Contains(b, []byte("\x1b$B")) || bytes.Contains(b, []byte("\x1b$@"))
}

// broken counts the bytes that are no UTF-8 and the characters of more than
// one byte that are.
func broken(b []byte) (bad, multi int) {
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		switch {
		case r == utf8.RuneError && size == 1:
			bad++
		case size > 1:
			multi++
		}
		b = b[size:]
	}
	return bad, multi
}

// Over returns the script of the served bodies where at says of each where a byte
// of its text stood.
func (s Script) Over(bodies [2][]byte, at [2]func(int32) int32) Script {
	w := &scriptWriter{a: bodies[0], b: bodies[1]}
	for op := range s.All() {
		if op.Kind == Equal {
			// Equal as text; the writer replaces it if the bytes are not.
			w.match(at[0](op.A[0]), at[0](op.A[1]), at[1](op.B[0]), at[1](op.B[1]))
		}
	}
	return w.end()
}

// Offsets returns what says where a byte of the decoded text stood in the served
// bytes; it is asked for one byte after another, never backwards. Positions
// inside a character count to its start.
func Offsets(body, text []byte, name string) func(int32) int32 {
	if name == "utf-8" {
		skip := int32(len(body) - len(text)) // a byte order mark
		return func(i int32) int32 { return i + skip }
	}
	dec := decoderOf(name)
	var dst [utf8.UTFMax]byte
	from, next, out := 0, 0, 0 // a character, what comes after it, and where that is in the text
	return func(i int32) int32 {
		for out <= int(i) && int(i) < len(text) {
			n, read := 0, 0
			// The least room that lets the decoder move gives one character.
			for size := 1; size <= len(dst) && n == 0 && read == 0; size++ {
				n, read, _ = dec.Transform(dst[:size], body[next:], true)
			}
			if n == 0 && read == 0 {
				return int32(len(body))
			}
			from, next, out = next, next+read, out+n
		}
		if int(i) >= len(text) {
			return int32(len(body))
		}
		return int32(from)
	}
}

func decoderOf(name string) *encoding.Decoder {
	if name == "utf-16" {
		return unicode.UTF16(unicode.BigEndian, unicode.ExpectBOM).NewDecoder()
	}
	enc, _ := plain.Encoding(name)
	if enc == nil {
		enc = encoding.Nop
	}
	return enc.NewDecoder()
}
