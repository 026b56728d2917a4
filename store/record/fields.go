package record

import (
	"maps"
	"slices"
	"strings"
)

// Get and Set are a feed's adjustable fields as strings, the form in which
// Adjusted facts keep them.
func (r *FeedRecord) Get(field string) string {
	switch field {
	case "title":
		return r.Given
	case "folder":
		return r.Folder
	case "tags":
		return JoinTags(r.Tags)
	case "url":
		return r.URL
	case "hidden":
		return BoolWord(r.Hidden)
	case "allow_private":
		return BoolWord(r.Private)
	}
	return r.Attrs[field]
}

// Set takes a value in its NormalField form.
func (r *FeedRecord) Set(field, value string) {
	switch field {
	case "title":
		r.Given = value
	case "folder":
		r.Folder = value
	case "tags":
		r.Tags = splitTags(value)
	case "url":
		r.URL = value
	case "hidden":
		r.Hidden = value == BoolWord(true)
	case "allow_private":
		r.Private = value == BoolWord(true)
	default:
		r.Attrs = maps.Clone(r.Attrs) // decoded records may be shared
		if value == "" {
			delete(r.Attrs, field)
		} else if r.Attrs == nil {
			r.Attrs = map[string]string{field: value}
		} else {
			r.Attrs[field] = value
		}
		if len(r.Attrs) == 0 {
			r.Attrs = nil
		}
	}
}

// NormalField is the form of a value that is compared, kept and folded.
func NormalField(field, value string) string {
	switch field {
	case "hidden", "allow_private":
		return BoolWord(value != "" && value != "no" && value != "false" && value != "0")
	case "tags":
		return JoinTags(splitTags(value))
	}
	return value
}

// BoolWord is "yes" or empty.
func BoolWord(b bool) string {
	if b {
		return "yes"
	}
	return ""
}

// JoinTags writes a feed's tags as an Adjusted fact keeps them: one a line, for
// a tag may hold commas and spaces.
func JoinTags(tags []string) string { return strings.Join(tags, "\n") }

func splitTags(s string) []string {
	var out []string
	for t := range strings.SplitSeq(s, "\n") {
		if t != "" && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

// Bit is 1 for true and 0 for false.
func Bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
