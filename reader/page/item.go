package page

import (
	"html"
	"strings"

	"diurna/reader/align"
	"diurna/reader/kind"
)

// CompareItem compares two versions of an item. minor is the most changed
// words of a minor edit, 0 for DefaultMinor.
// An item is treated as a small page whose heading is its title.
func CompareItem(old, next Item, minor int) ItemChange {
	wrap := func(i Item) []byte {
		return []byte("<h1>" + html.EscapeString(i.Title) + "</h1>\n<div>" + i.HTML + "</div>")
	}
	d, _ := Compare(wrap(old), wrap(next), Options{item: true}) // no selectors, no error
	c := ItemChange{Diff: d, Words: d.Words, Title: old.Title != next.Title}
	for _, t := range d.Terms {
		switch t.Category {
		case CatWords:
			c.Counted += t.Count
		case CatLinks, CatImages, CatEmbeds:
			c.Counted += t.Count
		}
	}
	if minor <= 0 {
		minor = DefaultMinor
	}
	c.Minor = c.Counted <= minor && !numbersChanged(d)
	head := int32(len(wrap(Item{Title: old.Title})) - len("<div></div>"))
	for _, h := range d.Hunks {
		for i := 0; i < len(h.Rows); i++ {
			r := h.Rows[i]
			if r.Class != Content {
				continue
			}
			// A short block may have too little in common with what it was to be
			// shown as changed.
			if i+1 < len(h.Rows) && r.Kind == Deleted && h.Rows[i+1].Kind == Inserted && h.Rows[i+1].Class == Content {
				i++
				next := &h.Rows[i]
				r.Segments = append(append([]Segment(nil), r.Segments...), next.Segments...)
				r.Words.Added += next.Words.Added
				r.Words.Deleted += next.Words.Deleted
			}
			if r.A[0] >= head && idle(&r) {
				c.Idle += r.Words.Added + r.Words.Deleted
			} else {
				c.Marks = appendMarks(c.Marks, &r)
			}
		}
	}
	for _, m := range []Existence{d.Links, d.Images, d.Embeds} {
		for _, address := range m.Added {
			c.Marks = append(c.Marks, "+"+address)
		}
		if len(m.Added) == 0 {
			for _, address := range m.Removed {
				c.Marks = append(c.Marks, "-"+address)
			}
		}
	}
	return c
}

// idle reports whether a block is a short notice of which only numbers changed,
// and the ending of what they count ("1 comment", "2 comments"). What something
// costs is never idle.
func idle(r *Row) bool {
	var side [2][]string
	for _, s := range r.Segments {
		words := strings.Fields(s.Text)
		if s.Kind != align.Insert {
			side[0] = append(side[0], words...)
		}
		if s.Kind != align.Delete {
			side[1] = append(side[1], words...)
		}
	}
	if len(side[0]) != len(side[1]) || len(side[1]) > kind.ShortNotice {
		return false
	}
	numbers := false
	for i, w := range side[0] {
		v := side[1][i]
		if w == v {
			continue
		}
		if kind.Priced(w) || kind.Priced(v) {
			return false
		}
		if w, v = kind.Mask(w), kind.Mask(v); w == v {
			numbers = true
			continue
		}
		short, long := w, v
		if len(short) > len(long) {
			short, long = long, short
		}
		if len(short) < 3 || len(long)-len(short) > 2 || !strings.HasPrefix(long, strings.TrimRight(short, ".,;:")) {
			return false
		}
	}
	return numbers
}

// appendMarks lists the changed words of a row.
func appendMarks(marks []string, r *Row) []string {
	for i, s := range r.Segments {
		sign := "+"
		switch s.Kind {
		case align.Equal:
			continue
		case align.Delete:
			sign = "-"
		}
		words := strings.Fields(strings.ToLower(s.Text))
		for j, w := range words {
			m := sign + kind.Mask(w)
			if kind.HasDigit(w) {
				m += " " + wordAfter(words[j+1:], r.Segments[i+1:], s.Kind)
			}
			marks = append(marks, m)
		}
	}
	return marks
}

// wordAfter is the next word of one side of a block.
func wordAfter(words []string, rest []Segment, side align.OpKind) string {
	for len(words) == 0 && len(rest) > 0 {
		if rest[0].Kind == align.Equal || rest[0].Kind == side {
			words = strings.Fields(strings.ToLower(rest[0].Text))
		}
		rest = rest[1:]
	}
	if len(words) == 0 {
		return ""
	}
	return kind.Mask(words[0])
}

// numbersChanged reports whether a number is among the changed words: another
// price, time or count is never a typo.
func numbersChanged(d Diff) bool {
	for _, h := range d.Hunks {
		for _, r := range h.Rows {
			if r.Class != Content {
				continue
			}
			for _, s := range r.Segments {
				if s.Kind != align.Equal && kind.HasDigit(s.Text) {
					return true
				}
			}
		}
	}
	return false
}
