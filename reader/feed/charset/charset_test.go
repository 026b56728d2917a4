package charset

import (
	"encoding/binary"
	"slices"
	"testing"
	"unicode/utf16"
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

// UTF-16 and UTF-32 are recognised by their mark or by the zeros around the first character.
func TestWide(t *testing.T) {
	const text = "<a>\u00e9 \u6f22 \U0001f30a</a>"
	units := func(size int, big, mark bool) (out []byte) {
		add := func(v uint32) {
			b := binary.LittleEndian.AppendUint32(nil, v)[:size]
			if big {
				slices.Reverse(b)
			}
			out = append(out, b...)
		}
		if mark {
			add(0xFEFF)
		}
		for _, r := range text {
			if a, b := utf16.EncodeRune(r); size == 2 && a != utf8.RuneError {
				add(uint32(a))
				add(uint32(b))
			} else {
				add(uint32(r))
			}
		}
		return out
	}
	for _, c := range []struct {
		name string
		size int
		big  bool
	}{{"utf-16le", 2, false}, {"utf-16be", 2, true}, {"utf-32le", 4, false}, {"utf-32be", 4, true}} {
		for _, mark := range []bool{false, true} {
			if out, name, note := Decode(units(c.size, c.big, mark), ""); string(out) != text || name != c.name || note != "" {
				t.Errorf("%s, mark %v: %q as %s, %q", c.name, mark, out, name, note)
			}
		}
	}
}
