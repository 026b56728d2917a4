package page

import "html"

// compareItem treats an item as a small page whose heading is its title.
func compareItem(old, next Item, minor int) ItemChange {
	wrap := func(i Item) []byte {
		return []byte("<h1>" + html.EscapeString(i.Title) + "</h1>\n<div>" + i.HTML + "</div>")
	}
	d, _ := compare(wrap(old), wrap(next), Options{}) // no selectors, no error
	c := ItemChange{Diff: d, Words: d.Words, Title: old.Title != next.Title}
	for _, t := range d.Terms {
		switch t.Category {
		case CatWords:
			c.Told += t.Count
		case CatLinks, CatImages, CatEmbeds:
			c.Told += t.Count
		}
	}
	if minor <= 0 {
		minor = DefaultMinor
	}
	c.Minor = c.Told <= minor && !numbersChanged(d)
	return c
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
				if s.Kind != Equal && hasDigit(s.Text) {
					return true
				}
			}
		}
	}
	return false
}
