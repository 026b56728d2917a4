package markup

import (
	"html"
)

// AppendDecoded appends raw with its character references resolved.
func AppendDecoded(dst, raw []byte) []byte {
	for i := 0; i < len(raw); {
		if raw[i] != '&' {
			dst = append(dst, raw[i])
			i++
			continue
		}
		var n int
		dst, n = AppendReference(dst, raw[i:])
		i += n
	}
	return dst
}

// maxRef is longer than any named character reference (33 bytes).
const maxRef = 40

// inReference reports whether c may be part of the name of a reference.
func inReference(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '_'
}

// AppendReference appends what the reference at the start of raw stands for and
// returns how many bytes it took; a bare "&" stands for itself.
func AppendReference(dst, raw []byte) ([]byte, int) {
	end := 1
	for end < len(raw) && end < maxRef && (raw[end] == '#' && end == 1 || inReference(raw[end])) {
		end++
	}
	if end < len(raw) && raw[end] == ';' {
		end++
	}
	if end < 3 {
		return append(dst, '&'), 1
	}
	switch string(raw[:end]) {
	case "&amp;":
		return append(dst, '&'), end
	case "&nbsp;":
		return append(dst, 0xC2, 0xA0), end
	}
	ref := string(raw[:end])
	got := html.UnescapeString(ref)
	if got == ref {
		return append(dst, '&'), 1
	}
	return append(dst, got...), end
}
