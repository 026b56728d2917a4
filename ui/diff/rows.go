package diff

import (
	"fmt"
	"slices"
	"strings"

	"diurna/reader/page"
	"diurna/reader/wording"
	"diurna/ui/view"
)

// comparison has the rows of what changed: the changed blocks and their notes, and
// rows that unchanged blocks are folded in.
type comparison struct {
	edit    bool // of an item edited by its publisher; no watched page
	ready   bool // it is there
	diff    page.Diff
	all     []diffRow
	noise   []page.Row // what does not count, see collapseNoise
	folds   []diffRow  // what was unfolded, by diffRow.fold
	changes []int      // the rows that changed
	low     []string   // their text for a find, made by the first one
}

// rowSort says what a row of the diff screen is.
type rowSort uint8

const (
	rowSummary rowSort = iota
	rowHead            // the headings above a part of the page
	rowFold            // unchanged blocks, of which only the number is shown
	rowQuiet           // parts of the page in which nothing changed
	rowPlain           // an unchanged block
	rowBlock           // a changed block
	rowNote            // a link, an image, what is ignored here
	rowNoise           // a changed block that does not count
	rowBlank
)

// diffRow is a row of the screen. at is its place in a hunk, of rowNoise in
// View.noise; rowFold begins there and goes on up to the row to, rowQuiet up to
// the hunk to.
type diffRow struct {
	sort     rowSort
	hunk, at int
	to       int
	text     string // rowHead, rowPlain, rowNote
	sign     string // rowNote
	fold     int    // what it came out of, counted from 1; 0: nothing
	open     bool   // long equal parts are shown whole
}

// rests reports whether the cursor may stand on a row.
func (r *diffRow) rests() bool {
	return r.sort != rowSummary && r.sort != rowHead && r.sort != rowBlank
}

// take takes in a comparison.
func (c *comparison) take(with page.Diff) {
	c.diff, c.ready = with, true
	c.all, c.folds, c.changes = c.all[:0], nil, nil
	c.collapseNoise()
	c.build()
	c.index()
}

// next gives the first row after from (by > 0) or before it for which is holds,
// -1 for none.
func (c *comparison) next(from, by int, is func(*diffRow) bool) int {
	for i := from + by; i >= 0 && i < len(c.all); i += by {
		if is(&c.all[i]) {
			return i
		}
	}
	return -1
}

// index finds the changed rows again after rows came or went.
func (c *comparison) index() {
	c.changes, c.low = c.changes[:0], nil
	for i := range c.all {
		// Of a list of links the first one is where n goes.
		if s := c.all[i].sort; s == rowBlock || s == rowNoise || s == rowNote && c.all[i-1].sort == rowHead {
			c.changes = append(c.changes, i)
		}
	}
}

// build makes the rows of a comparison.
func (c *comparison) build() {
	c.add(diffRow{sort: rowSummary})
	for i := range c.diff.Hunks {
		h := &c.diff.Hunks[i]
		if !changed(h) {
			c.quiet(i)
			continue
		}
		c.add(diffRow{sort: rowHead, text: c.path(h.Path)})
		for k := range h.Rows {
			last := &c.all[len(c.all)-1]
			switch {
			case h.Rows[k].Kind != page.Same:
				c.add(diffRow{sort: rowBlock, hunk: i, at: k})
			case last.sort == rowFold && last.hunk == i: // what parted them does not count
				last.to = k + 1
			default:
				c.add(diffRow{sort: rowFold, hunk: i, at: k, to: k + 1})
			}
		}
	}
	c.sideNotes()
	c.noiseRows()
	c.ignoredNotes()
}

func (c *comparison) add(r diffRow) { c.all = append(c.all, r) }

// quiet adds a hunk in which nothing changed to what is folded before it.
func (c *comparison) quiet(hunk int) {
	switch last := &c.all[len(c.all)-1]; last.sort {
	case rowFold, rowQuiet:
		last.sort, last.to = rowQuiet, hunk+1
	default:
		c.add(diffRow{sort: rowQuiet, hunk: hunk, to: hunk + 1})
	}
}

func changed(h *page.Hunk) bool {
	for i := range h.Rows {
		if h.Rows[i].Kind != page.Same {
			return true
		}
	}
	return false
}

