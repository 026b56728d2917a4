package model

import (
	"slices"
	"strings"

	"diurna/reader/plain"
)

// TagLines is how the library takes a feed's tags: cleaned, one a line.
func TagLines(tags []string) string {
	var out []string
	for _, t := range tags {
		if t = TagName(t); t != "" && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return strings.Join(out, "\n")
}

const maxTag = 64 // bytes of a tag; longer ones are a slip of the paste

// TagName is the form in which a tag is kept: one plain word without the signs that
// queries use; "" if nothing is left.
func TagName(s string) string {
	s = strings.TrimLeft(plain.Line(s, maxTag), "#+- ")
	return strings.Join(strings.FieldsFunc(s, func(c rune) bool { return c == '"' || c == ',' || c == ' ' }), "-")
}
