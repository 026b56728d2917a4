package diff

import (
	"strings"
	"unicode"

	"diurna/reader/page"
)

// collapseNoise takes what is no news out of a comparison: the blocks of counters, tokens
// and of what comes and goes stand together below all others, so that a change
// is not looked for among them. Where there is nothing else they stay where they
// are, and so does what changed in an item.
func (c *comparison) collapseNoise() {
	c.noise = nil
	if c.edit || c.diff.Class == page.Volatile || c.diff.Class == page.None {
		return
	}
	hunks := make([]page.Hunk, 0, len(c.diff.Hunks))
	for _, h := range c.diff.Hunks {
		rest := h.Rows[:0:0]
		for i := range h.Rows {
			if h.Rows[i].Class == page.Volatile && h.Rows[i].Kind != page.Same {
				c.noise = append(c.noise, h.Rows[i])
			} else {
				rest = append(rest, h.Rows[i])
			}
		}
		if len(rest) > 0 {
			hunks = append(hunks, page.Hunk{Path: h.Path, Rows: rest})
		}
	}
	if len(c.noise) > 0 {
		c.diff.Hunks = hunks
	}
}

// noiseRows adds what collapseNoise took out.
func (c *comparison) noiseRows() {
	if len(c.noise) > 0 {
		c.add(diffRow{sort: rowBlank})
	}
	for i := range c.noise {
		c.add(diffRow{sort: rowNoise, at: i, text: ignoredHere(&c.noise[i], false)})
	}
}

// ignoredHere names a block that does not count, and why: as a rule or a selector
// of the watch has it, or by what it is.
func ignoredHere(r *page.Row, set bool) string {
	text := r.New()
	if text == "" {
		text = r.Old()
	}
	note := classNote(r.Class)
	switch {
	case set && r.Ignores() != "":
		note = " (as set: " + r.Ignores() + ")"
	case set:
		note = " (as set)"
	case r.Kind == page.Deleted || r.Kind == page.Inserted:
		note = " (comes and goes)"
	case changedIn(r, unicode.IsDigit):
	case changedIn(r, unicode.IsLetter):
		note = " (was here before)"
	default:
		note = " (only signs)"
	}
	return "ignored here: \"" + text + "\"" + note
}

// changedIn reports whether a block's changed parts hold such a character.
func changedIn(r *page.Row, is func(rune) bool) bool {
	for _, s := range r.Segments {
		if s.Kind != page.Equal && strings.ContainsFunc(s.Text, is) {
			return true
		}
	}
	return false
}

// quietWords are the changed words of the blocks that collapseNoise took out.
func (c *comparison) quietWords() (w page.Words) {
	for i := range c.noise {
		w.Added, w.Deleted = w.Added+c.noise[i].Words.Added, w.Deleted+c.noise[i].Words.Deleted
	}
	return w
}