// path is where on the page a row stands.
//
//go:noinline // 6 places
func (c *comparison) path(headings []string) string {
	switch {
	case len(headings) > 0:
		return strings.Join(headings, " > ")
	case c.edit:
		return "text"
	}
	return "top of the page"
}

// sideNotes lists what came and went beside the text.
func (c *comparison) sideNotes() {
	if t := c.diff.Title; t[0] != t[1] && !c.edit {
		c.notes("title of the page", t[:1], t[1:])
	}
	if l := c.diff.Language; l[0] != l[1] && l[0] != "" && l[1] != "" {
		c.notes("language of the page", l[:1], l[1:])
	}
	for _, side := range []struct {
		name string
		of   page.Existence
	}{{"links", c.lone()}, {"images", c.diff.Images}, {"form parts", c.diff.Forms}, {"embedded", c.diff.Embeds}} {
		if len(side.of.Added)+len(side.of.Removed) == 0 {
			continue
		}
		c.notes(fmt.Sprintf("%s: %s new, %s gone", side.name, wording.Count(len(side.of.Added)), wording.Count(len(side.of.Removed))), side.of.Removed, side.of.Added)
	}
	if len(c.diff.Retargets) > 0 {
		c.notes("links that lead elsewhere: "+wording.Count(len(c.diff.Retargets)), nil, nil)
	}
	for _, r := range c.diff.Retargets {
		c.note("~", fmt.Sprintf("%s: %s -> %s", r.Text, r.Old, r.New))
	}
}

// notes adds a heading, and below it what went and what came.
func (c *comparison) notes(head string, gone, come []string) {
	c.add(diffRow{sort: rowBlank})
	c.add(diffRow{sort: rowHead, text: head})
	for _, text := range gone {
		c.note("-", text)
	}
	for _, text := range come {
		c.note("+", text)
	}
}

// lone are the links that came and went, but for those whose text stayed and
// whose address changed: they are listed with both.
func (c *comparison) lone() page.Existence {
	moved := make(map[string]bool, 2*len(c.diff.Retargets))
	for _, r := range c.diff.Retargets {
		moved["-"+r.Old], moved["+"+r.New] = true, true
	}
	var e page.Existence
	for _, l := range c.diff.Links.Removed {
		if !moved["-"+l] {
			e.Removed = append(e.Removed, l)
		}
	}
	for _, l := range c.diff.Links.Added {
		if !moved["+"+l] {
			e.Added = append(e.Added, l)
		}
	}
	return e
}

func (c *comparison) note(sign, text string) {
	if text != "" {
		c.add(diffRow{sort: rowNote, sign: sign, text: text})
	}
}

// maxIgnored is how many ignored blocks are named.
const maxIgnored = 20

// ignoredNotes names the changed blocks that rules hide.
func (c *comparison) ignoredNotes() {
	if c.diff.Blocks.Unshown > 0 {
		c.add(diffRow{sort: rowBlank})
		c.note(" ", wording.Plural(c.diff.Blocks.Unshown, "more changed block")+": more than a screen can hold")
	}
	hidden := c.diff.Ignored
	if len(hidden) > 0 && len(c.noise) == 0 {
		c.add(diffRow{sort: rowBlank})
	}
	for i := range hidden {
		if i == maxIgnored {
			c.note(" ", fmt.Sprintf("ignored here: %s more", wording.Count(max(c.diff.Blocks.Ignored, len(hidden))-i)))
			break
		}
		c.note(" ", ignoredHere(&hidden[i], true))
	}
	if len(hidden) > 0 {
		c.note(" ", "i in Pages lists them and reports them again")
	}
}

// classNote says of a change that is no news what it is.
func classNote(c page.Class) string {
	switch c {
	case page.Menu:
		return " (menu)"
	case page.Date:
		return " (dates)"
	case page.Volatile:
		return " (counters and the like)"
	}
	return ""
}

