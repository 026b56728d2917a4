package markup

import (
	"bytes"
	"strings"
)

// Attr returns the value of an attribute in the raw bytes of a tag, resolved
// and trimmed, "" if it has none.
func Attr(raw []byte, name string) string {
	for i := NameEnd(raw); i < len(raw); {
		var key, value []byte
		key, value, i = NextAttr(raw, i)
		if EqualFold(key, name) {
			return AttrText(value)
		}
	}
	return ""
}

// NameEnd is where the name in the raw bytes of a tag ends.
func NameEnd(raw []byte) int {
	i := 1
	for i < len(raw) && !isSpaceByte(raw[i]) {
		i++
	}
	return i
}

// EqualFold compares the name of an attribute with one in lower case.
func EqualFold(key []byte, name string) bool {
	return len(key) == len(name) && strings.EqualFold(string(key), name)
}

// AttrText is an attribute's value as it reads, trimmed.
func AttrText(value []byte) string {
	if bytes.IndexByte(value, '&') < 0 {
		return string(bytes.TrimSpace(value))
	}
	return strings.TrimSpace(string(AppendDecoded(nil, value)))
}

// NextAttr reads one attribute from raw[i:] and returns where the next begins.
// It moves at least one byte.
func NextAttr(raw []byte, i int) (key, value []byte, next int) {
	for i < len(raw) && (isSpaceByte(raw[i]) || raw[i] == '/') {
		i++
	}
	from := i
	for i < len(raw) && !isSpaceByte(raw[i]) && raw[i] != '=' && raw[i] != '>' && raw[i] != '/' {
		i++
	}
	key = raw[from:i]
	for i < len(raw) && isSpaceByte(raw[i]) {
		i++
	}
	if i < len(raw) && raw[i] == '=' {
		value, i = attrValue(raw, i+1)
	} else if i == from {
		i++
	}
	return key, value, i
}

// Lower returns a name in lower case.
func Lower(b []byte) string { return strings.ToLower(string(b)) }

func attrValue(raw []byte, i int) ([]byte, int) {
	for i < len(raw) && isSpaceByte(raw[i]) {
		i++
	}
	if i >= len(raw) {
		return nil, i
	}
	if q := raw[i]; q == '"' || q == '\'' {
		end := bytes.IndexByte(raw[i+1:], q)
		if end < 0 {
			return raw[i+1:], len(raw)
		}
		return raw[i+1 : i+1+end], i + end + 2
	}
	from := i
	for i < len(raw) && !isSpaceByte(raw[i]) && raw[i] != '>' {
		i++
	}
	return raw[from:i], i
}

func isSpaceByte(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }
