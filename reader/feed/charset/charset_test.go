package charset

import (
	"testing"
	"unicode/utf8"
)

// FuzzDecode holds the byte stage to its promise: whatever comes in, valid
// UTF-8 goes on, at most four bytes for one.
func FuzzDecode(f *testing.F) {
	f.Add([]byte("<?xml version='1.0' encoding='gb18030'?>\xd6\xd0"), "text/xml; charset=shift_jis")
	f.Add([]byte("\xff\xfe<\x00a\x00\x00\xd8"), "")
	f.Add([]byte("\x00\x00\x00<\x00\x00\x00a\x00\x11\x00\x00"), "")
	f.Add([]byte("~{\x1b$B8l\x1b(B"), "text/xml; charset=iso-2022-jp")
	f.Fuzz(func(t *testing.T, b []byte, contentType string) {
		out, _, _ := Decode(b, contentType)
		if !utf8.Valid(out) {
			t.Fatalf("%q becomes %q", b, out)
		}
		if len(out) > 4*len(b)+4 {
			t.Fatalf("%d bytes of %d", len(out), len(b))
		}
	})
}
