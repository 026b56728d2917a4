package model

import (
	"strings"

	"diurna/reader/plain"
)

const maxTag = 64 // bytes of a tag; longer ones are a slip of the paste

// TagName is the form in which a tag is kept: one plain word without the signs that
// queries use; "" if nothing is left.
func TagName(s string) string {
	s = strings.TrimLeft(plain.Line(s, maxTag), "#+- ")
	return strings.Join(strings.FieldsFunc(s, func(c rune) bool { return c == '"' || c == ',' || c == ' ' }), "-")
}