// summary is the row above the first heading.
func (c *comparison) summary(s *view.Scene) string {
	n, sep := c.diff.Blocks, " "+s.Th.Dot+" "
	say := map[page.Class]string{
		page.Menu: "menus only" + sep, page.Order: "order only" + sep, page.Links: "links only" + sep,
		page.Date: "dates only" + sep, page.Volatile: "counters only" + sep, page.None: "nothing visible" + sep,
	}[c.diff.Class]
	quiet, w := len(c.noise), c.quietWords()
	say += wording.Plural(n.Changed-quiet, "block") + " changed"
	if n.Moved > 0 {
		say += ", " + wording.Count(n.Moved) + " moved"
	}
	say += sep + wording.Plural(c.diff.Words.Added-w.Added, "word") + " added, " + wording.Count(c.diff.Words.Deleted-w.Deleted) + " removed"
	say += sep + wording.Plural(n.Same, "block") + " unchanged"
	if n.Ignored > 0 {
		say += sep + wording.Count(n.Ignored) + " ignored"
	}
	if c.diff.Shrunk {
		say += sep + "most of the text is gone"
	}
	if c.diff.Dead {
		say += sep + "the watched part is no longer on the page"
	}
	return say
}

// block is the changed block of a row, whether it counts or not; nil for other
// rows.
func (c *comparison) block(i int) *page.Row {
	switch {
	case i < 0 || i >= len(c.all):
		return nil
	case c.all[i].sort == rowNoise:
		return &c.noise[c.all[i].at]
	case c.all[i].sort != rowBlock:
		return nil
	}
	return &c.diff.Hunks[c.all[i].hunk].Rows[c.all[i].at]
}

// inside gives the rows that a folded one stands for.
func (c *comparison) inside(r diffRow, fold int) []diffRow {
	var rows []diffRow
	under := r.hunk
	if r.at == 0 && r.sort == rowQuiet {
		under = -1
	}
	c.each(&r, func(hunk int, row *page.Row) {
		if hunk != under {
			under = hunk
			rows = append(rows, diffRow{sort: rowHead, text: c.path(c.diff.Hunks[hunk].Path), fold: fold})
		}
		for _, text := range c.diff.Unchanged(*row) {
			rows = append(rows, diffRow{sort: rowPlain, text: text, fold: fold})
		}
	})
	if len(rows) == 0 {
		rows = append(rows, diffRow{sort: rowNote, sign: " ", text: "(no text)", fold: fold})
	}
	return rows
}

// each calls do with every run of unchanged blocks that a folded row stands for.
func (c *comparison) each(r *diffRow, do func(hunk int, row *page.Row)) {
	do(r.hunk, &c.diff.Hunks[r.hunk].Rows[r.at])
	if r.sort == rowFold {
		for i := r.at + 1; i < r.to; i++ {
			do(r.hunk, &c.diff.Hunks[r.hunk].Rows[i])
		}
		return
	}
	for k := r.hunk; k < r.to; k++ {
		for i := range c.diff.Hunks[k].Rows {
			if k > r.hunk || i > r.at {
				do(k, &c.diff.Hunks[k].Rows[i])
			}
		}
	}
}

// search gives the rows whose text holds all words.
func (c *comparison) search(text string) []int32 {
	words := strings.Fields(strings.ToLower(text))
	if len(words) == 0 {
		return nil
	}
	if c.low == nil { // once, not with every letter that is typed
		c.low = make([]string, len(c.all))
		for i := range c.all {
			c.low[i] = c.lower(i)
		}
	}
	var hits []int32
	for i, low := range c.low {
		if low != "" && !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(low, w) }) {
			hits = append(hits, int32(i))
		}
	}
	return hits
}

// lower is the text of a row for a find, "" where the cursor does not rest.
func (c *comparison) lower(i int) string {
	r := &c.all[i]
	if !r.rests() {
		return ""
	}
	b := c.block(i)
	if b == nil {
		return strings.ToLower(r.text)
	}
	var text strings.Builder
	for _, seg := range b.Segments {
		text.WriteString(seg.Text)
	}
	if b.Kind == page.Moved {
		text.WriteString(" " + c.path(b.From))
	}
	return strings.ToLower(text.String())
}

// folded reports whether Enter would show more of a changed block.
func (c *comparison) folded(i int) bool {
	r := c.block(i)
	if r == nil || c.all[i].sort == rowNoise {
		return r != nil
	}
	for _, seg := range r.Segments {
		if seg.Kind == page.Equal && len(seg.Text) > longEqual {
			return true
		}
	}
	return false
}

// sign is the character that says what happened to a row.
func (c *comparison) sign(i int) string {
	if r := c.block(i); r != nil {
		return [...]string{page.Changed: "~", page.Deleted: "-", page.Inserted: "+", page.Moved: "m"}[r.Kind]
	}
	if c.all[i].sort == rowNote {
		return c.all[i].sign
	}
	return " "
}
