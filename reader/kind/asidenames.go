package kind

import (
	"strings"
	"unicode"
)

// NamesAside reports whether the name of an element is that of an aside.
func NamesAside(name string) bool {
	parts := nameParts(name)
	for i := range parts {
		if Slots.HasEntry(parts[i]) || Slots.HasStem(parts[i]) || i+1 < len(parts) && Slots.HasEntry(parts[i]+" "+parts[i+1]) {
			return true
		}
	}
	return false
}

// nameParts cuts "topAdBox-2" into top, ad and box.
func nameParts(name string) (out []string) {
	from := 0
	end := func(i int) {
		if i > from {
			out = append(out, strings.ToLower(name[from:i]))
		}
	}
	lower := false
	for i, r := range name {
		switch {
		case !unicode.IsLetter(r):
			end(i)
			from = i + len(string(r))
		case unicode.IsUpper(r) && lower:
			end(i)
			from = i
		}
		lower = unicode.IsLower(r)
	}
	end(len(name))
	return out
}

// NamesCount reports whether the name of an element is that of a count or of its icon:
// fa-heart, post-views, like_count.
func NamesCount(name string) bool {
	parts := nameParts(name)
	if n := len(parts); n > 1 && (parts[n-1] == "count" || parts[n-1] == "counter") {
		parts = parts[:n-1]
	}
	if len(parts) == 0 {
		return false
	}
	last := parts[len(parts)-1]
	return last == "eye" || Counts.HasEntry(last) || Counts.HasEntry(last+"s")
}
